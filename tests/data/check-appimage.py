#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the AppImage loads into its programs, and how it chooses libraries: tried without an AppImage.

check-appimage.py COMPILER...; the AppImage itself is tried by ./dev fresh appimage.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import tap
from tap import ROOT

COMPILER = sys.argv[1:] or ['cc']
LOADER = pathlib.Path('/lib64/ld-linux-x86-64.so.2')
OURS = {'APPDIR': '/nowhere', 'APPIMAGE': '/x', 'TESSERA_KEEPER': '9', 'GIO_MODULE_DIR': '/ours', 'GTK_PATH': '/ours',
        'XDG_DATA_DIRS': '/ours:/usr/share', 'TESSERA_HOST_NAMES': ' GIO_MODULE_DIR XDG_DATA_DIRS GTK_PATH',
        'TESSERA_HOST_XDG_DATA_DIRS': '/usr/share', 'LC_ALL': 'C.UTF-8', 'PATH': '/usr/bin:/bin', 'GIO_MODULE': 'kept'}
HOST = {'XDG_DATA_DIRS': '/usr/share', 'LC_ALL': 'C.UTF-8', 'PATH': '/usr/bin:/bin', 'GIO_MODULE': 'kept'}


def library(folder):
    if not LOADER.exists():
        raise tap.Skip(f'there is no {LOADER}')
    tap.run(*COMPILER, '-O2', '-Wall', '-Wextra', '-Werror', '-shared', '-fPIC', '-o', f'{folder}/host.so',
            ROOT / 'appimage/host.c', '-ldl')
    return f'{folder}/host.so'


def preloaded(folder, *command, **environment):
    return tap.run(LOADER, '--preload', library(folder), *command, env=environment)


def variables(text):
    return dict(line.split('=', 1) for line in text.splitlines())


def check_environment():
    """What is started gets the user's environment, by each way of starting."""
    ways = [['/usr/bin/env', '/usr/bin/env'], ['/usr/bin/env', 'env']]
    python = os.path.realpath(sys.executable)
    for call in ('os.execv("/usr/bin/env", ["env"])', 'os.execvpe("env", ["env"], dict(os.environ))',
                 'os.waitpid(os.posix_spawn("/usr/bin/env", ["env"], os.environ), 0)',
                 'os.waitpid(os.posix_spawnp("env", ["env"], os.environ), 0)',
                 '__import__("subprocess").run(["env"], close_fds=False)', '__import__("subprocess").run(["/usr/bin/env"])'):
        ways.append([python, '-I', '-c', f'import os; {call}'])
    with tempfile.TemporaryDirectory() as folder:
        for way in ways:
            found = variables(preloaded(folder, *way, **OURS))
            assert found == HOST, f'{way}: {found}'


def check_itself():
    """The program itself keeps what AppRun has set."""
    with tempfile.TemporaryDirectory() as folder:
        found = variables(preloaded(folder, os.path.realpath(sys.executable), '-I', '-c',
                                    'import os\nfor pair in os.environ.items(): print("=".join(pair))', **OURS))
        assert found == OURS, found


