#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/mutants tells right what a test notices, on a small project; and the list of changes without effect fits the sources."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import re
import sys
import tempfile
import unittest.mock

import tap
from tap import ROOT

sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader('mutants', str(ROOT / 'tests/mutants'))
mutants = importlib.util.module_from_spec(importlib.util.spec_from_loader('mutants', LOADER))
# The processes that it starts look for it by its name.
sys.modules['mutants'] = mutants
LOADER.exec_module(mutants)
mutants.PATIENCE = 1

SUM = '''/* "a < b" in a comment and in a text is none. */
int sum_positive (const int *values, int n);
int sum_unused (int a);
int sum_length (const char *first, const char *end);
int sum_same (const char *first, const char *end);
static const char TEXT[] = "a < b";

int
sum_positive (const int *values,
              int n)
{
  int sum = 0;
  int i = TEXT[0] == 'a' ? n : 0;

  while (i > 0)
    {
      i--;
      if (values[i] < 0)
        continue;
      sum += values[i];
    }

  return sum;
}

int
sum_unused (int a)
{
  return a + 2;
}

int
sum_length (const char *first,
            const char *end)
{
  return end - first;
}

int
sum_same (const char *first,
          const char *end)
{
  if (first != end
      && first[0] == end[0])
    return 1;
  return 0;
}
'''
FILES = {
    'meson.build': '''project ('sum', 'c')
sum_lib = static_library ('sum', 'src/sum/sum.c')
test ('sum', executable ('test-sum', 'tests/test-sum.c', link_with: sum_lib))
test ('other', executable ('test-other', 'tests/test-other.c', link_with: sum_lib))
''',
    'src/sum/sum.c': SUM,
    'tests/test-sum.c': '''int sum_positive (const int *values, int n);
int sum_length (const char *first, const char *end);

int
main (void)
{
  const int values[] = { 3, -1, 0, 4 };

  return !(sum_positive (values, 4) == 7 && sum_length (TEXT_OF_TEST, TEXT_OF_TEST + 5) == 5);
}
'''.replace('TEXT_OF_TEST', '(const char *) values'),
    # It contains nothing of the library, and is not run: it would fail.
    'tests/test-other.c': 'int main (void) { return 1; }\n',
    'equal.txt': '''src/sum/sum.c: sum_positive
  - if (values[i] < 0)
  + if (values[i] <= 0)
  adding nothing changes nothing
''',
}


EXPECTED = {
    '20: sum_positive: sum += values[i]; -> sum -= values[i];': 'sum',
    '18: sum_positive: if (values[i] < 0) -> if (values[i] < 1)': 'SURVIVED',
    '19: sum_positive: continue; -> break;': 'sum',
    # Without end.
    '17: sum_positive: i--; -> ;': 'sum',
    '29: sum_unused: return a + 2; -> return a - 2;': 'SURVIVED (no test comes here)',
    '36: sum_length: return end - first; -> return end + first;': 'does not compile',
}


# Two of its five cases come by sum_length, one of them by sum_positive, too, and by the first half of sum_same, another one by the
# whole of that; the last one is not asked for.
CASES = {
    'meson.build': '''project ('sum', 'c', default_options: 'b_sanitize=address')
sum_lib = static_library ('sum', 'src/sum/sum.c')
test ('cases', executable ('test-cases', 'tests/test-cases.c', 'tests/support/tsr-test.c', link_with: sum_lib,
  dependencies: dependency ('glib-2.0')), args: ['-p', '/a'], protocol: 'tap')
''',
    'src/sum/sum.c': SUM,
    'tests/support/tsr-test.c': '',
    'tests/support/count-cases.c': (ROOT / 'tests/support/count-cases.c').read_text(encoding='utf-8'),
    'tests/test-cases.c': '''#include <glib.h>
int sum_positive (const int *values, int n);
int sum_length (const char *first, const char *end);
int sum_same (const char *first, const char *end);
static void nothing (void) {}
static void same (gconstpointer data) { g_assert_true (sum_same (data, (const char *)data + 1)); }
static void length (gconstpointer data) { g_assert_cmpint (sum_length (data, (const char *)data + 5), ==, 5); }
static void set_up (int *fixture, gconstpointer data) { *fixture = 3; length (data); }
static void both (int *fixture, gconstpointer data) { g_assert_cmpint (sum_positive (fixture, 1), ==, 3); g_assert_false (sum_same (data, data)); }

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/a/nothing", nothing);
  g_test_add_data_func ("/a/length", "length", length);
  g_test_add_data_func ("/a/same", "ss", same);
  g_test_add ("/a/both", int, "both", set_up, both, NULL);
  g_test_add_data_func ("/b/length", "length", length);
  return g_test_run ();
}
''',
    'equal.txt': '',
}


