"""Several lines, decided one after the other and appended in one call."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from ops.handlers.answer import Answer, placed
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.identity import id_of
from ops.ledger.appending import Decided, NotAppended, NotGathered
from ops.ledger.database import LedgerHeld, LedgerLost

TOGETHER = 100  # lines at most that are appended in one call
WRITTEN = 500  # events after which a call takes no further line: others wait to append theirs
Lines = Sequence[dict[str, Any]]


class _Gathered(Struct, frozen=True):
    """Lines that were decided together and are not appended yet."""

    answers: list[Answer]  # positions in them count from 1, for each command
    decided: list[Decided]
    recorded: list[int]  # for each of `decided`, the index of its answer


def dispatch_several(
    dispatcher: Dispatcher, lines: Lines, *, until_refused: bool = False
) -> Iterator[Answer]:
    """The answers to several lines, each on disk before it is yielded. Raises OutcomeUnknown.

    Lines that cannot go together, or were overtaken by another writer, are dispatched one by one,
    under the same ids. `until_refused`: nothing after the first refused line is decided.
    """
    waiting = list(lines)
    ids = [id_of(line) for line in lines]
    while waiting:
        together = min(len(waiting), TOGETHER) if len(waiting) > 1 else 0
        gathered = _gather(
            dispatcher, waiting[:together], ids[:together], until_refused=until_refused
        )
        answers: Iterator[Answer] = iter(gathered.answers)
        appended = bool(gathered.answers) and _append(dispatcher, gathered)
        if not appended:
            alone = [*zip(ids, waiting, strict=True)][: len(gathered.answers) or 1]
            in_doubt = appended is None
            answers = (dispatcher.dispatch_as(*each, in_doubt=in_doubt) for each in alone)
        for answer in answers:
            yield answer
            del waiting[0], ids[0]
            if until_refused and not answer.ok:
                return


def _gather(
    dispatcher: Dispatcher, waiting: Lines, ids: Sequence[str], *, until_refused: bool
) -> _Gathered:
    """Decides as many of these lines as can be appended in one call; appends nothing yet."""
    gathered, casino = _Gathered([], [], []), dispatcher.casino
    if not waiting:
        return gathered
    try:
        used = set(casino.ledger.used_ids([*ids]))
        with casino.ledger.gather() as decided:
            for line, command_id in zip(waiting, ids, strict=True):
                if command_id in used or dispatcher.turns.taken_for(line):
                    break
                used.add(command_id)
                before = len(decided)
                answer = dispatcher.attempt(line, command_id)
                gathered.answers.append(answer)
                gathered.decided.extend(decided[before:])
                gathered.recorded.extend([len(gathered.answers) - 1] * (len(decided) - before))
                written = sum(len(each.events) for each in decided)
                if written >= WRITTEN or (until_refused and not answer.ok):
                    break
    except (NotGathered, NotAppended, LedgerLost):
        casino.forget()
    return gathered


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
        return False if isinstance(error, LedgerHeld) else None
    if any(outcome != "done" for outcome, _ in outcomes):
        casino.forget()
        return False
    for n, (_, first) in zip(gathered.recorded, outcomes, strict=True):
        answer = gathered.answers[n]
        if first and answer.body.get("position"):
            placed(answer, first - 1 + answer.body["position"])
    return True
