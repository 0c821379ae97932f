#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The counter of passed and failed tests counts right: what the last line of ./dev test says can be trusted."""

import json
import pathlib
import subprocess
import sys
import tempfile

import tap
from tap import ROOT


def counted(status, *entries):
    """Last line and exit status for a log of (result, stdout) pairs."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / 'testlog.json'
        log.write_text(''.join(json.dumps({'name': 'x', 'result': result, 'stdout': stdout}) + '\n'
                               for result, stdout in entries))
        done = subprocess.run([sys.executable, ROOT / 'tests/count.py', log, str(status)], capture_output=True,
                              text=True, check=False)
    return done.stdout.splitlines()[-1], done.returncode


def expect(wanted, *arguments):
    found = counted(*arguments)
    assert found == wanted, f'{found}, not {wanted}'


GOOD = '# random seed: 1\n1..2\n# Start of a tests\nok 1 /a/b\n# note\nok 2 /a/c\n# End of a tests\n'


def check_single_cases():
    expect(('4 passed, 0 failed', 0), 0, ('OK', GOOD), ('OK', GOOD))


def check_skips():
    expect(('1 passed, 0 failed, 1 skipped', 0), 0, ('OK', '1..2\nok 1 /a # SKIP no tool\nok 2 /b\n'))
    expect(('2 passed, 0 failed, 1 skipped', 0), 0, ('OK', GOOD), ('SKIP', '1..0 # SKIP no display\n'))


def check_failures():
    expect(('1 passed, 1 failed', 1), 1, ('FAIL', '1..2\nok 1 /a\nnot ok 2 /b\n'))


def check_crash():
    """A program that dies between two cases has failed, although no line says so."""
    expect(('3 passed, 1 failed', 1), 1, ('OK', GOOD), ('ERROR', '1..2\nok 1 /a\n'))
    expect(('2 passed, 1 failed', 1), 1, ('OK', GOOD), ('TIMEOUT', ''))


def check_nothing():
    """No test at all is no success, and neither is a status of meson's own."""
    expect(('0 passed, 0 failed', 1), 0)
    expect(('2 passed, 1 failed', 1), 1, ('OK', GOOD))


if __name__ == '__main__':
    sys.exit(tap.main([(f'count/{check.__name__[6:].replace("_", "-")}', check) for check in (
        check_single_cases, check_skips, check_failures, check_crash, check_nothing)]))