def check_locale():
    """A locale that the machine does not have still chooses the language; programs that are started do not see that."""
    show = ('import os; print(*[os.environ.get(name) for name in ("LC_ALL", "LC_TIME", "LANG", "LC_MESSAGES", "LANGUAGE")], '
            'flush=True); os.execvp("env", ["env"])')
    python = os.path.realpath(sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        user = {'LANG': 'xx_XX.UTF-8', 'LC_TIME': 'xx_YY', 'PATH': '/usr/bin:/bin'}
        said = preloaded(folder, python, '-I', '-c', show, **user).splitlines()
        assert said[0] == 'None None C.UTF-8 en_US.UTF-8 xx_XX', said
        assert variables('\n'.join(said[1:])) == user, said
        said = preloaded(folder, python, '-I', '-c', show, LANG='C.UTF-8', PATH='/usr/bin:/bin').splitlines()
        assert said[0] == 'None None C.UTF-8 None None', said


def check_icu():
    """The empty ICU data is an ELF library with the symbol that it shall have."""
    with tempfile.TemporaryDirectory() as folder:
        out = f'{folder}/libicudata.so'
        tap.run(*COMPILER, '-shared', '-fPIC', '-nostdlib', '-Wall', '-Wextra', '-Werror', '-DICU_DATA=icudt72_dat', '-o', out,
                ROOT / 'appimage/icudata.c')
        assert ' icudt72_dat' in tap.run('nm', '-D', '--defined-only', out)


def chosen(folder, ours, theirs):
    """Whether AppRun takes the machine's library of version "theirs" and not ours."""
    host = pathlib.Path(folder) / f'host-{theirs}'
    host.mkdir(exist_ok=True)
    (host / f'libx.so.{theirs}').touch()
    (host / 'libx.so.0').unlink(missing_ok=True)
    (host / 'libx.so.0').symlink_to(f'libx.so.{theirs}')
    text = (ROOT / 'appimage/AppRun').read_text(encoding='utf-8')
    function = text[text.index('newer () {'):text.index('\n}\n', text.index('newer () {')) + 3]
    function = function.replace('/usr/lib/"$arch"-linux-gnu /lib/"$arch"-linux-gnu /usr/lib64 /lib64 /usr/lib', f'{host}')
    done = subprocess.run(['sh', '-euc', f'{function}\nnewer libx.so.0 {ours} && echo yes || echo no'], check=False,
                          capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return done.stdout == 'yes\n'


def check_newer():
    """Versions are compared number by number."""
    with tempfile.TemporaryDirectory() as folder:
        for ours, theirs, wanted in (('6.0.30', '6.0.33', True), ('6.0.30', '6.0.30', True), ('6.0.30', '6.0.28', False),
                                     ('1.2.9', '1.2.13', True), ('1.2.13', '1.2.9', False), ('1.21.0', '1.9.3', False),
                                     ('2.4.0', '2.4', True), ('2.4', '2.4.0', True), ('0', '0.23.1', True), ('2.9', '2.x', False)):
            found = chosen(folder, ours, theirs)
            assert found == wanted, f'ours {ours}, theirs {theirs}: {found}'


def check_programs():
    """The first word chooses the program; only Python gets a home of its own, and what it starts gets the user's back."""
    with tempfile.TemporaryDirectory() as folder:
        lib = pathlib.Path(folder) / 'lib'
        (lib / 'glibc').mkdir(parents=True)
        (lib / 'newer/libnone.so.0').mkdir(parents=True)
        (lib / 'newer/libnone.so.0/version').write_text('libnone.so.0 0\n')
        (lib / 'glibc/version').write_text('0\n')
        loader = lib / 'loader'
        loader.write_text('#!/bin/sh\nprintf "%s\\n" "$*" "${PYTHONHOME-none}" "${TESSERA_HOST_PYTHONHOME-none}" "$TESSERA_HOST_NAMES"\n')
        loader.chmod(0o755)
        (lib / 'arch').write_text(f'x86_64 {loader}\n')
        for words, program, rest, home in ((['python', 'a b', '--help'], 'python', 'a b --help', f'{folder}/usr'),
                                           (['cli', 'python'], 'tessera-cli', 'python', 'mine'),
                                           (['report', 'python'], 'tessera', 'report python', 'mine'), ([], 'tessera', '', 'mine')):
            said = tap.run('/bin/sh', ROOT / 'appimage/AppRun', *words,
                           env={'APPDIR': folder, 'PATH': '/usr/bin:/bin', 'PYTHONHOME': 'mine'}).split('\n')
            assert said[0].rstrip().endswith(f'--argv0 {program} {folder}/usr/bin/{program} {rest}'.rstrip()), said[0]
            assert said[1] == home and said[2] == ('none' if home == 'mine' else 'mine'), said
            assert ('PYTHONHOME' in said[3].split()) == (home != 'mine'), said[3]


if __name__ == '__main__':
    sys.exit(tap.main([(f'appimage/{check.__name__[6:]}', check) for check in (
        check_environment, check_itself, check_locale, check_icu, check_newer, check_programs)]))
