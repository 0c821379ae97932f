# SPDX-License-Identifier: GPL-3.0-or-later
"""The name of Graphcore's module, for scripts that were written for it: what tessera_pva has.

This folder is on nobody's path by itself: python3 -m tessera_pva --path prints it.
"""

import tessera_pva as _tessera_pva
from tessera_pva import *  # noqa: F403
from tessera_pva import _core  # noqa: F401

__version__ = _tessera_pva.__version__
