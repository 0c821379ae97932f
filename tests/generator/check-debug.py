#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""debug.cbor of the generator, read by a plain decoder that shares nothing with it: ids, parents,
strings, the layers that each framework writes, and that profile.pop refers to what is there."""

import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'data'))
import naive_cbor  # noqa: E402
import tap  # noqa: E402

MAKE_REPORT = sys.argv.pop(1)

PYTORCH = {'poptorch': {None}, 'popart': {None, 'poptorch', 'popart'}, 'poplibs': {'popart', 'poplibs'},
           'poplar': {'popart', 'poplibs'}}

# The preset, its words, and each layer with those that its contexts may hang under (None: nothing).
PRESETS = {
    'demo': (['demo'], {'popartbuilder': {None}, 'onnx': {'popartbuilder'}, 'popart': {None, 'onnx', 'popart'},
                        'poplibs': {'popart', 'poplibs'}, 'poplar': {'popart', 'poplibs'}}),
    'pytorch': (['pytorch'], PYTORCH),
    'trace': (['trace', '2000'], {'xla_op': {None}, 'hloinstruction': {None, 'xla_op'},
                                  'poplar_driver': {'hloinstruction'}, 'poplibs': {'poplar_driver', 'poplibs'},
                                  'poplar': {None, 'hloinstruction', 'poplar_driver', 'poplibs'}}),
    'poplibs': (['poplibs'], {'poplibs': {None, 'poplibs'}, 'poplar': {None, 'poplibs'}}),
}


def make(folder, *words):
    subprocess.run([MAKE_REPORT, '--force', *words, folder], check=True, stdout=subprocess.DEVNULL)


def find_peak(folder, *words):
    """KiB that the generator takes at most; a child begins with the memory of who starts it, so that is a small one."""
    code = ('import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n'
            'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)')
    return int(subprocess.run([sys.executable, '-c', code, MAKE_REPORT, '--force', *words, folder], check=True,
                              stdout=subprocess.PIPE).stdout)


class File:
    """The decoded file: contexts in order, and by id."""

    def __init__(self, folder):
        whole, self.size = naive_cbor.read(folder)
        self.contexts, self.strings = whole['contexts'], whole['stringTable']
        self.by_id = {context['id']: context for context in self.contexts}
        assert len(self.by_id) == len(self.contexts), 'an id is there twice'
        assert len(set(self.strings)) == len(self.strings), 'a string is there twice'

    def chain(self, ident):
        while ident:
            yield self.by_id[ident]
            ident = self.by_id[ident].get('parentId', 0)

    def name(self, context):
        return self.strings[int(context['name'])]


def check_structure(file):
    seen, used = set(), set()
    for context in file.contexts:
        assert isinstance(context['id'], int) and 0 < context['id'] < 1 << 63
        assert context.get('parentId') not in seen, 'a parent comes before its child'
        seen.add(context['id'])
        indices = [context['name']] + [context['location'][key] for key in ('fileName', 'functionName')
                                       if 'location' in context]
        for index in indices:
            assert index == int(index) and 0 <= index < len(file.strings)
            used.add(int(index))
        assert sum(1 for _ in file.chain(context['id'])) < 20
    assert len(used) == len(file.strings), 'a string that nobody uses'
    assert {type(context['name']) for context in file.contexts} == {int, float}


def check_replaced(file, programs):
    """Ids in texts name contexts; those that were replaced have no programs, and nobody is replaced twice."""
    replaced = []
    for context in file.contexts:
        replaced += json.loads(context.get('replacedDebugContextIds', '[]'))
        for ident in json.loads(context.get('outlinedDebugContextIds', '[]')):
            assert file.by_id[ident]['layer'] == context['layer']
    assert len(set(replaced)) == len(replaced)
    for ident in replaced:
        assert file.by_id[ident]['layer'] == 'popart'
    for ident in programs:
        assert not any(context['id'] in replaced for context in file.chain(ident))
    return len(replaced)


def check_connections(file):
    """Most inputs are what another operation of the layer writes: operations form one graph."""
    for layer, inputs, outputs in (('popart', 'inputs', 'outputs'), ('onnx', 'input', 'output'),
                                   ('hloinstruction', 'operands', None)):
        ops = [context for context in file.contexts if context['layer'] == layer and inputs in context]
        if not ops:
            continue
        written = {name for op in ops for name in (op[outputs] if outputs else [op['hlo_name']])}
        read = [name for op in ops for name in op[inputs]]
        assert sum(name in written for name in read) > len(read) / 2, layer


def check_preset(name):
    words, layers = PRESETS[name]
    with tempfile.TemporaryDirectory() as folder:
        make(folder, '--only=profile,debug', *words)
        file = File(folder)
        check_structure(file)
        found = {}
        for context in file.contexts:
            parent = file.by_id.get(context.get('parentId', 0), {})
            found.setdefault(context['layer'], set()).add(parent.get('layer'))
        assert set(found) == set(layers), found
        for layer, parents in found.items():
            assert parents <= layers[layer], (layer, parents)
        db = sqlite3.connect(f'file:{folder}/profile.pop?mode=ro', uri=True)
        programs = {row[0] for row in db.execute('SELECT debug_id FROM programs WHERE debug_id IS NOT NULL')}
        variables = {row[0] for row in db.execute('SELECT debug_id FROM variables WHERE debug_id IS NOT NULL')}
        without = db.execute('SELECT count(*) FROM programs WHERE debug_id IS NULL').fetchone()[0]
        assert programs and variables and without and programs | variables <= set(file.by_id)
        # Contexts that nobody has, nested operations, and lines of the user's program.
        carried = {context['id'] for ident in programs | variables for context in file.chain(ident)}
        assert name == 'poplibs' or len(carried) < len(file.contexts)
        nested = any([context['layer'] for context in file.chain(ident)].count('poplibs') > 1 for ident in programs)
        assert nested == (name != 'demo')
        if name != 'poplibs':
            lines = {(file.strings[context['location']['fileName']], context['location']['lineNumber'])
                     if 'location' in context else (context['sourcefile'], context['sourceline'])
                     for context in file.contexts
                     if 'sourcefile' in context
                     or ('location' in context and context['layer'] not in ('poplibs', 'poplar'))}
            assert len(lines) >= 10 and all(path.endswith('.py') and line > 0 for path, line in lines), lines
        n_replaced = check_replaced(file, programs)
        assert (n_replaced > 0) == (name in ('demo', 'pytorch'))
        check_connections(file)
        db.close()


def check_size():
    """--debug-size: as large as wanted, in memory that does not grow with it, and with the same ids."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, '--only=debug', 'demo')
        small = File(folder)
        make(folder, '--only=debug', '--debug-size=3', 'demo')
        file = File(folder)
        check_structure(file)
        assert 3e6 <= file.size < 3.2e6, file.size
        assert set(small.by_id) < set(file.by_id)
        for ident, context in small.by_id.items():
            assert {**context, 'name': 0, 'location': 0} == {**file.by_id[ident], 'name': 0, 'location': 0}
            assert small.name(context) == file.name(file.by_id[ident])
        least, most = (find_peak(folder, '--only=debug', f'--debug-size={size}', 'demo') for size in (3, 30))
        size = (pathlib.Path(folder) / 'debug.cbor').stat().st_size
        assert 30e6 <= size < 32e6, size
        assert most < least + 4096, (least, most)
        make(folder, '--only=debug', 'resnet50')
        assert 100e6 <= (pathlib.Path(folder) / 'debug.cbor').stat().st_size < 104e6


