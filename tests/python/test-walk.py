#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every number of the module against SQL on the same file, in plain Python: no code is shared."""

import itertools
import json
import os
import shutil
import sqlite3
import sys
import tempfile

from pva_test import NAMES, REPORTS, cbor, has, main, naive_cbor, numbers, open_both, pva, raises, same

CATEGORY_REGIONS = ('nonInterleaved', 'interleaved', 'overflowed')


def reports():
    for name in NAMES:
        yield (name, *open_both(name))


def check_summary():
    for name, report, sql in reports():
        target = report.compilation.target
        if not has(sql, 'target'):
            raises(pva.MissingDataError, lambda: target.bytesPerTile)
            raises(pva.MissingDataError, lambda: target.clockFrequency)
            raises(pva.MissingDataError, lambda: report.compilation.graph.numVars)
            raises(pva.MissingDataError, lambda: report.poplarVersion.string)
            continue
        row = sql.execute('SELECT num_ipus, ipus_per_replica, num_replicas, tiles_per_ipu, bytes_per_tile, '
                          'clock_frequency, type FROM target').fetchone()
        ipus, per_replica, replicas, tiles, bytes_per_tile, clock, kind = row
        same([target.numIPUs, target.ipusPerReplica, target.numReplicas, target.tilesPerIpu, target.tilesPerReplica,
              target.numTiles, target.bytesPerTile, target.bytesPerIPU, target.memoryPerReplica, target.totalMemory,
              target.clockFrequency, target.type.name],
             [ipus, per_replica, replicas, tiles, tiles * per_replica, tiles * ipus, bytes_per_tile,
              bytes_per_tile * tiles, bytes_per_tile * tiles * per_replica, bytes_per_tile * tiles * ipus, clock, kind],
             name)
        graph = report.compilation.graph
        same((graph.numComputeSets, graph.numVertices, graph.numEdges, graph.numVars),
             sql.execute('SELECT * FROM graph').fetchone(), name)
        info = dict(sql.execute('SELECT * FROM report_info'))
        version = report.poplarVersion
        same(version.string, info['poplar_version'], name)
        same(f'{version.major}.{version.minor}.{version.point} ({version.packageHash})', version.string, name)
        same(f'{report.version.major}.{report.version.minor}.{report.version.point}', info['report_version'], name)
        same(report.instrumentationSettings.compute.name.lower(), info['compute_instrumentation'], name)
        same(report.instrumentationSettings.externalExchange.name.lower(),
             info['external_exchange_instrumentation'], name)


def check_memory():
    for name, report, sql in reports():
        if name == 'confirmed':
            totals = [row[0] for row in sql.execute('SELECT total FROM memory_by_tile ORDER BY rowid')]
            same([tile.memory.total.excludingGaps for tile in report.compilation.tiles], totals, name)
            raises(pva.MissingDataError, lambda: report.compilation.tiles[0].memory.total.includingGaps)
            raises(pva.MissingDataError, lambda: report.compilation.tiles[0].memory.category.variable.total)
            continue
        replicas = report.compilation.target.numReplicas
        rows = sql.execute('SELECT including_gaps, excluding_gaps, overflowed, always_live, not_always_live FROM '
                           'memory_by_tile ORDER BY tile').fetchall() * replicas
        memories = [tile.memory for tile in report.compilation.tiles]
        same([(m.total.includingGaps, m.total.excludingGaps, m.overflowed.includingGaps, m.alwaysLiveBytes,
               m.notAlwaysLiveBytes) for m in memories], rows, name)
        beyond = dict(sql.execute('SELECT tile, bytes FROM memory_by_tile_region WHERE region = 2'))
        n = len(rows) // replicas
        same([m.overflowed.excludingGaps for m in memories], [beyond.get(t % n, 0) for t in range(len(rows))], name)
        same(len(report.compilation.ipus), report.compilation.target.numIPUs, name)
        same([tile for ipu in report.compilation.ipus for tile in ipu.tiles], list(report.compilation.tiles), name)
        tiles = range(0, n, 1 if name == 'tiny' else 97)
        for tile in tiles:
            wanted = {}
            for category, region, own, shared in sql.execute(
                    'SELECT c.name, region, non_overlapped, overlapped FROM memory_by_tile_category m JOIN '
                    'var_categories c ON c.id = m.category WHERE tile = ?', (tile,)):
                wanted[category, region] = own, shared
            memory = report.compilation.tiles[tile].memory
            for category in dir(memory.category):
                bytes_of = getattr(memory.category, category)
                got = [(getattr(bytes_of, r).nonOverlapped, getattr(bytes_of, r).overlapped) for r in CATEGORY_REGIONS]
                same(got, [wanted.get((category, region), (0, 0)) for region in range(3)], f'{name} {tile} {category}')
                same(bytes_of.total, sum(map(sum, got)), f'{name} {tile} {category}')
        types = sql.execute('SELECT name, size_bytes, code_bytes_by_tile FROM vertex_types ORDER BY id').fetchall()
        code = [(kind, size, numbers(sql, array, n)) for kind, size, array in types if array is not None]
        for tile in tiles:
            same([(v.type.name, v.type.size, v.codeBytes) for v in report.compilation.tiles[tile].memory.vertices],
                 [(kind, size, values[tile]) for kind, size, values in code if values[tile] > 0], f'{name} {tile}')


