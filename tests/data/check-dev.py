#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""./dev explains itself, asks for what it may not do, and takes away what it has installed.

check-dev.py BUILD-DIR
"""

import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tap
from tap import ROOT

BUILD = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / 'build'


def dev(*words, **environment):
    """Status, standard output and standard error of ./dev."""
    done = subprocess.run([ROOT / 'dev', *words], capture_output=True, text=True, check=False, timeout=60,
                          stdin=subprocess.DEVNULL, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def bench(folder, *names, **scripts):
    """A PATH of these tools alone, and of scripts."""
    tools = pathlib.Path(folder) / 'tools'
    tools.mkdir()
    for name in names:
        found = shutil.which(name)
        if found is None:
            raise tap.Skip(f'there is no {name}')
        (tools / name).symlink_to(found)
    for name, text in scripts.items():
        path = tools / name.replace('_', '-')
        path.write_text(f'#!/bin/sh\n{text}\n')
        path.chmod(0o755)
    return str(tools)


SMALL = ('bash', 'sh', 'env', 'awk', 'cat', 'cut', 'dirname', 'grep', 'mkdir', 'readlink', 'realpath', 'sed', 'tail', 'tr')


def check_help():
    """--help and -h of each command tell what it does, and start nothing: no tool that it needs is there."""
    commands = set(re.findall(r'^\./dev (\w+)', dev('help')[1], re.MULTILINE))
    assert len(commands) > 10, commands
    with tempfile.TemporaryDirectory() as folder:
        path = bench(folder, *SMALL)
        for command in sorted(commands):
            for words in ((command, '--help'), (command, '-h'), (command, 'x', '--help')):
                status, said, wrong = dev(*words, PATH=path)
                assert status == 0 and not wrong, f'{words}: {status} {wrong}'
                assert said.startswith(f'./dev {command}') and len(said) > 40, f'{words}: {said}'


def check_unknown_command():
    status, said, wrong = dev('nonsense')
    assert status == 1 and not said and wrong.endswith('dev: no such command: nonsense\n'), wrong


def check_without_root():
    """Who is not root and has no sudo gets one sentence, with the line for somebody who is, and nothing is begun."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / 'began'
        path = bench(folder, *SMALL, nproc='echo 1', id='echo 1000', dpkg_query='exit 1', sudo='exit 1',
                     apt_get=f'echo "$@" >>{log}', meson=f'echo "$@" >>{log}', ninja=f'echo "$@" >>{log}')
        # Where this user may not write, install would say that first.
        for command in (['run'], ['check'], ['install', folder], ['deb'], ['appimage'], ['flatpak']):
            for missing in (False, True):
                if missing and (pathlib.Path(path) / 'sudo').exists():
                    (pathlib.Path(path) / 'sudo').rename(pathlib.Path(folder) / 'no-sudo')
                status, said, wrong = dev(*command, PATH=path)
                line = re.fullmatch(r'dev: packages are missing that only an administrator can install, with: '
                                    r'apt-get install --no-install-recommends ((?:[\w.+-]+ ?)+)\n', wrong)
                assert status == 1 and not said and line, f'{command}: {status} {said}{wrong}'
                assert {'meson', 'libgtk-4-dev'} <= set(line[1].split()), line[1]
            (pathlib.Path(folder) / 'no-sudo').rename(pathlib.Path(path) / 'sudo')
        assert not log.exists(), log.read_text()


def check_missing_tool():
    """What packs a package names the tool that it misses, and makes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = bench(folder, *SMALL, 'uname', 'mktemp', 'rm', 'git')
        for package, tool in (('appimage', 'gcc'), ('flatpak', 'flatpak')):
            out = pathlib.Path(folder) / package
            done = subprocess.run([ROOT / package / 'make', folder, out], capture_output=True, text=True, check=False,
                                  timeout=60, env={'PATH': path, 'TMPDIR': folder})
            assert done.returncode == 1 and not done.stdout, f'{package}: {done.returncode} {done.stdout}'
            assert done.stderr == f'{package}: there is no {tool}; ./dev {package} installs what is needed\n', done.stderr
            assert not out.exists() and not list(pathlib.Path(folder).glob('tessera-*')), package


# What a desktop makes of what is there; every installation of any program writes them.
CACHE = re.compile(r'share/(applications/mimeinfo\.cache|glib-2\.0/schemas/gschemas\.compiled|'
                   r'icons/hicolor/icon-theme\.cache|mime/(?!packages).*)')


def content(root):
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
            for path in root.rglob('*') if not CACHE.fullmatch(str(path.relative_to(root)))}


def check_install():
    """After install, install and uninstall a prefix is as before, but for the desktop's caches; those name nothing of ours."""
    options = json.loads((BUILD / 'meson-info/intro-buildoptions.json').read_text(encoding='utf-8'))
    prefix = next(option['value'] for option in options if option['name'] == 'prefix')
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / prefix.lstrip('/')
        for name in ('share/applications/other.desktop', 'share/man/man1/other.1', 'share/tessera/mine', 'share/mime/packages/other.xml'):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text('<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info"/>'
                            if name.endswith('xml') else '[Desktop Entry]\nType=Application\nName=Other\nExec=true\n')
        before = content(root)
        for _ in range(2):
            status, said, wrong = dev('install', prefix, DESTDIR=folder, TESSERA_BUILT=str(BUILD))
            assert status == 0 and not said, wrong
        there = content(root)
        assert there['bin/tessera-cli'] and there['share/tessera/demo/profile.pop'], sorted(there)
        tap.run(root / 'bin/tessera-cli', '--version')
        status, said, wrong = dev('uninstall', prefix, DESTDIR=folder)
        assert status == 0 and not said, wrong
        after = content(root)
        assert after == before, f'left: {sorted(after.keys() - before.keys())}, gone: {sorted(before.keys() - after.keys())}'
        for path in root.rglob('*'):
            if path.is_file():
                assert b'tessera' not in path.read_bytes().lower(), f'{path} still names it'
        status, said, wrong = dev('uninstall', prefix, DESTDIR=folder)
        assert status == 1 and 'nothing that ./dev install has installed' in wrong, wrong


