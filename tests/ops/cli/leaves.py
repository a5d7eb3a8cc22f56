"""Every command of the shell that does something, as its words."""

import click

from ops.cli import cli


def leaves(command, words=()):
    """Every command that does something, as its words."""
    if not isinstance(command, click.Group):
        yield words
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        yield from leaves(command.get_command(context, name), (*words, name))


LEAVES = list(leaves(cli))
