#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the seeds of the fuzz corpora: small files of each kind, healthy and odd.

Run it when the schema changes; what a fuzzer found lies beside the seeds under names of its own and is kept.
"""

import pathlib
import re
import sqlite3
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE / 'corpus'


def write(target, name, data):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f'seed-{name}').write_bytes(data if isinstance(data, bytes) else data.encode())


# ---------------------------------------------------------------- databases

def database(script, page_size=512, journal='delete'):
    """The bytes of a database made by an SQL script."""
    path = HERE / 'corpus.tmp'
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(f'PRAGMA page_size = {page_size}; PRAGMA journal_mode = {journal};')
    connection.executescript(script)
    connection.commit()
    connection.close()
    data = path.read_bytes()
    path.unlink()
    return data


def confirmed():
    """Only what is confirmed of Poplar's own files: no target, no tile column, no ipu column."""
    return '''
    CREATE TABLE programs (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE compute_sets (compute_set INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE var_categories (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE vars_info (tile INTEGER, size_bytes INTEGER, category INTEGER);
    CREATE TABLE memory_by_tile (total INTEGER);
    CREATE TABLE steps (id INTEGER PRIMARY KEY, type TEXT, program INTEGER, compute_set INTEGER);
    CREATE TABLE steps_by_ipu (step_id INTEGER, cycles INTEGER, active_tiles INTEGER, cycles_base INTEGER,
      active_cycles_from_min INTEGER, active_cycles_to_max INTEGER);
    INSERT INTO programs VALUES (1, 'main'), (2, 'conv/Convolve');
    INSERT INTO compute_sets VALUES (0, 'conv');
    INSERT INTO var_categories VALUES (0, 'vertexCode'), (3, 'internalExchangeCode');
    INSERT INTO vars_info VALUES (0, 100, 0), (0, 20, 3), (1, 100, 0), (2, 7, NULL), (NULL, 'x', 99);
    INSERT INTO memory_by_tile VALUES (120), (100), (7), (NULL);
    INSERT INTO steps VALUES (0, 'StreamCopyBegin', NULL, NULL), (1, 'OnTileExecute', 2, 0), (2, 'DoExchange', 9, NULL);
    INSERT INTO steps_by_ipu VALUES (0, 10, 4, 0, 0, 10), (0, 11, 4, 0, 1, 11), (1, 20, 4, 10, 0, 20),
      (1, 20, 4, 10, 5, 22), (2, 5, 4, 40, 0, 5);
    '''


