#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every control has a name that a screen reader can say, on every page and in every dialog and popover.

check-names.py PROGRAM REPORT ...  inside tests/with-display.  The real window is asked over the bus of assistive
technology.  What takes the keyboard or has an action wants a name, and so do tabs and headings; the name of a
class or of a role is none.
"""

import os
import pathlib
import re
import sys
import time

import playground

PAGES = ['home', 'summary', 'insights', 'memory', 'liveness', 'trace', 'programs', 'operations']
DIALOGS = ['win.open', 'win.open-remote', 'win.preferences', 'win.help', 'win.show-help-overlay',
           'win.about']
# Seconds in which a page of a busy machine shows something.
PATIENCE = 180
CLASS = re.compile(r'^(Gtk|Adw|Tsr|Gdk)[A-Z]\w*$')
CONTROLS = {'tab', 'tab list', 'column header', 'button', 'toggle button', 'check box', 'radio button', 'switch', 'combo box',
            'slider', 'text box', 'search box', 'spin button', 'menu item', 'link', 'image', 'list', 'tree grid', 'tool bar'}
NAMED_ALWAYS = {'tab', 'tab list', 'column header', 'tree grid', 'tool bar'}
# In windows of libadwaita's own, which cannot be reached from outside.
FOREIGN = [('list', 'GtkListBox', 'About Tessera')]
# What takes the keyboard only to hand it on to what is in it, in GTK: scrolled areas, popovers, menus, windows.
HOLDERS = {('group', ''), ('widget', 'GtkPopover'), ('menu', 'GtkPopoverMenu'), ('window', ''), ('dialog', '')}


def is_control(widget):
    """What takes the keyboard, and what has an action of its own.  GTK gives each label the actions of a text, and each
    holder the actions that are installed for what is in it."""
    if widget.role == 'label' or (widget.role, widget.name) in HOLDERS:
        return False
    if widget.state >> playground.FOCUSABLE & 1:
        return True
    return widget.role in CONTROLS and (bool(widget.actions) or widget.role in NAMED_ALWAYS)


def is_named(widget):
    name = widget.name.strip()
    plain = name.replace('_', '')
    half = plain[:len(plain) // 2].strip()  # "C_lear Clear": twice, and with the underscore
    return (bool(name) and not CLASS.match(name) and name.lower() not in (widget.role, widget.role.replace(' ', ''))
            and plain != f'{half} {half}' and not name.endswith(':'))


def is_foreign(widget):
    top = widget
    while top.above is not None:
        top = top.above
    return (widget.role, widget.name, top.name) in FOREIGN


def tell(widget):
    way = []
    above = widget.above
    while above is not None and len(way) < 4:
        if above.name:
            way.append(above.name)
        above = above.above
    text = f' "{widget.description}"' if widget.description else ''
    return f'{widget.role} named "{widget.name}"{text} in ' + ' in '.join(way)


class Check:
    def __init__(self, program, report):
        work = pathlib.Path(os.environ['HOME'])
        self.screen = playground.X11((1280, 1024), work)
        self.program = playground.Program(program, self.screen, work)
        self.report = report
        self.nameless = {}
        self.n = 0

    def find(self, **what):
        """What is there, and which of it are controls on the screen."""
        self.program.ping()
        widgets = self.tree.walk(**what)
        return widgets, self.tree.pick_allocated([widget for widget in widgets if is_control(widget)])

    def look(self, where, found=None, **what):
        """Notes what has no name."""
        widgets, controls = found or self.find(**what)
        self.n += len(controls)
        for widget in controls:
            if not is_named(widget) and not is_foreign(widget):
                self.nameless.setdefault(tell(widget), where)
        bad = self.program.read_log()
        assert not bad, f'{where}: {bad}'
        return widgets

    def close_what_opened(self, what):
        """Escape closes each window but the report's, and one that starts with the keyboard in an entry, too."""
        for _ in range(20):
            self.screen.key('Escape')
            self.program.ping()
            titles = self.tree.get_titles()
            if len(titles) <= 1:
                return
            time.sleep(.1)
        assert False, f'{what}: Escape does not close {titles[1:]}'

    def tell_state(self, text):
        """With whether the program lives and what it has printed."""
        status = self.program.process.poll()
        state = 'still runs' if status is None else f'ended with status {status}'
        return '\n'.join([f'{text}; the program {state} and printed:', self.program.log_path.read_text(errors='replace')])

    def count_first(self, patience):
        """How many controls there are as soon as the bus has the program, and any control of it; 0 where it has none."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            n = len(self.find()[1]) if self.tree.find_peer() else 0
            if n:
                return n
            time.sleep(.2)
        return 0

    def run(self, page, everything):
        for patience in (PATIENCE / 4, PATIENCE):
            self.program.start(*([] if page == 'home' else [f'--page={page}', self.report]))
            self.tree = playground.Tree(self.program)
            before = self.count_first(patience)
            if before:
                break
            # Seen once in many times on a busy machine: GTK has told its bus of nothing, or of a window with nothing in it, and does
            # not try again.
            print('# the bus of assistive technology does not know the program or its controls; once more')
            self.program.quit()
        until = time.monotonic() + PATIENCE
        # A window that is opening a report has its name, but nothing that is asked of a report.
        while page != 'home' and time.monotonic() < until:
            if any('win.diagnostics' in widget.actions for widget in self.tree.walk(deep=False)):
                break
            time.sleep(.2)
        found = self.find()
        least = 8 if page == 'home' else 20
        while len(found[1]) < least or len(found[1]) != before:  # until nothing new appears
            time.sleep(.3)
            before, found = len(found[1]), self.find()
            assert time.monotonic() < until, self.tell_state(
                f'{page}: after {PATIENCE} s there are {len(found[1])} controls, and were {before} just before')
        widgets = self.look(page, found)
        window = widgets[0]
        for action in DIALOGS if page == 'home' else ['win.diagnostics']:
            self.tree.do(window, action)
            assert self.look(f'{page}, {action}', without=[window.path]), f'{action} opened nothing'
            self.close_what_opened(f'{page}, {action}')
        for notebook in [widget for widget in widgets if widget.role == 'tab list']:
            tabs = [widget for widget in widgets if widget.role == 'tab' and widget.above is notebook]
            for i, tab in enumerate(tabs):
                if self.tree.select(notebook, i):
                    widgets += self.look(f'{page}, {tab.name}', top=notebook.above)
        # What opens on a press: within a menu button or a drop-down there is a button.
        for opener in self.tree.pick_reachable(widgets) if everything else ():
            if 'Click' in opener.actions and opener.above is not None and opener.above.role in ('button', 'combo box'):
                self.tree.do(opener, 'Click')
                self.look(f'{page}, {opener.name}', top=opener.above)
                self.close_what_opened(f'{page}, {opener.name}')
        assert not self.program.read_log(), self.program.bad
        self.program.quit()


def main(argv):
    program, *reports = argv
    number = failed = 0
    for report in reports:
        for page in PAGES if report == reports[0] else PAGES[1:]:
            number += 1
            try:
                check = Check(program, report)
            except playground.Missing as reason:
                print(f'1..0 # SKIP {reason}')
                return 77
            try:
                check.run(page, report == reports[0])
            finally:
                check.program.close()
                check.screen.close()
            bad = bool(check.nameless) or check.n < 20
            failed += bad
            for text, where in sorted(check.nameless.items()):
                print(f'# {where}: {text}')
            print(f'{"not ok" if bad else "ok"} {number} /names/{pathlib.Path(report).name}/{page} # {check.n} controls')
            sys.stdout.flush()
    print(f'1..{number}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
