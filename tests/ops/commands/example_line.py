"""The example of a command's help, typed at the shell, as a line of the feed."""

import shlex
from types import SimpleNamespace

import click

from domain.rules.gaming_day import GamingClock
from ops.cli import cli
from ops.commands.vocabulary import COMMANDS
from ops.typed.shell import line_of, parameters


def example_line(name, **house):
    """What the example of a command comes to on the feed."""
    return shell_line(name, COMMANDS[name].example, **house)


def shell_line(name, typed, zone="Europe/Vienna"):
    """What a command as it is typed at the shell of a house comes to on the feed."""
    clock = GamingClock(zone=zone, starts="06:00")
    house = SimpleNamespace(currency="USD", zone=zone, clock=clock)
    words = shlex.split(typed)
    form, context = cli, cli.make_context("sabot", [], resilient_parsing=True)
    while isinstance(form, click.Group):
        form = form.get_command(context, words.pop(0))
    given = form.make_context(name, words, context).params
    options = {each.name: given[each.name] for each in parameters(name) if each.name in given}
    return line_of(name, options, house)
