"""What the second person is shown before they sign what becomes of a case of money laundering."""

from collections.abc import Iterator

from domain.events.aml_case import AmlDecided
from domain.rules import addresses
from domain.rules.wording import Words, counted, listed
from ops.handlers.desk import Desk
from ops.ledger.mapper import as_answer, event_of
from ops.ledger.reading import read_spans
from ops.replay.aml_case import read_without_texts
from ops.words.aml_events import DECISIONS
from ops.words.own_sentences import own_sentence

MOST_SHOWN = 10  # events of evidence


def words_to_sign(desk: Desk, decided: AmlDecided, why: str) -> Iterator[Words]:
    """Why, whom it is about, the decision before, and the evidence, the first of which is shown."""
    with desk.casino.ledger.connection() as connection:
        case = read_without_texts(connection, addresses.AmlCase.parse(decided.aml_case))
        shown = case.positions[:MOST_SHOWN]
        evidence = read_spans(connection, [range(each, each + 1) for each in shown])
    yield Words("Reason: {written}", written=why)
    yield Words("It is about {patrons}.", patrons=listed(case.subjects))
    if before := case.decided:
        yield Words(
            "{staff} with {second} decided before: {decision}. This decision replaces it.",
            staff=before.decided_by,
            second=before.approved_by,
            decision=Words(DECISIONS[before.decision]),
        )
    for each in evidence:
        words = own_sentence(as_answer(event_of(each)), desk.house().currency)
        yield Words("Evidence #{position}: {words}", position=each.position, words=words)
    if more := len(case.positions) - len(shown):
        yield counted(more, "And {n} event more.", "And {n} events more.")
    if not shown:
        yield Words("No event is named as evidence.")
