#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules that the whole tree keeps: licences, the order of the boxes, texts to translate, the flatpak manifest."""

import collections
import re
import sys

import tap
from tap import ROOT

BOXES = ['base', 'source', 'format', 'report', 'analysis', 'tables', 'present']
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
TOOLKIT = re.compile(r'^(gtk|gdk|gsk|adwaita|graphene)\b|^(gtk|gdk|gsk|adw)/')


def read(name):
    return (ROOT / name).read_text(encoding='utf-8')


def check_licences():
    """Every file that can carry a comment names its licence in its first lines."""
    commented = ('.c', '.h', '.py', '.sh', '.in', '.xml', '.svg', '.css', '.ui', '.yml', '.supp', '.po', '.sql')
    scripts = [name for name in tap.tracked() if '.' not in name.rsplit('/', 1)[-1] and
               (ROOT / name).stat().st_mode & 0o100]
    missing = []
    names = [name for name in tap.tracked() if name.endswith(commented)] + scripts
    assert len(names) > 50, f'only {len(names)} files found'
    for name in names:
        head = '\n'.join(read(name).splitlines()[:6])
        # What runs beside Graphcore's own module must be free to.
        licence = 'MIT' if name == 'src/converter/tessera-from-pva' else r'(GPL-3\.0-or-later|CC0-1\.0)'
        if not re.search(rf'SPDX-License-Identifier: {licence}', head):
            missing.append(name)
    assert not missing, 'no SPDX-License-Identifier: ' + ', '.join(missing)


def check_purposes():
    """Every source and header begins with what it is for, below its licence."""
    begin = re.compile(r'/\* SPDX-License-Identifier: [\w.-]+ \*/\n\n/\* \S')
    missing = [name for name in tap.tracked() if name.endswith(('.c', '.h')) and not begin.match(read(name))]
    assert not missing, 'no comment that says what the file is for: ' + ', '.join(missing)


def headers_by_box():
    owner = {}
    for box in BOXES:
        for path in (ROOT / 'src/model' / box).rglob('*.h'):
            owner[path.name] = box
    return owner


def check_boxes():
    """A box of the model includes headers of its own and lower boxes only."""
    owner = headers_by_box()
    wrong = []
    for rank, box in enumerate(BOXES):
        for path in (ROOT / 'src/model' / box).rglob('*.[ch]'):
            for header in INCLUDE.findall(path.read_text(encoding='utf-8')):
                used = owner.get(header.rsplit('/', 1)[-1])
                if used and BOXES.index(used) > rank:
                    wrong.append(f'{path.relative_to(ROOT)} includes {header} of {used}')
    for path in (ROOT / 'src/remote').rglob('*.[ch]'):
        for header in INCLUDE.findall(path.read_text(encoding='utf-8')):
            if owner.get(header.rsplit('/', 1)[-1], 'base') not in ('base', 'source'):
                wrong.append(f'{path.relative_to(ROOT)} includes {header}')
    remote = {path.name for path in (ROOT / 'src/remote').rglob('*.h')}
    for path in (ROOT / 'src/model').rglob('*.[ch]'):
        wrong += [f'{path.relative_to(ROOT)} includes {header}' for header in
                  INCLUDE.findall(path.read_text(encoding='utf-8')) if header.rsplit('/', 1)[-1] in remote]
    assert len(owner) > 10, 'no headers found'
    assert not wrong, '\n'.join(wrong)


def check_sql():
    """Tables, charts and pages take what a report has: no SQL above the analysis.  (The structure of a file is no figure.)"""
    allowed = {'src/ui/shell/help/tsr-structure-copy.c'}
    reads = re.compile(r'\btsr_(?:scan|database|profile)_\w+ \(|\btsr_report_open_profile\b')
    wrong = []
    for folder in ('src/model/tables', 'src/model/present', 'src/ui'):
        for path in sorted((ROOT / folder).rglob('*.[ch]')):
            text, name = path.read_text(encoding='utf-8'), str(path.relative_to(ROOT))
            if name in allowed:
                assert reads.search(text), f'{name} need not be allowed any more'
                continue
            wrong += [f'{name} includes {header}' for header in INCLUDE.findall(text)
                      if header in ('tsr-scan.h', 'tsr-database.h', 'tsr-profile.h')]
            wrong += [f'{name} calls {call}' for call in reads.findall(text)]
    assert not wrong, '\n'.join(wrong)


