#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every context of debug.cbor, as the table of the program and tessera-cli debug have it, against a plain
decoder: ids, parents, layers, names, locations and the whole record."""

import csv
import io
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'data'))
import naive_cbor  # noqa: E402
import tap  # noqa: E402

CLI, MAKE_REPORT, LIST_CONTEXTS = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
NO_ID = 77777777777777


def make(folder, *words):
    subprocess.run([MAKE_REPORT, '--force', *words, folder], check=True, stdout=subprocess.DEVNULL)


def debug(folder, ident, *words):
    """tessera-cli debug: exit status, what it prints, what it says."""
    done = subprocess.run([CLI, 'debug', *words, folder, str(ident)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


class Naive:
    """What the file says, found by looking."""

    def __init__(self, folder):
        whole, _ = naive_cbor.read(folder)
        self.strings, self.contexts = whole['stringTable'], whole['contexts']
        self.by_id = {context['id']: context for context in self.contexts}
        self.parents = {context.get('parentId') for context in self.contexts}

    def chain(self, ident):
        found = []
        while ident in self.by_id:
            found.append(self.by_id[ident])
            ident = found[-1].get('parentId')
        return found

    def name(self, context):
        return self.strings[int(context['name'])]

    def location(self, context):
        if 'location' not in context:
            return None
        place = dict(context['location'])
        for key in ('fileName', 'functionName'):
            if key in place:
                place[key] = self.strings[int(place[key])]
        return place

    def record(self, context):
        found = {**context, 'name': self.name(context)}
        if 'location' in context:
            found['location'] = self.location(context)
        return found


def check_table(words):
    """The table, row by row."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, '--only=profile,debug', *words)
        file = Naive(folder)
        lines = subprocess.run([LIST_CONTEXTS, folder], check=True, capture_output=True, text=True).stdout
        rows = [json.loads(line) for line in lines.splitlines()]
        assert len(rows) == len(file.contexts) > 0
        for row, context in zip(rows, file.contexts):
            place = file.location(context) or {}
            assert row['chain'] == [above['id'] for above in file.chain(context['id'])], context
            assert row['layer'] == context['layer'] and row['name'] == file.name(context), (row, context)
            assert row['location'] == [place.get('fileName'), place.get('functionName'),
                                       place.get('lineNumber', 0)], (row, context)
            assert row['record'] == file.record(context), (row['record'], context)
            assert list(row['record']) == list(context), 'members in another order'
        assert max(len(row['chain']) for row in rows) > 1


def check_json(file, folder, ident):
    status, out, err = debug(folder, ident, '--format=json')
    assert (status, err) == (0, ''), err
    expected = [{'id': context['id'], 'layer': context['layer'], 'name': file.name(context),
                 'location': file.location(context), 'record': file.record(context)} for context in file.chain(ident)]
    found = json.loads(out)
    for context in found:
        if context['location'] is not None:
            context['location'] = {key: value for key, value in context['location'].items() if value is not None}
    assert found == expected, (found, expected)


def flat(value):
    """Every scalar of a record with its path, as the rows have them."""
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in members:
        if isinstance(child, (dict, list)):
            for path, text in flat(child):
                yield f'{key} / {path}', text
        else:
            yield str(key), {True: 'true', False: 'false'}[child] if isinstance(child, bool) else str(child)


def check_rows(file, folder, ident):
    """CSV has the outermost context first and everything of its record; text has the same rows."""
    status, out, err = debug(folder, ident, '--format=csv')
    assert (status, err) == (0, ''), err
    rows = list(csv.reader(io.StringIO(out)))
    assert rows.pop(0) == ['name', 'value']
    chain = file.chain(ident)[::-1]
    tops = [value for name, value in rows if ' / ' not in name]
    assert tops == [file.name(context) for context in chain], (tops, chain)
    tops = [i for i, row in enumerate(rows) if ' / ' not in row[0]] + [len(rows)]
    for context, first, end in zip(chain, tops, tops[1:]):
        title = rows[first][0]
        below = [(name[len(title) + 3:], value) for name, value in rows[first + 1:end]]
        own = {key: value for key, value in context.items() if key not in ('name', 'layer', 'location')}
        assert [row for row in below if row[0] not in ('Source', 'Function') and row[1] != ''] == \
            [row for row in flat(own) if row[1] != ''], (below, own)
        place = file.location(context)
        if place is not None:
            assert ('Source', f"{place['fileName']}:{place['lineNumber']}") in below
            assert ('Function', place['functionName']) in below
        if place is None and context.get('sourcefile'):
            assert ('Source', f"{context['sourcefile']}:{context['sourceline']}") in below
    status, text, err = debug(folder, ident)
    assert (status, err) == (0, ''), err
    lines = text.splitlines()
    assert lines[0].split() == ['Name', 'Value'] and len(lines) == len(rows) + 1, text
    column = lines[0].index('Value')
    for line, (name, value) in zip(lines[1:], rows):
        path = name.split(' / ')
        shown = value or '–' if len(path) > 1 else value
        assert line[:column].rstrip() == '  ' * (len(path) - 1) + path[-1], (line, name)
        assert line[column:] in (value, shown), (line, name, value)


