#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is installed beside the programs: valid by the tools that judge it, and understood by those that use it.

check-data.py BUILD-DIR
"""

import os
import pathlib
import re
import sqlite3
import sys
import tempfile
import xml.etree.ElementTree as ET

import tap
from tap import ROOT

APP = 'io.github.tessera_ipu.Tessera'
BUILT = pathlib.Path(sys.argv[1]).resolve() / 'data' if len(sys.argv) > 1 else pathlib.Path()
ICONS = ROOT / 'data/icons/hicolor'


def check_desktop_file():
    said = tap.run('desktop-file-validate', BUILT / f'{APP}.desktop')
    assert 'error' not in said and 'warning' not in said, said


def check_desktop_file_translated():
    text = (BUILT / f'{APP}.desktop').read_text(encoding='utf-8')
    assert re.search(r'^Comment\[de\]=.+', text, re.MULTILINE), 'no German comment'


def check_metainfo():
    text = (BUILT / f'{APP}.metainfo.xml').read_text(encoding='utf-8')
    # AppStream 1 and Flathub refuse the word for developers that Debian 12's knows, and that one does not know the new.
    if re.search(r'version: 0\.', tap.run('appstreamcli', '--version')):
        text = re.sub(r'<developer id=.*?<name [^>]*>(.*?)</name>.*?</developer>', r'<developer_name>\1</developer_name>', text, flags=re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / f'{APP}.metainfo.xml'
        path.write_text(text, encoding='utf-8')
        said = tap.run('appstreamcli', 'validate', '--no-net', '--strict', '--no-color', path)
    assert not re.search(r'^[EW]: ', said, re.MULTILINE), said


def check_metainfo_version():
    """The newest release is the version that is built."""
    version = re.search(r"version: '([^']+)'", (ROOT / 'meson.build').read_text(encoding='utf-8'))[1]
    newest = ET.parse(ROOT / f'data/{APP}.metainfo.xml.in').find('releases/release').get('version')
    assert newest == version, f'metainfo says {newest}, meson.build {version}'


def check_xml():
    """Every XML file is well formed, templates and icons included."""
    names = tap.tracked('*.xml', '*.xml.in', '*.svg', '*.ui')
    assert len(names) >= 5, names
    tap.run('xmllint', '--noout', '--nonet', *[ROOT / name for name in names])


def check_schema():
    schema = ROOT / f'data/{APP}.gschema.xml'
    if not schema.exists():
        raise tap.Skip('there is no settings schema')
    tap.run('glib-compile-schemas', '--strict', '--dry-run', schema.parent)
    assert (BUILT / 'gschemas.compiled').exists(), 'the build has no compiled schema'


def content_type(path, data):
    said = tap.run('gio', 'info', '-a', 'standard::content-type', path,
                   env={**os.environ, 'XDG_DATA_HOME': str(data), 'GIO_USE_VFS': 'local'})
    return re.search(r'standard::content-type: (\S+)', said)[1]


def check_mime_type():
    """A .pop file is a report, as is what our programs write whatever its name; another SQLite database is not."""
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / 'share'
        packages = data / 'mime/packages'
        packages.mkdir(parents=True)
        (packages / f'{APP}.xml').write_bytes((BUILT / f'{APP}.xml').read_bytes())
        tap.run('update-mime-database', data / 'mime')
        ours, sqlite = 'application/x-poplar-profile', 'application/vnd.sqlite3'
        for name, application, wanted in (('profile.pop', 0, ours), ('profile_a1.pop', 0, ours), ('other.db', 0, sqlite), ('other', 0, sqlite),
                                          ('other1', 0x54535232, sqlite), ('made', 0x54535231, ours)):
            path = pathlib.Path(folder) / name
            with sqlite3.connect(path) as database:
                database.execute('CREATE TABLE t (x)')
                database.execute(f'PRAGMA application_id = {application}')
            database.close()
            found = content_type(path, data)
            assert found == wanted, f'{name}: {found}, not {wanted}'


def handlers(kind, data, config):
    return tap.run('gio', 'mime', kind, env={
        **os.environ, 'XDG_DATA_HOME': str(data), 'XDG_DATA_DIRS': str(data), 'XDG_CONFIG_HOME': str(config),
        'XDG_CONFIG_DIRS': str(config), 'LC_ALL': 'C.UTF-8'})


def check_handlers():
    """On a desktop that has nothing else, Tessera opens reports, and is no handler of folders."""
    with tempfile.TemporaryDirectory() as folder:
        data, config = pathlib.Path(folder) / 'share', pathlib.Path(folder) / 'config'
        apps = data / 'applications'
        apps.mkdir(parents=True)
        config.mkdir()
        entry = (BUILT / f'{APP}.desktop').read_text(encoding='utf-8').replace('Exec=tessera', 'Exec=true')
        (apps / f'{APP}.desktop').write_text(entry, encoding='utf-8')
        tap.run('update-desktop-database', apps)
        said = handlers('application/x-poplar-profile', data, config)
        assert re.search(rf'Default application .*{re.escape(APP)}', said), said
        for kind in ('inode/directory', 'application/x-sqlite3', 'application/vnd.sqlite3', 'application/x-archive'):
            said = handlers(kind, data, config)
            assert APP not in said, said
    assert not tap.tracked('*mimeapps.list'), 'a list of defaults is not ours to ship'


def check_icons():
    """Both icons are drawn by the library that GTK uses, and show something."""
    for name in (ICONS / f'scalable/apps/{APP}.svg', ICONS / f'symbolic/apps/{APP}-symbolic.svg'):
        for size in (16, 128):
            with tempfile.TemporaryDirectory() as folder:
                picture = pathlib.Path(folder) / 'icon.png'
                tap.run('gdk-pixbuf-thumbnailer', '-s', size, name, picture)
                assert picture.read_bytes()[:8] == b'\x89PNG\r\n\x1a\n', name
                assert picture.stat().st_size > 90, f'{name} at {size} is empty'


def check_service_file():
    """The bus starts the program under the name that the desktop file promises."""
    text = (BUILT / f'{APP}.service').read_text(encoding='utf-8')
    assert f'Name={APP}\n' in text and re.search(r'^Exec=/.*/tessera --gapplication-service$', text, re.MULTILINE)


INSTALLED = {
    'bin': {'tessera', 'tessera-cli', 'tessera-from-pva', 'tessera-make-report'},
    'share/applications': {f'{APP}.desktop'},
    'share/metainfo': {f'{APP}.metainfo.xml'},
    'share/mime/packages': {f'{APP}.xml'},
    'share/dbus-1/services': {f'{APP}.service'},
    'share/glib-2.0/schemas': {f'{APP}.gschema.xml'},
    'share/icons/hicolor/scalable/apps': {f'{APP}.svg'},
    'share/icons/hicolor/symbolic/apps': {f'{APP}-symbolic.svg'},
    'share/locale/de/LC_MESSAGES': {'tessera.mo'},
    'share/man/man1': {'tessera.1', 'tessera-cli.1', 'tessera-from-pva.1'},
    'share/bash-completion/completions': {'tessera-cli', 'tessera-from-pva'},
    'share/tessera/demo': {'profile.pop', 'archive.a', 'debug.cbor', 'framework.json', 'app.json'},
}


# Where a Debian's Python looks, when the module was built.
MODULE = {
    'tessera_pva': {'__init__.py', '__main__.py', '_columns.py', '_core.abi3.so', '_core.pyi', 'py.typed'},
    'tessera_pva/alias/pva': {'__init__.py', 'pva_core.py'},
}


def check_install():
    """Exactly what belongs there is installed, and the schema compiles where it lies."""
    with tempfile.TemporaryDirectory() as folder:
        tap.run('meson', 'install', '--no-rebuild', '--quiet', '-C', BUILT.parent, env={**os.environ, 'DESTDIR': folder})
        prefix = next(pathlib.Path(folder).rglob('bin')).parent
        found = {}
        for path in prefix.rglob('*'):
            if path.is_file():
                found.setdefault(str(path.parent.relative_to(prefix)), set()).add(path.name)
        module = {}
        for place in list(found):
            at = re.fullmatch(r'lib/python3[.0-9]*/dist-packages/(tessera_pva.*)', place)
            if at:
                module[at[1]] = found.pop(place)
        built = {path.name for path in (BUILT.parent / 'src').glob('python/**/_core.*')}
        wanted = MODULE if '_core.abi3.so' in built else {}
        if wanted and '_core.pyi' not in built:
            # With sanitizers nobody asks the module what it has.
            wanted = {**MODULE, 'tessera_pva': MODULE['tessera_pva'] - {'_core.pyi'}}
        assert module == wanted, module
        assert found == INSTALLED, '\n'.join(
            f'{place}: found {sorted(found.get(place, ()))}, wanted {sorted(INSTALLED.get(place, ()))}'
            for place in sorted(found.keys() | INSTALLED.keys()) if found.get(place) != INSTALLED.get(place))
        tap.run('glib-compile-schemas', '--strict', prefix / 'share/glib-2.0/schemas')


if __name__ == '__main__':
    sys.exit(tap.main([(f'data/{check.__name__[6:].replace("_", "-")}', check) for check in (
        check_desktop_file, check_desktop_file_translated, check_metainfo, check_metainfo_version, check_xml,
        check_schema, check_mime_type, check_handlers, check_icons, check_service_file, check_install)]))