def check_colours():
    """Colours stand in the table of colours and nowhere else: charts, widgets and the style sheet name them."""
    table = 'src/model/present/colours/tsr-palette.c'
    literal = re.compile(r'(?<![\w&])#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b(?![\w-])|\b0x[0-9a-fA-F]{6}\b|\brgba? ?\(|\bgdk_rgba_parse\b'
                         r'|GdkRGBA\)? ?\{ *[0-9.]|GdkRGBA \w+ = \{ *[0-9.]|set_source_rgba? \(\w+, [0-9.]'
                         r'|color: *(?:white|black|red|green|blue|gr[ae]y|orange|yellow)\b')
    wrong = []
    for path in sorted(path for kind in ('*.c', '*.h', '*.css', '*.ui') for path in (ROOT / 'src').rglob(kind)):
        name, text = str(path.relative_to(ROOT)), path.read_text(encoding='utf-8')
        if name == table:
            assert len(literal.findall(text)) > 100, 'no colours found in the table'
        else:
            wrong += [f'{name}:{n}: {line.strip()}' for n, line in enumerate(text.split('\n'), 1) if literal.search(line)]
    assert not wrong, 'colours outside of ' + table + '\n' + '\n'.join(wrong)


def check_boxes_in_meson():
    """Each box's library names only the box right below it, so that a wrong include does not compile."""
    for lower, box in zip(BOXES, BOXES[1:]):
        names = set(re.findall(r'\b(\w+)_dep\b', read(f'src/model/{box}/meson.build'))) & set(BOXES)
        assert names <= {box, lower, *BOXES[:BOXES.index(box)]}, f'{box} depends on {names}'
    order = re.findall(r"subdir \('model/(\w+)'\)", read('src/meson.build'))
    assert order == BOXES, f'src/meson.build builds {order}'


def check_toolkit():
    """No GTK in the model, the command line, the generator and the Python module; libadwaita only in ui/shell."""
    wrong = []
    for folder in ('src/model', 'src/remote', 'src/cli', 'src/generator', 'src/python'):
        for path in (ROOT / folder).rglob('*.[ch]'):
            wrong += [f'{path.relative_to(ROOT)}: {header}' for header in
                      INCLUDE.findall(path.read_text(encoding='utf-8')) if TOOLKIT.match(header)]
    for path in (ROOT / 'src/ui').rglob('*.[ch]'):
        if 'shell' not in path.parts and '#include <adwaita.h>' in path.read_text(encoding='utf-8'):
            wrong.append(f'{path.relative_to(ROOT)}: adwaita.h outside of ui/shell')
    assert not wrong, '\n'.join(wrong)


# Circles that have a reason.  Each is named by one of its files.
CIRCLES = {
    'src/ui/pages/memory/tsr-memory-page.c': 'one page: its controls, graphs, tabs and links set each other off',
    'src/ui/shell/tsr-window.c': 'a window and its actions, which are a list of what it can do',
}
MOST_FILES = 30  # in a folder of src


def without_comments(text):
    text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.DOTALL)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)


def exported_functions(text):
    """Functions that a source defines for others: a type, and the name at the beginning of the next line."""
    lines = text.split('\n')
    names = {f'{name}_get_type' for name in
             re.findall(r'^G_DEFINE[A-Z_]*TYPE[A-Z_]*\s*\(\s*\w+,\s*(\w+)', text, re.MULTILINE)}
    for before, (number, line) in zip(lines, list(enumerate(lines))[1:]):
        found = re.match(r'([a-z_]\w*) \(', line)
        if found and before.strip() and 'static' not in before:
            rest = '\n'.join(lines[number:])
            if re.match(r'[^;{]*\n\{', rest):
                names.add(found[1])
    return names


def circles_of(uses):
    """Strongly connected parts with more than one member (Tarjan, without recursion)."""
    index, low, stack, open_, found = {}, {}, [], set(), []
    for root in uses:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        open_.add(root)
        work = [(root, iter(uses[root]))]
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    open_.add(other)
                    work.append((other, iter(uses[other])))
                    break
                if other in open_:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = set()
                    while node not in part:
                        part.add(stack.pop())
                    open_ -= part
                    if len(part) > 1:
                        found.append(part)
    return found


