# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a script that was written for Graphcore's pva; see --help."""

import os
import runpy
import sys

import tessera_pva

USAGE = """\
usage: python3 -m tessera_pva SCRIPT [ARGUMENT...]
       python3 -m tessera_pva --path
       python3 -m tessera_pva --version

Runs SCRIPT with "import pva" meaning Tessera's module.  --path prints the folder that does the same in PYTHONPATH.
"""


def main(arguments):
    if arguments in (['-h'], ['--help']):
        print(USAGE, end='')
        return 0
    if arguments == ['--version']:
        print(f'tessera_pva {tessera_pva.__version__}')
        return 0
    if arguments == ['--path']:
        print(os.path.join(os.path.dirname(os.path.abspath(tessera_pva.__file__)), 'alias'))
        return 0
    if not arguments or arguments[0].startswith('-'):
        print(USAGE, end='', file=sys.stderr)
        return 2
    script = arguments[0]
    # As python3 SCRIPT does.
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    sys.argv = arguments
    try:
        tessera_pva.install_as_pva()
    except ImportError as error:
        print(f'tessera_pva: {error.msg.split(";")[0]}; the script gets Tessera\'s', file=sys.stderr)
        tessera_pva.install_as_pva(replace=True)
    runpy.run_path(script, run_name='__main__')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
