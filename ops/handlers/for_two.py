"""A line for two people: the second one reads what it changes, then signs it with a PIN."""

from collections.abc import Callable

from domain.rules.refusals import ChangedSince
from ops.commands.read import Line, second_in
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.identity import id_of
from ops.handlers.sign_on import as_enrolled, signature
from ops.handlers.to_sign import NOTHING_TO_SIGN, ToSign
from ops.handlers.trial import to_sign

Ask = Callable[[str, ToSign], str]


def answer_for_two(
    dispatcher: Dispatcher,
    line: Line,
    ask: Ask,
    changed: Callable[[Answer], None] = lambda _: None,
) -> Answer:
    """The answer to a line; where somebody signs with it, they are asked for their PIN first.

    `ask`: the PIN of the person with this number, who was shown this. `changed`: called with the
    refusal when the record changed meanwhile; what the line changes is then shown and signed anew.
    No PIN is asked for if the line is on record, or if no signature helps. Raises LedgerLost,
    OutcomeUnknown.
    """
    second = as_enrolled(dispatcher, second_in(line))
    if not second or not dispatcher.authority.house_is_closed() or is_on_record(dispatcher, line):
        return dispatcher.dispatch(line)
    while True:
        shown = to_sign(dispatcher, line)
        signed = NOTHING_TO_SIGN
        if isinstance(shown, ToSign) and shown.events:
            signed = signature(dispatcher, second, ask(second, shown), shown)
        answer = dispatcher.dispatch(line, second=signed)
        if answer.ok or answer.error != ChangedSince.__name__:
            return answer
        changed(answer)


def is_on_record(dispatcher: Dispatcher, line: Line) -> bool:
    """Whether a line's id is on record, so that it has its answer. Raises LedgerLost."""
    casino = dispatcher.casino
    return "id" in line and bool(casino.ask(lambda: casino.ledger.used_ids([id_of(line)])))