ROWS = '''
INSERT INTO report_info VALUES ('synthetic', '1'), ('poplar_version', '3.1.0 (a027fa0bd5)');
INSERT INTO engine_options VALUES ('autoReport.all', 'true'), ('debug.instrument', NULL);
INSERT INTO graph VALUES (1, 2, 3, 4);
INSERT INTO var_categories VALUES (0, 'vertexCode', 300), (1, 'variable', NULL);
INSERT INTO vars_string_table VALUES (1, 'w'), (2, 'x');
INSERT INTO programs (id, name, type, compute_set, callee) VALUES (1, 'main', 'Sequence', NULL, NULL),
  (2, 'cs', 'OnTileExecute', 0, NULL), (3, 'call', 'Call', NULL, 1);
INSERT INTO program_children VALUES (1, 0, 2), (1, 1, 3), (3, 0, 1);
INSERT INTO compute_sets VALUES (0, 'cs', 1);
INSERT INTO liveness_steps VALUES (0, 2, 50), (1, 3, 60), (2, 2, 0), (5, 77, 10);
INSERT INTO liveness_by_ipu VALUES (0, 0, 20), (0, 1, 30), (1, 0, 60), (1, 9, 1);
INSERT INTO variables VALUES (1, 'w', 800, 1, 0, 'half', '[4, 100]', 77), (3, 'x', 240, 0, 1, 'float', NULL, NULL);
INSERT INTO variables_by_ipu VALUES (1, 0, 400), (1, 1, 400), (3, 0, 240);
INSERT INTO variable_lifetimes VALUES (3, 0, 1, 240), (3, 2, 3, 120), (3, 4, 99, 1), (9, 0, 1, 1);
INSERT INTO equivalence_class_intervals VALUES (1, 0, 1), (1, 2, 4), (1, 3, 5), (2, 5, 3), (7, 0, 1);
INSERT INTO compilation_steps VALUES (0, 'Before outlining'), (1, 'Lowered');
INSERT INTO program_roots VALUES (0, 'control', 0, 1), (1, 'function', 0, 3), (1, 'control', 0, 1);
INSERT INTO vertex_types VALUES (0, 'popops::Add', 24, 'asm', 1), (4, 'poplin::Conv', 48, 'cpp', 99);
INSERT INTO compute_set_vertices VALUES (0, 0, 8, 2, 100, 50, 60), (0, 4, 1, NULL, NULL, NULL, NULL);
INSERT INTO runs VALUES (0, 'Engine::run #0', 0, 2, 0, 0);
INSERT INTO steps VALUES (0, 'OnTileExecute', 2, 0, 0, 1), (1, 'DoExchange', NULL, NULL, 0, NULL);
INSERT INTO steps_by_ipu VALUES (0, 0, 9, 4, 0, 0, 1, 8, 9, 0.5, 0.5, 1, 2, NULL, NULL, NULL, NULL), (0, 1, 9, 4, 0, 0, 1, 8, 9, 2, -1, 1, 2, NULL, NULL, NULL, NULL),
  (1, 0, 9, 4, 10, 0, 1, 8, 9, NULL, NULL, 1, 2, NULL, NULL, NULL, NULL), (1, 1, 9, 4, 10, 5, 1, 8, 2, 'x', x'00', 1, 2, NULL, NULL, NULL, NULL);
INSERT INTO tile_arrays VALUES (1, 0, 10, 4, x'01000000020000000300000004000000'), (2, 1, 10, 4, x'0100020003000400'),
  (3, 2, 5, 5, x'0100000005000000'), (4, 9, 0, 0, x'00');
'''


def whole(tiles=4):
    """Every table of the schema, a few rows each."""
    schema = (HERE.parent.parent / 'docs' / 'report.sql').read_text(encoding='utf-8')
    rows = ["INSERT INTO target VALUES ('Ipu', 'Mk2', 2, 1, 2, %d, 638976, 1.33e9, 212992);" % tiles]
    for tile in range(tiles):
        rows.append(f'INSERT INTO memory_by_tile VALUES ({tile}, 250, 280, 250, 0, 100, 150, 1);')
        rows.append(f'INSERT INTO memory_by_tile_region VALUES ({tile}, 0, 200, 10), ({tile}, 1, 50, 0);')
        rows.append(f'INSERT INTO memory_by_tile_category VALUES ({tile}, 0, 0, 190, 10), ({tile}, 1, 1, 50, 0);')
        rows.append('INSERT INTO vars_info (tile, size_bytes, category, name, variable, offset, always_live, '
                    f'equivalence_class, alignment) VALUES ({tile}, 200, 0, 1, 1, 0, 1, NULL, 8), '
                    f'({tile}, 60, 1, 2, NULL, 200, 0, 1, 8);')
        rows.append(f'INSERT INTO tile_vars VALUES ({tile}, {2 * tile + 1}, {2 * tile + 3});')
    return schema + ROWS + '\n'.join(rows)


