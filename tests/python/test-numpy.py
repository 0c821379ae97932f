#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns of report.tables through NumPy and pandas, where they are installed."""

import contextlib
import io
import sys

from pva_test import main, open_both, raises, same, tap


def check_numpy():
    """Where they are installed: the same memory, and what is not known masked."""
    try:
        import numpy
    except ImportError:
        return
    report, sql = open_both('tiny')
    wanted = [row[0] for row in sql.execute('SELECT variable FROM vars_info ORDER BY id')]
    assert None in wanted
    column = report.tables.lowered['variable']
    array = column.numpy()
    same(numpy.ma.getmaskarray(array).tolist(), [value is None for value in wanted], 'masked')
    plain = report.tables.lowered['size'].numpy()
    assert not plain.flags.writeable and numpy.shares_memory(plain, report.tables.lowered['size'].numpy()), 'copied'
    raises(ValueError, plain.__setitem__, 0, 1)
    assert numpy.shares_memory(array.data, column.numpy().data), 'a masked one is copied'
    try:
        import pandas
    except ImportError:
        return
    series = column.pandas()
    same(series.isna().tolist(), [value is None for value in wanted], 'pandas')
    same(series.name, 'variable', 'name')
    frame = pandas.DataFrame({name: column.pandas() for name, column in report.tables.lowered.items()})
    same(frame['size'].sum(), sum(row[0] for row in sql.execute('SELECT size_bytes FROM vars_info')), 'frame')


def check_documentation():
    """The lines of docs/python.md, as they are."""
    try:
        import numpy
        import pandas
    except ImportError:
        return
    text = (tap.ROOT / 'docs/python.md').read_text(encoding='utf-8')
    text = text[text.index('## Beyond libpva'):text.index('## A report of Poplar')]
    blocks = [block.removeprefix('python\n') for block in text.split('```')[1::2]]
    same(len(blocks), 2, 'blocks')
    for name in ('tiny', 'demo'):
        report, sql = open_both(name)
        names = {'numpy': numpy, 'pandas': pandas, 'report': report}
        with contextlib.redirect_stdout(io.StringIO()) as out:
            for block in blocks:
                exec(block, names)
        rows = sql.execute('SELECT var_categories.name, sum(size_bytes) FROM vars_info JOIN var_categories '
                           'ON var_categories.id = category GROUP BY category ORDER BY category').fetchall()
        most, = sql.execute('SELECT max(sum) FROM (SELECT sum(size_bytes) AS sum FROM vars_info GROUP BY tile)').fetchone()
        same(out.getvalue().splitlines(), [str(float(most)), *(f'{row[0]} {row[1]}' for row in rows)], name)
        same(len(names['frame']), sql.execute('SELECT count(*) FROM steps').fetchone()[0], 'frame')


if __name__ == '__main__':
    sys.exit(main('numpy', (check_numpy, check_documentation)))