def check_kinds():
    """The preset 'poplibs' has every kind of program, and functions that several calls share."""
    wanted = ('Sequence Repeat RepeatWhileTrue RepeatWhileFalse If IfElse Switch OnEveryTileSwitch Call Block'
              ' OnTileExecute DoExchange GlobalExchange StreamCopyBegin StreamCopyMid StreamCopyEnd Sync SyncAns'
              ' Sans WriteUndef AssumeEqualAcrossReplicas Abort').split()
    with tempfile.TemporaryDirectory() as folder:
        make(folder, '--only=profile', 'poplibs')
        db = sqlite3.connect(f'file:{folder}/profile.pop?mode=ro', uri=True)
        kinds = {row[0] for row in db.execute('SELECT DISTINCT type FROM programs')}
        assert set(wanted) < kinds, set(wanted) - kinds
        shared = db.execute('SELECT max(n) FROM (SELECT count(*) AS n FROM programs GROUP BY callee'
                            ' HAVING callee IS NOT NULL)').fetchone()[0]
        assert shared > 3, shared
        assert {row[0] for row in db.execute('SELECT DISTINCT role FROM program_variables')} == {0, 1, 2}
        assert db.execute('SELECT count(*) FROM compilation_steps').fetchone()[0] > 1
        db.close()


if __name__ == '__main__':
    CHECKS = {name: (lambda name=name: check_preset(name)) for name in PRESETS}
    sys.exit(tap.main([*CHECKS.items(), ('size', check_size), ('kinds', check_kinds)]))