def check_circles():
    """Files that call each other in circles have a reason, and hold at most a twentieth of the code."""
    texts = {path.relative_to(ROOT).as_posix(): without_comments(path.read_text(encoding='utf-8'))
             for path in sorted((ROOT / 'src').rglob('*.c'))}
    lines = {name: sum(1 for line in text.split('\n') if line.strip()) for name, text in texts.items()}
    owner = {}
    for name, text in texts.items():
        for function in exported_functions(text):
            owner.setdefault(function, name)
    assert len(owner) > 1000, f'only {len(owner)} functions found'
    uses = {name: sorted({owner[word] for word in set(re.findall(r'\b[a-z_]\w*\b', text)) & owner.keys()} - {name})
            for name, text in texts.items()}
    found = circles_of(uses)
    unknown = [', '.join(sorted(part)) for part in found if not part & CIRCLES.keys()]
    gone = [name for name in CIRCLES if not any(name in part for part in found)]
    inside = sum(lines[name] for part in found for name in part)
    assert not unknown, 'these call each other in a circle: ' + '; '.join(unknown)
    assert not gone, 'no circle any more: ' + ', '.join(gone)
    assert len(CIRCLES) <= 10
    assert inside * 20 <= sum(lines.values()), f'{inside} of {sum(lines.values())} lines of code are in circles'


def check_callers():
    """Each exported function has a caller: another one than itself names it, beside its header, in the program or in a test."""
    texts = {path: without_comments(path.read_text(encoding='utf-8'))
             for folder in ('src', 'tests') for path in sorted((ROOT / folder).rglob('*.[ch]'))}
    named = collections.Counter(word for text in texts.values() for word in re.findall(r'\b[a-z_]\w*\b', text))
    functions = {name for path, text in texts.items() if path.suffix == '.c' and path.is_relative_to(ROOT / 'src')
                 for name in exported_functions(text) if not name.endswith('_get_type')}
    # Once where it stands, and once in its header.
    alone = sorted(name for name in functions if named[name] <= 2 and name != 'main')
    assert not alone, 'nobody calls ' + ', '.join(alone)


# Whose functions check their pointers when another box calls them.
CHECKED = ('src/model/base', 'src/model/source', 'src/model/format', 'src/model/report', 'src/model/analysis',
           'src/model/tables', 'src/model/present', 'src/remote', 'src/ui/session', 'src/ui/charts', 'src/ui/lists', 'src/ui/pages', 'src/ui/gtk', 'src/ui/shell')
DEFINITION = re.compile(r'^([A-Za-z][\w *]*)\n([a-z_]\w*) \(([^{};]*)\)\n\{(.*?)\n\}', re.MULTILINE | re.DOTALL)


def told_nullable(headers):
    """What comments say of each function's arguments: {function: comment}.  One without a comment shares that before it."""
    told = {}
    for path in headers:
        comment = ''
        for said, function in re.findall(r'/\*(.*?)\*/|^(?:[A-Za-z][\w *]*?\b)?([a-z_]\w*) \(|^$',
                                         path.read_text(encoding='utf-8'), re.MULTILINE | re.DOTALL):
            if function:
                told[function] = comment
            else:
                comment = said
    return told


def unchecked_pointers(parameters, body, comment, objects):
    """The instance and what else comes in by a pointer, if the function looks at none of them before it uses them."""
    checks = ' '.join(re.findall(r'\bg_(?:return|assert)\w*\s*\((.*?)\);', body, re.DOTALL))
    for place, parameter in enumerate(re.split(r',\s*(?![^()]*\))', parameters)):
        found = re.match(r'(.*?)\*[* ]*(?:const )?(\w+)(?:\[\w*\])?$', parameter.strip(), re.DOTALL)
        kind, name = (found[1].strip(), found[2]) if found else ('', '')
        # What is neither const nor an object is for results; what stops or counts may always be NULL.
        if not name or kind in ('GError', 'GCancellable', 'TsrProgress') or \
                (place > 0 and not kind.startswith('const') and kind not in objects):
            continue
        told = re.search(rf'@{name}\b[^@]*?(?:nullable|NULL)', comment)
        looks = re.search(rf'\b{name} [!=]= NULL|\bg_(?:str(?:v_)?dup|strcmp0|set_object) \([^;]*\b{name}\b', body)
        if not told and not looks and not re.search(rf'\b{name}\b', checks):
            yield name


