#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lays C sources out as .clang-format says; with --check only tells which ones are not.

Uses clang-format 14 and no other: versions differ in what they make of the same style.
With --tap it reports as a test, skipped where there is no clang-format 14.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ('src', 'tests')


def find_formatter():
    for name in ('clang-format-14', 'clang-format'):
        path = shutil.which(name)
        if path and re.search(r'\bversion 14\.', subprocess.run(
                [path, '--version'], capture_output=True, text=True, check=False).stdout):
            return path
    return None


def main(arguments):
    tap = '--tap' in arguments
    check = tap or '--check' in arguments
    formatter = find_formatter()
    if formatter is None:
        print('1..0 # SKIP there is no clang-format 14' if tap else 'check-format: there is no clang-format 14',
              file=sys.stdout if tap else sys.stderr)
        return 0 if tap else 1
    files = sorted(str(path) for folder in FOLDERS for path in (ROOT / folder).rglob('*.[ch]'))
    off = []
    for start in range(0, len(files), 50):
        part = files[start:start + 50]
        result = subprocess.run([formatter, '--style=file', '--dry-run', *part],
                                capture_output=True, text=True, check=False)
        named = set(re.findall(r'^(\S.*?):\d+:\d+: warning:', result.stderr, re.MULTILINE))
        off += [path for path in part if path in named]
        if result.returncode != 0:
            print(result.stderr, file=sys.stderr)
            return 1
    if off and not check and subprocess.run([formatter, '--style=file', '-i', *off], check=False).returncode != 0:
        return 1  # it has said why
    for path in off:
        print(('# ' if tap else '') + ('' if check else 'formatted ') + str(pathlib.Path(path).relative_to(ROOT)))
    if tap:
        print(f'{"not ok" if off else "ok"} 1 /format/{len(files)}-files')
        print('1..1')
    return 1 if off and check else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
