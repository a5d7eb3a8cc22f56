"""A noun of the command line whose commands have a module each, imported when it is used."""

from collections.abc import Sequence
from importlib import import_module

import click


class LazyGroup(click.Group):
    """Commands by name, each in the module of its name."""

    def __init__(self, name: str, package: str, commands: Sequence[str], help: str) -> None:
        super().__init__(name, help=help)
        self._package, self._commands = package, commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order of its name."""
        return sorted(self._commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or None for an unknown word."""
        if cmd_name not in self._commands:
            return None
        command = getattr(import_module(f"{self._package}.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command
