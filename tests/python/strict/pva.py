# SPDX-License-Identifier: GPL-3.0-or-later
"""A pva for the tests of the converter, as unforgiving as a binding of C++: members that are documented and no others, lists
that are indexed from 0 and iterated and nothing else, objects that are equal only to themselves where nobody says otherwise.

STRICT_PVA, JSON, makes it worse: "serve" opens another report than asked for; "without" lacks members ("Tile.memory");
"raise" has lists with an item that raises ({"programs": 3}); "values" gives other values ({"Tile.memory": [every, value]});
"many" has so many lowered variables that are made when asked for.
"""

import json
import os

import tessera_pva

OPTIONS = json.loads(os.environ.get('STRICT_PVA', '{}'))

# Class of ours: its members, and by what its objects are equal.
MEMBERS = {
    'Report': 'compilation execution instrumentationSettings poplarVersion version',
    'PoplarVersion': 'string major minor point packageHash',
    'ProfileReportVersion': 'major minor point isUnstableFormat',
    'InstrumentationSettings': 'compute externalExchange',
    'Target': 'type architecture numIPUs ipusPerReplica numReplicas tilesPerIpu tilesPerReplica numTiles bytesPerTile '
              'bytesPerIPU memoryPerReplica totalMemory clockFrequency',
    'Graph': 'numComputeSets numVertices numEdges numVars',
    'CompilationReport': 'target graph tiles ipus programs computeSets livenessProgramSteps alwaysLiveVariables '
                         'alwaysLiveVariablesForTile loweredVariables',
    'IPU': 'tiles',
    'LoweredVariables': 'allBriefVars forTile',
    'Tile': 'memory',
    'TileMemory': 'total overflowed alwaysLiveBytes notAlwaysLiveBytes category vertices',
    'MemorySize': 'includingGaps excludingGaps',
    'MemoryCategory': 'total nonInterleaved interleaved overflowed',
    'MemoryCategoryRegion': 'nonOverlapped overlapped',
    'TileVertex': 'type codeBytes',
    'VertexType': 'name size',
    'Program': '_id name type children vars controlCodeByTile accept',
    'OnTileExecuteProgram': '_id name type children vars controlCodeByTile accept computeset',
    'ComputeSet': 'name vertices estimatedCyclesByTile',
    'ComputeSetVertex': 'type countByTile',
    'LivenessProgramStep': 'program notAlwaysLiveMemory notAlwaysLiveMemoryForTile notAlwaysLiveMemoryForIpu',
    'NotAlwaysLiveMemory': 'bytes variables',
    'Variable': 'name size',
    'VariableSize': 'name size',
    'BriefVariable': 'id bytes tileId equivalenceClass',
    'EquivalenceClass': 'id steps',
    'LivenessInterval': 'start end',
    'LoweredVariable': '_id name bytes alwaysLive hasUnloweredVar unloweredVar',
    'ExecutionReport': 'steps runs totalCycles blocks',
    'TotalCycles': 'total',
    'Run': 'name steps microseconds cyclesByIpu',
    'Microseconds': 'start end',
    'ExecutionStep': 'program computeSets cyclesByTile ipus',
    'ExecutionComputeSet': 'name vertices estimatedCyclesByTile cyclesByTile',
    'ExecutionStepIpu': 'cycles tileBalance activeTileBalance dataIn dataOut activeCycles',
    'CycleRange': 'cyclesFrom cyclesTo',
    'CycleMinMax': 'min max',
    'Block': 'program tile cyclesFrom cyclesTo isStreamCopy isCommon isOverflow isBlockFlush',
}
for _name in ('DoExchange', 'GlobalExchange', 'StreamCopyBegin', 'StreamCopyMid', 'StreamCopyEnd'):
    MEMBERS[_name + 'Program'] = MEMBERS['Program'] + ' codeBytesByTile estimatedCyclesByTile'
EQUAL = {'Variable', 'VariableSize', 'LoweredVariable'}
if not OPTIONS.get('unequal'):
    EQUAL.add('ComputeSet')
WITHOUT = set(OPTIONS.get('without', ()))
VALUES = OPTIONS.get('values', {})
ODD = {'nan': float('nan'), 'nul': 'a\0b', 'surrogate': 'a\udc80b', 'huge': 1 << 63, 'none': None, 'text': 'word'}
asked = {}


class Base:
    __slots__ = ('_thing',)


def make_property(owner, name):
    every, value = VALUES.get(f'{owner}.{name}', (0, None))

    def get(self):
        if every:
            asked[owner, name] = asked.get((owner, name), 0) + 1
            if asked[owner, name] % every == 0:
                return ODD.get(value, value) if isinstance(value, str) else value
        if OPTIONS.get('many') and owner == 'LoweredVariables' and name == 'allBriefVars':
            return Many(0, OPTIONS['many'], Brief)
        return wrap(getattr(self._thing, name), name)
    return property(get)


