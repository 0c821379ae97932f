# SPDX-License-Identifier: GPL-3.0-or-later
"""The window on a screen of its own, for tests that use it as a person does: an X server with a window
manager (openbox), or a headless Wayland compositor (sway); keys and mouse; what assistive technology
sees of it, asked for over the bus itself, many questions under way at once; what it logs.

Everything here runs inside tests/with-display, which gives the X server, the bus and a home folder.
"""

import collections
import os
import pathlib
import re
import resource
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

try:
    from gi.repository import Gio, GLib
except ImportError:
    print('1..0 # SKIP there is no python3-gi')
    sys.exit(77)

APP = 'io.github.tessera_ipu.Tessera'
APP_PATH = '/io/github/tessera_ipu/Tessera'
ATSPI = 'org.a11y.atspi.'
NOBODY = 65534

# What GLib logs, and what a sanitizer or valgrind does.
BAD = re.compile(r'-(WARNING|CRITICAL|ERROR) \*\*|\*\* (WARNING|CRITICAL|ERROR)|runtime error:|Sanitizer|'
                 r'== *(Invalid (read|write|free)|Mismatched|Process terminating)')

# What may be logged all the same.  Each has a reason that lies outside of this program.
OFF_SCREEN = r"Gdk-CRITICAL.* gdk_monitor_get_geometry: assertion 'GDK_IS_MONITOR \(monitor\)' failed"
ALLOWED = [
    (OFF_SCREEN,
     'GTK 4.8 on X has no monitor for a popover whose place is off the screen, as of a window dragged half out of it'),
    (r"Gdk-WARNING.* Compositor doesn't support moving popups, relying on remapping",
     'sway 1.7 speaks an older xdg-shell, and GTK says that it takes the other way'),
]
# At the same moment such a popover has whatever size was in memory.
NO_SIZE = r'Gtk-WARNING.* gtk_widget_size_allocate\(\): attempt to allocate .* with width -?\d+ and height -?\d+$'

# GTK 4.8 does not look whether a drag of selected text has begun, of an entry (all lines) or a label (the last four).
# None begins while the window manager has the pointer, for a press that came before the program had read the drag.
NO_DRAG = re.compile(r"((.*-WARNING.*: invalid \(NULL\) pointer instance\s+.*: g_signal_connect_data: assertion .*\s+){2})?"
                     r".*: gdk_drag_set_hotspot: assertion .*\s+.*: gtk_drag_icon_get_for_drag: assertion .*\s+"
                     r".*: gtk_drag_icon_set_child: assertion .*\s+.*: g_object_unref: assertion .*\n")

# What assistive technology calls the parts of a chooser of files that GTK shows by itself.
CHOOSERS = ('GtkFileChooserWidget', 'GtkPlacesSidebar')

# Bits of GetState.
FOCUSABLE, SENSITIVE, VISIBLE = 11, 24, 30


class Broken(Exception):
    """The program ended, does not answer or said something that it must not say."""


class Missing(Exception):
    """A tool that this machine does not have."""


def need(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            raise Missing(f'there is no {tool}')


def write_png(path, width, height, stride, pixels):
    """Rows of blue, green, red and a byte of nothing, as X and most of the world has them."""
    lines = bytearray()
    for y in range(height):
        row = pixels[y * stride:y * stride + 4 * width]
        line = bytearray(3 * width)
        line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
        lines += b'\0' + line

    def chunk(name, data):
        return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
    path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0))
                     + chunk(b'IDAT', zlib.compress(bytes(lines), 6)) + chunk(b'IEND', b''))


OPENBOX = '''<?xml version="1.0"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew></focus>
  <keyboard/>
  <mouse><context name="Client"><mousebind button="Left" action="Press">
    <action name="Focus"/><action name="Raise"/></mousebind></context></mouse>
  <applications><application type="normal"><maximized>true</maximized></application></applications>
</openbox_config>
'''