def check_arguments():
    """A function that another box calls checks each pointer that comes in, says that it may be NULL, or is in the list."""
    def box(name):
        parts = name.split('/')
        return '/'.join(parts[:3] if parts[1] in ('model', 'ui') else parts[:2])

    texts = {str(path.relative_to(ROOT)): without_comments(path.read_text(encoding='utf-8'))
             for path in sorted((ROOT / 'src').rglob('*.c'))}
    headers = sorted((ROOT / 'src').rglob('*.h'))
    told = told_nullable(headers)
    objects = {name for path in headers for name in
               re.findall(r'^G_DECLARE_\w+ \((\w+),', path.read_text(encoding='utf-8'), re.MULTILINE)}
    users = {}
    for name, text in texts.items():
        for word in set(re.findall(r'\b[a-z_]\w*\b', text)):
            users.setdefault(word, set()).add(box(name))
    listed = {line for line in read('tests/data/unchecked-functions.txt').splitlines() if line and line[0] != '#'}
    without, wrong, found = set(), [], 0
    for name, text in texts.items():
        for kind, function, parameters, body in DEFINITION.findall(text) if box(name) in CHECKED else ():
            if 'static' in kind:
                continue
            found += 1
            unchecked = list(unchecked_pointers(parameters, body, told.get(function, ''), objects))
            if unchecked:
                without.add(function)
            if unchecked and users[function] - {box(name)} and function not in listed:
                wrong.append(f'{name}: {function} ({", ".join(unchecked)})')
    gone = sorted(listed - without)
    assert found > 1000 and len(told) > 1000, f'only {found} functions found, {len(told)} in headers'
    assert not wrong, 'neither check these, nor say that they may be NULL, and are called from other boxes:\n' + '\n'.join(wrong)
    assert not gone, 'need not be in tests/data/unchecked-functions.txt any more: ' + ', '.join(gone)


def check_folders():
    """A folder of sources can be looked over."""
    full = []
    for folder in [path for path in (ROOT / 'src').rglob('*') if path.is_dir()]:
        files = [path for path in folder.iterdir() if path.is_file() and path.name != 'meson.build']
        if len(files) > MOST_FILES:
            full.append(f'{folder.relative_to(ROOT)}: {len(files)} files')
    assert not full, '\n'.join(full)

def check_programs_apart():
    """Command line, generator, Python module and window never include each other."""
    folders = ('cli', 'generator', 'python', 'ui')
    owner = {path.name: folder for folder in folders for path in (ROOT / 'src' / folder).rglob('*.h')}
    wrong = []
    for folder in folders:
        for path in (ROOT / 'src' / folder).rglob('*.[ch]'):
            for header in INCLUDE.findall(path.read_text(encoding='utf-8')):
                if owner.get(header.rsplit('/', 1)[-1], folder) != folder:
                    wrong.append(f'{path.relative_to(ROOT)} includes {header}')
    for path in (ROOT / 'src/model').rglob('*.[ch]'):
        for header in INCLUDE.findall(path.read_text(encoding='utf-8')):
            if header.rsplit('/', 1)[-1] in owner:
                wrong.append(f'{path.relative_to(ROOT)} includes {header}')
    assert not wrong, '\n'.join(wrong)


def check_translations():
    """POTFILES.in, the template and each translation say what the sources say."""
    for tool in ('xgettext', 'msgmerge', 'msgfmt'):
        tap.run(tool, '--version')
    tap.run(sys.executable, ROOT / 'po/update.py', '--check')


def check_languages():
    """LINGUAS names each .po file."""
    listed = [line for line in read('po/LINGUAS').splitlines() if line and not line.startswith('#')]
    assert sorted(listed) == sorted(path.stem for path in (ROOT / 'po').glob('*.po')), f'LINGUAS: {listed}'


