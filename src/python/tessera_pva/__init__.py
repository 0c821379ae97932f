# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads reports of Graphcore IPU programs: the members and behaviours of Graphcore's libpva.

    import tessera_pva as pva
    report = pva.openReport('profile.pop')
    print(max(tile.memory.total.includingGaps for tile in report.compilation.tiles))

Scripts that say "import pva" run with: python3 -m tessera_pva SCRIPT ARGS...
Each member's documentation says its unit and the table and column that tell it: help(pva.Tile).
"""

from . import _core
from ._core import *  # noqa: F403
from ._core import __version__

__all__ = [name for name in dir(_core) if not name.startswith('_')] + ['install_as_pva']


def install_as_pva(replace=False):
    """Lets "import pva" and "pva.pva_core" mean this module, in this process.

    Raises ImportError where another pva, such as Graphcore's own, is imported or could be, unless replace is true.
    """
    import importlib.util
    import os
    import sys

    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'alias')
    there = sys.modules.get('pva')
    try:
        found = there.__spec__ if there is not None else importlib.util.find_spec('pva')
    except ValueError:
        found = there
    where = getattr(found, 'origin', None) or ''
    if found is not None and not where.startswith(own + os.sep) and not replace:
        raise ImportError(f'there is another pva ({where or found}); install_as_pva(replace=True) hides it')
    for name in [name for name in sys.modules if name == 'pva' or name.startswith('pva.')]:
        del sys.modules[name]
    sys.path.insert(0, own)
    try:
        import pva
        import pva.pva_core  # noqa: F401
    finally:
        sys.path.remove(own)
    return pva
