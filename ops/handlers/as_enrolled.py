"""Staff numbers as they are enrolled: whoever types `pb-1` means PB-1, at whatever keyboard.

A number without a small letter is taken as it is, so that a table's lines cost nothing more.
"""

from collections.abc import Mapping
from functools import cache
from typing import get_args

import msgspec

from ops.commands.casino import Casino
from ops.commands.command import Command, StaffNumber, metas_of
from ops.commands.read import Line, read
from ops.commands.staff import StaffEnrol
from ops.commands.vocabulary import COMMANDS
from ops.ledger.secrets import People

(_META,) = get_args(StaffNumber)[1:]


def number_as_enrolled(casino: Casino, typed: str) -> str:
    """A staff number as it is enrolled; as it was typed, if nobody has it. Raises LedgerLost."""
    return People(casino.ledger).as_enrolled(typed) if typed != typed.upper() else typed


def read_as_enrolled(
    casino: Casino, line: Line, commands: Mapping[str, type[Command]] = COMMANDS
) -> Command:
    """The command of a line, with every number of staff as it is enrolled.

    Refuses: the kinds of Reading. Raises LedgerLost.
    """
    command = read(line, commands)
    typed = {name: getattr(command, name) for name in _numbers_of(type(command))}
    changed = {
        name: number
        for name, each in typed.items()
        if each and (number := number_as_enrolled(casino, each)) != each
    }
    return msgspec.structs.replace(command, **changed) if changed else command


@cache
def _numbers_of(kind: type[Command]) -> tuple[str, ...]:
    """The fields of a command with a number of staff; one that is to be enrolled is new."""
    named = (field.name for field in msgspec.structs.fields(kind) if _META in metas_of(field))
    return tuple(name for name in named if (kind, name) != (StaffEnrol, "staff"))