def odd_values():
    """NULL, wrong types and absurd numbers everywhere."""
    return '''
    CREATE TABLE target (type, architecture, num_ipus, ipus_per_replica, num_replicas, tiles_per_ipu, bytes_per_tile,
      clock_frequency, interleaved_start);
    CREATE TABLE memory_by_tile (tile, total, including_gaps, excluding_gaps, overflowed, always_live,
      not_always_live, peak_step);
    CREATE TABLE memory_by_tile_region (tile, region, bytes, overlapped_bytes);
    CREATE TABLE memory_by_tile_category (tile, category, region, non_overlapped, overlapped);
    CREATE TABLE var_categories (id, name, allocated_bytes);
    CREATE TABLE vars_info (id, tile, size_bytes, category);
    CREATE TABLE programs (id, name, type, compute_set, repeat_count, callee);
    CREATE TABLE program_children (parent, position, child);
    CREATE TABLE steps (id, type, program, compute_set, run);
    CREATE TABLE steps_by_ipu (step_id, ipu, cycles, active_tiles, cycles_base, active_cycles_from_min,
      active_cycles_to_max);
    CREATE TABLE tile_arrays (id, encoding, total, maximum, data);
    CREATE TABLE compute_sets (compute_set, name, estimated_cycles_by_tile);
    CREATE TABLE liveness_steps (step, program, not_always_live_bytes);
    CREATE TABLE liveness_by_ipu (step, ipu, not_always_live_bytes);
    CREATE TABLE variables (id, name, size_bytes, always_live, category);
    CREATE TABLE variables_by_ipu (variable, ipu, size_bytes);
    CREATE TABLE variable_lifetimes (variable, start_step, end_step, size_bytes);
    CREATE TABLE equivalence_class_intervals (equivalence_class, start_step, end_step);
    CREATE TABLE vars_string_table (id, value);
    ALTER TABLE vars_info ADD COLUMN name;
    ALTER TABLE vars_info ADD COLUMN variable;
    ALTER TABLE vars_info ADD COLUMN offset;
    ALTER TABLE vars_info ADD COLUMN always_live;
    ALTER TABLE vars_info ADD COLUMN equivalence_class;
    ALTER TABLE vars_info ADD COLUMN alignment;
    INSERT INTO compute_sets VALUES (9223372036854775807, 'a', 0), (-9223372036854775807, 'b', 2), (0, NULL, 'x');
    INSERT INTO liveness_steps VALUES (0, 1, -1), (9223372036854775807, 1, 1), (3, x'00', 9223372036854775807),
      (3, 1, 1), (4000, NULL, 'x'), (-1, 1, 1), (NULL, 1, 1);
    INSERT INTO liveness_by_ipu VALUES (0, 1048575, 5), (3, 1, 1), (3, 1, 2), (9, -1, 1);
    INSERT INTO variables VALUES (5, x'ff', -1, 7, 'x'), (5, 'twice', 1, 1, 1), (9223372036854775807, NULL, NULL, NULL, NULL),
      (-9223372036854775807, 'a', 4611686018427387904, 0, -1), (-9223372036854775808, 'b', 1, 1, 1);
    INSERT INTO variables_by_ipu VALUES (5, 1048575, 1), (5, 0, -1), (77, 0, 1);
    INSERT INTO variable_lifetimes VALUES (5, -9223372036854775807, 9223372036854775807, 1), (5, 3, 3, 3), (77, 0, 1, 1);
    INSERT INTO equivalence_class_intervals VALUES (5, 9223372036854775807, -9223372036854775807), (5, 0, 3), (5, 1, 2),
      (5, 3, 4), (-9223372036854775807, 0, 9223372036854775807), (6, 'x', 2), (NULL, 0, 1);
    INSERT INTO vars_string_table VALUES (1, x'00'), (1, 'one'), (9223372036854775807, 'far'), (NULL, 'none');
    INSERT INTO vars_info VALUES (9223372036854775807, 0, 4294967295, -1, 1, 5, 4294967294, 0, 5, 2147483648),
      (0, 0, 4294967294, 'x', 9223372036854775807, 77, -1, 2, 6, 3), ('x', 1048575, 1e300, 1, 2, 3, 4, 1, 5, 0);
    INSERT INTO target VALUES (x'ff', 5, 2147483648, -1, 0, 9223372036854775807, 'many', -1.5, NULL);
    INSERT INTO memory_by_tile VALUES (0, -5, NULL, 'x', x'00', 1e300, 9223372036854775807, -1), (0, 1, 1, 1, 1, 1, 1, 1),
      (2147483648, 1, 1, 1, 1, 1, 1, 1), (-1, 1, 1, 1, 1, 1, 1, 1), (NULL, 1, 1, 1, 1, 1, 1, 1), ('7', 1, 1, 1, 1, 1, 1, 1);
    INSERT INTO memory_by_tile_region VALUES (0, 7, -1, 'x'), (99999, 0, 1, 1), (NULL, NULL, NULL, NULL), (0, 0, 5, 9);
    INSERT INTO memory_by_tile_category VALUES (0, -1, 0, 5, 5), (0, 70000, 9, 5, 5), (0, 'x', 0, x'00', NULL);
    INSERT INTO var_categories VALUES (-1, NULL, -1), ('x', 5, 'y'), (70000, x'00', 9223372036854775807), (70000, '', 1);
    INSERT INTO vars_info (id, tile, size_bytes, category) VALUES (NULL, 0, 9223372036854775807, 70000),
      (1, 0, 9223372036854775807, 70000), (2, -1, 1, 1);
    INSERT INTO programs VALUES (1, x'00', 'Sequence', 'x', -1, 1), (1, NULL, NULL, 9e99, 'x', NULL), (NULL, 'a', 'b', 1, 1, 1);
    INSERT INTO program_children VALUES (1, 0, 1), (1, 0, 2), (NULL, NULL, NULL);
    INSERT INTO steps VALUES (0, 5, 'x', x'00', NULL), (-9223372036854775807, 'a', 1, 1, 1), (NULL, NULL, NULL, NULL, NULL);
    INSERT INTO steps_by_ipu VALUES (0, 2147483648, 1, 1, 9223372036854775807, 5, 9223372036854775807), (0, -1, 1, 1, 1, 1, 1),
      (5, 0, NULL, NULL, NULL, NULL, NULL), ('x', 'y', 'z', 1, 1, 9, 2);
    INSERT INTO tile_arrays VALUES (0, 0, 1, 1, x'000000'), (1, 2, 1, 1, x'ffffffff00000000'), (2, 3, 1, 1, x''), (3, 'x', 1, 1, 5);
    '''


