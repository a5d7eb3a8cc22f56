"""A line whose answer was lost: it is found, or given up for good."""

from domain.rules.refusals import GivenUp, IdReused
from ops.commands.read import Line
from ops.handlers.answer import Answer, as_stored, refused
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.identity import content_of
from ops.ledger.appending import Decision, NotAppended


def resolve(dispatcher: Dispatcher, line: Line) -> Answer | None:
    """The answer to a line whose answer was lost; None: the line is not on record.

    In that case its id is given up: if the line still arrives, it is refused. Raises LedgerLost.
    """
    command_id, ledger = line["id"], dispatcher.casino.ledger
    answer = given_up = refused(line, GivenUp(id=command_id))
    decision = Decision(
        command_id=command_id,
        content=content_of(line),
        answer=as_stored(given_up),
        actor=line.get("by") or dispatcher.authority.token.staff,
        metadata="{}",
    )
    try:
        ledger.append((), decision)
    except NotAppended as error:
        answer = refused(line, IdReused(id=command_id))
        if error.outcome == "seen":
            answer = dispatcher.stored(line, command_id)
    ledger.flush()
    return None if answer.error == GivenUp.__name__ else answer