def by_tile(sql, column, table, array, n, replicas):
    if not has(sql, table, column) or not sql.execute(f'SELECT count({column}) FROM {table}').fetchone()[0]:
        return []
    return (numbers(sql, array, n) if array is not None else [0] * n) * replicas


def check_programs():
    for name, report, sql in reports():
        if name == 'confirmed':
            same([(p._id, p.name) for p in report.compilation.programs],
                 sql.execute('SELECT id, name FROM programs ORDER BY id').fetchall(), name)
            same([s.name for s in report.compilation.computeSets],
                 [row[0] for row in sql.execute('SELECT name FROM compute_sets ORDER BY compute_set')], name)
            continue
        n, replicas = report.compilation.target.tilesPerReplica, report.compilation.target.numReplicas
        children = {}
        for parent, child in sql.execute('SELECT parent, child FROM program_children ORDER BY parent, position'):
            children.setdefault(parent, []).append(child)
        rows = sql.execute('SELECT id, name, type, compute_set, code_bytes_by_tile, control_code_by_tile, '
                           'estimated_cycles_by_tile FROM programs ORDER BY id').fetchall()
        same(len(report.compilation.programs), len(rows), name)
        for program, (id_, text, kind, compute_set, code, control, cycles) in zip(report.compilation.programs, rows):
            same((program._id, program.name, program.type.name), (id_, text or '', kind), name)
            same([child._id for child in program.children], children.get(id_, []), f'{name} {id_}')
            same(program.controlCodeByTile, by_tile(sql, 'control_code_by_tile', 'programs', control, n, replicas),
                 f'{name} {id_}')
            if kind in ('DoExchange', 'GlobalExchange', 'StreamCopyBegin', 'StreamCopyMid', 'StreamCopyEnd'):
                same(type(program).__name__, f'{kind}Program', name)
                same(program.codeBytesByTile, by_tile(sql, 'code_bytes_by_tile', 'programs', code, n, replicas),
                     f'{name} {id_}')
                same(program.estimatedCyclesByTile,
                     by_tile(sql, 'estimated_cycles_by_tile', 'programs', cycles, n, replicas), f'{name} {id_}')
            else:
                assert getattr(program, 'estimatedCyclesByTile', None) is None, f'{name} {id_}'
            if kind == 'OnTileExecute':
                same(program.computeset, report.compilation.computeSets[compute_set], f'{name} {id_}')
            else:
                assert type(program) is pva.Program or kind.endswith(('Exchange', 'Begin', 'Mid', 'End')), kind
            touched = [row[0] for row in sql.execute(
                'SELECT id FROM vars_info WHERE variable IN (SELECT variable FROM program_variables WHERE program = ?) '
                'ORDER BY id', (id_,))] if name == 'tiny' or id_ % 16 == 0 else None
            if touched is not None:
                same([v._id for v in program.vars], touched, f'{name} {id_}')
        for cs, (id_, text, cycles) in zip(report.compilation.computeSets, sql.execute(
                'SELECT compute_set, name, estimated_cycles_by_tile FROM compute_sets ORDER BY compute_set').fetchall()):
            same(cs.name, text, name)
            same(cs.estimatedCyclesByTile, by_tile(sql, 'estimated_cycles_by_tile', 'compute_sets', cycles, n, replicas),
                 f'{name} {id_}')
            same([(v.type.name, v.type.size, v.countByTile) for v in cs.vertices],
                 [(kind, size, by_tile(sql, 'count_by_tile', 'compute_set_vertices', count, n, replicas))
                  for kind, size, count in sql.execute(
                      'SELECT t.name, t.size_bytes, v.count_by_tile FROM compute_set_vertices v JOIN vertex_types t ON '
                      't.id = v.vertex_type WHERE compute_set = ? ORDER BY vertex_type', (id_,))], f'{name} {id_}')


