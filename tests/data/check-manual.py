#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual pages, --help and the completion of bash name the same commands and options.

check-manual.py TESSERA-CLI [TESSERA]
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import tap
from tap import ROOT

CLI = sys.argv[1] if len(sys.argv) > 1 else ''
WINDOW = sys.argv[2] if len(sys.argv) > 2 else ''
COMPLETION = ROOT / 'src/cli/completion/tessera-cli'
# The manual has them for all commands at once.
ALWAYS = {'-h', '--help'}


def options_in(text):
    return set(re.findall(r'(?<![\w-])(?:--[a-z][a-z-]*|-[a-zA-Z])(?![\w-])', text))


def helped(*words):
    """Options that --help lists, each line's."""
    said = tap.run(*words, '--help')
    lines = [re.split(r'\s{2,}', line.strip())[0] for line in said.splitlines() if re.match(r' {2,}-', line)]
    return options_in('\n'.join(lines)) - {'--help-all', '--help-gapplication'}, said


def commands():
    return re.findall(r'^  ([a-z]+) +(?:REPORT|FILE)?  ', tap.run(CLI, '--help').split('Commands:')[1], re.MULTILINE)


def plain(line):
    """A line of a manual page without what says how it looks."""
    return re.sub(r'^\.[A-Z]+ |\\f.|\\c', '', line.replace('\\-', '-'))


def manual(name):
    """Of a page: (section, depth, tag) of each tag, where what stands in a .RS is deeper."""
    section, depth, wants_tag, tags = '', 0, False, []
    for line in (ROOT / 'docs/man' / name).read_text(encoding='utf-8').splitlines():
        if line.startswith('.SH '):
            section, depth = line[4:].strip('"'), 0
        elif line.startswith('.RS'):
            depth += 1
        elif line.startswith('.RE'):
            depth -= 1
        elif line == '.TP':
            wants_tag = True
        elif wants_tag:
            tags.append((section, depth, plain(line)))
            wants_tag = False
    return tags


def manual_of_commands():
    """Command to its options, and the options of all."""
    found, command, general = {}, None, set()
    for section, depth, tag in manual('tessera-cli.1'):
        if section == 'COMMANDS' and depth == 0:
            command = tag
            found[command] = set()
        elif section == 'COMMANDS':
            found[command] |= options_in(tag)
        elif section == 'OPTIONS OF ALL COMMANDS':
            general |= options_in(tag)
    return found, general


def difference(one, other, names):
    return '\n'.join(f'{option}: in {names[option in other]} only' for option in sorted(one ^ other))


def check_commands():
    """Help, manual (each command and the synopsis) and completion have the same commands in the same order."""
    text = (ROOT / 'docs/man/tessera-cli.1').read_text(encoding='utf-8')
    synopsis = re.findall(r'^\.B tessera\\-cli (\w+)', text.split('.SH DESCRIPTION')[0], re.MULTILINE)
    completed = re.search(r"compgen -W '([^']*) --help", COMPLETION.read_text(encoding='utf-8'))[1].split()
    assert len(commands()) > 8, commands()
    for where, found in (('manual', list(manual_of_commands()[0])), ('synopsis', synopsis), ('completion', completed)):
        assert sorted(found) == sorted(commands()), f'{where}: {found}, --help: {commands()}'


def check_options():
    found, general = manual_of_commands()
    used = set(ALWAYS)
    for command in commands():
        listed, _said = helped(CLI, command)
        used |= listed & general
        own, told = listed - general, found[command] - general
        assert own == told, f'{command}:\n' + difference(own, told, ('--help', 'the manual'))
    assert general - used == {'--version'}, f'of no command: {general - used}'


def check_synopsis():
    """What the synopsis names is an option of that command."""
    text = (ROOT / 'docs/man/tessera-cli.1').read_text(encoding='utf-8')
    for part in text.split('.SH SYNOPSIS')[1].split('.SH DESCRIPTION')[0].split('.br'):
        command = re.search(r'tessera\\-cli (\w+)', part)[1]
        unknown = options_in('\n'.join(map(plain, part.splitlines()[1:]))) - {'-cli'} - helped(CLI, command)[0]
        assert not unknown, f'{command}: {unknown}'


def check_completion():
    script = 'source "$1"; COMP_WORDS=(tessera-cli "$2" --); COMP_CWORD=2; _tessera_cli; echo "${COMPREPLY[@]}"'
    for command in commands():
        offered = set(tap.run('bash', '-c', script, 'bash', COMPLETION, command).split())
        listed = {option for option in helped(CLI, command)[0] if option.startswith('--')}
        assert listed == offered, f'{command}:\n' + difference(listed, offered, ('--help', 'the completion'))


