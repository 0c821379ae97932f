# SPDX-License-Identifier: GPL-3.0-or-later
"""Bytes of each tile as CSV, on the standard output."""
import csv
import sys

from pva.pva_core import openReport

writer = csv.writer(sys.stdout, lineterminator='\n')
writer.writerow(['tile', 'total', 'always live', 'most not always live'])
for number, tile in enumerate(openReport(sys.argv[1]).compilation.tiles):
    memory = tile.memory
    writer.writerow([number, memory.total.includingGaps, memory.alwaysLiveBytes, memory.notAlwaysLiveBytes])