def check_lowered():
    for name, report, sql in reports():
        brief = report.compilation.loweredVariables.allBriefVars
        if name == 'confirmed':
            same([(v.tileId, v.bytes) for v in brief],
                 sql.execute('SELECT tile, size_bytes FROM vars_info ORDER BY rowid').fetchall(), name)
            raises(pva.MissingDataError, lambda: brief[0].equivalenceClass)
            continue
        n_steps = sql.execute('SELECT count(*) FROM liveness_steps').fetchone()[0]
        intervals = {}
        for of, start, end in sql.execute('SELECT * FROM equivalence_class_intervals ORDER BY 1, 2'):
            intervals.setdefault(of, []).append((start, end))
        last = max(row[0] for row in sql.execute('SELECT DISTINCT equivalence_class FROM vars_info') if row[0] is not None)
        rows = sql.execute('SELECT i.id, size_bytes, tile, always_live, equivalence_class, s.value, variable, offset, '
                           'alignment, c.name FROM vars_info i LEFT JOIN vars_string_table s ON s.id = i.name LEFT JOIN '
                           'var_categories c ON c.id = category ORDER BY i.id').fetchall()
        classes = [last + 1 if row[3] else row[4] for row in rows]
        same([(v.id, v.bytes, v.tileId, v.equivalenceClass.id) for v in brief],
             [(*row[:3], c) for row, c in zip(rows, classes)], name)
        step = 1 if name == 'tiny' else 501
        for row, variable, c in list(zip(rows, brief, classes))[::step]:
            same([(s.start, s.end) for s in variable.equivalenceClass.steps],
                 [(0, n_steps)] if row[3] else intervals[c], f'{name} {row[0]}')
        names = dict(sql.execute('SELECT id, name FROM variables'))
        of_tile = {}
        for row in rows:
            of_tile.setdefault(row[2], []).append(row)
        for tile in range(0, report.compilation.target.tilesPerReplica, 1 if name == 'tiny' else 131):
            got = [(v._id, v.bytes, v.tileId, v.alwaysLive, v.name, v.unloweredVar.name if v.hasUnloweredVar else None,
                    v.offset, v.alignment, v.category) for v in report.compilation.loweredVariables.forTile(tile)]
            same(got, [(id_, size, t, bool(always), text or '', names.get(variable), offset, align, category)
                       for id_, size, t, always, _, text, variable, offset, align, category in of_tile[tile]], f'{name} {tile}')
            sizes = report.compilation.alwaysLiveVariablesForTile(tile)
            same(sum(v.size for v in sizes), sum(row[1] for row in of_tile[tile] if row[3]), f'{name} {tile}')
            same(sum(v.size for v in sizes), report.compilation.tiles[tile].memory.alwaysLiveBytes, f'{name} {tile}')
            assert len(set(sizes)) == len(sizes), f'{name} {tile}'
        same([(v.name, v.size) for v in report.compilation.alwaysLiveVariables],
             sql.execute('SELECT name, size_bytes FROM variables WHERE always_live = 1 ORDER BY id').fetchall(), name)
        same(len(report.compilation.tilesWithLivenessInfo), len(report.compilation.tiles), name)