def views():
    """Views in the place of tables, one of them endless, and a virtual table."""
    return '''
    CREATE TABLE t (a, b BLOB, c TEXT DEFAULT 'd', PRIMARY KEY (a, c)) WITHOUT ROWID;
    INSERT INTO t VALUES (1, x'0001020304', 'e'), (2, 'text', 'f');
    CREATE INDEX i ON t (c, a + 1) WHERE b IS NOT NULL;
    CREATE VIEW memory_by_tile AS WITH RECURSIVE n(tile) AS (SELECT 0 UNION ALL SELECT tile + 1 FROM n) SELECT tile FROM n;
    CREATE VIEW steps AS SELECT * FROM steps;
    CREATE VIEW programs AS SELECT a AS id, replace(c, 'e', c || c || c) AS name FROM t;
    '''


STEPS_BY_IPU = 'INSERT INTO steps_by_ipu VALUES (%d, %d, %s, 4, %d, 0, %d, 1, %s, %s, 0.5, 1, 2, NULL, NULL, NULL, NULL);'


def execution():
    """Runs that overlap and are cut off, steps without order, slices that are off in each column, blocks."""
    rows = ['INSERT INTO runs VALUES (1, NULL, 2, 9, 5, 3), (3, \'cut off\', 9, 99, 0, 0), (4, x\'ff\', 12, 3, -1, NULL);',
            'INSERT INTO run_cycles_by_ipu VALUES (0, 0, 5), (1, 1, -1), (9, 0, 1), (0, 77, 1);',
            'INSERT INTO execution_cycle_totals VALUES (0, 50), (0, 60), (9, 1), (NULL, 1);',
            "INSERT INTO blocks VALUES (1, 2, 'b', 0, 1, 0, 5, 9, 0, 1, 0, 0), (2, 77, NULL, 1, 99, 9, 9, 5, 1, 0, 2, 1), "
            "(3, 1, NULL, 9, 0, 0, -1, 9223372036854775807, 0, 0, 1, 0), (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);"]
    for step in range(2, 14):
        rows.append(f"INSERT INTO steps VALUES ({step}, '{'T%d' % step if step % 3 else 'OnTileExecute'}', 2, 0, {step // 9}, {step});")
        for ipu in range(2):
            end = '9223372036854775807' if step == 7 else '-3' if step == 8 else '30'
            balance = '1e300' if step == 9 else "'nan'" if step == 10 else '0.25'
            rows.append(STEPS_BY_IPU % (step, ipu, '5000000000' if step == 11 else '-1' if step == 12 else '20',
                                        step * 25 if step != 6 else -400, 40 if step == 5 else 9, end, balance))
    return whole() + ''.join(rows)


