#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the AppImage loads into its programs, and how it chooses libraries: tried without an AppImage.

check-appimage.py COMPILER...; the AppImage itself is tried by ./dev fresh appimage.
"""

import errno
import os
import pathlib
import shutil
import struct
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


def check_cut():
    """A file cut off anywhere says so, or is no program at all: the kernel never has to kill it without a word."""
    if os.uname().machine != 'x86_64' or shutil.which('ld.bfd') is None:
        raise tap.Skip('needs x86-64 and ld.bfd')
    with tempfile.TemporaryDirectory() as folder:
        runtime, whole, cut = (pathlib.Path(folder) / name for name in ('runtime', 'whole', 'cut'))
        # What start.c has to set up as the kernel does: variables with and without a value, those of threads, the heap.
        source = pathlib.Path(folder) / 'runtime.c'
        source.write_text('''#include <stdio.h>
            #include <stdlib.h>
            #include <sys/auxv.h>
            static int zero[100000], seven = 7;
            static __thread int five = 5, none;
            int main (int argc, char **argv)
            {
              char *room = calloc (1, 3000000);
              for (int i = 0; i < 100000; i++) seven += zero[i];
              printf ("%d %d %d %d %d %s %s\\n", argc, seven, five, none, room[2999999], argv[argc - 1], getenv ("WORD"));
              return getauxval (AT_PHNUM) > 4 ? 3 : 4;
            }''', encoding='utf-8')
        if subprocess.run([*COMPILER, '-Os', '-static', '-o', runtime, source], check=False, capture_output=True).returncode != 0:
            raise tap.Skip('there is no static C library')
        tap.run('bash', '-euc', 'package=test; . "$1"; shift; with_start "$@"', 'bash', ROOT / 'appimage/parts', runtime, whole,
                *COMPILER)
        data = whole.read_bytes()
        assert data[:4] == b'\x7fELF' and data[8:11] == b'AI\2'
        # As tools find the image that follows: behind the section headers.
        table, size, count = struct.unpack_from('<Q', data, 40)[0], *struct.unpack_from('<2H', data, 58)
        assert table + size * count == len(data)
        segments, = struct.unpack_from('<Q', data, 32)
        whole.write_bytes(data + b'hsqs')
        done = subprocess.run([whole, 'a', 'b c'], env={'WORD': 'x'}, check=False, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (3, '3 7 5 0 0 b c x\n', ''), done
        lengths = {*range(0, 4200, 37), *range(0, len(data), 50021), *(at + i for at in (64, segments, segments + 112, 4096, len(data))
                                                                      for i in (-1, 0) if at + i != len(data))}
        for length in sorted(lengths):
            cut.write_bytes(data[:length])
            cut.chmod(0o755)
            try:
                done = subprocess.run([cut], check=False, capture_output=True, text=True)
            except OSError as error:
                assert error.errno == errno.ENOEXEC and length < segments + 112, (length, error)
                continue
            assert length >= segments + 112, length
            assert done.returncode == 127 and done.stderr == (
                f'tessera: {cut.resolve()} is incomplete: not even its head is all there; get the file again\n'), (length, done)


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
        check_environment, check_itself, check_locale, check_icu, check_cut, check_newer, check_programs)]))