def check_liveness():
    for name, report, sql in reports():
        if name == 'confirmed':
            raises(pva.MissingDataError, lambda: report.compilation.livenessProgramSteps)
            continue
        steps = report.compilation.livenessProgramSteps
        same([(s.program._id, s.notAlwaysLiveMemory.bytes) for s in steps],
             sql.execute('SELECT program, not_always_live_bytes FROM liveness_steps ORDER BY step').fetchall(), name)
        names = dict(sql.execute('SELECT id, name FROM variables'))
        per_ipu = report.compilation.target.tilesPerIpu
        intervals = {}
        for of, start, end in sql.execute('SELECT * FROM equivalence_class_intervals'):
            intervals.setdefault(of, []).append((start, end))
        for number in range(0, len(steps), 1 if name == 'tiny' else 23):
            step = steps[number]
            same([(v.name, v.size) for v in step.notAlwaysLiveMemory.variables],
                 sql.execute('SELECT v.name, l.size_bytes FROM variable_lifetimes l JOIN variables v ON v.id = l.variable '
                             'WHERE start_step <= ?1 AND end_step > ?1 ORDER BY v.id, start_step', (number,)).fetchall(), name)
            for ipu in range(report.compilation.target.ipusPerReplica):
                memory = step.notAlwaysLiveMemoryForIpu(ipu)
                same(memory.bytes, sql.execute('SELECT not_always_live_bytes FROM liveness_by_ipu WHERE step = ? AND '
                                               'ipu = ?', (number, ipu)).fetchone()[0], name)
                if name == 'tiny':
                    same(sum(v.size for v in memory.variables), memory.bytes, f'{name} {number} {ipu}')
            for tile in range(0, per_ipu, 1 if name == 'tiny' else 489):
                wanted = {}
                for size, of, variable, text in sql.execute(
                        'SELECT size_bytes, equivalence_class, variable, s.value FROM vars_info i LEFT JOIN '
                        'vars_string_table s ON s.id = i.name WHERE tile = ? AND always_live = 0', (tile,)):
                    if any(start <= number < end for start, end in intervals[of]):
                        key = names.get(variable, text)
                        wanted[key] = wanted.get(key, 0) + size
                memory = step.notAlwaysLiveMemoryForTile(tile)
                same({v.name: v.size for v in memory.variables}, wanted, f'{name} {number} {tile}')
                same(memory.bytes, sum(wanted.values()), f'{name} {number} {tile}')


