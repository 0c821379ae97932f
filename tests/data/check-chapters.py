#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual in docs/manual: each page of the window has its chapter, what chapters lead to is there, keys are those of the
window, examples run as pasted, and every language says the same.

check-chapters.py BUILD-DIR
"""

import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tap
from tap import ROOT

BUILD = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / 'build'
MANUAL = ROOT / 'docs/manual'
LANGUAGES = [MANUAL] + [path for path in sorted(MANUAL.iterdir()) if (path / 'index.md').exists()]
NAMES = {'Page_Up': 'Page Up', 'Page_Down': 'Page Down', 'slash': '/', 'bracketleft': '[', 'bracketright': ']',
         'braceleft': '{', 'braceright': '}', 'plus': '+', 'minus': '-', 'comma': ',', 'period': '.', 'question': '?', 'Return': 'Enter',
         'BackSpace': 'Backspace', 'space': 'Space', 'Control': 'Ctrl'}


def read(path):
    return path.read_text(encoding='utf-8')


def without_code(text):
    return re.sub(r'```.*?```', '', text, flags=re.DOTALL)


def get_headings(path):
    """Level and text of each."""
    return [(len(hashes), text) for hashes, text in re.findall(r'^(#+) (.*)', without_code(read(path)), re.MULTILINE)]


def get_anchor(heading):
    return ''.join('-' if letter == ' ' else letter for letter in heading.lower() if letter.isalnum() or letter in ' -_')


def get_links(path):
    """Targets of links and pictures, outside of code."""
    return re.findall(r'\]\(([^)]*)\)', re.sub(r'`[^`\n]*`', '', without_code(read(path))))


def list_chapters(folder):
    return [(folder / target).resolve() for target in get_links(folder / 'index.md')]


def check_pages():
    """Each page has a chapter of its name, with a picture once one was taken of it; and what F1 shows of the home page."""
    views = dict(re.findall(r'\[(TSR_VIEW_\w+)\] = \{ "([^"]*)"', read(ROOT / 'src/model/report/tsr-views.c')))
    pages = [views[page] for page in re.findall(r'\{ (TSR_VIEW_\w+),', read(ROOT / 'src/ui/pages/tsr-pages.c'))]
    assert len(pages) >= 6, pages
    home = re.findall(r"action-target\">'(\w+)'", read(ROOT / 'src/ui/shell/tsr-home.ui'))
    assert len(home) >= 3, home
    for folder in LANGUAGES:
        chapters = {path.stem for path in list_chapters(folder) if path.parent == folder}
        missing = (set(pages) | set(home) | {'start'}) - chapters
        assert not missing, f'{folder.name}: no chapter {missing}'
        for page in pages:
            shown = [target for target in get_links(folder / f'{page}.md') if target.endswith('.png')]
            taken = list((MANUAL / 'images').glob(f'{page}*.png'))
            assert shown or not taken, f'{folder.name}/{page}.md shows none of {taken}'


def check_links():
    """Every file, heading and picture is there; every picture is dark, too, and is shown; every chapter is in the contents."""
    shown = set()
    for folder in LANGUAGES:
        chapters = list_chapters(folder)
        for path in sorted(folder.glob('*.md')):
            assert path.name == 'index.md' or path in chapters, f'{path}: not in index.md'
            for target in get_links(path):
                file, _, anchor = target.partition('#')
                to = (path.parent / file).resolve() if file else path
                assert to.is_file(), f'{path}: {target}'
                if to.suffix == '.png':
                    assert to.with_name(f'{to.stem}-dark.png').is_file(), f'{path}: {target} is not there in dark'
                    shown.add(to)
                anchors = {get_anchor(text) for _level, text in get_headings(to)} if anchor else ()
                assert not anchor or anchor in anchors, f'{path}: {target}, there are {anchors}'
    unused = {path for path in (MANUAL / 'images').glob('*.png') if not path.stem.endswith('-dark')} - shown
    assert len(shown) > 6 and not unused, f'shown nowhere: {unused}'


def check_files():
    """What is part of the program is what is there; all of it is small."""
    listed = re.findall(r'<file alias="([^"]*)">manual/\1</file>', read(MANUAL / 'manual.gresource.xml'))
    files = [path for path in MANUAL.rglob('*') if path.suffix in ('.md', '.png')]
    there = sorted(str(path.relative_to(MANUAL)) for path in files)
    assert sorted(listed) == there, f'manual.gresource.xml: {sorted(set(listed) ^ set(there))}'
    assert sum(path.stat().st_size for path in files) < 3 << 20


def check_languages():
    """The same chapters, the same levels of headings, and the same code, tables and pictures in each."""
    def shape(path):
        text = read(path)
        return ([level for level, _text in get_headings(path)], re.findall(r'```.*?```', text, re.DOTALL),
                len(re.findall(r'^\|', text, re.MULTILINE)), len(re.findall(r'^(?:-|\d+\.) ', text, re.MULTILINE)),
                [pathlib.Path(target).name for target in get_links(path) if target.endswith('.png')],
                [pathlib.Path(target.partition('#')[0]).name for target in get_links(path) if '.md' in target])
    assert len(LANGUAGES) > 1
    for folder in LANGUAGES[1:]:
        names = [sorted(path.name for path in where.glob('*.md')) for where in (MANUAL, folder)]
        assert names[0] == names[1], f'{folder.name}: {set(names[0]) ^ set(names[1])}'
        for name in names[0]:
            parts = ('headings', 'code', 'rows of tables', 'items', 'pictures', 'links')
            for part, one, other in zip(parts, shape(MANUAL / name), shape(folder / name)):
                assert one == other, f'{folder.name}/{name}: other {part}\n{one}\n{other}'


def check_subset():
    """Nothing that the help window does not know: nested or starred lists, HTML, quotations, rules, links in <>."""
    for path in sorted(MANUAL.rglob('*.md')) + [ROOT / 'docs/formulas.md']:
        for line in re.sub(r'`[^`\n]*`', '', without_code(read(path))).splitlines():
            assert not re.match(r'\s+[-*] |[*+] |>|---|===|    ', line), f'{path}: {line}'
            assert not re.search(r'</?[a-z]+[ />]|<http|~~', line), f'{path}: {line}'
            assert '![' not in line[1:], f'{path}: {line}'


def get_keys():
    """Of the window of keyboard shortcuts, as the manual writes them."""
    keys = set()
    for accelerators in re.findall(r'"accelerator">([^<]*)<', read(ROOT / 'src/ui/gtk/help-overlay.ui')):
        for key in html.unescape(accelerators).split():
            first, dots, last = key.rpartition('...')
            numbers = range(int(first[-1]), int(last) + 1) if dots else (None,)
            for number in numbers:
                parts = re.findall(r'<(\w+)>', key)
                base = str(number) if dots else re.sub(r'<\w+>', '', key)
                base = NAMES.get(base, base.upper() if len(base) == 1 else base)
                keys.add('+'.join([NAMES.get(part, part) for part in parts] + [base]))
    return keys


def check_keys():
    keys = get_keys()
    for folder in LANGUAGES:
        rows = re.findall(r'^\| (`.*?`(?:, `.*?`)*)', read(folder / 'keys.md'), re.MULTILINE)
        told = {key for row in rows for key in re.findall(r'`([^`]*)`', row)}
        assert len(told) > 50 and told <= keys, f'{folder.name}: no such keys: {told - keys}'


def get_words(language):
    """What the window calls a thing: German of each English text, without marks of keys and dots."""
    def join(quoted):
        return ''.join(re.findall(r'"((?:[^"\\]|\\.)*)"', quoted)).replace('_', '').rstrip(' …').lower()
    words = {}
    for one, other in re.findall(r'^msgid ("(?:.|\n")*)\n(?:msgid_plural .*\n)?msgstr(?:\[0\])? ("(?:.|\n")*)',
                                 read(ROOT / f'po/{language}.po'), re.MULTILINE):
        words.setdefault(join(one), set()).add(join(other))
    return words


def check_words():
    """What a chapter sets off, heads or lists under the name that the window has for it, its translation calls likewise."""
    for folder in LANGUAGES[1:]:
        words, n = get_words(folder.name), 0
        for path in sorted(MANUAL.glob('*.md')):
            told = read(folder / path.name).lower()
            names = re.findall(r'\*{1,2}([^*\n]+)\*{1,2}|^\| ([^|`]+?) \||^#+ (.*)', without_code(read(path)), re.MULTILINE)
            for name in {part for match in names for whole in match if whole for part in [whole, *whole.split(', ')]}:
                known = words.get(name.rstrip(' …').lower(), set())
                n += bool(known)
                assert not known or any(word in told for word in known), f'{folder.name}/{path.name}: {name} is {known} in the window'
        assert n > 100, n


def check_examples():
    """The blocks of shell in the chapter on scripts, one after the other, in a folder where a checkout is built; and what it
    says to Python."""
    text = read(MANUAL / 'scripts.md')
    blocks = re.findall(r'```sh\n(.*?)```', text, re.DOTALL)
    assert len(blocks) == 4 and blocks[0].startswith('demo='), blocks
    python = re.search(r'```python\n(.*?)```', text, re.DOTALL)[1]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / 'build').symlink_to(BUILD)
        lines = blocks[1].splitlines()
        for block in lines + blocks[2:]:
            done = subprocess.run(['bash', '-euo', 'pipefail', '-c', f'{blocks[0]}\n{block}'], cwd=folder, capture_output=True,
                                  text=True, check=False, timeout=60, env=os.environ)
            assert done.returncode == 0 and not done.stderr, f'{block}: {done.returncode} {done.stderr}'
            output = re.search(r'--output=(\S+)|> (\S+\.csv)', block) if block in lines else None
            said = (pathlib.Path(folder) / (output[1] or output[2])).read_bytes() if output else done.stdout
            assert len(said) > 20, f'{block}: {said}'
        # A limit that is not kept fails the check of a pull request.
        budget = pathlib.Path(folder) / 'budget.txt'
        budget.write_text('maxTileBytes = 1000\n')
        done = subprocess.run(['bash', '-c', f'{blocks[0]}\nbash check-report.sh $demo'], cwd=folder, capture_output=True,
                              check=False, timeout=60)
        assert done.returncode == 1, done
        module = BUILD / 'src/python'
        if any(module.rglob('_core*.so')):
            where = next(module.rglob('_core*.so')).parents[1]
            env = {**os.environ, 'PYTHONPATH': str(where)}
            if b'libasan.so' in next(module.rglob('_core*.so')).read_bytes():
                # The interpreter has to load the sanitizer first, and loses memory of its own.
                asan = tap.run('gcc', '-print-file-name=libasan.so').strip()
                env.update(LD_PRELOAD=asan, ASAN_OPTIONS='detect_leaks=0')
            said = tap.run(sys.executable, '-c', python, cwd=folder, env=env)
            assert int(said) > 1000, said


if __name__ == '__main__':
    sys.exit(tap.main([(f'chapters/{check.__name__[6:]}', check) for check in (
        check_pages, check_links, check_files, check_languages, check_subset, check_keys, check_words, check_examples)]))
