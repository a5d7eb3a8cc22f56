"""Records that a long-running part of the program was started."""

import msgspec

from ops.commands.command import StaffNumber, name_of
from ops.commands.programs import ProgramStarted
from ops.commands.vocabulary import OWN_COMMANDS
from ops.handlers.dispatcher import Dispatcher

CHANNEL = "program"


def record(dispatcher: Dispatcher, start_id: str, part: str, table: str | None, by: str) -> None:
    """Records a start, which counts once under its id; `by`: in open house, by whom.

    In a closed house it is by the person signed on, if there is one. Raises LedgerLost.
    """
    line = {"command": name_of(ProgramStarted), "part": part, "id": start_id}
    at_table = {"at_table": table} if table else {}
    who = _who(dispatcher, by)
    own = Dispatcher(
        dispatcher.casino,
        CHANNEL,
        patience=0,
        token=dispatcher.authority.token,
        commands=OWN_COMMANDS,
    )
    own.dispatch(line | at_table | ({"by": who} if who else {}))


def _who(dispatcher: Dispatcher, by: str) -> str:
    """The staff number of whoever starts it, or '' if that is not known."""
    if dispatcher.authority.house_is_closed():
        holder = dispatcher.authority.holder()
        return holder.staff if holder else ""
    try:
        return msgspec.convert(by, StaffNumber)
    except msgspec.ValidationError:
        return ""
