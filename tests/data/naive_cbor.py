# SPDX-License-Identifier: GPL-3.0-or-later
"""debug.cbor read by a plain decoder that shares nothing with the program: what checks compare with."""

import pathlib
import struct

BREAK = object()


def item(data, at):
    """One CBOR item: (value, where it ends)."""
    major, low = data[at] >> 5, data[at] & 31
    at += 1
    if data[at - 1] == 0xff:
        return BREAK, at
    if low < 24 or low == 31:
        number = low
    else:
        size = 1 << (low - 24)
        number = int.from_bytes(data[at:at + size], 'big')
        raw = data[at:at + size]
        at += size
    if major == 0:
        return number, at
    if major == 3:
        assert low != 31
        return data[at:at + number].decode(), at + number
    if major in (4, 5):
        values, left = [], None if low == 31 else number * (major - 3)
        while left is None or left > 0:
            value, at = item(data, at)
            if value is BREAK:
                assert left is None
                break
            values.append(value)
            left = None if left is None else left - 1
        if major == 4:
            return values, at
        keys = values[0::2]
        assert len(values) % 2 == 0 and len(set(keys)) == len(keys)
        return dict(zip(keys, values[1::2])), at
    assert major == 7, f'major type {major} at byte {at}'
    if low in (20, 21):
        return low == 21, at
    return struct.unpack({2: '>e', 4: '>f', 8: '>d'}[len(raw)], raw)[0], at


def read(folder):
    """What the debug.cbor of a folder contains, and its size."""
    data = (pathlib.Path(folder) / 'debug.cbor').read_bytes()
    whole, end = item(data, 0)
    assert end == len(data) and set(whole) == {'contexts', 'stringTable'}
    return whole, end