def no_ipus():
    """Slices that do not say of which IPU they are, repeated and without order; steps have no key."""
    return '''
    CREATE TABLE steps (id, type, program, compute_set);
    CREATE TABLE steps_by_ipu (step_id, cycles, active_tiles, cycles_base, active_cycles_from_min, active_cycles_to_max);
    CREATE TABLE execution_cycle_totals (total);
    INSERT INTO steps VALUES (9, 'Sync', 1, NULL), (2, 'DoExchange', 1, 1), (9, 'Sync', 1, NULL), (5, NULL, 1, NULL),
      (NULL, 'Sync', 1, 1), (3, 'DoExchange', 1, 1);
    INSERT INTO steps_by_ipu VALUES (9, 5, 1, 100, 0, 20), (2, 5, 1, 0, 0, 20), (9, 5, 1, 110, 0, 30), (2, 5, 1, 5, 0, 40),
      (3, 1, 1, 10, 5, 60), (5, 1, 1, 10, 0, 5), (5, 1, 1, 15, 0, 15), (5, 1, 1, 30, 0, 5), (3, 1, 1, 35, 0, 1),
      (77, 1, 1, 0, 0, 1);
    INSERT INTO execution_cycle_totals VALUES (5), (6), (7);
    '''


def make_databases():
    seeds = {
        'confirmed': database(confirmed()),
        'odd-values': database(odd_values()),
        'views': database(views()),
        'whole': database(whole()),
        'execution': database(execution()),
        'no-ipus': database(no_ipus()),
        'wal': database('CREATE TABLE memory_by_tile (total); INSERT INTO memory_by_tile VALUES (5);', journal='wal'),
        'utf16': database("PRAGMA encoding = 'UTF-16le';" + confirmed()),
        'lfs': b'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n',
        'empty': b'',
    }
    # SQLite repeats the broken text of a schema in its message.
    seeds['schema-bytes'] = seeds['confirmed'].replace(b'CREATE TABLE programs', b'CREATE T\xffBLE \xfe\xffograms')
    seeds['truncated'] = seeds['confirmed'][:3000]
    damaged = bytearray(seeds['whole'])
    for place in range(700, len(damaged), 997):
        damaged[place] ^= 0x41
    seeds['damaged'] = bytes(damaged)
    for target in ('profile', 'report', 'structure'):
        for name, data in seeds.items():
            write(target, name, data)


# ----------------------------------------------------------------- archives

