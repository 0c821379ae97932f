#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings POTFILES.in, tessera.pot and every translation up to date with the sources; ./dev po calls it.

update.py --check writes nothing and fails when there is something to write, or when a translation misses a text or
has other placeholders than the text.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PO = pathlib.Path(__file__).resolve().parent
ROOT = PO.parent
MARKED = {
    '.c': re.compile(r'\b(?:(?:N?C?_|ngettext)\s*\(\s*"|g_dngettext\s*\()'),
    '.h': re.compile(r'\bN?C?_\s*\(\s*"'),
    '.ui': re.compile(r'translatable="(?:yes|true|1)"'),
}
XGETTEXT = [
    'xgettext', '--from-code=UTF-8', '--add-comments', '--add-location=file', '--sort-by-file', '--no-wrap',
    '--package-name=Tessera', '--copyright-holder=The Tessera developers', '--keyword=_', '--keyword=N_',
    '--keyword=C_:1c,2', '--keyword=NC_:1c,2', '--keyword=ngettext:1,2', '--keyword=g_dngettext:2,3',
    '--flag=N_:1:pass-c-format', '--flag=C_:2:pass-c-format', '--flag=NC_:2:pass-c-format',
    '--flag=g_strdup_printf:1:c-format', '--flag=g_string_append_printf:2:c-format',
    '--flag=g_string_printf:2:c-format', '--flag=g_set_error:4:c-format', '--flag=g_error_new:3:c-format',
    '--flag=g_prefix_error:2:c-format', '--flag=g_print:1:c-format', '--flag=g_printerr:1:c-format',
    '--flag=tsr_diagnostics_add:8:c-format',
]


def calls(text):
    """The text of each call that marks a string for translation."""
    for match in re.finditer(r'\b(?:N?C?_|ngettext|g_dngettext)\s*\(', text):
        depth, end = 1, match.end()
        for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[()]', text[end:]):
            depth += {'(': 1, ')': -1}.get(token[0], 0)
            if depth == 0:
                yield text[match.start():end + token.end()]
                break


def check_macros(files):
    """xgettext cuts a text at every macro but those of inttypes.h."""
    for name in files:
        for call in calls((ROOT / name).read_text(encoding='utf-8')) if name.endswith(('.c', '.h')) else ():
            macro = re.search(r'"\s*\b((?!PRI[diux]64)\w+)', re.sub(r'"(?:[^"\\]|\\.)*"', '"', call))
            if macro:
                sys.exit(f'{name}: {macro[1]} in a text to translate: write PRId64, PRIu64 or %zu\n{call}')


def marked_files():
    """Every file with a text to translate, sorted, relative to the project."""
    found = [path for path in (ROOT / 'data').glob('*.in') if not path.name.endswith('.service.in')]
    for path in (ROOT / 'src').rglob('*'):
        pattern = MARKED.get(path.suffix)
        if pattern and pattern.search(path.read_text(encoding='utf-8')):
            found.append(path)
    return sorted(str(path.relative_to(ROOT)) for path in found)


def extract(files):
    """The template's text, without the line that holds today's date."""
    with tempfile.TemporaryDirectory() as folder:
        pot = pathlib.Path(folder) / 'tessera.pot'
        said = subprocess.run([*XGETTEXT, '--directory', ROOT, '--output', pot, *files],
                              check=True, capture_output=True, text=True).stderr
        text = pot.read_text(encoding='utf-8')
    # A newer gettext brings rules of its own for files of GTK and AppStream, and says when it uses them.
    fallback = re.compile(r"\S*xgettext: warning: a fallback ITS rule file '[^']*' is used; "
                          'it may not be in sync with the upstream\n')
    said = ''.join(line for line in said.splitlines(True) if not fallback.fullmatch(line))
    if said:
        sys.exit(f'{said}a text cannot be extracted')
    return re.sub(r'"POT-Creation-Date: .*\n', '', text)


def merge(po, template):
    """The translation brought up to the template's text."""
    with tempfile.TemporaryDirectory() as folder:
        pot = pathlib.Path(folder) / 'tessera.pot'
        pot.write_text(template, encoding='utf-8')
        return subprocess.run(['msgmerge', '--quiet', '--no-wrap', '--no-fuzzy-matching', '--sort-by-file', '-o', '-',
                               po, pot], check=True, capture_output=True, text=True).stdout


def check_translation(name, text):
    """Complete, and each format has the placeholders of its text; the flags are those of a template made anew."""
    done = subprocess.run(['msgfmt', '--check', '--statistics', '-o', '/dev/null', '-'], input=text,
                          capture_output=True, text=True, env={**os.environ, 'LC_ALL': 'C'})
    if done.returncode != 0 or re.search('fuzzy|untranslated', done.stderr):
        return f'{name}: {done.stderr.strip()}'
    # A newer gettext does not flag the texts of a window's template as formats.
    for block in text.split('\n\n'):
        if re.search(r'^#: .*\.ui\b', block, re.MULTILINE) and '\nmsgstr ' in block:
            source, translation = block[block.index('msgid '):].split('\nmsgstr ', 1)
            if sorted(re.findall(r'%[a-z]', source)) != sorted(re.findall(r'%[a-z]', translation)):
                return f'{name}: other placeholders than in its text: {translation}'
    return None


def entries(text):
    """The texts and translations alone: comments, flags and the header differ between releases of gettext."""
    blocks = ('\n'.join(line for line in block.split('\n') if not line.startswith('#'))
              for block in text.split('\n\n'))
    return {block.strip() for block in blocks if block.strip() and not block.startswith('msgid ""\nmsgstr ""\n"')}


def main(check):
    stale = []

    def put(path, text):
        old = path.read_text(encoding='utf-8') if path.exists() else ''
        same = entries(old) == entries(text) if check and path.suffix in ('.pot', '.po') else old == text
        if not same:
            stale.append(path.name)
            if not check:
                path.write_text(text, encoding='utf-8')

    files = marked_files()
    check_macros(files)
    put(PO / 'POTFILES.in', '# SPDX-License-Identifier: GPL-3.0-or-later\n' + ''.join(f'{name}\n' for name in files))
    template = extract(files)
    put(PO / 'tessera.pot', template)
    languages = (PO / 'LINGUAS').read_text(encoding='utf-8').split('\n')
    wrong = []
    for language in (line for line in languages if line and not line.startswith('#')):
        po = PO / f'{language}.po'
        merged = merge(po, template)
        put(po, merged)
        wrong.append(check_translation(po.name, merged))
    wrong = [one for one in wrong if one]
    if stale:
        print(('not up to date (./dev po): ' if check else 'updated: ') + ', '.join(stale), file=sys.stderr)
    if wrong:
        print('\n'.join(wrong), file=sys.stderr)
    return 1 if check and (stale or wrong) else 0


if __name__ == '__main__':
    sys.exit(main('--check' in sys.argv[1:]))