def make_method(name):
    def call(self, tile):
        assert type(tile) is int and tile >= 0, tile
        if OPTIONS.get('many') and name == 'forTile':
            n = OPTIONS['many'] // N_TILES
            return Many(tile * n, n, Full)
        return wrap(getattr(self._thing, name)(tile), name)
    return call


METHODS = {'alwaysLiveVariablesForTile', 'forTile', 'notAlwaysLiveMemoryForTile', 'notAlwaysLiveMemoryForIpu'}


def make_class(name):
    members = {'__slots__': ()}
    for member in MEMBERS[name].split():
        if f'{name}.{member}' not in WITHOUT and member != 'accept':
            members[member] = make_method(member) if member in METHODS else make_property(name, member)
    if name == 'ExecutionReport' and 'blocks' in members:
        members['blocks'] = make_method('blocks')
    if 'Program' in name and name != 'LivenessProgramStep':
        members['__eq__'] = lambda self, other: isinstance(other, Base) and self._thing == other._thing
        members['__hash__'] = lambda self: hash(self._thing)
    elif name in EQUAL:
        # Equal only to those of the same class.
        members['__eq__'] = lambda self, other: type(self) is type(other) and self._thing == other._thing
        members['__hash__'] = lambda self: hash(self._thing)
    return type(name, (Base,), members)


CLASSES = {name: make_class(name) for name in MEMBERS}


class Categories:
    def __init__(self, thing):
        for name in dir(thing):
            if f'MemoryByCategory.{name}' not in WITHOUT:
                setattr(self, name, wrap(getattr(thing, name), name))


class List:
    __slots__ = ('_items', '_raises')
    __contains__ = None
    __reversed__ = None

    def __init__(self, items, raises):
        self._items, self._raises = items, raises

    def __len__(self):
        return len(self._items)

    def __getitem__(self, i):
        if type(i) is not int:
            raise TypeError('incompatible function arguments')
        if i < 0 or i >= len(self._items):
            raise IndexError
        if i == self._raises:
            raise RuntimeError('basic_string::_M_construct null not valid')
        return wrap(self._items[i], '')

    def __iter__(self):
        return (self[i] for i in range(len(self)))


def wrap(thing, name):
    kind = type(thing).__name__
    if kind == 'MemoryByCategory':
        return Categories(thing)
    if kind in CLASSES:
        wrapped = CLASSES[kind]()
        wrapped._thing = thing
        return wrapped
    if isinstance(thing, tessera_pva.List):
        return List(thing, OPTIONS.get('raise', {}).get(name))
    assert isinstance(thing, (int, float, str, bool, list, type(None))) or hasattr(type(thing), '__members__'), kind
    return thing


# Lowered variables that are nowhere until they are asked for.
N_TILES = 1


class Many:
    __slots__ = ('first', 'n', 'make')

    def __init__(self, first, n, make):
        self.first, self.n, self.make = first, n, make

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if type(i) is not int or not 0 <= i < self.n:
            raise IndexError
        return self.make(self.first + i)

    def __iter__(self):
        return map(self.make, range(self.first, self.first + self.n))


class Span:
    __slots__ = ('start', 'end')


class EquivalenceClass:
    __slots__ = ('id',)

    @property
    def steps(self):
        span = Span()
        span.start = self.id % 8
        span.end = span.start + 1
        return [span]


class Unlowered:
    __slots__ = ('number',)

    def __eq__(self, other):
        return self.number == other.number

    def __hash__(self):
        return self.number

    @property
    def name(self):
        return f'layer{self.number}/weights'

    size = property(lambda self: 4096)


class Brief:
    __slots__ = ('id',)

    def __init__(self, number):
        self.id = number

    bytes = property(lambda self: self.id % 1000)
    tileId = property(lambda self: self.id * N_TILES // OPTIONS['many'])

    @property
    def equivalenceClass(self):
        found = EquivalenceClass()
        found.id = self.id * 7 % 200000
        return found


class Full:
    __slots__ = ('_id',)
    alwaysLive = False
    hasUnloweredVar = True

    def __init__(self, number):
        self._id = number

    name = property(lambda self: f'layer{self._id // 3}/weights')
    bytes = property(lambda self: self._id % 1000)

    @property
    def unloweredVar(self):
        found = Unlowered()
        found.number = self._id % 100000
        return found


def openReport(profileFilename, debugInfoFilename=None):
    global N_TILES
    assert type(profileFilename) is str and type(debugInfoFilename) in (str, type(None))
    report = tessera_pva.openReport(OPTIONS.get('serve', profileFilename))
    N_TILES = report.compilation.target.tilesPerReplica if OPTIONS.get('many') else 1
    return wrap(report, '')