def elf(text=100, wide=False, big=False, sections=1, extended=False, machine=248):
    order = '>' if big else '<'
    names = b'\0.shstrtab\0.rela.text\0.data\0'
    head, entry = (64, 64) if wide else (52, 40)
    code = b'\0' * text
    table = (head + len(code) + len(names) + 7) // 8 * 8
    count = 2 + sections
    fields = 'HHIQQQIHHHHHH' if wide else 'HHIIIIIHHHHHH'
    header = b'\x7fELF' + bytes((2 if wide else 1, 2 if big else 1, 1)) + b'\0' * 9
    header += struct.pack(order + fields, 2, machine, 1, 0, 0, table, 0, head, 0, 0, entry, 0 if extended else count,
                          0xffff if extended else 1)

    def section(name, kind, offset, size, link=0):
        return struct.pack(order + ('IIQQQQIIQQ' if wide else 'IIIIIIIIII'), name, kind, 0, 0, offset, size, link, 0, 1, 0)

    data = (header + code + names).ljust(table, b'\0')
    data += section(0, 0, 0, count if extended else 0, 1 if extended else 0)
    data += section(1, 3, head + text, len(names))
    for _ in range(sections):
        data += section(16, 1, head, text)
    return data


def member(name, data):
    header = f'{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(data):<10}`\n'.encode()
    return header + data + b'\n' * (len(data) % 2)


