# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the Python module share: reports, SQL on them, TAP."""

import array
import os
import pathlib
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'data'))

import naive_cbor  # noqa: E402,F401
import tap  # noqa: E402,F401

import tessera_pva as pva  # noqa: E402

REPORTS = pathlib.Path(os.environ['TESSERA_TEST_REPORTS'])
NAMES = ('tiny', 'demo', 'oom', 'confirmed')


def path_of(name):
    return str(REPORTS / name / 'profile.pop')


def open_both(name):
    """The report, and a connection to the same file that has nothing to do with the module."""
    return pva.openReport(path_of(name)), sqlite3.connect(f'file:{path_of(name)}?mode=ro', uri=True)


def has(sql, table, column=None):
    names = [row[1] for row in sql.execute(f'PRAGMA table_info({table})')]
    return bool(names) if column is None else column in names


def numbers(sql, row_id, n):
    """An array of tile_arrays, decoded as docs/report.sql says."""
    encoding, data = sql.execute('SELECT encoding, data FROM tile_arrays WHERE id = ?', (row_id,)).fetchone()
    values = array.array('H' if encoding == 1 else 'I', data)
    if encoding in (0, 1):
        return list(values)
    if encoding == 3:
        return [values[0]] * n
    dense = [0] * n
    for tile, value in zip(values[::2], values[1::2]):
        dense[tile] = value
    return dense


def cbor(value):
    """What debug.cbor is made of."""
    def head(major, number):
        for low, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
            if number < 24:
                return bytes([major << 5 | number])
            if number < 1 << 8 * size:
                return bytes([major << 5 | low]) + number.to_bytes(size, 'big')
        raise AssertionError(number)

    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b''.join(map(cbor, value))
    return head(5, len(value)) + b''.join(cbor(key) + cbor(item) for key, item in value.items())


def raises(kind, function, *args):
    try:
        function(*args)
    except kind as error:
        return error
    raise AssertionError(f'{kind.__name__} was expected')


def same(got, wanted, what):
    if got != wanted:
        if isinstance(got, list) and isinstance(wanted, list):
            at = next((i for i, pair in enumerate(zip(got, wanted)) if pair[0] != pair[1]), min(len(got), len(wanted)))
            raise AssertionError(f'{what}: {len(got)} and {len(wanted)} entries; at {at}: {got[at:at + 2]!r}, '
                                 f'SQL says {wanted[at:at + 2]!r}')
        raise AssertionError(f'{what}: {got!r}, SQL says {wanted!r}')


def main(prefix, checks):
    return tap.main([(f'python/{prefix}/{check.__name__[6:].replace("_", "-")}', check) for check in checks])
