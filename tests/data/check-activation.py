#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A double-click on a report starts the window over the session bus, as the desktop file promises.

check-activation.py TESSERA REPORT, inside tests/with-display.
"""

import os
import pathlib
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


if __name__ == '__main__':
    sys.exit(tap.main([(f'activation/{check.__name__[6:]}', check) for check in (
        check_open, check_action, check_quit)]))
