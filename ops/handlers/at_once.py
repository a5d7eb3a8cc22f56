"""One line at each of several dispatchers, decided by one thread and appended in one call."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from ops.commands.read import Line
from ops.handlers.answer import Answer, placed_from
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.identity import id_of
from ops.ledger.appending import Appended, Decided
from ops.ledger.database import LedgerLost
from ops.ledger.together import Writer


class Single(Struct):
    """A line that waits at its dispatcher, and its answer; None: it is to be dispatched alone.

    `acts` makes this thread act for whoever sent the line. `in_doubt`: whether the line may be on
    record already.
    """

    dispatcher: Dispatcher
    line: Line
    acts: Callable[[], None]
    command_id: str = ""
    answer: Answer | None = None
    in_doubt: bool = False

    def __post_init__(self) -> None:
        self.command_id = id_of(self.line)

    def alone(self) -> Answer:
        """The answer of the dispatcher, in a thread of its own. Raises OutcomeUnknown."""
        self.acts()
        return self.dispatcher.dispatch_as(self.command_id, self.line, in_doubt=self.in_doubt)


def dispatch_at_once(singles: Sequence[Single], writer: Writer) -> None:
    """Answers these lines; each answer is on disk.

    A line that was overtaken, needs a turn at its table, writes beside the record or met an error
    gets no answer here: dispatch it `alone`.
    """
    waiting = list(_decided(singles))
    for single, _, _ in waiting:
        single.in_doubt = True
    try:
        came = writer.append_each([decided for _, _, decided in waiting])
        for (single, answer, _), outcome in zip(waiting, came, strict=True):
            if not isinstance(outcome, Exception) and outcome[0] == "done":
                single.answer = placed_from(answer, outcome[1])
            single.in_doubt = _may_be_recorded(outcome)
    finally:
        for single, _, _ in waiting:
            if single.answer is None:
                single.dispatcher.casino.forget()


def _may_be_recorded(outcome: Appended | Exception) -> bool:
    """Whether the decision may be on record, because the connection broke."""
    return isinstance(outcome, LedgerLost) and outcome.may_be_recorded


def _decided(singles: Sequence[Single]) -> Iterator[tuple[Single, Answer, Decided]]:
    """The lines that are to be appended, with their answers; others are answered, or left alone.

    Once the ledger was lost, the rest is left alone: one line has waited for a connection already.
    """
    lost = False
    for single in singles:
        dispatcher = single.dispatcher
        if lost or dispatcher.turns.taken_for(single.line):
            continue
        single.acts()
        try:
            with dispatcher.casino.ledger.gather() as decided:
                answer = dispatcher.attempt(single.line, single.command_id)
        except Exception as error:  # noqa: BLE001  (it comes again when the line is dispatched alone)
            lost = isinstance(error, LedgerLost)
            dispatcher.casino.forget()
            continue
        if decided:
            yield single, answer, decided[0]
        else:
            single.answer = answer
