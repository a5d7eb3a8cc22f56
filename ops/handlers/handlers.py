"""The table of handlers: which function handles which command, as `@handles` enters it."""

from collections.abc import Callable
from importlib import import_module
from typing import TypeVar

from ops.commands.command import Command
from ops.handlers.desk import Desk

C = TypeVar("C", bound=Command)
Handler = Callable[[Desk, C], None]

HANDLERS: dict[type[Command], Handler[Command]] = {}


def handles(kind: type[C]) -> Callable[[Handler[C]], Handler[C]]:
    """Enters a function as the handler of a command, whose class it takes."""

    def enter(function: Handler[C]) -> Handler[C]:
        HANDLERS[kind] = function  # type: ignore[assignment]  # called with its own kind only
        return function

    return enter


def handler_of(kind: type[C]) -> Handler[C]:
    """The function that handles a command of this class.

    It is in the module of the same name as the one that declares the command. That is imported at
    the first such command, so that a single `bet` does not wait for slips, staff and disputes.
    """
    import_module(f"ops.handlers.{kind.__module__.rpartition('.')[2]}")
    return HANDLERS[kind]
