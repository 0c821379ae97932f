#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the stubs of the module from its own table of members: make-stubs.py FOLDER_OF_PACKAGE OUTPUT."""

import sys

HEAD = """\
# Made from the table of members; do not edit.
from typing import Any, Callable, ClassVar, Generic, Iterator, SupportsIndex, TypeVar, Union, overload
import os

import numpy
import pandas

T = TypeVar('T')
__version__: str

class ReportError(RuntimeError): ...
class MissingDataError(ReportError, AttributeError): ...

class List(Generic[T]):
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, i: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, i: slice) -> list[T]: ...
    def __iter__(self) -> Iterator[T]: ...
    def __reversed__(self) -> Iterator[T]: ...
    def __contains__(self, item: object) -> bool: ...
    def __call__(self, tile: int) -> 'List[T]': ...

def openReport(filename: Union[str, bytes, os.PathLike[Any]], debugInfoFilename: Any = ...) -> 'Report': ...
def openTrace(filename: Any) -> Any: ...
"""


def enum_lines(enum, indent):
    yield f'{indent}class {enum.__name__}:'
    yield f'{indent}    name: str'
    yield f'{indent}    value: int'
    yield f'{indent}    __members__: ClassVar[dict[str, Any]]'
    yield f'{indent}    def __int__(self) -> int: ...'
    for name in enum.__members__:
        yield f"{indent}    {name}: ClassVar['{enum.__qualname__}']"


def main(folder, output):
    sys.path.insert(0, folder)
    from tessera_pva import _core

    lines = [HEAD]
    for name in ('ComputeInstrumentationLevel', 'ExternalExchangeInstrumentationLevel'):
        lines += [*enum_lines(getattr(_core, name), ''), '']
    classes = {}
    for owner, base, *member in _core._list_members():
        classes.setdefault(owner, (base, []))[1].append(member)
    written = ('List', 'ProgramVisitor', 'ReportError', 'MissingDataError', 'ComputeInstrumentationLevel',
               'ExternalExchangeInstrumentationLevel')
    for name in dir(_core):
        if isinstance(getattr(_core, name), type) and not name.startswith('_') and name not in written:
            base = getattr(_core, name).__base__
            classes.setdefault(name, (base.__name__ if base is not object else '', []))
    for owner, (base, members) in classes.items():
        lines.append(f'class {owner}({base}):' if base else f'class {owner}:')
        if owner == 'MemoryByCategory':
            lines.append("    def __getattr__(self, name: str) -> 'MemoryCategory': ...")
        elif not members:
            lines.append('    ...')
        for nested in ('Type', 'Architecture'):
            if nested in vars(getattr(_core, owner)):
                lines += enum_lines(getattr(_core, owner).__dict__[nested], '    ')
        if owner == 'OperationAnalysis':
            lines.append('    def __init__(self, report: Report, layer: Union[str, None] = ...) -> None: ...')
        for name, kind, unit, column, text, is_method in members:
            if is_method:
                lines.append(f'    def {name}(self, {kind[1:]}: ...'.replace(', )', ')'))
            else:
                lines += ['    @property', f"    def {name}(self) -> '{kind}':"]
                about = '; '.join(part for part in (text, unit and f'unit: {unit}', column and f'from {column}') if part)
                lines.append(f'        """{about}"""')
        lines.append('')
    lines.append('class ProgramVisitor:')
    lines += [f'    def visit{name}(self, program: Program) -> Any: ...' for name in _core.Program.Type.__members__]
    with open(output, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
