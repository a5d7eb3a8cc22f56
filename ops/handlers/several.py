"""Several lines, decided one after the other and appended in one call."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile

from msgspec import Struct

from domain.rules.refusals import IdReused
from ops.commands.read import Line
from ops.handlers.answer import Answer, placed_from, refused
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.identity import content_of, id_of
from ops.handlers.unkept import Unkept
from ops.ledger.appending import Decided, NotAppended, NotGathered
from ops.ledger.database import LedgerLost

TOGETHER = 100  # lines at most that are appended in one call
WRITTEN = 500  # events after which a call takes no further line: others wait to append theirs


Heard = Callable[[Sequence[tuple[Line, Answer]]], object]
_Named = tuple[str, Line]  # a line, after the id under which it counts once


class _Gathered(Struct, frozen=True):
    """Lines that are answered and not appended yet."""

    answers: list[Answer]  # positions in them count from 1, for each command
    decided: list[Decided]
    recorded: list[int]  # for each of `decided`, the index of its answer


def dispatch_several(
    dispatcher: Dispatcher,
    lines: Sequence[Line],
    *,
    until_refused: bool = False,
    heard: Heard = lambda _: None,
) -> Iterator[Answer]:
    """The answers to several lines, each on disk before it is yielded. Raises OutcomeUnknown.

    The lines are decided one after the other and appended in one call; those that are on record
    already are not decided again, and read together. Lines that cannot go together, or were
    overtaken by another writer, are dispatched one by one, under the same ids. `until_refused`:
    nothing after the first refused line is decided. `heard` is called with lines whose answers are
    on disk, as many as there are at once, before the first of these answers is yielded.
    """
    waiting = [(id_of(line), line) for line in lines]
    while waiting:
        for answers in _answered(dispatcher, waiting, until_refused=until_refused):
            here, waiting = waiting[: len(answers)], waiting[len(answers) :]
            heard([(line, answer) for (_, line), answer in zip(here, answers, strict=True)])
            yield from answers
            if until_refused and not all(each.ok for each in answers):
                return


def _answered(
    dispatcher: Dispatcher, waiting: Sequence[_Named], *, until_refused: bool
) -> Iterator[list[Answer]]:
    """The answers to the first of these lines, in groups of those that are on disk at once.

    `until_refused`: nothing follows the first refusal in a group.
    """
    together = waiting[:TOGETHER] if len(waiting) > 1 else []
    gathered = _gathered(dispatcher, together, until_refused=until_refused)
    appended = bool(gathered.answers) and _append(dispatcher, gathered)
    if not appended:
        in_doubt, alone = appended is None, waiting[: len(gathered.answers) or 1]
        yield from ([dispatcher.dispatch_as(*each, in_doubt=in_doubt)] for each in alone)
        return
    refused = (n for n, each in enumerate(gathered.answers, 1) if not each.ok)
    yield gathered.answers[: next(refused, None) if until_refused else None]


def _gathered(
    dispatcher: Dispatcher, waiting: Sequence[_Named], *, until_refused: bool
) -> _Gathered:
    """As many of these lines as can be answered by one call; nothing is appended yet.

    Either the first ones are on record, or they are decided.
    """
    if not waiting:
        return _Gathered([], [], [])
    try:
        used = dispatcher.casino.ledger.used_ids([command_id for command_id, _ in waiting])
        if waiting[0][0] in used:
            on_record = list(takewhile(lambda each: each[0] in used, waiting))
            return _Gathered(_on_record(dispatcher, on_record), [], [])
        return _decide(dispatcher, waiting, used, until_refused=until_refused)
    except LedgerLost:
        dispatcher.casino.forget()
        return _Gathered([], [], [])


def _on_record(dispatcher: Dispatcher, lines: Sequence[_Named]) -> list[Answer]:
    """The answers to lines whose ids were used: the stored ones, or that it was another's."""
    stored = dispatcher.casino.ledger.stored_answers(list({command_id for command_id, _ in lines}))
    return [
        dispatcher.stored(line, command_id, stored[command_id])
        if content_of(line) == stored[command_id].content
        else refused(line, IdReused(id=command_id))
        for command_id, line in lines
    ]


def _decide(
    dispatcher: Dispatcher, waiting: Sequence[_Named], used: set[str], *, until_refused: bool
) -> _Gathered:
    """Decides as many of these lines as can be appended in one call."""
    gathered, taken, unkept = _Gathered([], [], []), set(used), Unkept()
    with _ending_early(dispatcher), dispatcher.casino.ledger.gather() as decided:
        for command_id, line in waiting:
            if command_id in taken or dispatcher.turns.taken_for(line):
                break
            before = len(decided)
            answer = dispatcher.attempt(line, command_id, unkept=unkept)
            gathered.answers.append(answer)
            if len(decided) > before:
                taken.add(command_id)
            gathered.decided.extend(decided[before:])
            gathered.recorded.extend([len(gathered.answers) - 1] * (len(decided) - before))
            written = sum(len(each.events) for each in decided)
            if written >= WRITTEN or (until_refused and not answer.ok):
                break
    try:
        unkept.require_still_so(dispatcher.casino.ledger)
    except (NotAppended, LedgerLost):
        dispatcher.casino.forget()
        return _Gathered([], [], [])
    return gathered


@contextmanager
def _ending_early(dispatcher: Dispatcher) -> Iterator[None]:
    """Ends the block where a line cannot be gathered; what was gathered before it stays."""
    try:
        yield
    except (NotGathered, NotAppended, LedgerLost):
        dispatcher.casino.forget()


def _append(dispatcher: Dispatcher, gathered: _Gathered) -> bool | None:
    """Whether all of these are on record now; their answers then have their positions.

    None: unknown, because the connection broke.
    """
    casino = dispatcher.casino
    try:
        outcomes = casino.ledger.append_several(gathered.decided)
        casino.ledger.flush()  # an answer may be one that another process just stored
    except LedgerLost as error:
        casino.forget()
        return None if error.may_be_recorded else False
    if any(outcome != "done" for outcome, _ in outcomes):
        casino.forget()
        return False
    for n, (_, first) in zip(gathered.recorded, outcomes, strict=True):
        placed_from(gathered.answers[n], first)
    return True
