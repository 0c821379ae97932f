# SPDX-License-Identifier: GPL-3.0-or-later

"""Every key of a graph or page stands in the window of keyboard shortcuts: of each action's keys, as
the tables in src/ui name them, at least one.  What moves by ten is said beside what moves by one."""

import html
import pathlib
import re


def get_shown(overlay):
    shown = set()
    for keys in re.findall(r'"accelerator">([^<]*)<', overlay.read_text()):
        for key in html.unescape(keys).split():
            first, dots, last = key.rpartition('...')
            if not dots:
                shown.add(key.lower())
                continue
            prefix, start = re.match(r'(.*?)(\d)$', first).groups()
            shown.update((prefix + str(i)).lower() for i in range(int(start), int(last) + 1))
    return shown


def main(root):
    shown = get_shown(root / 'src/ui/gtk/help-overlay.ui')
    missing = []
    n = 0
    for source in sorted((root / 'src/ui').rglob('*.c')):
        for name, keys in re.findall(r'\{ "([a-z]+\.[a-z0-9-]+)", "([^"]*)",', source.read_text()):
            n += 1
            if keys and not name.endswith('-ten') and not shown & set(keys.lower().split()):
                missing.append('%s: %s has "%s", which no shortcut shows' % (source.name, name, keys))
    print('1..1')
    for line in missing:
        print('# ' + line)
    print('%s 1 keys # %d actions' % ('not ok' if missing or n < 50 else 'ok', n))


main(pathlib.Path(__file__).resolve().parents[2])