def check_flatpak():
    """The manifest is YAML, names this application and asks for no more than it says."""
    try:
        import yaml
    except ImportError as error:
        raise tap.Skip('there is no python3-yaml') from error
    app = 'io.github.tessera_ipu.Tessera'
    manifest = yaml.safe_load(read(f'flatpak/{app}.yml'))
    assert manifest['id'] == app and manifest['command'] == 'tessera', 'id or command'
    assert f"app_id = '{app}'" in read('meson.build'), 'the application id differs from meson.build'
    asked = set(manifest['finish-args'])
    assert asked == {'--share=ipc', '--socket=fallback-x11', '--socket=wayland', '--device=dri',
                     '--filesystem=host:ro', '--filesystem=/tmp:ro', '--env=TMPDIR=/var/tmp', '--share=network', '--socket=ssh-auth', '--filesystem=~/.ssh:ro',
                     '--filesystem=~/.ssh/known_hosts'}, asked
    assert [module['name'] for module in manifest['modules']] == ['libcbor', 'elfutils', 'libssh', 'tessera']
    for module in manifest['modules']:
        for source in module['sources']:
            pinned = 'sha256' in source or 'commit' in source or source['type'] == 'dir'
            assert pinned, f'{module["name"]}: the source is not pinned'
    # A pattern without a folder would take the demo report's archive.a.
    assert all(pattern.startswith(('/lib/', '/include', '/share/man', '/share/bash', '/bin/tessera-make'))
               for pattern in manifest['cleanup']), manifest['cleanup']
    # The application of ./dev flatpak and the hub's are built, cleaned up and confined alike.
    for option, wanted in (('--permissions', manifest['finish-args']), ('--cleanup', manifest['cleanup']),
                           ('--options', manifest['modules'][-1]['config-opts'])):
        made = tap.run(ROOT / 'flatpak/make', option).splitlines()
        assert made == wanted, f'{option}: made with {made}, the manifest has {wanted}'


def sections(path):
    """The names by which sections of a document are linked to, as GitHub makes them of headings."""
    text = re.sub(r'^```.*?^```', '', path.read_text(encoding='utf-8'), flags=re.MULTILINE | re.DOTALL)
    return {re.sub(r'[^\w\- ]', '', heading.strip().lower()).replace(' ', '-')
            for heading in re.findall(r'^#+ (.*)$', text, re.MULTILINE)}


def leads_nowhere(path, section):
    return not path.exists() or (section and section not in sections(path))


def check_links():
    """Every relative link in the documents leads to a file, and to a section that it has."""
    broken = []
    for name in tap.tracked('*.md'):
        for target, section in re.findall(r'\]\(([^)#\s]*)(?:#([^)\s]*))?\)', read(name)):
            path = (ROOT / name).parent / target if target else ROOT / name
            if not re.match(r'[a-z]+:', target) and leads_nowhere(path, section):
                broken.append(f'{name}: {target}#{section}')
    assert not broken, '\n'.join(broken)


def check_paths():
    """Files and folders that the documents name are there."""
    missing = []
    for name in tap.tracked('*.md'):
        for path in re.findall(r'`((?:src|tests|docs|data|po|flatpak)/[\w./*-]+)`', read(name)):
            if path != 'tests/fuzz/findings' and not any(ROOT.glob(path.rstrip('/'))):
                missing.append(f'{name}: {path}')
    assert not missing, '\n'.join(missing)


def check_comments():
    """Source files that comments name are there: none has been joined or renamed since."""
    there = {name.rsplit('/', 1)[-1] for name in tap.tracked()}
    gone = [f'{name}: {file}' for name in tap.tracked() if name.endswith(('.c', '.h'))
            for comment in re.findall(r'/\*.*?\*/', read(name), re.DOTALL)
            for file in re.findall(r'\b(?:tsr|cmd|test)-[\w-]+\.[ch]\b', comment) if file not in there]
    assert not gone, '\n'.join(gone)


def check_ways():
    """In the lists of files of docs/architecture.md, each calls one of the two before it or is called by it, and lists are short."""
    text = read('docs/architecture.md').split('## Two ways through the files')[1].split('\n## ')[0]
    ways = [re.findall(r'^\d+\. `([^`]+)`', part, re.MULTILINE) for part in re.split(r'^From ', text, flags=re.MULTILINE)[1:]]
    assert [len(way) > 1 for way in ways] == [True, True], ways
    assert len(ways[0]) <= 15 and len(ways[1]) <= 6, f'{[len(way) for way in ways]} files'
    packet = read('docs/architecture.md').split('**from ssh to a page of SQLite**')[1].split('\n\nThe files')[0]
    ways.append(re.findall(r'^\d+\. `([^`]+)`', packet, re.MULTILINE))
    assert 1 < len(ways[2]) <= 9, f'{len(ways[2])} files from ssh to a page of SQLite'
    gone = [name for way in ways for name in way if not (ROOT / name).is_file()]
    assert not gone, 'docs/architecture.md lists files that are not there: ' + ', '.join(gone)
    def call_each_other(one, other):
        texts = [without_comments(read(name)) for name in (one, other)]
        return any(exported_functions(texts[i]) & set(re.findall(r'\b[a-z_]\w*\b', texts[1 - i])) for i in (0, 1))
    wrong = [name for way in ways[:2] for i, name in enumerate(way)
             if i > 0 and not any(call_each_other(other, name) for other in way[max(i - 2, 0):i])]
    assert not wrong, 'neither call one of the two before them, nor are called by it: ' + '; '.join(wrong)
    # The third one forks: what is read from the cache never was in a packet.
    alone = [one for one in ways[2] if not any(call_each_other(one, other) for other in ways[2] if other != one)]
    assert not alone, 'call none of the others: ' + '; '.join(alone)


