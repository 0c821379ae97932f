#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The README is short, its examples run as pasted in a checkout, and its views are those of the program.

check-readme.py BUILD-DIR
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tap
from tap import ROOT

BUILD = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / 'build'
README = (ROOT / 'README.md').read_text(encoding='utf-8')


def check_length():
    assert len(README.splitlines()) <= 90, f'{len(README.splitlines())} lines'


def check_examples():
    """Each line of the block of examples succeeds, and all but those that write a file print something."""
    block = re.search(r'```sh\n(demo=.*?)```', README, re.DOTALL)[1].splitlines()
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / 'build').symlink_to(BUILD)
        for line in block[1:]:
            done = subprocess.run(['bash', '-euo', 'pipefail', '-c', f'{block[0]}\n{line}'], cwd=folder, capture_output=True,
                                  text=True, check=False, timeout=60, env=os.environ)
            assert done.returncode == 0 and not done.stderr, f'{line}: {done.returncode} {done.stderr}'
            output = re.search(r'--output=(\S+)', line)
            said = (pathlib.Path(folder) / output[1]).read_bytes() if output else done.stdout
            assert len(said) > 20, f'{line}: {said}'


def check_views():
    """In the order of the pages, by the titles that they have."""
    titles = dict(re.findall(r'\[(TSR_VIEW_\w+)\] = \{ "[^"]*", "[^"]*", N_ \("([^"]+)"\)',
                             (ROOT / 'src/model/report/tsr-views.c').read_text(encoding='utf-8')))
    pages = re.findall(r'\{ (TSR_VIEW_\w+),', (ROOT / 'src/ui/pages/tsr-pages.c').read_text(encoding='utf-8'))
    wanted = [titles[page] for page in pages]
    told = re.findall(r'^- \*\*(.+?)\*\*', README.split('## The views')[1].split('\n## ')[0], re.MULTILINE)
    assert told == wanted and len(told) >= 5, f'README: {told}, the program: {wanted}'


if __name__ == '__main__':
    sys.exit(tap.main([(f'readme/{check.__name__[6:]}', check) for check in (check_length, check_examples, check_views)]))
