"""Every command of the shell that does something, as its words, and what to ask it about."""

import click

from ops.cli import cli

# By argument: what is on record, then what is not; others have one value that can be read.
NAMES = {
    "table": ("B04", "B99"),
    "coup": ("B04/2026-11-21/1/1", "B77/2026-11-21/9/9", "B04", "B99"),
    "shoe": ("B04/2026-11-21/1", "B77/2026-11-21/9"),
    "case": ("C-2026-0001", "C-2026-0999"),
    "patron": ("P-10417", "P-999"),
    "table_day": ("B04/2026-11-21", "B99/2026-11-21"),
    "day": ("2026-11-21", "2025-01-01"),
    "staff": ("N-1", "N-99"),
    "what": ("B04/2026-11-21/1/1", "B77/2026-11-21/9/9"),
    "alert": ("late-bet/1", "late-bet/99999"),
    "position": ("3", "99999"),
    "seat": ("3", "5"),
    "spot": ("banker",),
    "hand": ("player",),
    "decision": ("stand",),
    "how": ("settle",),
    "timing": ("deferred",),
    "method": ("hand",),
    "kind": ("fill",),
}
OPTIONS = {
    **dict.fromkeys(("--closer", "--chips", "--opener", "--taken"), "100=1"),
    "--into": "packs",
    "--third": "S-1",
    "--reason": "x",
    "--stakes": "tie=1",
    "--tiles": "x",
}

# What never runs at the house server for a terminal.
AT_THE_TERMINAL = {
    *("demo", "play", "group add", "group pull", "group witness", "group accept", "group rate"),
}
ON_ITS_MACHINE = {
    *("simulate", "serve", "db down", "db status", "db up", "db upgrade", "db views"),
    *("audit checkpoint", "audit key new", "audit key rotate", "projections rebuild"),
    *("projections run", "staff recover", "table run", "audit restored", "audit again"),
    *("db backup", "db backup-key", "db new-pepper", "db restore", "db open-archive"),
    *("db remove-archived", "db bring-back", "db take-place"),
    *("dealer", "feed"),  # which come by addresses of their own
}


def leaves(command, words=()):
    """Every command that does something, as its words."""
    if not isinstance(command, click.Group):
        yield words
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from leaves(command.get_command(context, name), (*words, name))


LEAVES = list(leaves(cli))


def command_of(words):
    command = cli
    for word in words:
        command = command.get_command(click.Context(command), word)
    return command


def asked_of(command):
    """The arguments as they are asked about what is there, then with one thing that is not."""
    arguments = [each for each in command.params if isinstance(each, click.Argument)]
    values = [NAMES.get(each.name, ("1",)) for each in arguments]
    there = [each[0] for each in values]
    needed = [each.opts[0] for each in command.params if each.required and each.opts[0][0] == "-"]
    options = [word for name in needed for word in (name, OPTIONS.get(name, "1"))]
    yield options, there
    for n, each in enumerate(values):
        yield from ((options, [*there[:n], other, *there[n + 1 :]]) for other in each[1:])