def check_execution():
    for name, report, sql in reports():
        execution = report.execution
        steps = sql.execute('SELECT id, type, program, compute_set FROM steps ORDER BY id').fetchall()
        same(len(execution.steps), len(steps), name)
        totals = [row[0] for row in sql.execute('SELECT total FROM execution_cycle_totals')]
        same(execution.totalCycles.total, max(totals, default=0), name)
        same([(s.program.type.name if name != 'confirmed' else None, s.program._id) for s in execution.steps],
             [(kind if name != 'confirmed' else None, -1 if program is None else program)
              for _, kind, program, _ in steps], name)
        same([len(s.computeSets) for s in execution.steps], [int(row[3] is not None) for row in steps], name)
        if name == 'confirmed':
            rows = sql.execute('SELECT cycles, cycles_base + active_cycles_from_min, cycles_base + active_cycles_to_max '
                               'FROM steps_by_ipu WHERE rowid IN (SELECT min(rowid) FROM steps_by_ipu GROUP BY step_id) '
                               'ORDER BY step_id').fetchall()
            same([(s.ipus[0].cycles, s.ipus[0].activeCycles.cyclesFrom.max, s.ipus[0].activeCycles.cyclesTo.min)
                  for s in execution.steps], rows, name)
            raises(pva.MissingDataError, lambda: execution.steps[0].ipus[0].tileBalance)
            continue
        columns = ('cycles, tile_balance, active_tile_balance, data_in, data_out, cycles_base + active_cycles_from_min, '
                   'cycles_base + coalesce(active_cycles_from_max, active_cycles_from_min), '
                   'cycles_base + coalesce(active_cycles_to_min, active_cycles_to_max), cycles_base + active_cycles_to_max, '
                   'cycles_base + all_cycles_from_min, cycles_base + all_cycles_from_max, cycles_base + all_cycles_to_min, '
                   'cycles_base + all_cycles_to_max')
        rows = {(row[0], row[1]): row[2:] for row in sql.execute(f'SELECT step_id, ipu, {columns} FROM steps_by_ipu')}
        readers = (lambda i: i.cycles, lambda i: i.tileBalance, lambda i: i.activeTileBalance, lambda i: i.dataIn,
                   lambda i: i.dataOut, lambda i: i.activeCycles.cyclesFrom.min, lambda i: i.activeCycles.cyclesFrom.max,
                   lambda i: i.activeCycles.cyclesTo.min, lambda i: i.activeCycles.cyclesTo.max,
                   lambda i: i.allCycles.cyclesFrom.min, lambda i: i.allCycles.cyclesFrom.max,
                   lambda i: i.allCycles.cyclesTo.min, lambda i: i.allCycles.cyclesTo.max)
        assert name != 'tiny' or sum(row[-1] is not None for row in rows.values()) > 50, 'tiny has no cycles of all tiles'
        moving = [{row[0] for row in sql.execute(f'SELECT DISTINCT type FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id '
                                                 f'WHERE {column} IS NOT NULL')} for column in ('data_in', 'data_out')]
        for step, row in zip(execution.steps, steps):
            same(len(step.ipus), report.compilation.target.numIPUs, name)
            for number, ipu in enumerate(step.ipus):
                values = list(rows.get((row[0], number), (None,) * len(readers)))
                for at, types in zip((3, 4), moving):
                    # What never moves anything moves 0 bytes.
                    if values[0] is not None and values[at] is None and types and row[1] not in types:
                        values[at] = 0
                for reader, value in zip(readers, values):
                    if value is None:
                        raises(pva.MissingDataError, reader, ipu)
                    else:
                        same(reader(ipu), value, f'{name} {row[0]} {number}')
        per_ipu = report.compilation.target.tilesPerIpu
        n_ipus = report.compilation.target.numIPUs
        arrays = {row[:2]: row[2] for row in sql.execute('SELECT set_id, ipu, cycles_by_tile FROM tile_cycles')}
        sets = [row[0] for row in sql.execute('SELECT tile_cycles FROM steps ORDER BY id')]
        for number in range(0, len(steps), 1 if name == 'tiny' else 211):
            wanted = []
            for ipu in range(n_ipus if sets[number] is not None else 0):
                array = arrays.get((sets[number], ipu))
                wanted += numbers(sql, array, per_ipu) if array is not None else [0] * per_ipu
            same(execution.steps[number].cyclesByTile, wanted, f'{name} {number}')
            for compute_set in execution.steps[number].computeSets:
                same(compute_set.cyclesByTile, wanted, f'{name} {number}')
                same(compute_set.name, report.compilation.computeSets[steps[number][3]].name, f'{name} {number}')
                same([v.type.name for v in compute_set.vertices],
                     [v.type.name for v in report.compilation.computeSets[steps[number][3]].vertices], f'{name} {number}')
        same([(r.name, r.steps[0] == execution.steps[first], len(r.steps), r.microseconds.start, r.microseconds.end)
              for r, (first,) in zip(execution.runs, sql.execute('SELECT first_step FROM runs ORDER BY id').fetchall())],
             [(text, True, end - first, start, stop) for text, first, end, start, stop in sql.execute(
                 'SELECT name, first_step, end_step, microseconds_start, microseconds_end FROM runs ORDER BY id')], name)
        same([cycles for r in execution.runs for cycles in r.cyclesByIpu],
             [row[0] for row in sql.execute('SELECT cycles FROM run_cycles_by_ipu ORDER BY run, ipu')], name)
        blocks = sql.execute(f'SELECT program, ipu * {per_ipu} + tile, cycles_from, cycles_to, is_stream_copy, is_common, '
                             'is_overflow, is_block_flush FROM blocks ORDER BY ipu, tile, cycles_from').fetchall()

        def told(block):
            return (block.program._id, block.tile, block.cyclesFrom, block.cyclesTo, int(block.isStreamCopy),
                    int(block.isCommon), int(block.isOverflow), int(block.isBlockFlush))
        same([told(block) for block in execution.blocks], blocks, name)
        for tile in {row[1] for row in blocks} | {0}:
            same([told(block) for block in execution.blocks(tile)], [row for row in blocks if row[1] == tile], name)


