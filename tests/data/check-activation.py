#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A double-click on a report starts the window over the session bus, as the desktop file promises.

check-activation.py TESSERA REPORT, inside tests/with-display.
"""

import os
import pathlib
import re
import subprocess
import sys
import time

import tap

APP = 'io.github.tessera_ipu.Tessera'
PROGRAM, REPORT = (pathlib.Path(name).resolve() for name in sys.argv[1:3])


def call(name, path, method, *arguments):
    return tap.run('gdbus', 'call', '--session', '--timeout', '30', '--dest', name, '--object-path', path,
                   '--method', method, *arguments)


def wait_for(check, what):
    end = time.monotonic() + 30
    while not check():
        assert time.monotonic() < end, f'no {what} after 30 s'
        time.sleep(0.1)


def titles():
    """Titles of all windows on the display."""
    done = subprocess.run(['xdotool', 'search', '--onlyvisible', '--name', '.', 'getwindowname', '%@'],
                          capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def install_service():
    services = pathlib.Path(os.environ['XDG_DATA_HOME']) / 'dbus-1/services'
    services.mkdir(parents=True)
    (services / f'{APP}.service').write_text(
        f'[D-BUS Service]\nName={APP}\nExec={PROGRAM} --gapplication-service\n')
    call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus.ReloadConfig')


def check_open():
    """The bus starts the program, and a window with the report appears."""
    tap.run('xdotool', 'version')
    install_service()
    call(APP, '/io/github/tessera_ipu/Tessera', 'org.freedesktop.Application.Open', f"['{REPORT.as_uri()}']", '{}')
    wait_for(lambda: any(REPORT.name in title for title in titles()), f'window of {REPORT.name}')


def check_action():
    """The desktop file's action opens another window of the same program."""
    before = len(titles())
    call(APP, '/io/github/tessera_ipu/Tessera', 'org.freedesktop.Application.ActivateAction', 'new-window', '[]', '{}')
    wait_for(lambda: len(titles()) > before, 'second window')


def check_quit():
    """Quit ends the program; nothing is left on the bus."""
    call(APP, '/io/github/tessera_ipu/Tessera', 'org.freedesktop.Application.ActivateAction', 'quit', '[]', '{}')
    wait_for(lambda: 'false' in call('org.freedesktop.DBus', '/org/freedesktop/DBus',
                                     'org.freedesktop.DBus.NameHasOwner', APP), 'end of the program')


def alone(**changed):
    """What the program says of itself until its window with the report is there."""
    environment = {**os.environ, **changed}
    environment.pop('GTK_A11Y', None)
    process = subprocess.Popen([PROGRAM, REPORT], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        wait_for(lambda: any(REPORT.name in title for title in titles()), f'window of {REPORT.name}')
    finally:
        process.terminate()
        said = process.communicate()[1]
    wait_for(lambda: not titles(), 'end of the window')
    return [line for line in said.splitlines() if line and not line.startswith('Fontconfig ')]


def check_no_bus():
    """Without a session bus there is a sentence about that, nothing of GTK's, and the window all the same."""
    lines = alone(DBUS_SESSION_BUS_ADDRESS='unix:path=/nowhere')
    assert len(lines) == 1 and re.fullmatch('tessera: there is no session bus: .*dbus-run-session.*', lines[0]), lines


def check_no_home():
    """Where nothing can be kept, a sentence names the folder."""
    place = {'XDG_DATA_HOME': '/dev/null/data', 'XDG_CONFIG_HOME': '/dev/null/config', 'GSETTINGS_BACKEND': 'keyfile'}
    lines = alone(**place)
    assert len(lines) == 1 and re.fullmatch('tessera: /dev/null/config cannot be written .*HOME.*', lines[0]), lines
    assert alone(**{**place, 'XDG_CONFIG_HOME': os.environ['XDG_CONFIG_HOME']})[0].startswith('tessera: /dev/null/data cannot')


if __name__ == '__main__':
    sys.exit(tap.main([(f'activation/{check.__name__[6:]}', check) for check in (
        check_open, check_action, check_quit, check_no_bus, check_no_home)]))