def check_tables():
    """--help (from the register), the manual and the completion have the same tables in the same order."""
    script = 'PATH=$3:$PATH; source "$1"; COMP_WORDS=(tessera-cli "$2" --table ""); COMP_CWORD=3; _tessera_cli; ' \
             'echo "${COMPREPLY[@]}"'
    text = (ROOT / 'docs/man/tessera-cli.1').read_text(encoding='utf-8').replace('\\-', '-')
    section = text.split('.SH TABLES')[1].split('.SH')[0].split('.PP')[0]
    told = {command: shlex.split(line)[::2]
            for command, line in re.findall(r'^\.TP\n\.B (\w+)\n\.BR (.*)', section, re.MULTILINE)}
    listed = {}
    for command in commands():
        tables = re.search(r'^Tables: (.*)', helped(CLI, command)[1], re.MULTILINE)
        if tables:
            listed[command] = tables[1].split(', ')
            offered = tap.run('bash', '-c', script, 'bash', COMPLETION, command, pathlib.Path(CLI).parent).split()
            assert offered == listed[command], f'{command}: {offered} in the completion, {listed[command]} in --help'
    assert sum(map(len, listed.values())) > 20, listed
    assert told == listed, f'manual: {told}, --help: {listed}'


def check_version():
    version = re.search(r"version: '([^']+)'", (ROOT / 'meson.build').read_text(encoding='utf-8'))[1]
    assert tap.run(CLI, '--version').strip() == f'tessera-cli {version}'


def check_window():
    """The window's options, and the pages that it can show first."""
    if not WINDOW:
        raise tap.Skip('the window is not built')
    listed, said = helped(WINDOW)
    tags = [tag for section, _depth, tag in manual('tessera.1') if section == 'OPTIONS']
    told = set().union(*map(options_in, tags))
    assert listed == told, difference(listed, told, ('--help', 'the manual'))
    pages = re.search(r'--page=.*: ([a-z, ]+)$', said, re.MULTILINE)[1].split(', ')
    text = (ROOT / 'docs/man/tessera.1').read_text(encoding='utf-8')
    entry = text.split('\\-\\-page')[1].split('.TP')[0]
    shown = re.findall(r'^\.BR? ([a-z]+)', entry, re.MULTILINE)
    assert len(pages) >= 5 and pages == shown, f'--help: {pages}, the manual: {shown}'


def check_no_display():
    """A window without a display: one sentence that says so, and what to do."""
    if not WINDOW:
        raise tap.Skip('the window is not built')
    done = subprocess.run([WINDOW, ROOT], capture_output=True, text=True, check=False, timeout=30, env={
        name: value for name, value in os.environ.items() if name not in ('DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS')})
    assert done.returncode == 1 and not done.stdout, f'{done.returncode} {done.stdout}'
    assert re.fullmatch('tessera: there is no display .*tessera-cli, .*\n', done.stderr), done.stderr


def check_from_pva():
    """The converter's help, manual and completion have the same options."""
    program = ROOT / 'src/converter/tessera-from-pva'
    listed, _said = helped(program)
    told = set()
    for section, _depth, tag in manual('tessera-from-pva.1'):
        told |= options_in(tag) if section == 'OPTIONS' else set()
    completed = options_in((ROOT / 'src/converter/completion/tessera-from-pva').read_text(encoding='utf-8').split("choices='--output ")[1].split("'")[0])
    assert len(listed) > 10 and told == listed, difference(told, listed, ('--help', 'the manual'))
    long = {option for option in listed if option.startswith('--')} - {'--output'}
    assert long == completed, difference(long, completed, ('the completion', '--help'))


def check_examples():
    """Every command line of the README and the manual is one that the program takes as it stands."""
    readme = (ROOT / 'README.md').read_text(encoding='utf-8')
    page = (ROOT / 'docs/man/tessera-cli.1').read_text(encoding='utf-8').split('.SH EXAMPLES')[1]
    lines = re.findall(r'^tessera-cli [a-z].*', readme + page.replace('\\-', '-'), re.MULTILINE)
    assert len(lines) > 15, lines
    for line in lines:
        words = re.split(r' [|>#]|\s\|\|', line)[0].split()
        unknown = options_in(' '.join(words[2:])) - helped(CLI, words[1])[0]
        assert not unknown, f'{line}: {unknown}'


if __name__ == '__main__':
    sys.exit(tap.main([(f'manual/{check.__name__[6:].replace("_", "-")}', check) for check in (
        check_commands, check_options, check_synopsis, check_completion, check_tables, check_version, check_window,
        check_no_display, check_from_pva, check_examples)]))
