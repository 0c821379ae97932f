#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A report copied table by table with INSERT ... SELECT: copy-tables.py SCHEMA SOURCE TARGET; prints the lowered variables."""

import os
import pathlib
import sqlite3
import sys

schema, source, target = sys.argv[1:]
pathlib.Path(target).unlink(missing_ok=True)
sql = sqlite3.connect(target, isolation_level=None)
for text in ('PRAGMA journal_mode = OFF', 'PRAGMA synchronous = OFF', 'PRAGMA locking_mode = EXCLUSIVE', 'PRAGMA cache_size = -32768'):
    sql.execute(text)
sql.executescript(pathlib.Path(schema).read_text(encoding='utf-8'))
sql.execute('ATTACH ? AS source', (source,))
sql.execute('BEGIN')
for (table,) in sql.execute("SELECT name FROM source.sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall():
    columns = ', '.join(row[1] for row in sql.execute(f'PRAGMA source.table_info({table})'))
    sql.execute(f'INSERT INTO main.{table} ({columns}) SELECT {columns} FROM source.{table}')
sql.execute('COMMIT')
print(sql.execute('SELECT count(*) FROM main.vars_info').fetchone()[0])
sql.close()
file = os.open(target, os.O_RDONLY)
os.fsync(file)
os.unlink(target)
