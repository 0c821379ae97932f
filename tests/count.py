#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts what "meson test" ran: every TAP line of every program, not only the programs.

count.py TESTLOG.json STATUS  prints "N passed, N failed[, N skipped]" as the last line and exits 0 only
when nothing failed, something passed and meson's own status was 0.
"""

import json
import re
import sys

TAP = re.compile(r'^(not )?ok\b[^#\n]*(#\s*(\w+))?', re.MULTILINE)


def count(entry):
    """Passed, failed and skipped of one program's line in the log."""
    passed = failed = skipped = 0
    for match in TAP.finditer(entry.get('stdout', '')):
        directive = (match[3] or '').lower()
        if directive == 'skip':
            skipped += 1
        elif directive == 'todo':
            skipped += 1
        elif match[1]:
            failed += 1
        else:
            passed += 1
    result = entry['result']
    if result == 'SKIP' and passed + failed + skipped == 0:
        skipped = 1
    elif result in ('OK', 'EXPECTEDFAIL') and passed + failed + skipped == 0:
        passed = 1
    elif result not in ('OK', 'EXPECTEDFAIL', 'SKIP') and failed == 0:
        failed = 1  # crashed, hung or stopped before its plan was done
    return passed, failed, skipped


def main(path, status):
    passed = failed = skipped = 0
    try:
        with open(path, encoding='utf-8', errors='replace') as log:
            for line in log:
                entry = json.loads(line)
                p, f, s = count(entry)
                passed, failed, skipped = passed + p, failed + f, skipped + s
                if f:
                    print(f'failed: {entry["name"]} ({entry["result"]})', file=sys.stderr)
    except (OSError, ValueError, KeyError) as error:
        print(f'{path}: {error}', file=sys.stderr)
        failed += 1
    if status != 0 and failed == 0:
        print(f'meson test ended with status {status}', file=sys.stderr)
        failed = 1
    print(f'{passed} passed, {failed} failed' + (f', {skipped} skipped' if skipped else ''))
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
