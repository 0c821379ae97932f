# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns as arrays of NumPy and series of pandas, where these are installed."""


def to_numpy(column):
    """An array on the same memory, masked where the value is the one for what is not known."""
    import numpy

    values = numpy.asarray(column)
    wide = column.wide
    if wide:
        values = values.astype(numpy.int64)
        unknown = values == column.unknown
        for row, value in wide.items():
            values[row] = value
    else:
        unknown = numpy.isnan(values) if column.format in 'fd' else values == column.unknown
    return numpy.ma.masked_array(values, unknown) if unknown.any() else values


def to_pandas(column):
    """A series of the column's name, with NA for what is not known."""
    import numpy
    import pandas

    values = to_numpy(column)
    if not isinstance(values, numpy.ma.MaskedArray):
        return pandas.Series(values, name=column.name)
    if column.format in 'fd':
        return pandas.Series(values.filled(numpy.nan), name=column.name)
    mask = numpy.ma.getmaskarray(values)
    return pandas.Series(pandas.arrays.IntegerArray(values.data.astype(numpy.int64), mask), name=column.name)
