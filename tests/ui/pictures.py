# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the pictures of the manual: each page of the window and what a chapter shows besides, light and dark.

pictures.py PROGRAM REPORTS FOLDER [NAME ...]  inside tests/with-display.  REPORTS has the folders demo and oom.  Writes
FOLDER/NAME.png and FOLDER/NAME-dark.png with few colours, as small as they get; only those NAMEs, or all.  Where FOLDER
is that of the manual, the list of its files in manual.gresource.xml is written anew.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import playground

SIZE = (1280, 800)
# Titles show paths, so reports have the same on each machine.
PLACE = pathlib.Path('/tmp/me')
NAMES = {'training': 'demo', 'too-large': 'oom'}
# Of a page that is shown in a certain state, and of what is no page: report, state as links have it, and then an action
# of the window or the page, and keys (with a space before them: text).
STATES = {
    'home': (None, '', None, []),
    'open-remote': (None, '', 'win.open-remote', ['shift+Tab', 'ctrl+a', ' me', 'Tab', ' node7']),
    'memory': ('training', 'page=memory&breakdown=category&tiles=706,707', None, []),
    'tile-map': ('training', 'page=memory&graph=tile-map&tiles=706', None, []),
    'tile': ('training', 'page=memory&tiles=706&tab=variables', None, []),
    'liveness': ('training', 'page=liveness&tab=peak&peak=1', None, []),
    'programs': ('training', 'page=programs&program=10', None, []),
    'icicle': ('training', 'page=programs&list=icicle&program=10', None, []),
    'roofline': ('training', 'page=operations&tab=flops', None, []),
    'insights-oom': ('too-large', 'page=insights', None, []),
    'plan': ('too-large', 'page=insights', 'insights.propose', []),
    'colours': ('training', 'page=memory', 'win.colours', []),
    'memory-oom': ('too-large', 'page=memory', None, []),
}


def list_pages(program):
    """All pages that the program has, so that a new one has its picture."""
    said = subprocess.run([program, '--help'], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.search(r'--page=.*: ([a-z, ]+)$', said, re.MULTILINE)[1].split(', ')


def get_screen():
    return pathlib.Path(os.environ['TESSERA_SCREEN']).read_bytes()


def wait_until_still(program, seconds=1.5, patience=90):
    """Until nothing has changed on the screen for a while."""
    until = time.monotonic() + patience
    since, before = time.monotonic(), get_screen()
    while time.monotonic() - since < seconds:
        time.sleep(.1)
        program.ping()
        now = get_screen()
        if now != before:
            since, before = time.monotonic(), now
        assert time.monotonic() < until, 'the window does not stand still'


def take(program_path, work, report, words, action, keys, scheme, path):
    screen = playground.X11(SIZE, work)
    program = playground.Program(program_path, screen, work, scheme=scheme)
    try:
        screen.move(SIZE[0] - 1, SIZE[1] - 1)
        program.start(*([f'tessera://{PLACE}/{report}?{words}'] if report else []))
        tree = playground.Tree(program)
        until = time.monotonic() + 60
        # A window that is opening a report has nothing yet that is asked of one.
        while report and not any('win.diagnostics' in widget.actions for widget in tree.walk()):
            assert time.monotonic() < until, f'{report} does not open'
            time.sleep(.2)
        if action:
            wait_until_still(program)
            tree.do(next(widget for widget in tree.walk() if action in widget.actions), action)
        for key in keys:
            wait_until_still(program, .3)
            (screen.type if key[0] == ' ' else screen.key)(key.strip())
        wait_until_still(program)
        bad = program.read_log()
        assert not bad, bad
        screen.shoot(path)
        program.quit()
    finally:
        program.close()
        screen.close()


def shrink(path):
    """To 128 colours, without the marks of the program that did it and of the time."""
    subprocess.run(['pngquant', '--force', '--strip', '--speed=1', '--nofs', '--output', path, '128', path], check=True)
    subprocess.run(['optipng', '-quiet', '-o5', '-strip', 'all', path], check=True)


def list_files(manual):
    """Chapters and pictures, for what is part of the program."""
    listing = manual / 'manual.gresource.xml'
    if not listing.exists():
        return
    head, rest = listing.read_text(encoding='utf-8').split('    <file alias=', 1)
    names = sorted(str(path.relative_to(manual)) for path in manual.rglob('*') if path.suffix in ('.md', '.png'))
    files = ''.join(f'    <file alias="{name}">manual/{name}</file>\n' for name in names)
    listing.write_text(head + files + rest[rest.index('  </gresource>'):], encoding='utf-8')


def main(argv):
    program, reports, folder = (pathlib.Path(arg).resolve() for arg in argv[:3])
    pages = list_pages(program)
    states = {page: ('training', f'page={page}', None, []) for page in pages}
    states |= {name: state for name, state in STATES.items() if not state[1] or re.match(r'page=(\w+)', state[1])[1] in pages}
    unknown = set(argv[3:]) - set(states)
    if unknown:
        print(f'there is no picture {", ".join(sorted(unknown))}; there are: {", ".join(states)}', file=sys.stderr)
        return 1
    work = pathlib.Path(os.environ['HOME'])
    font = pathlib.Path(os.environ['XDG_CONFIG_HOME']) / 'gtk-4.0/settings.ini'
    font.parent.mkdir(parents=True)
    font.write_text('[Settings]\ngtk-font-name=Cantarell 11\n')
    playground.need('pngquant', 'optipng')
    assert not PLACE.exists(), f'{PLACE} is there already, and pictures want reports at that place: move it away'
    folder.mkdir(parents=True, exist_ok=True)
    PLACE.mkdir()
    try:
        for name, report in NAMES.items():
            (PLACE / name).symlink_to(reports / report)
        for name, state in states.items():
            if argv[3:] and name not in argv[3:]:
                continue
            for scheme in ('light', 'dark'):
                path = folder / (f'{name}.png' if scheme == 'light' else f'{name}-dark.png')
                take(program, work, *state, scheme, path)
                shrink(path)
                print(f'{path.name}: {path.stat().st_size / 1024:.0f} KiB', file=sys.stderr)
    finally:
        shutil.rmtree(PLACE)
    list_files(folder.parent)
    return 0


if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1:]))
    except (AssertionError, OSError, playground.Broken, playground.Missing, subprocess.CalledProcessError) as error:
        print(f'pictures: {error}', file=sys.stderr)
        sys.exit(1)
