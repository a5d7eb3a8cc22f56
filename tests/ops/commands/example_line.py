"""The example of a command's help, typed at the shell, as a line of the feed."""

import shlex
from types import SimpleNamespace

import click

from ops.cli import cli
from ops.commands.vocabulary import COMMANDS
from ops.typed.shell import line_of, parameters

HOUSE = SimpleNamespace(currency="USD", zone="Europe/Vienna")


def example_line(name):
    """What the example of a command comes to on the feed."""
    words = shlex.split(COMMANDS[name].example)
    form, context = cli, cli.make_context("sabot", [], resilient_parsing=True)
    while isinstance(form, click.Group):
        form = form.get_command(context, words.pop(0))
    typed = form.make_context(name, words, context).params
    options = {each.name: typed[each.name] for each in parameters(name) if each.name in typed}
    return line_of(name, options, HOUSE)
