#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The details go and come back (F9) while the pointer rests where they are: each frame is drawn, and GTK has nothing
to warn of.

check-pointer.py PROGRAM REPORT  inside tests/with-display.
"""

import os
import pathlib
import sys
import time

import playground


def check(program, page, report):
    work = pathlib.Path(os.environ['HOME'])
    screen = playground.X11((1280, 1024), work)
    window = playground.Program(program, screen, work)
    try:
        window.start(f'--page={page}', report)
        tree = playground.Tree(window)
        until = time.monotonic() + 60
        while not any('split.toggle-details' in widget.actions for widget in tree.walk()):
            assert time.monotonic() < until, 'there are no details'
            time.sleep(.3)
        time.sleep(1)
        for y in range(300, 1000, 100):
            screen.move(560, y - 20)
            screen.move(560, y)
            for _ in range(2):
                screen.key('F9')
                time.sleep(.3)
                window.ping()
                bad = window.read_log()
                assert not bad, f'pointer at {y}: {bad[0]}'
        window.quit()
    finally:
        window.close()
        screen.close()


def main(argv):
    failed = 0
    pages = ['memory', 'liveness', 'trace']
    for number, page in enumerate(pages, 1):
        try:
            check(argv[0], page, argv[1])
            print(f'ok {number} /pointer/{page}')
        except playground.Missing as reason:
            print(f'1..0 # SKIP {reason}')
            return 77
        except (AssertionError, playground.Broken) as error:
            failed += 1
            print(f'not ok {number} /pointer/{page}\n# {error}')
        sys.stdout.flush()
    print(f'1..{len(pages)}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
