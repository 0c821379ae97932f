#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A report with 10^6 programs in 50,000 operations, each with a name of its own, and contexts with as many
others, for the bench: make-operations.py SCHEMA FOLDER."""

import pathlib
import random
import sqlite3
import struct
import sys

N_PROGRAMS, N_OPERATIONS, N_TILES, N_ARRAYS, N_TYPES, N_VARIABLES = 1_000_000, 50_000, 1472, 3000, 200, 100_000


def head(major, number):
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 24:
            return bytes([major << 5 | number])
        if number < 1 << 8 * size:
            return bytes([major << 5 | code]) + number.to_bytes(size, 'big')
    raise ValueError(number)


def text(word):
    return head(3, len(word)) + word.encode()


def context(ident, parent, name, layer):
    return (b'\xbf' + text('id') + head(0, ident) + (text('parentId') + head(0, parent) if parent else b'')
            + text('name') + head(0, name) + text('layer') + text(layer) + b'\xff')


def write_debug(path):
    with open(path, 'wb') as file:
        file.write(b'\xbf' + text('contexts') + b'\x9f')
        for program in range(N_PROGRAMS):
            operation = program * N_OPERATIONS // N_PROGRAMS
            file.write(context(N_OPERATIONS + 1 + program, operation + 1, N_OPERATIONS + program, 'poplar'))
        for operation in range(N_OPERATIONS):
            file.write(context(operation + 1, 0, operation, 'poplibs'))
        file.write(b'\xff' + text('stringTable') + b'\x9f')
        for operation in range(N_OPERATIONS):
            file.write(text(f'model/layer{operation}/matMul'))
        for program in range(N_PROGRAMS):
            file.write(text(f'model/layer{program // 20}/matMul/part{program}'))
        file.write(b'\xff\xff')


def write_profile(path, schema):
    rng = random.Random(1)
    db = sqlite3.connect(path)
    db.executescript('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;' + schema)

    def fill(table, n, rows):  # the first n columns
        names = [row[1] for row in db.execute(f'PRAGMA table_info({table})')][:n]
        db.executemany(f'INSERT INTO {table} ({",".join(names)}) VALUES ({",".join("?" * n)})', rows)

    kinds = ['OnTileExecute', 'DoExchange', 'Sync', 'WriteUndef']
    fill('target', 9, [('Ipu', 'Mk2', 1, 1, 1, N_TILES, 638976, 1.33e9, 212992)])
    fill('memory_by_tile', 8, ((tile, 1000, 1000, 1000, 0, 500, 500, 0) for tile in range(N_TILES)))
    fill('programs', 13, ((p, f'model/layer{p // 20}/step{p % 20}', kinds[p % 4], p // 4 if p % 4 == 0 else None, None,
                           None, N_OPERATIONS + 1 + p, None, p % N_ARRAYS + 1 if p % 4 == 1 else None,
                           p % N_ARRAYS + 1, p % N_ARRAYS + 1 if p % 4 == 1 else None, None, None)
                          for p in range(N_PROGRAMS)))
    fill('program_roots', 4, ((0, 'control', p, p) for p in range(N_PROGRAMS)))
    fill('compute_sets', 3, ((s, f'model/cs{s}', s % N_ARRAYS + 1) for s in range(N_PROGRAMS // 4)))
    fill('vertex_types', 5, ((t, f'popops::Vertex{t}<half>', 16, 'cpp', t % N_ARRAYS + 1) for t in range(N_TYPES)))
    fill('compute_set_vertices', 7, ((s, (s + k * 7) % N_TYPES, 1000, rng.randrange(N_ARRAYS) + 1, 100, 50, 60)
                                     for s in range(N_PROGRAMS // 4) for k in range(2)))
    fill('runs', 6, [(0, 'run', 0, N_PROGRAMS, 0, 0)])
    fill('steps', 6, ((p, kinds[p % 4], p, p // 4 if p % 4 == 0 else None, 0, p % N_ARRAYS if p % 4 < 2 else None)
                      for p in range(N_PROGRAMS)))
    fill('steps_by_ipu', 13, ((p, 0, 50, 1472, p * 60, 0, 0, 40, 50, 0.5, 0.5, None, None) for p in range(N_PROGRAMS)))
    fill('tile_cycles', 5, ((s, s, 0, None, s + 1) for s in range(N_ARRAYS)))
    fill('variables', 8, ((v, f'model/variable{v}', 4096, v % 2, 0, 'half', '[2048]', v % N_OPERATIONS + 1)
                          for v in range(N_VARIABLES)))
    fill('program_variables', 6, ((p, role, (p * 3 + role * 11) % N_VARIABLES, 0, 2048, 4096)
                                  for p in range(N_PROGRAMS) for role in range(2)))
    for ident in range(1, N_ARRAYS + 1):
        values = [rng.randrange(60) if rng.random() < 0.7 else 0 for _ in range(N_TILES)]
        fill('tile_arrays', 5, [(ident, 1, sum(values), max(values), struct.pack(f'<{N_TILES}H', *values))])
    db.commit()
    db.close()


def main():
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    write_debug(folder / 'debug.cbor')
    write_profile(folder / 'profile.pop', pathlib.Path(sys.argv[1]).read_text())


main()