class Debug:
    """A debug.cbor and the programs of a report, and what follows from them, found by looking."""

    def __init__(self, folder, sql):
        whole, _ = naive_cbor.read(folder)
        self.strings, self.contexts, self.sql = whole['stringTable'], whole['contexts'], sql
        self.by_id = {}
        for context in self.contexts:
            self.by_id.setdefault(context['id'], context)

    def chain(self, ident):
        found = []
        while ident in self.by_id and self.by_id[ident] not in found:
            found.append(self.by_id[ident])
            ident = found[-1].get('parentId')
        return found

    def text(self, number):
        return self.strings[int(number)] if int(number) < len(self.strings) else ''

    def record(self, context):
        found = {**context, 'name': self.text(context['name'])}
        if 'location' in context:
            found['location'] = {key: self.text(value) if key != 'lineNumber' else value
                                 for key, value in context['location'].items()}
        return found

    def operation(self, ident, layers):
        chain = self.chain(ident)
        if layers == 'poplibs':
            chain = [c for c in chain if c.get('layer') == 'poplibs'][-1:] or [c for c in chain if c.get('layer') == 'poplar']
        else:
            chain = [c for c in chain if c.get('layer') in layers]
        return chain[0]['id'] if chain else None

    def edges(self):
        below = {}
        for parent, child in self.sql.execute('SELECT parent, child FROM program_children ORDER BY parent, position'):
            below.setdefault(parent, []).append(child)
        for parent, child in self.sql.execute('SELECT id, callee FROM programs WHERE callee IS NOT NULL'):
            below.setdefault(parent, []).append(child)
        return below

    def depth_first(self):
        below = self.edges()
        order = []

        def go(program):
            if program not in order:
                order.append(program)
                for child in below.get(program, []):
                    go(child)

        for (root,) in self.sql.execute('SELECT program FROM program_roots ORDER BY compilation_step DESC, kind, position'):
            go(root)
        for (program,) in self.sql.execute('SELECT id FROM programs ORDER BY id'):
            go(program)
        return order

    def operations(self, layers):
        """Tuples: name, context, the one that it was outlined from or None, ids of programs."""
        known = {context.get('layer') for context in self.contexts}
        if layers is None:
            layers = {'popart', 'xla_op'} if known & {'popart', 'xla_op'} else 'poplibs'
        of = {p: self.operation(d, layers) for p, d in self.sql.execute('SELECT id, debug_id FROM programs')}
        replaces = {c['id']: json.loads(c.get('replacedDebugContextIds', '[]')) for c in self.contexts}
        replaced = set(itertools.chain(*replaces.values()))
        order = list(dict.fromkeys(of[p] for p in self.depth_first() if of[p] is not None))
        for context in self.contexts:
            ident = context['id']
            alone = self.operation(ident, layers) == ident and (layers != 'poplibs' or context['layer'] == 'poplibs')
            if alone and ident not in replaced and ident not in order:
                order.append(ident)
        for ident in order:
            programs = sorted(p for p in of if of[p] == ident)
            stand = [r for r in replaces[ident] if r in self.by_id]
            for other in stand or [None]:
                context = self.by_id[ident if other is None else other]
                yield self.text(context['name']), ident, other, programs


def same_context(context, debug, ident, what):
    if ident not in debug.by_id:
        assert context is None, f'{what}: {context!r}'
        return
    wanted = debug.by_id[ident]
    same(context.id, ident, what)
    same(json.loads(context.json), debug.record(wanted), what)
    same(json.loads(context.layer)['layer'], wanted['layer'], what)
    same([above.id for above in context.parents], [c['id'] for c in debug.chain(wanted.get('parentId'))[:1]], what)
    place = debug.record(wanted).get('location')
    if place is None:
        assert context.location is None, what
    else:
        same(context.location.fileName, place.get('fileName', ''), what)
        if 'lineNumber' in place:
            same(context.location.lineNumber, place['lineNumber'], what)
        else:
            raises(pva.MissingDataError, lambda: context.location.lineNumber)
    if list(context.parents):
        same_context(context.parents[0], debug, wanted['parentId'], what)