def bsd(name, data):
    padded = name.encode().ljust((len(name) + 4) // 4 * 4, b'\0')
    return member(f'#1/{len(padded)}', padded + data)


def make_archives():
    names = b'a_long_name_tile_0000.elf/\na_long_name_tile_0001.elf/\n'
    gnu = b'!<arch>\n' + member('/', b'\0\0\0\0') + member('//', names) + member('/0', elf(33)) + member('/27', elf(34))
    write('archive', 'gnu', gnu)
    write('archive', 'bsd', b'!<arch>\n' + bsd('__.SYMDEF', b'\0' * 8) + bsd('tile 0', elf(8)) + bsd('tile 1', elf(9)))
    write('archive', 'kinds', b'!<arch>\n' + b''.join(
        member(f't{i}/', elf(20, wide=i & 1, big=i & 2, extended=i & 4, sections=i % 3)) for i in range(8)))
    write('archive', 'other', b'!<arch>\n' + member('a.txt/', b'hello') + member('b/', b'\x7fELF') + member('/9', elf(1)))
    write('archive', 'truncated', gnu[:-50])
    write('archive', 'thin', b'!<thin>\n' + member('//', names))
    write('archive', 'sizes', gnu.replace(b'284 ', b'9999999999'[:4]))
    write('archive', 'magic', b'!<arch>\n')
    write('archive', 'empty', b'')


# --------------------------------------------------------- JSON and folders

def make_texts():
    write('json', 'framework', '{"TensorFlow": {"Version": "2.6.3", "Cluster": "c1"}, "System Information": '
          '{"Nominal CPU frequency [GHz]": "2.60", "Number of total cpus": 96}}')
    write('json', 'numbers', '[0, -0, 1e400, -1.5E-7, 9223372036854775808, 0.1]')
    write('json', 'texts', '["", "\\u00e9\\ud83d\\ude00\\u0000\\ud800", "\\"\\\\\\/\\b\\f\\n\\r\\t", "é€😀"]')
    write('json', 'bom', b'\xef\xbb\xbf{"a": [true, false, null, {}, []], "a": 1}')
    write('json', 'deep', '[' * 600 + ']' * 600)
    write('json', 'deepest', '{"a":' * 512 + '1' + '}' * 512)
    write('json', 'comment', '{"a": 1, // b\n "c": NaN}')
    write('json', 'utf16', '{"a": 1}'.encode('utf-16'))
    write('json', 'empty', b'')

    write('folder', 'whole', '\n1profile.pop\n1archive.a\n1debug.cbor\n1framework.json\n1app.json')
    write('folder', 'training', 'training\n1debug.cbor\n1training/profile.pop\n4training/debug.cbor')
    write('folder', 'several', '\n1run10/profile.pop\n1run2/archive.a\n1cache/engine/profile.pop\n3latest\n1latest/profile.pop')
    write('folder', 'crash', 'a\n1a/profile_x.pop\n1a/profile_y.pop\n1a/profile_x.pop-journal')
    write('folder', 'file', 'a/mnist.pop\n1a/mnist.pop\n5a/profile.pop')
    write('folder', 'old', 'old\n1old/graph.json\n1old/vars.capnp')
    write('folder', 'denied', 'a\n6a\n5b/profile.pop')
    write('folder', 'bytes', b'\xff\xfe \x01\n1\xff\xfe \x01/profile.pop\n4\xff\xfe \x01/archive.a')
    write('folder', 'empty', b'')


# ------------------------------------------------------ contexts to programs

def head(major, number):
    for code, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if number < 24:
            return bytes([major << 5 | number])
        if number < 1 << 8 * size:
            return bytes([major << 5 | code]) + number.to_bytes(size, 'big')
    raise ValueError(number)


def cbor(value):
    """Definite lengths; texts of two chunks for those that begin with ~."""
    if isinstance(value, dict):
        return head(5, len(value)) + b''.join(cbor(key) + cbor(item) for key, item in value.items())
    if isinstance(value, list):
        return head(4, len(value)) + b''.join(cbor(item) for item in value)
    if isinstance(value, str) and value.startswith('~'):
        return b'\x7f' + cbor(value[1:3]) + cbor(value[3:]) + b'\xff'
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    return head(0, value) if value >= 0 else head(1, -1 - value)


def make_operations():
    """Programs | variables | (kind, parent, callee, context) a program | (context, size, life) a variable | CBOR."""
    def context(ident, parent, layer, name, **more):
        return {'id': ident, 'parentId': parent, 'layer': layer, 'name': name, **more}

    def report(programs, variables, contexts, cut=None):
        data = cbor({'contexts': contexts, 'stringTable': ['conv', 'matMul', 'w']})
        return (bytes([len(programs) - 1, len(variables)]) + b''.join(map(bytes, programs)) +
                b''.join(map(bytes, variables)) + data[:cut])

    chain = [context(10, 0, 'onnx', 0), context(20, 10, 'popart', 0, inputs=['w'], outputs=['x']),
             context(30, 20, 'poplibs', 1, api='matMul'), context(31, 30, 'poplibs', 1), context(40, 31, 'poplar', 0),
             context(41, 20, 'poplar', 2, replacedDebugContextIds=[10, 99], line=5)]
    programs = [(0x10, 0, 9, 0), (0x87, 0, 0, 4), (0x15, 0, 1, 5), (2, 0, 1, 3), (0xc5, 3, 1, 200), (0x25, 3, 2, 2)]
    variables = [(5, 10, 1), (1, 255, 0), (77, 30, 2)]
    write('operations', 'chain', report(programs, variables, chain))
    write('operations', 'cut', report(programs, variables, chain, -60))
    write('operations', 'none', report(programs, variables, []))
    write('operations', 'nothing', b'')
    write('operations', 'ring', report(programs, variables, [
        context(1, 2, 'poplibs', 0), context(2, 3, 'poplar', 1), context(3, 1, '~popart', 9), context(3, 3, 'poplar', 0),
        context(5, 77, 'poplar', '~name in chunks')]))
    write('operations', 'programs-ring', report([(2, 1, 1, 0), (2, 0, 0, 1), (2, 2, 2, 2)], [], chain))


# ---------------------------------------------------------- cached blocks

def make_block_indexes():
    """The first byte tells what follows, and whether the checksum is made right by the target."""
    def head(size, host=b'u@h:22', path=b'/r/profile.pop', block=32768, magic=b'TSRTIX01'):
        return b'\1' + magic + struct.pack('<QQqqQQ', 0, block, size, 1700000000000000, len(host), len(path)) + \
            host + b'\0' + path + b'\0'

    write('block-index', 'head', head(347918336))
    write('block-index', 'small', head(1, b'', b''))
    write('block-index', 'huge', head(2 ** 62))
    write('block-index', 'negative', head(-1))
    write('block-index', 'block', head(5, block=512))
    write('block-index', 'zeros', head(5, b'a\0b'))
    write('block-index', 'sum', b'\0' + head(5)[1:])
    # The listing is a GVariant (ayaya(ayxxu)) of host "h" and path "/r" with one file.
    body = b'h\0/r\0' + b'\0' * 3 + b'profile.pop\0' + b'\0' * 4 + struct.pack('<qqI', 5, 7, 8) + bytes((12, 37, 5, 2))
    write('block-index', 'listing', b'\3' + b'TSRTLS01' + b'\0' * 8 + body)
    write('block-index', 'listing-short', b'\3' + b'TSRTLS01' + b'\0' * 8 + body[:20])
    write('block-index', 'listing-sum', b'\2' + b'TSRTLS01' + b'\0' * 8 + body)
    write('block-index', 'empty', b'')


# ------------------------------------------------------- files of OpenSSH

KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'


def make_ssh():
    write('known-hosts', 'plain', f'node,gate.lab.org {KEY} me@here\n[node]:2222 {KEY}\n')
    write('known-hosts', 'patterns', f'# all\n*.lab.org,!x.lab.org,n?de {KEY}\n@revoked * {KEY}\n'
          f'@cert-authority *.org {KEY}\n')
    write('known-hosts', 'hashed', f'|1|AAAAAAAAAAAAAAAAAAAAAAAAAAA=|AAAAAAAAAAAAAAAAAAAAAAAAAAA= {KEY}\n')
    write('known-hosts', 'hash-off', f'|1|AAAA|AAAA {KEY}\n|1||{KEY}\n|2|a|b {KEY}\n|1|a {KEY}')
    write('known-hosts', 'key-off', 'node ssh-rsa AAAA\nnode ssh-rsa !!!!\nnode ssh-ed25519\nnode\n@odd node x y\n')
    write('known-hosts', 'bytes', f'\ufeff@revoked node {KEY}\r\n\0\nno\0de {KEY}\n'.encode() + b'\xff\xfe x y\n')
    write('known-hosts', 'empty', b'')

    write('ssh-config', 'lab', 'ssh://me@node:22/~/x?jump=gate\nHost node gate*\n HostName %h.lab.org\n User me\n'
          ' Port 2222\n IdentityFile ~/.ssh/%r\n ProxyJump gate,u@[::1]:3\nHost *\n HostKeyAlias k\n')
    write('ssh-config', 'match', 'ssh://[::1]\nMatch host a,!b user=me\n Port 2\nMatch !final all\n Port 3\n'
          'Match exec "x" originalhost y\nMatch all\nProxyCommand nc %h\n')
    write('ssh-config', 'include', 'ssh://a?alias=b\nInclude tested *\nHost a\n Include "tes?ed"\nPort 4\n')
    write('ssh-config', 'quotes', 'ssh://u%40x@h%41/%ff\n"Host" \'a b\' "c\\"d" e\\ f # g\nUser="x y"\nHost=h=i\nUser "\n')
    write('ssh-config', 'values', 'sftp://n\nConnectTimeout 1h2m\nAddressFamily inet6\nStrictHostKeyChecking off\n'
          'UserKnownHostsFile none /a "b c"\nIdentityAgent $X\nCertificateFile ${HOME}/%%\nIgnoreUnknown Z*\nZap 1\n')
    write('ssh-config', 'loop', 'ssh://n/?jump=\nProxyJump n\n')
    write('ssh-config', 'bytes', b'ssh://\xff@n/\xfe\n\xef\xbb\xbfHost a\r\n User \xff\r\n\0\n\x0cPort 1\n Ho\0st x')
    write('ssh-config', 'empty', b'')


def main():
    assert re.match(r'3\.\d+', sqlite3.sqlite_version), sqlite3.sqlite_version
    make_databases()
    make_archives()
    make_texts()
    make_ssh()
    make_block_indexes()
    make_operations()
    total = sum(path.stat().st_size for path in CORPUS.rglob('*') if path.is_file())
    print(f'{total} bytes in {CORPUS}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