class X11:
    """The X server of tests/with-display, under openbox: a bare screen causes errors that no person sees."""

    name = 'x11'
    can_type = True

    def __init__(self, size, work):
        need('openbox', 'xdotool')
        config = work / 'openbox.xml'
        config.write_text(OPENBOX)
        self.env = {}
        self.size = size
        self.manager = subprocess.Popen(['openbox', '--sm-disable', '--config-file', config],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def do(self, *words):
        try:
            done = subprocess.run(['xdotool', *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  timeout=60, check=False, text=True)
        except subprocess.TimeoutExpired:
            raise Broken('the screen stands still') from None
        return done.stdout.split()

    def move(self, x, y):
        self.do('mousemove', x, y)

    def click(self, x, y, button=1, times=1, hold=()):
        keys = [word for key in hold for word in ('keydown', key)]
        up = [word for key in hold for word in ('keyup', key)]
        self.do('mousemove', x, y, *keys, 'click', '--repeat', times, '--delay', 20, button, *up)

    def drag(self, x, y, x2, y2):
        self.do('mousemove', x, y, 'mousedown', 1, 'mousemove', (x + x2) // 2, (y + y2) // 2, 'mousemove', x2, y2,
                'mouseup', 1)

    def key(self, name):
        self.do('key', name)

    def type(self, text):
        self.do('type', '--delay', 2, text)

    def shoot(self, path):
        """Xvfb keeps its screen in a file, which is a dump as xwd makes them."""
        screen = os.environ.get('TESSERA_SCREEN')
        if screen is None or not os.path.exists(screen):
            return
        data = pathlib.Path(screen).read_bytes()
        words = struct.unpack('>25I', data[:100])
        write_png(path, words[4], words[5], words[12], data[words[0] + 12 * words[19]:])

    def close(self):
        self.manager.terminate()
        self.manager.wait()


class Wayland:
    """sway without a screen.  It refuses to run as root, so root gives it to nobody."""

    name = 'wayland'

    def __init__(self, size, work):
        need('sway')
        self.size = size
        self.can_type = shutil.which('wtype') is not None
        self.folder = folder = pathlib.Path(tempfile.mkdtemp(prefix='tessera-sway.'))  # nobody must get there
        config = folder / 'config'
        config.write_text('xwayland disable\ndefault_border none\ndefault_floating_border none\n'
                          'focus_follows_mouse no\nworkspace_layout tabbed\n'
                          f'output HEADLESS-1 resolution {size[0]}x{size[1]}\n')
        command = ['sway', '--config', str(config)]
        if os.geteuid() == 0:
            need('setpriv')
            for path in (folder, config):
                os.chown(path, NOBODY, NOBODY)
            command = ['setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups', '--', *command]
        env = {key: value for key, value in os.environ.items() if key not in ('DISPLAY', 'WAYLAND_DISPLAY')}
        env.update(XDG_RUNTIME_DIR=str(folder), HOME=str(folder), WLR_BACKENDS='headless', WLR_RENDERER='pixman',
                   WLR_LIBINPUT_NO_DEVICES='1')
        log_path = work / 'sway.log'
        with open(log_path, 'wb') as log:
            self.compositor = subprocess.Popen(command, env=env, cwd=folder, stdout=log, stderr=log)
        until = time.monotonic() + 30
        while True:
            names = [path for path in folder.glob('wayland-*') if path.suffix != '.lock']
            control = list(folder.glob('sway-ipc.*.sock'))
            if names and control:
                break
            if self.compositor.poll() is not None or time.monotonic() > until:
                self.close()
                raise Missing('sway does not start: ' + log_path.read_text(errors='replace')[-300:])
            time.sleep(.05)
        self.env = {'GDK_BACKEND': 'wayland', 'WAYLAND_DISPLAY': str(names[0])}
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(control[0]))
        self.socket.settimeout(60)

    def do(self, command):
        data = command.encode()
        try:
            self.socket.sendall(b'i3-ipc' + struct.pack('=II', len(data), 0) + data)
            head = self.socket.recv(14, socket.MSG_WAITALL)
            self.socket.recv(struct.unpack('=I', head[6:10])[0], socket.MSG_WAITALL)
        except OSError as error:
            raise Broken(f'sway does not answer: {error}') from None

    def cursor(self, *words):
        self.do('seat - cursor ' + ' '.join(map(str, words)))

    def move(self, x, y):
        self.cursor('set', x, y)

    def click(self, x, y, button=1, times=1, hold=()):
        self.move(x, y)
        for _ in range(times):
            self.cursor('press', f'button{button}')
            self.cursor('release', f'button{button}')

    def drag(self, x, y, x2, y2):
        self.move(x, y)
        self.cursor('press', 'button1')
        self.move((x + x2) // 2, (y + y2) // 2)
        self.move(x2, y2)
        self.cursor('release', 'button1')

    def wtype(self, *words):
        if self.can_type:
            subprocess.run(['wtype', *words], env={**os.environ, **self.env}, timeout=60, check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def key(self, name):
        *held, key = name.split('+')
        self.wtype(*(word for one in held for word in ('-M', one)), '-k', key,
                   *(word for one in held for word in ('-m', one)))

    def type(self, text):
        self.wtype('--', text)

    def shoot(self, path):
        if shutil.which('grim') is not None:
            subprocess.run(['grim', path], env={**os.environ, **self.env}, timeout=60, check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def close(self):
        self.compositor.terminate()
        try:
            self.compositor.wait(10)
        except subprocess.TimeoutExpired:
            self.compositor.kill()
            self.compositor.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


PORTAL = '''<node><interface name="org.freedesktop.portal.FileChooser">
<method name="OpenFile"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
<arg type="o" direction="out"/></method>
<method name="SaveFile"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
<arg type="o" direction="out"/></method>
<property name="version" type="u" access="read"/>
</interface><interface name="org.freedesktop.portal.Settings">
<method name="ReadAll"><arg type="as" direction="in"/><arg type="a{sa{sv}}" direction="out"/></method>
<method name="Read"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
<property name="version" type="u" access="read"/>
</interface></node>'''


class Portal(threading.Thread):
    """Answers the choosers of files at once, each third time by giving up, and has the settings that a desktop has.
    Without it GTK shows a chooser of its own, in which a monkey could delete whatever the user may."""

    def __init__(self, folder):
        super().__init__(daemon=True)
        self.folder = folder
        self.count = 0
        self.started = threading.Event()
        self.start()
        self.started.wait(30)

    def run(self):
        context = GLib.MainContext()
        context.push_thread_default()
        address = Gio.dbus_address_get_for_bus_sync(Gio.BusType.SESSION)
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        node = Gio.DBusNodeInfo.new_for_xml(PORTAL)
        for interface in node.interfaces:
            self.bus.register_object('/org/freedesktop/portal/desktop', interface, self.on_call,
                                     lambda *args: GLib.Variant('u', 3), None)
        self.bus.call_sync('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus', 'RequestName',
                           GLib.Variant('(su)', ('org.freedesktop.portal.Desktop', 0)), None, 0, -1)
        self.started.set()
        GLib.MainLoop.new(context, False).run()

    def on_call(self, bus, sender, path, interface, method, parameters, invocation):
        if method == 'ReadAll':
            invocation.return_value(GLib.Variant('(a{sa{sv}})', ({'org.gnome.desktop.interface': {
                'icon-theme': GLib.Variant('s', 'Adwaita'), 'font-name': GLib.Variant('s', 'Cantarell 11')}},)))
            return
        if method == 'Read':
            invocation.return_dbus_error('org.freedesktop.portal.Error.NotFound', 'no such setting')
            return
        options = parameters.unpack()[2]
        handle = '/org/freedesktop/portal/desktop/request/%s/%s' % (sender[1:].replace('.', '_'),
                                                                    options.get('handle_token', 't'))
        invocation.return_value(GLib.Variant('(o)', (handle,)))
        self.count += 1
        name = str(options.get('current_name', 'report'))
        uri = (self.folder / name).as_uri()
        answer = GLib.Variant('(ua{sv})', (int(self.count % 3 == 0), {'uris': GLib.Variant('as', [uri])}))
        bus.emit_signal(sender, handle, 'org.freedesktop.portal.Request', 'Response', answer)


# With a debugger, each warning only stops the program for its stack.
GDB = '''
set debuginfod enabled off
run
python
while gdb.selected_inferior().pid:
    gdb.execute('bt 80')
    if int(gdb.parse_and_eval('$_siginfo.si_signo')) != 5:
        break
    gdb.execute('signal 0')
end
'''

Widget = collections.namedtuple('Widget', 'path role name description state actions above')


class Tree:
    """What assistive technology sees, as the bus has it: libatspi asks one question after the other."""

    ROWS = 3  # of each list; the others are like them

    def __init__(self, program):
        self.program = program
        address = program.call('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Bus', 'GetAddress')[0]
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        self.peer = None
        self.windows = set()  # that were looked at

    def ask(self, questions):
        """Answers to (path, interface, method, arguments), None where there is none; all are under way at once."""
        loop = GLib.MainLoop()
        answers = [None] * len(questions)
        left = [len(questions)]

        def on_answer(bus, result, i):
            try:
                answers[i] = bus.call_finish(result).unpack()
            except GLib.Error as error:
                if error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.TIMED_OUT):
                    self.program.late = True
            left[0] -= 1
            if left[0] == 0:
                loop.quit()
        for i, (path, interface, method, arguments) in enumerate(questions):
            self.bus.call(self.peer, path, interface, method, arguments, None, 0,
                          int(1000 * self.program.patience), None, on_answer, i)
        if questions:
            loop.run()
        return answers

    def find_peer(self):
        """The program's name on this bus; it comes anew with each process."""
        self.peer = ATSPI + 'Registry'
        apps = self.ask([('/org/a11y/atspi/accessible/root', ATSPI + 'Accessible', 'GetChildren', None)])[0]
        for name, _ in reversed(apps[0] if apps else ()):
            pid = self.bus.call_sync('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus',
                                     'GetConnectionUnixProcessID', GLib.Variant('(s)', (name,)), None, 0, -1)
            if pid.unpack()[0] == self.program.pid:
                self.peer = name
                return True
        return False

    def get_children(self, path):
        answer = self.ask([(path, ATSPI + 'Accessible', 'GetChildren', None)])[0]
        return [child for _, child in answer[0]] if answer else []

    def walk(self, top=None, without=(), deep=True):
        """All widgets that are visible, parents first; of each list only the first rows; labels that take no keyboard without
        their text.  Those in @top only; or without the windows of these paths; not @deep: the windows alone."""
        if not self.find_peer():
            return []
        found = []
        accessible, everything = ATSPI + 'Accessible', GLib.Variant('(s)', (ATSPI + 'Accessible',))
        level = [(path, top) for path in self.get_children(top.path if top else '/org/a11y/atspi/accessible/root')
                 if path not in without]
        while level:
            answers = self.ask([(path, accessible, method, None) for path, _ in level for method in ('GetRoleName', 'GetState')])
            there = [(path, above, role[0], state[0][0]) for (path, above), role, state in zip(level, answers[::2], answers[1::2])
                     if None not in (role, state) and state[0][0] >> VISIBLE & 1]
            # A text that cannot be selected is only that.
            asked = [role != 'label' or state >> FOCUSABLE & 1 for _, _, role, state in there]
            answers = self.ask([question for (path, *_), wanted in zip(there, asked) if wanted for question in (
                (path, 'org.freedesktop.DBus.Properties', 'GetAll', everything), (path, ATSPI + 'Action', 'GetActions', None),
                (path, accessible, 'GetChildren', None))])
            answers.reverse()
            level = []
            for (path, above, role, state), wanted in zip(there, asked):
                texts, actions, children = [answers.pop() for _ in range(3)] if wanted else [None] * 3
                if wanted and texts is None:
                    continue
                texts = texts[0] if texts else {}
                widget = Widget(path, role, texts.get('Name', ''), texts.get('Description', ''), state,
                                [action[0] for action in actions[0]] if actions else [], above)
                found.append(widget)
                below = [child for _, child in children[0]] if children else []
                if above is not None and above.role in ('tree grid', 'table') and role == 'list':
                    below = below[:self.ROWS]
                level += [(child, widget) for child in below if deep]
        return found

    def refuse_choosers(self):
        """The fake portal answers for every chooser of files.  In one of GTK's own, random keys could delete what the user
        may: where that comes up, all ends at once."""
        windows = set(self.get_children('/org/a11y/atspi/accessible/root')) if self.find_peer() else set()
        for path in windows - self.windows:
            window = Widget(path, 'window', '', '', 1 << VISIBLE, [], None)
            if any(widget.name in CHOOSERS for widget in self.walk(top=window)):
                self.program.close()
                raise Broken("a chooser of files of GTK's own came up; the program was killed")
        self.windows = windows

    def get_titles(self):
        if not self.find_peer():
            return []
        name = GLib.Variant('(ss)', (ATSPI + 'Accessible', 'Name'))
        answers = self.ask([(path, 'org.freedesktop.DBus.Properties', 'Get', name)
                            for path in self.get_children('/org/a11y/atspi/accessible/root')])
        return [answer[0] for answer in answers if answer]

    def pick_allocated(self, widgets):
        """Those that have been given a place; what was never shown has none."""
        extents = self.ask([(widget.path, ATSPI + 'Component', 'GetExtents', GLib.Variant('(u)', (1,)))
                            for widget in widgets])
        return [widget for widget, answer in zip(widgets, extents)
                if answer and answer[0][2] > 0 and answer[0][3] > 0]

    def pick_reachable(self, widgets):
        """Those that a press at their middle would reach, or what is within them: a page that is not shown is in the
        tree, too.  What is in a popover or a dialog is in the tree only while it is shown."""
        reachable, asked = set(), []
        known = {widget.path: widget for widget in widgets}
        for widget in widgets:
            above = widget
            while above.above is not None and above.name not in ('GtkPopover', 'GtkPopoverMenu'):
                above = above.above
            if above.above is not None or above.role not in ('window', 'frame'):
                reachable.add(widget.path)
            elif widget.actions or widget.state >> FOCUSABLE & 1:
                asked.append((widget, above))
        component = ATSPI + 'Component'
        extents = self.ask([(widget.path, component, 'GetExtents', GLib.Variant('(u)', (1,))) for widget, _ in asked])
        points = []
        for (widget, window), answer in zip(asked, extents):
            if not answer or answer[0][2] < 1 or answer[0][3] < 1:
                continue
            x, y, width, height = answer[0]
            # GTK 4.8 counts from the border here and from within it there.
            points += [(widget, window, x + width // 2 + by, y + height // 2 + by) for by in (0, 5, 12)]
        answers = self.ask([(window.path, component, 'GetAccessibleAtPoint', GLib.Variant('(iiu)', (x, y, 1)))
                            for _, window, x, y in points])
        for (widget, *_), answer in zip(points, answers):
            at = known.get(answer[0][1]) if answer else None
            while at is not None:
                if at is widget:
                    reachable.add(widget.path)
                at = at.above
        return [widget for widget in widgets if widget.path in reachable]

    def do(self, widget, action):
        answer = self.ask([(widget.path, ATSPI + 'Action', 'DoAction',
                            GLib.Variant('(i)', (widget.actions.index(action),)))])[0]
        return bool(answer and answer[0])

    def select(self, holder, index):
        """A tab of a notebook, a row of a list."""
        answer = self.ask([(holder.path, ATSPI + 'Selection', 'SelectChild', GLib.Variant('(i)', (index,)))])[0]
        return bool(answer and answer[0])

    def focus(self, widget):
        answer = self.ask([(widget.path, ATSPI + 'Component', 'GrabFocus', None)])[0]
        return bool(answer and answer[0])


class Program:
    """One process of the window, and what it says."""

    def __init__(self, program, screen, work, scheme='light', patience=60, debugger=None):
        self.program = pathlib.Path(program).resolve()
        self.screen = screen
        self.patience = patience  # seconds that it may take to answer
        self.late = False
        self.process = self.pid = None
        self.log_path = work / 'log'
        self.log_path.write_text('')
        self.log = open(self.log_path, 'r', errors='replace', encoding='utf-8')
        self.bad = []
        self.off_screen = False
        build = self.program.parents[2]
        self.env = {**os.environ, **screen.env,
                    'GSETTINGS_SCHEMA_DIR': str(build / 'data'), 'TSR_LOCALE_DIR': str(build / 'po'),
                    'TSR_DEMO_DIR': str(build / 'data/demo'),
                    'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark' if scheme == 'dark' else 'prefer-light',
                    'GTK_USE_PORTAL': '1', 'GDK_DEBUG': 'gl-disable,portals', 'G_DEBUG': '', 'G_ENABLE_DIAGNOSTIC': '0'}
        for name in ('SSH_AUTH_SOCK', 'GTK_A11Y'):
            self.env.pop(name, None)
        self.before = []
        if debugger == 'valgrind':
            need('valgrind')
            self.env['G_SLICE'] = 'always-malloc'
            self.before = ['valgrind', '-q', '--num-callers=40', '--freelist-vol=200000000', '--undef-value-errors=no']
        elif debugger:
            need('gdb')
            self.env['G_DEBUG'] = 'fatal-warnings'
            script = work / 'gdb'
            script.write_text(GDB)
            self.before = ['gdb', '-q', '-batch', '-x', script, '--args']
        self.work = work
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.portal = Portal(work)

    def call(self, name, path, interface, method, arguments=None, timeout=None):
        return self.bus.call_sync(name, path, interface, method, arguments, None, 0,
                                  int(1000 * (timeout or self.patience)), None).unpack()

    def start(self, *arguments):
        most = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))
        with open(self.log_path, 'ab') as log:
            self.process = subprocess.Popen([*self.before, self.program, *arguments], env=self.env, cwd=self.work,
                                            stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.ping()
        if self.process.poll() is not None:
            raise Broken('the program ended when it was started')
        self.pid = self.call('org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus',
                             'GetConnectionUnixProcessID', GLib.Variant('(s)', (APP,)))[0]

    def open(self, *arguments):
        """As a second start does it: a window that shows nothing takes the report, or a new one."""
        subprocess.run([self.program, *arguments], env=self.env, cwd=self.work, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=self.patience, check=False)

    def has_ended(self):
        """Ended as it should: because its last window was closed."""
        self.check_alive()
        return self.process.poll() == 0

    def log_stack(self):
        """Of what a signal ended, where the system leaves a core file: the next game may not show it again."""
        for core in self.work.glob('core*'):
            with open(self.log_path, 'ab') as log:
                subprocess.run(['gdb', '-q', '-batch', '-iex', 'set debuginfod enabled off', '-ex', 'bt 80', self.program,
                                core], stdout=log, stderr=log, timeout=300, check=False)
            core.unlink()

    def check_alive(self):
        status = self.process.poll()
        if status not in (None, 0):
            if shutil.which('gdb') is not None:
                self.log_stack()
            raise Broken(f'the program ended with status {status}')

    def ping(self):
        """Waits until the main loop has answered; what was done before is then under way at least."""
        until = time.monotonic() + self.patience
        while self.process.poll() is None:
            try:
                self.call(APP, APP_PATH, 'org.gtk.Actions', 'List')
                return
            except GLib.Error as error:
                # Else it is not there yet, or is ending.
                if error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.TIMED_OUT) or time.monotonic() > until:
                    raise Broken(f'the program does not answer for {self.patience} s: {error.message}') from None
            time.sleep(.05)
        self.check_alive()

    def read_log(self):
        """Lines since the last time that must not be there."""
        bad = []
        off_screen, self.off_screen = self.off_screen, False  # its sizes come for as long as it is up
        for line in NO_DRAG.sub('', self.log.read()).splitlines():
            if re.search(OFF_SCREEN, line) or off_screen and re.search(NO_SIZE, line):
                off_screen = self.off_screen = True
            elif BAD.search(line) and not any(re.search(pattern, line) for pattern, _ in ALLOWED):
                bad.append(line)
        self.bad += bad
        return bad

    def quit(self):
        """Ends it from within, whatever is open and under way."""
        if self.process.poll() is None:
            try:
                self.call(APP, APP_PATH, 'org.gtk.Actions', 'Activate', GLib.Variant('(sava{sv})', ('quit', [], {})))
            except GLib.Error:
                pass
            try:
                self.process.wait(self.patience)
            except subprocess.TimeoutExpired:
                raise Broken(f'the program does not end within {self.patience} s') from None
        self.check_alive()

    def close(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.log.close()