def same_operations(report, debug, sql, layers, what, *words):
    operations = pva.OperationAnalysis(report, *words).operations
    wanted = list(debug.operations(layers))
    same([(o.name, o.debugContext.id, next((r.id for r in o.replacedDebugContext), None), [p._id for p in o.programs()])
          for o in operations], wanted, what)
    steps, touched, allocated = ({}, {}, {})
    for groups, query in ((steps, 'SELECT program, step FROM liveness_steps'),
                          (touched, 'SELECT program, variable FROM program_variables'),
                          (allocated, 'SELECT variable, id FROM vars_info WHERE variable IS NOT NULL')):
        for key, value in sql.execute(query):
            groups.setdefault(key, []).append(value)
    below = debug.edges()
    for operation, (name, _, _, programs) in zip(operations, wanted):
        at = sorted(itertools.chain(*(steps.get(program, []) for program in programs)))
        if not at:
            reached = list(programs)
            for program in reached:
                reached += [child for child in below.get(program, []) if child not in reached]
            at = sorted(itertools.chain(*(steps.get(program, []) for program in reached)))
        if at:
            same((operation.firstStepIndex, operation.lastStepIndex), (at[0], at[-1]), f'{what} {name}')
        else:
            for one in ('firstStepIndex', 'lastStepIndex'):
                assert 'liveness_steps.program names no program' in str(raises(pva.MissingDataError, getattr, operation, one)), one
        variables = set(itertools.chain(*(touched.get(program, []) for program in programs)))
        same([v._id for v in operation.vars], sorted(itertools.chain(*(allocated.get(v, []) for v in variables))),
             f'{what} {name}')


def check_debug():
    for name in (*NAMES, 'poplibs'):
        report, sql = open_both(name)
        if name == 'confirmed':
            assert report.compilation.programs[0].debugContext is None
            error = raises(pva.MissingDataError, pva.OperationAnalysis, report)
            assert 'debug.cbor' in str(error) and 'autoReport.outputDebugInfo' in str(error), error
            continue
        debug = Debug(REPORTS / name, sql)
        for program, ident in zip(report.compilation.programs,
                                  (row[0] for row in sql.execute('SELECT debug_id FROM programs ORDER BY id').fetchall())):
            same_context(program.debugContext, debug, ident, f'{name} {program._id}')
        variables = {v.name: v for v in report.compilation.alwaysLiveVariables}
        for step in report.compilation.livenessProgramSteps[::17]:
            variables.update((v.name, v) for v in step.notAlwaysLiveMemory.variables)
        ids = sql.execute('SELECT name, debug_id FROM variables').fetchall()
        assert len(variables) > 3
        for text, ident in ids:
            if text in variables and [row[0] for row in ids].count(text) == 1:
                same_context(variables[text].debugContext, debug, ident, f'{name} {text}')
        same_operations(report, debug, sql, None, name)
        for layer in {context['layer'] for context in debug.contexts} - {'poplar'}:
            same_operations(report, debug, sql, 'poplibs' if layer == 'poplibs' else {layer}, f'{name} {layer}', layer)