def make_project(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')
    tap.run('meson', 'setup', folder / 'b', folder)


def try_mutants(folder, *options):
    """What came of the changes that it tried, in order: [(change, word)], and its last line."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        mutants.main([str(folder / 'b'), '--all', '--jobs=1', *options], folder, {'sum': ('src/sum', ['test-'])}, folder / 'equal.txt')
    *lines, last = out.getvalue().splitlines()
    parts = [re.fullmatch(r'(.*?)(?: \([\d.]+ s\))? src/sum/sum\.c:(\d+: .*)', line) for line in lines]
    assert all(parts), lines
    return [(part[2], part[1]) for part in parts], last


def check_changes(folder):
    """All changes of the project: each is told rightly, and nothing is written to the project or its objects."""
    make_project(folder, FILES)
    tried, last = try_mutants(folder, '--count=1000', '--seed=5')
    objects = {path: path.stat().st_mtime_ns for path in folder.rglob('*.o')}
    found = dict(tried)
    for change, word in EXPECTED.items():
        assert found.get(change) == word, f'{change}: {found.get(change)}, not {word}; all: {found}'
    # Neither a change of a comment or a text, nor what is listed.
    assert not any('*' in change or '"' in change or '<= 0' in change for change in found), found
    words = list(found.values())
    counted = re.fullmatch(r'sum: (\d+) mutants of seed 5: (\d+) noticed, (\d+) survived, (\d+) % noticed; not counted: '
                           r'(\d+) that do not compile, (\d+) of the same code, (\d+) listed as equal; \d+ s', last)
    assert counted, last
    total, noticed, survived, rate, broken, same, listed = map(int, counted.groups())
    assert (noticed, survived, broken, same, listed) == (
        words.count('sum'), sum(word.startswith('SURVIVED') for word in words), words.count('does not compile'), words.count('same code'), 1), last
    assert total == noticed + survived and rate == round(100 * noticed / total), last
    # The same seed again begins with the same, another one does not; and no test is counted again.
    with unittest.mock.patch.object(mutants.Build, 'count', side_effect=AssertionError('counted again')):
        again, other = (try_mutants(folder, '--count=3', f'--seed={seed}')[0] for seed in (5, 9))
    assert again == tried[:len(again)] and other != tried[:len(other)], (tried, again, other)
    # Those that would be drawn, without a run.
    drawn = io.StringIO()
    with contextlib.redirect_stdout(drawn):
        mutants.main([str(folder / 'b'), '--list', '--count=3', '--seed=5'], folder, {'sum': ('src/sum', ['test-'])}, folder / 'equal.txt')
    assert [line.split('src/sum/sum.c:')[1] for line in drawn.getvalue().splitlines()] == [change for change, _ in tried[:3]], drawn.getvalue()
    # A test for which nothing is left of the minute does not start.
    with unittest.mock.patch.object(mutants, 'BUDGET', 0):
        words = {change: word for change, word in try_mutants(folder, '--count=1000', '--seed=5')[0] if found[change] == 'sum'}
    assert set(words.values()) == {'SURVIVED (tests left out: 1)'}, words
    assert (folder / 'src/sum/sum.c').read_text(encoding='utf-8') == SUM
    assert objects == {path: path.stat().st_mtime_ns for path in folder.rglob('*.o')}


def check_cases(folder):
    """Of a test those cases are run that come by a change, with leaks looked for, and they notice it."""
    make_project(folder, CASES)
    changes = [change for change in mutants.changes_of('src/sum/sum.c', SUM)
               if change.function != 'sum_unused' and change.before not in ('return 1;', 'return 0;')]
    room = mutants.Room('sum', mutants.Build(folder / 'b', folder), {'sum': ('src/sum', ['test-'])})
    with tempfile.TemporaryDirectory() as work:
        room.measure(pathlib.Path(work), 1)
    [test] = room.tests
    assert room.leaks == {'cases': True}, 'what it counts cases with looks lost'
    expected = {'sum_positive': ('/a/both',), 'sum_length': ('/a/length', '/a/both'), 'sum_same': ('/a/same', '/a/both')}
    # What is behind "and" only where it is asked; that it is "and" may be noticed where it is not.
    second = [change for change in changes if change.before.startswith('&& first[0] ==')]
    assert {change.after[:2] for change in second} == {'&&', '||'}, second
    asked = [change for change in second if change.after.startswith('&&')]
    parts = {change: room.part_of(test, change) for change in changes if room.may_notice(test, change)}
    wrong = {change: part for change, part in parts.items()
             if part[0] != (('/a/same',) if change in asked else expected[change.function]) or not 0 < part[1] <= 1}
    assert len(parts) > 5 and not wrong, wrong
    # What only the first of them came by may be for all.
    change = next(change for change in parts if change.function == 'sum_positive')
    masks = room.bits['cases']['src/sum/sum.c']
    first = min(mask & -mask for mask in masks.values())
    with unittest.mock.patch.dict(masks, dict.fromkeys(masks, first)):
        assert room.part_of(test, change) == ((), 1), room.part_of(test, change)
    run = []
    with unittest.mock.patch.object(mutants, 'run', side_effect=lambda command, *more, **options: run.append(command[1:]) or (0, '')):
        room.build.run_test(test, 1, folder, cases=('/a/length', '/a/both'))
    assert run == [['-p', '/a/length', '-p', '/a/both']], run
    words = {change: word for change, word in try_mutants(folder, '--count=1000', '--seed=5')[0] if 'sum_length' in change}
    assert words and set(words.values()) <= {'cases', 'does not compile'}, words


def refusal(call, *arguments):
    try:
        call(*arguments)
    except SystemExit as said:
        return str(said)
    raise AssertionError(f'{arguments} is not refused')


def check_refusals(folder):
    """Tests that fail anyway, or only with sanitizers, a file of no room, an unknown room, and a list that cannot be read are said in one sentence."""
    assert 'there is no room hall' in refusal(try_mutants, folder, '--room=hall')
    assert 'x.c is no source of a room' in refusal(try_mutants, folder, 'x.c')
    test = folder / 'tests/test-sum.c'
    text = test.read_text(encoding='utf-8')
    # Only counters are told where to write.
    test.write_text('#include <stdlib.h>\n' + text.replace('!(sum', 'getenv ("GCOV_PREFIX") == NULL || !(sum'), encoding='utf-8')
    assert 'the test sum fails when the sanitizers' in refusal(try_mutants, folder)
    test.write_text(text.replace('== 7', '== 8'), encoding='utf-8')
    assert 'without any change, the test sum fails' in refusal(try_mutants, folder)
    (folder / 'equal.txt').write_text('src/sum/sum.c: sum_positive\n  - a\n  + b\n', encoding='utf-8')
    assert 'a reason' in refusal(mutants.read_equals, folder / 'equal.txt')


def check_list():
    """Each entry of the list names a change that there is, and why it has no effect."""
    listed = mutants.read_equals(ROOT / 'tests/data/equal-mutants.txt')
    wrong, known = [], {}
    for (file, function, before, after), reason in listed.items():
        if file not in known:
            text = (ROOT / file).read_text(encoding='utf-8') if (ROOT / file).exists() else ''
            known[file] = {mutants.key_of(change) for change in mutants.changes_of(file, text)}
        if (file, function, before, after) not in known[file]:
            wrong.append(f'{file}: {function}: {before} -> {after}: there is no such change any more: take the entry out')
        if len(reason) < 10:
            wrong.append(f'{file}: {function}: {before}: no reason')
    assert not wrong, '\n'.join(wrong)


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as TEMPORARY:
        PROJECT = pathlib.Path(TEMPORARY).resolve()
        sys.exit(tap.main([('mutants/changes', lambda: check_changes(PROJECT)), ('mutants/refusals', lambda: check_refusals(PROJECT)),
                           ('mutants/cases', lambda: check_cases(PROJECT / 'cases')), ('mutants/list', check_list)]))