def check_hostile_list():
    """A list that names what is outside of the prefix removes nothing there."""
    with tempfile.TemporaryDirectory() as folder:
        kept = pathlib.Path(folder) / 'kept'
        kept.write_text('x')
        prefix = pathlib.Path(folder) / 'prefix'
        (prefix / 'share/tessera').mkdir(parents=True)
        (prefix / 'share/tessera/installed').write_text(f'../kept\nshare/../../kept\n{kept}\nshare/tessera/installed\n')
        status, _, wrong = dev('uninstall', str(prefix))
        assert status == 0 and kept.exists() and wrong.count('is not removed') == 3, wrong


def check_packages():
    """Debian's packages have every file that is installed, each in one; what they are built of ./dev installs; the maintainer is
    the account that the metainfo names."""
    patterns = []
    for path in (ROOT / 'debian').iterdir():
        if path.name == 'not-installed' or path.suffix in ('.install', '.manpages'):
            patterns += [line for line in path.read_text(encoding='utf-8').split('\n') if line and not line.startswith('#')]
    installed = json.loads((BUILD / 'meson-info/intro-installed.json').read_text(encoding='utf-8')).values()
    options = json.loads((BUILD / 'meson-info/intro-buildoptions.json').read_text(encoding='utf-8'))
    prefix = next(option['value'] for option in options if option['name'] == 'prefix')
    names = [f'usr{name.removeprefix(prefix)}' for name in installed]
    used = set()
    for name in names:
        homes = [pattern for pattern in patterns if any(fnmatch.fnmatchcase(str(part), pattern)
                                                        for part in (pathlib.PurePath(name), *pathlib.PurePath(name).parents))]
        assert len(homes) == 1, f'{name} is in {homes or "no package"}'
        used.update(homes)
    unused = set(patterns) - used
    if not any('dist-packages' in name for name in names):
        unused -= {'usr/lib/python3*'}
    assert not unused, f'debian/ names what is not installed: {unused}'
    control = (ROOT / 'debian/control').read_text(encoding='utf-8')
    wanted = set(re.findall(r'^ ([a-z][\w.+-]*)', re.search(r'^Build-Depends:\n((?: .*\n)+)', control, re.MULTILINE)[1], re.MULTILINE))
    groups = dict(re.findall(r"^packages_(\w+)='([^']*)'", (ROOT / 'dev').read_text(encoding='utf-8'), re.MULTILINE))
    listed = set((groups['run'] + ' ' + groups['deb']).split())
    # These two are other names of debhelper and dh-python.
    listed |= {'debhelper-compat', 'dh-sequence-python3'}
    assert len(wanted) > 5 and wanted <= listed, f'./dev deb does not install {wanted - listed}'
    metainfo = (ROOT / 'data/io.github.tessera_ipu.Tessera.metainfo.xml.in').read_text(encoding='utf-8')
    home = re.search(r'<url type="homepage">https://github\.com/([\w-]+)/', metainfo)[1]
    assert re.search(rf'^Maintainer: .*<{home}@users\.noreply\.github\.com>$', control, re.MULTILINE), f'the homepage is of {home}'


def check_versions():
    """meson.build has the version; what tells of releases tells of that one first."""
    version = re.search(r"version: '([^']+)'", (ROOT / 'meson.build').read_text(encoding='utf-8'))[1]
    newest = re.search(r'^Tessera (\S+) \((\d{4}-\d\d-\d\d)\)$', (ROOT / 'NEWS').read_text(encoding='utf-8'), re.MULTILINE)
    assert newest and newest[1] == version, f'NEWS says {newest and newest[1]}, meson.build {version}'
    # One more in Debian's changelog, where lintian wants 80 at most.
    long = [line for line in (ROOT / 'NEWS').read_text(encoding='utf-8').splitlines() if len(line) > 79]
    assert not long, f'NEWS has lines of more than 79 characters: {long}'
    metainfo = (ROOT / 'data/io.github.tessera_ipu.Tessera.metainfo.xml.in').read_text(encoding='utf-8')
    assert f'<release version="{version}" date="{newest[2]}"' in metainfo, f'the metainfo has no release {version} of {newest[2]}'


if __name__ == '__main__':
    sys.exit(tap.main([(f'dev/{check.__name__[6:].replace("_", "-")}', check) for check in (
        check_help, check_unknown_command, check_without_root, check_missing_tool,
        check_install, check_hostile_list, check_packages, check_versions)]))
