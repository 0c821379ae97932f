# SPDX-License-Identifier: GPL-3.0-or-later
"""Submodule of Graphcore's module, with the same names."""

from tessera_pva import *  # noqa: F403
