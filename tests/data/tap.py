# SPDX-License-Identifier: GPL-3.0-or-later
"""The little that the checks of the tree need to report as TAP."""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Skip(Exception):
    """Raised by a check that cannot run here; says why."""


def run(*command, **options):
    """Runs a tool; its output is the failure's text.  Skips where the tool is not installed."""
    if shutil.which(str(command[0])) is None:
        raise Skip(f'there is no {command[0]}')
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, timeout=60, **options)
    assert done.returncode == 0, f'{" ".join(map(str, command))}: status {done.returncode}\n{done.stdout}'
    return done.stdout


def tracked(*patterns):
    """Files that git knows or would add, or every file where this is no git checkout; relative, sorted."""
    if (ROOT / '.git').exists() and shutil.which('git'):
        listed = subprocess.run(['git', '-c', 'safe.directory=*', '-C', ROOT, 'ls-files', '--cached', '--others',
                                 '--exclude-standard', '--', *patterns],
                                capture_output=True, text=True, check=False)
        if listed.returncode == 0:
            return sorted(name for name in listed.stdout.splitlines() if (ROOT / name).is_file())
    found = set()
    for pattern in patterns or ('*',):
        found.update(str(path.relative_to(ROOT)) for path in ROOT.rglob(pattern) if path.is_file())
    return sorted(name for name in found if not name.startswith(('build', '.git/')))


def main(checks):
    """Runs (name, function) pairs and prints TAP."""
    failed = 0
    for number, (name, check) in enumerate(checks, 1):
        try:
            check()
            print(f'ok {number} /{name}')
        except Skip as reason:
            print(f'ok {number} /{name} # SKIP {reason}')
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f'not ok {number} /{name}')
            print('\n'.join(f'# {line}' for line in str(error).splitlines()))
    print(f'1..{len(checks)}')
    sys.stdout.flush()
    return 1 if failed else 0