def check_odd_debug():
    """Two layers of operations at once, replaced ones that are there, are not, have programs or are replaced themselves,
    rings, ids of 64 bits, contexts without a layer, a line or an id; the file is given by name."""
    def context(ident, parent, name, layer, **more):
        return {'id': ident, **({'parentId': parent} if parent else {}), 'name': name, 'layer': layer, **more}

    strings = ['a/out', 'b', 'c', 'd', '', 'file.py']
    contexts = [
        context(2**64 - 1, 0, 0, 'popart', location={'fileName': 5, 'lineNumber': 7}),
        context(2, 2**64 - 1, 1, 'xla_op', replacedDebugContextIds='[5,99,6]'),
        context(3, 2, 2, 'poplibs', location={'fileName': 5}),
        context(4, 0, 3, 'popart', replacedDebugContextIds='[99]'),
        context(5, 0, 4, 'popart'), context(6, 0, 3, 'popart', replacedDebugContextIds='[7]'), context(7, 0, 1, 'onnx'),
        context(8, 9, 1, 'poplibs'), context(9, 8, 2, 'xla_op'), context(10, 3, 1, 'poplar'),
    ]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(REPORTS / 'tiny', folder, dirs_exist_ok=True)
        path = os.path.join(folder, 'elsewhere.cbor')
        with open(path, 'wb') as file:
            file.write(cbor({'contexts': contexts, 'stringTable': strings}))
        shutil.copy(path, os.path.join(folder, 'debug.cbor'))
        sql = sqlite3.connect(os.path.join(folder, 'profile.pop'))
        for row, ident in enumerate((10, 3, 4, 5, 8, 12345, None, 2**63 - 1, 0)):
            sql.execute('UPDATE programs SET debug_id = ? WHERE id = ?', (ident, row))
        # Signed, as SQLite has numbers of 64 bits.
        sql.execute('UPDATE programs SET debug_id = -1 WHERE id = 9')
        sql.commit()
        debug = Debug(folder, sql)
        os.rename(os.path.join(folder, 'debug.cbor'), path)
        report = pva.openReport(os.path.join(folder, 'profile.pop'), path)
        operations = pva.OperationAnalysis(report).operations
        # The ring is cut at its first context, so 9 is the operation of 8 or nothing is above it.
        got = [(o.name, o.debugContext.id, [r.id for r in o.replacedDebugContext], [p._id for p in o.programs()])
               for o in operations]
        of = {0: 2, 1: 2, 2: 4, 3: 5, 9: 2**64 - 1}
        wanted = {(2, 5): '', (2, 6): 'd', (4, None): 'd', (5, None): '', (2**64 - 1, None): 'a/out', (9, None): 'c'}
        same({(ident, *replaced) if replaced else (ident, None): name for name, ident, replaced, _ in got}, wanted, 'names')
        for _, ident, _, programs in got:
            same([p for p in programs if p != 4], [p for p in sorted(of) if of[p] == ident], ident)
        same([i for i, o in enumerate(got) if not o[3]], list(range(sum(bool(o[3]) for o in got), len(got))), 'empty ones last')
        first = {p: i for i, p in enumerate(debug.depth_first())}
        at = [min(first[p] for p in o[3]) for o in got if o[3]]
        same(at, sorted(at), 'order')
        top = report.compilation.programs[9].debugContext
        same((top.id, top.location.fileName, top.location.lineNumber), (2**64 - 1, 'file.py', 7), 'location')
        raises(pva.MissingDataError, lambda: report.compilation.programs[1].debugContext.location.lineNumber)
        assert [report.compilation.programs[i].debugContext for i in (5, 6, 7, 8)] == [None] * 4
        context = report.compilation.programs[0].debugContext
        same([c.id for c in (context.parents[0], context.parents[0].parents[0])], [3, 2], 'chain')
        same({context, report.compilation.programs[0].debugContext}, {context}, 'identity')
        assert context != context.parents[0]
        for layer in ('nobody', '', 'POPART'):
            error = raises(pva.MissingDataError, pva.OperationAnalysis, report, layer)
            assert 'popart' in str(error), error
        raises(TypeError, pva.OperationAnalysis)
        raises(TypeError, pva.OperationAnalysis, 3)
        raises(TypeError, pva.OperationAnalysis, report, 3)
        raises(pva.ReportError, pva.openReport, folder, os.path.join(folder, 'nothing.cbor'))
        with open(path, 'r+b') as file:
            file.truncate(3)
        raises(pva.ReportError, pva.OperationAnalysis, pva.openReport(folder, path))
        sql.close()


if __name__ == '__main__':
    sys.exit(main('walk', (check_summary, check_memory, check_programs, check_lowered, check_liveness, check_execution, check_debug,
                           check_odd_debug)))