def check_cli(preset):
    """The command of the innermost contexts, some hundred apart; a chain contains all above them."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, '--only=profile,debug', preset)
        file = Naive(folder)
        leaves = [context['id'] for context in file.contexts if context['id'] not in file.parents]
        for ident in leaves[::max(1, len(leaves) // 25)]:
            check_json(file, folder, ident)
        for ident in leaves[::max(1, len(leaves) // 5)]:
            check_rows(file, folder, ident)
        layers = {}
        for context in file.contexts:
            layers.setdefault(context['layer'], context['id'])
        for ident in layers.values():
            check_rows(file, folder, ident)


def check_wrong():
    """What cannot be answered says why, and the status tells it."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, '--only=profile,debug', 'tiny')
        file = Naive(folder)
        ident = file.contexts[0]['id']
        for words in ((), ('--format=json',), ('--format=csv',)):
            status, out, err = debug(folder, NO_ID, *words)
            assert status == 2 and out == '' and str(NO_ID) in err and 'debug.cbor' in err, (out, err)
        for wrong in ('x', '-1', '', '18446744073709551616', '1.5'):
            status, out, err = debug(folder, wrong)
            assert status == 2 and out == '' and err, (wrong, status, out, err)
        done = subprocess.run([CLI, 'debug', folder], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stdout == '' and done.stderr
        path = pathlib.Path(folder) / 'debug.cbor'
        data = path.read_bytes()

        # Cut in the middle: what was read before the end is there, and the end is told.
        path.write_bytes(data[:len(data) // 2])
        status, out, err = debug(folder, ident, '--format=json')
        byte = int(re.search(r'debug\.cbor, contexts, byte (\d+)', err).group(1))
        assert status == 1 and 0 < byte <= len(data) // 2, (status, err)
        assert json.loads(out)[0]['id'] == ident
        status, out, err = debug(folder, file.contexts[-1]['id'], '--format=json')
        assert status == 2 and out == '' and 'debug.cbor' in err, (status, out, err)

        path.write_bytes(b'')
        status, out, err = debug(folder, ident)
        assert status == 2 and out == '' and 'debug.cbor' in err, (status, out, err)

        path.unlink()
        status, out, err = debug(folder, ident)
        assert status == 2 and out == '' and 'debug.cbor' in err and 'autoReport.outputDebugInfo' in err, err

        os.symlink('nowhere/debug.cbor', path)
        status, out, err = debug(folder, ident)
        assert status == 2 and out == '' and 'is a link to a file that is not there' in err, err


def check_carried():
    """An id of a program and of a variable: their own context comes first."""
    with tempfile.TemporaryDirectory() as folder:
        make(folder, '--only=profile,debug', 'poplibs')
        file = Naive(folder)
        db = sqlite3.connect(f'file:{folder}/profile.pop?mode=ro', uri=True)
        for table in ('programs', 'variables'):
            for (ident,) in db.execute(f'SELECT DISTINCT debug_id FROM {table} WHERE debug_id IS NOT NULL LIMIT 3'):
                check_json(file, folder, ident)
        db.close()


if __name__ == '__main__':
    TABLES = {'demo': ['demo'], 'tiny': ['tiny'], 'poplibs': ['poplibs'], '3 MB': ['--debug-size=3', 'demo']}
    sys.exit(tap.main([*((f'table/{name}', lambda words=words: check_table(words)) for name, words in TABLES.items()),
                       *((f'cli/{name}', lambda name=name: check_cli(name)) for name in ('demo', 'tiny', 'poplibs')),
                       ('carried', check_carried), ('wrong', check_wrong)]))
