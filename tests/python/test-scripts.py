#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts that say "import pva", run by "python3 -m tessera_pva": the examples of docs/python.md, against SQL."""

import os
import pathlib
import subprocess
import sys
import tempfile

from pva_test import main, open_both, path_of, pva, raises, same, tap

SCRIPTS = pathlib.Path(__file__).with_name('scripts')


def run(*arguments, path=None):
    env = dict(os.environ)
    env['PYTHONPATH'] = os.pathsep.join([*(path or []), env['PYTHONPATH']])
    done = subprocess.run([sys.executable, '-B', *map(str, arguments)], capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stderr
    return done


def lines(script, *reports):
    out = run('-m', 'tessera_pva', SCRIPTS / script, *map(path_of, reports)).stdout
    return [line.split() for line in out.splitlines()]


def check_fullest_tiles():
    _, sql = open_both('demo')
    same([int(line[1]) for line in lines('fullest_tiles.py', 'demo')],
         [row[0] for row in sql.execute('SELECT including_gaps FROM memory_by_tile ORDER BY 1 DESC LIMIT 10')], 'bytes')


def check_liveness_by_layer():
    _, sql = open_both('demo')
    found = lines('liveness_by_layer.py', 'demo')
    step, most = sql.execute('SELECT step, max(not_always_live_bytes) FROM liveness_steps').fetchone()
    same(int(found[0][-1]), most, 'the peak')
    wanted = {}
    for name, size in sql.execute('SELECT name, l.size_bytes FROM variable_lifetimes l JOIN variables v ON v.id = variable '
                                  'WHERE start_step <= ?1 AND end_step > ?1', (step,)):
        layer = name.split('/')[0]
        wanted[layer] = wanted.get(layer, 0) + size
    same({' '.join(line[:-1]): int(line[-1]) for line in found[1:]}, wanted, 'layers')


def check_cycles_by_type():
    _, sql = open_both('demo')
    found = {line[0]: int(line[1]) for line in lines('cycles_by_type.py', 'demo')}
    several = sql.execute('SELECT count(*) FROM steps s WHERE type = \'OnTileExecute\' AND (SELECT count(*) FROM '
                          'compute_set_vertices v WHERE v.compute_set = s.compute_set) > 1').fetchone()[0]
    wanted = dict(sql.execute('SELECT s.type, sum(i.cycles) FROM steps s JOIN steps_by_ipu i ON i.step_id = s.id WHERE '
                              'i.ipu = 0 GROUP BY 1'))
    same(found, {**wanted, 'several': several}, 'cycles')


def check_compare_reports():
    sums = [open_both(name)[1].execute('SELECT sum(excluding_gaps) FROM memory_by_tile').fetchone()[0]
            for name in ('demo', 'oom')]
    found = {line[0]: list(map(int, line[1:])) for line in lines('compare_reports.py', 'demo', 'oom')}
    same(found['total'], [*sums, sums[1] - sums[0]], 'totals')
    same(lines('compare_reports.py', 'demo', 'demo'), [], 'no difference')


def check_csv():
    _, sql = open_both('tiny')
    rows = sql.execute('SELECT including_gaps, always_live, not_always_live FROM memory_by_tile ORDER BY tile').fetchall()
    same(lines('csv_for_a_paper.py', 'tiny')[1:],
         [[','.join(map(str, (i, *row)))] for i, row in enumerate(rows * 2)], 'rows')


def check_documentation():
    """docs/python.md has the examples as they run."""
    text = (tap.ROOT / 'docs/python.md').read_text(encoding='utf-8')
    scripts = sorted(SCRIPTS.glob('*.py'))
    same(len(scripts), 5, 'scripts')
    for script in scripts:
        assert script.read_text(encoding='utf-8').split('\n', 1)[1].strip() in text, script.name


def check_alias():
    """The name pva is nobody's by itself, is Graphcore's where it is there, and ours when asked for."""
    raises(ImportError, __import__, 'pva')
    folder = run('-m', 'tessera_pva', '--path').stdout.strip()
    text = 'import pva, pva.pva_core, tessera_pva; print(pva.openReport is tessera_pva.openReport is pva.pva_core.openReport)'
    same(run('-c', text, path=[folder]).stdout, 'True\n', '--path')
    same(run('-c', f'import tessera_pva; tessera_pva.install_as_pva(); {text}').stdout, 'True\n', 'install_as_pva')
    with tempfile.TemporaryDirectory() as other:
        pathlib.Path(other, 'pva.py').write_text('mine = 1\n', encoding='utf-8')
        said = run('-c', 'import tessera_pva\ntry: tessera_pva.install_as_pva()\nexcept ImportError as error: print(error)\n'
                         'import pva; print(pva.mine)', path=[other]).stdout.split('\n')
        assert other in said[0] and said[1] == '1', said
        script = pathlib.Path(other, 'script.py')
        script.write_text('import pva, sys; print(pva.openReport.__name__, sys.argv[1:], __name__)\n', encoding='utf-8')
        done = run('-m', 'tessera_pva', script, '-x', 'y', path=[other])
        same(done.stdout, "openReport ['-x', 'y'] __main__\n", 'script')
        assert other in done.stderr, done.stderr
    same(run('-m', 'tessera_pva', '--version').stdout, f'tessera_pva {pva.__version__}\n', '--version')


if __name__ == '__main__':
    sys.exit(main('scripts', (check_fullest_tiles, check_liveness_by_layer, check_cycles_by_type, check_compare_reports,
                              check_csv, check_documentation, check_alias)))
