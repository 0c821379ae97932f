#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lays C sources out as .clang-format says; with --check only tells which ones are not.

Uses clang-format 14 and no other: versions differ in what they make of the same style.
With --tap it reports as a test, skipped where there is no clang-format 14.  With --known=FILE it leaves out what
it found right the last time, by hashes of content, style and version that FILE keeps.
"""

import hashlib
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ('src', 'tests')


def find_formatter():
    """Its path and what it says of its version."""
    for name in ('clang-format-14', 'clang-format'):
        path = shutil.which(name)
        version = subprocess.run([path, '--version'], capture_output=True, text=True, check=False).stdout if path else ''
        if re.search(r'\bversion 14\.', version):
            return path, version
    return None, ''


def main(arguments):
    tap = '--tap' in arguments
    check = tap or '--check' in arguments
    formatter, version = find_formatter()
    if formatter is None:
        print('1..0 # SKIP there is no clang-format 14' if tap else 'check-format: there is no clang-format 14',
              file=sys.stdout if tap else sys.stderr)
        return 0 if tap else 1
    files = sorted(str(path) for folder in FOLDERS for path in (ROOT / folder).rglob('*.[ch]'))
    n_files = len(files)
    known = next((pathlib.Path(word[8:]) for word in arguments if word.startswith('--known=')), None)
    if known:
        style = (ROOT / '.clang-format').read_bytes() + version.encode()
        hashes = {path: hashlib.sha256(style + pathlib.Path(path).read_bytes()).hexdigest() for path in files}
        right = set(known.read_text(encoding='ascii').split()) if known.exists() else set()
        files = [path for path in files if hashes[path] not in right]
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
    if known:
        known.write_text('\n'.join(sorted(hashes[path] for path in hashes if path not in off)), encoding='ascii')
    if tap:
        print(f'{"not ok" if off else "ok"} 1 /format/{n_files}-files')
        print('1..1')
    return 1 if off and check else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
