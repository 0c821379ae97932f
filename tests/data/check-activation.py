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
import tempfile
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


def in_window(*words):
    """What xdotool does with the first window of all."""
    done = subprocess.run(['xdotool', 'search', '--onlyvisible', '--name', '.', *words], capture_output=True, text=True,
                          check=False, timeout=30)
    return done.stdout


def close(process, keys='ctrl+q'):
    """By the keyboard, as a person does; the program ends by itself then."""
    in_window('windowfocus', '--sync', '%1')
    tap.run('xdotool', 'key', keys)
    try:
        assert process.wait(30) == 0, f'it ended with {process.returncode}'
    finally:
        process.kill()
    wait_for(lambda: not titles(), 'end of the windows')


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


def is_back_possible():
    """Whether the first window has shown another page before."""
    said = call(APP, '/io/github/tessera_ipu/Tessera/window/1', 'org.gtk.Actions.Describe', 'back')
    return 'true' in said


def show(view):
    call(APP, '/io/github/tessera_ipu/Tessera/window/1', 'org.gtk.Actions.Activate', view, '[]', '{}')


def check_command_line():
    """What is said to a program that runs already: pages, reports by a relative name, windows, and what is wrong."""
    def say(*words, status=0):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, timeout=60, cwd=REPORT.parent)
        assert done.returncode == status, (words, done)
        return done.stdout if status == 0 else done.stderr

    assert re.fullmatch(r'tessera \d+(\.\d+)+\n', say('--version'))
    with subprocess.Popen([PROGRAM], env={**os.environ, 'TSR_DEMO_DIR': '/nowhere'}) as first:
        try:
            wait_for(lambda: titles() == ['Tessera'], 'window without a report')
            say()
            assert say('--page=nonsense', REPORT.name, status=2) == 'tessera: there is no page named “nonsense”\n'
            assert say('--demo', status=2) == 'tessera: the demo report is not installed\n'
            assert titles() == ['Tessera']
            say('--page=memory', REPORT.name)
            wait_for(lambda: len(titles()) == 1 and REPORT.name in titles()[0], f'{REPORT.name} in the window that is there')
            show('view-memory')
            assert not is_back_possible(), 'it did not show Memory'
            show('view-insights')
            wait_for(is_back_possible, 'way back')
            say('--new-window')
            wait_for(lambda: len(titles()) == 2 and 'Tessera' in titles(), 'second window')
            say('--new-window', REPORT.name)
            wait_for(lambda: len(titles()) == 3 and sum(REPORT.name in title for title in titles()) == 2, 'third window')
        finally:
            close(first)


def check_demo():
    with subprocess.Popen([PROGRAM, '--demo'], env={**os.environ, 'TSR_DEMO_DIR': str(REPORT)}) as process:
        try:
            wait_for(lambda: any(REPORT.name in title for title in titles()), 'window of the demo report')
        finally:
            close(process)


def check_size():
    """A window is as large as the last one was when it was closed, alone or with the whole program."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, 'XDG_CONFIG_HOME': folder, 'GSETTINGS_BACKEND': 'keyfile'}
        expected = None
        for size, keys in (('1111x777', 'ctrl+w'), ('1012x654', 'ctrl+q'), (None, 'ctrl+q')):
            with subprocess.Popen([PROGRAM], env=environment) as process:
                try:
                    wait_for(lambda: titles() == ['Tessera'], 'window')
                    if expected:
                        wait_for(lambda: f'Geometry: {expected}' in in_window('getwindowgeometry', '%1'), f'window of {expected}')
                    if size:
                        in_window('windowsize', '--sync', '%1', *size.split('x'))
                        time.sleep(0.5)
                    expected = size
                finally:
                    close(process, keys)


def alone(**changed):
    """What the program says of itself until its window with the report is there."""
    environment = {**os.environ, **changed}
    environment.pop('GTK_A11Y', None)
    process = subprocess.Popen([PROGRAM, REPORT], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        wait_for(lambda: any(REPORT.name in title for title in titles()), f'window of {REPORT.name}')
    finally:
        close(process)
        said = process.communicate()[1]
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
        check_open, check_action, check_quit, check_command_line, check_demo, check_size, check_no_bus, check_no_home)]))
