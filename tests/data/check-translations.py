#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What po/update.py --check finds: each kind of mistake, one at a time, in a small project of its own."""

import atexit
import functools
import os
import pathlib
import shutil
import sys
import tempfile

import tap

SOURCE = '''#include <glib/gi18n.h>
const char *one = N_ ("One text");
char *
two (int n)
{
  return g_strdup_printf (_ ("%d of %s"), n, "x");
}
'''
PLURAL = '''char *
three (int n)
{
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u tile", "%u tiles", n), n);
}
'''
WINDOW = '''<?xml version="1.0" encoding="UTF-8"?>
<interface><object class="GtkLabel"><property name="label" translatable="yes">Half is %s of it</property></object>
</interface>
'''
GERMAN = '''msgid ""
msgstr ""
"Language: de\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "One text"
msgstr "Ein Text"

msgid "%d of %s"
msgstr "%d von %s"

msgid "%u tile"
msgid_plural "%u tiles"
msgstr[0] "%u Kachel"
msgstr[1] "%u Kacheln"

msgid "Half is %s of it"
msgstr "Die Hälfte ist %s davon"
'''


class Project:
    """A project in a folder of its own: new and up to date, or as another one is."""

    def __init__(self, folder, other=None):
        self.root = pathlib.Path(folder)
        if other is not None:
            shutil.copytree(other.root, folder, dirs_exist_ok=True)
            return
        (self.root / 'po').mkdir()
        (self.root / 'src').mkdir()
        (self.root / 'data').mkdir()
        shutil.copy(tap.ROOT / 'po/update.py', self.root / 'po')
        for name, text in (('src/a.c', SOURCE), ('src/b.c', PLURAL), ('src/c.ui', WINDOW), ('po/LINGUAS', 'de\n'),
                           ('po/de.po', GERMAN)):
            (self.root / name).write_text(text, encoding='utf-8')
        self.run()

    def run(self, *arguments):
        return tap.run(sys.executable, self.root / 'po/update.py', *arguments)

    def change(self, name, old, new):
        path = self.root / name
        text = path.read_text(encoding='utf-8')
        assert old in text, f'{name} has no {old!r}'
        path.write_text(text.replace(old, new), encoding='utf-8')


# What is changed, and a word of what is said about it.
MISTAKES = {
    'missing_file': ('po/POTFILES.in', 'src/b.c\n', '', 'POTFILES.in'),
    'stale_file': ('po/POTFILES.in', 'src/b.c\n', 'src/b.c\nsrc/gone.c\n', 'POTFILES.in'),
    'new_text': ('src/a.c', 'N_ ("One text")', 'N_ ("Another text")', 'tessera.pot'),
    'text_of_template': ('po/tessera.pot', 'One text', 'Some text', 'tessera.pot'),
    'new_text_of_window': ('src/c.ui', 'Half is', 'All is', 'tessera.pot'),
    'missing_entry': ('po/de.po', 'msgid "One text"\nmsgstr "Ein Text"\n', '', 'de.po'),
    'untranslated': ('po/de.po', '"Ein Text"', '""', 'untranslated'),
    'untranslated_plural': ('po/de.po', '"%u Kacheln"', '""', 'de.po'),
    'fuzzy': ('po/de.po', 'msgid "One text"', '#, fuzzy\nmsgid "One text"', 'fuzzy'),
    'placeholder': ('po/de.po', '%d von %s', '%s von %d', 'de.po'),
    'placeholder_lost': ('po/de.po', '%d von %s', '%d', 'de.po'),
    'placeholder_of_plural': ('po/de.po', '%u Kacheln', '%s Kacheln', 'de.po'),
    'placeholder_of_window': ('po/de.po', 'ist %s davon', 'ist davon', 'de.po'),
    'macro': ('src/a.c', '"%d of %s"', '"%d of " SIZE', 'SIZE'),
}


@functools.cache
def get_project(flagged=True):
    """In which nothing is wrong."""
    for tool in ('xgettext', 'msgmerge', 'msgfmt'):
        tap.run(tool, '--version')
    project = Project(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, project.root)
    if not flagged:
        project.change('po/de.po', '#, c-format\n', '')  # nobody's flags are trusted
    project.run('--check')
    return project


def check(mistake):
    file, old, new, word = mistake
    with tempfile.TemporaryDirectory() as folder:
        project = Project(folder, get_project(flagged=file != 'po/de.po'))
        project.change(file, old, new)
        try:
            said = project.run('--check')
        except AssertionError as error:
            assert word in str(error), f'{word} is not in: {error}'
        else:
            raise AssertionError(f'not found: {said}')


if __name__ == '__main__':
    os.environ['OMP_NUM_THREADS'] = '1'  # the threads of msgmerge wait for nothing
    sys.exit(tap.main([('translations/nothing-wrong', get_project), *(
        (f'translations/{name.replace("_", "-")}', functools.partial(check, mistake))
        for name, mistake in MISTAKES.items())]))