def check_citations():
    """What sources, tests and scripts cite of the documents is there: docs/insights.md#memory."""
    names = [name for name in tap.tracked() if name.endswith(('.c', '.h', '.py', '.sql', '.build', '.ui', '.css'))]
    wrong = []
    found = 0
    for name in [*names, 'dev']:
        text = read(name)
        for document, section in re.findall(r'\b(docs/[\w/-]+\.(?:md|sql))(?:#([\w-]+))?', text):
            found += 1
            if leads_nowhere(ROOT / document, section):
                wrong.append(f'{name}: {document}#{section}')
        # "PAPER 3.2" and "PAPER.md" cite what nobody finds.  Standards are known by their numbers.
        for comment in re.findall(r'/\*.*?\*/', text, re.DOTALL) if name.endswith(('.c', '.h')) else []:
            for paper in re.findall(r'\b([A-Z]{5,}(?:\.md)?) \d+(?:\.\d+)?\b|\b([A-Z]{4,}\.md)\b', comment):
                paper = paper[0] or paper[1]
                if not (ROOT / paper).exists():
                    wrong.append(f'{name}: {paper}')
    assert found > 30, f'only {found} citations found'
    assert not wrong, '\n'.join(wrong)


def check_dev_commands():
    """What ./dev can do, its help and CONTRIBUTING.md name the same commands; the README has the two."""
    script = read('dev')
    able = set(re.findall(r'^cmd_(\w+) \(\)', script, re.MULTILINE)) - {'help'}
    helped = set(re.findall(r'^\./dev (\w+)', tap.run(ROOT / 'dev', 'help'), re.MULTILINE))
    told = set(re.findall(r'^\| `\./dev (\w+)', read('CONTRIBUTING.md'), re.MULTILINE))
    assert able == helped == told, f'dev: {able}, its help: {helped}, CONTRIBUTING.md: {told}'
    first = re.search(r'```sh\n(.*?)```', read('README.md'), re.DOTALL)[1]
    assert re.findall(r'^\./dev (\w+)', first, re.MULTILINE) == ['run', 'test'], first
    assert read('.ci/run').rstrip().endswith('exec ./dev test'), '.ci/run does more than ./dev test'


def check_workflows():
    """The build servers' files are YAML, and call commands of ./dev: the tests and each package."""
    try:
        import yaml
    except ImportError as error:
        raise tap.Skip('there is no python3-yaml') from error
    able = set(re.findall(r'^cmd_(\w+) \(\)', read('dev'), re.MULTILINE))
    for name in ('.github/workflows/check.yml', '.gitlab-ci.yml'):
        yaml.safe_load(read(name))
        called = set(re.findall(r"(?:(?:run|script): \./dev|command:) '?(\w+)", read(name)))
        assert {'test', 'asan', 'deb', 'appimage', 'flatpak', 'dist'} <= called <= able, f'{name}: {called}'


def check_manual_pages():
    """groff has nothing to say about the manual pages."""
    pages = tap.tracked('docs/man/*.1')
    assert pages, 'no manual pages'
    for page in pages:
        said = tap.run('groff', '-man', '-Tutf8', '-ww', '-z', '-K', 'utf-8', ROOT / page)
        assert not said, said


if __name__ == '__main__':
    sys.exit(tap.main([(f'tree/{check.__name__[6:].replace("_", "-")}', check) for check in (
        check_licences, check_purposes, check_boxes, check_sql, check_colours, check_boxes_in_meson, check_toolkit, check_circles, check_callers,
        check_arguments, check_folders, check_programs_apart,
        check_translations, check_languages, check_flatpak, check_links, check_paths, check_comments, check_ways, check_citations,
        check_dev_commands, check_workflows, check_manual_pages)]))
