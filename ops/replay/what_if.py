"""What a coup would have come to: reads what the record says around it, and asks the domain.

Records nothing. `what_if_answer` tells the answer to programs, `what_if_page` to people.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.aggregates.coup import Coup
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.events import shoe
from domain.events.base import Unreadable
from domain.review.difference import Paid, Played, settled
from domain.review.replay import Line, Replay
from domain.review.what_if.changes import BetIs, BetMoved, Change
from domain.review.what_if.later import Left
from domain.review.what_if.misdraw import Misdrawn
from domain.review.what_if.parse import read_all
from domain.review.what_if.question import Around, WhatIf, what_if
from domain.review.what_if.wagers import Table
from domain.rules import addresses
from domain.rules.layout import Wager
from domain.rules.refusals import SENSELESS, BadValue, NotFound, Refusal
from domain.rules.seating import Stay
from domain.rules.settlement import Payment
from ops.commands import rule_book
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream
from ops.ledger.streams import lines, read_lines
from ops.replay.story import Found

if TYPE_CHECKING:
    from uuid import UUID

    import psycopg


def ask(connection: "psycopg.Connection[Any]", found: Found, changes: Sequence[str]) -> WhatIf:
    """Reckons with all of the changes together. Refuses: BadValue, UnknownRules, NotFound.

    Of a record that somebody altered it may be that nothing can be reckoned.
    """
    if found.face_down:
        why = "cards of the coup lie face down; ask when they are turned"
        raise BadValue(rule="R-DEAL-3", field="--what-if", value=repr(changes[0]), why=why)
    try:
        asked = _ask(connection, found, changes)
        _ = asked.payments, asked.difference, asked.totals  # reckoned here, or nowhere
        return asked
    except Refusal:
        raise
    except SENSELESS as error:
        what = f"sense in what is on record around {found.address}, so nothing can be reckoned"
        raise NotFound(what=what) from error


def _ask(connection: "psycopg.Connection[Any]", found: Found, changes: Sequence[str]) -> WhatIf:
    told = found.whole
    assert told is not None, "of a coup whose beginning is gone nobody asks"
    record = _Record(connection, found.read_until)
    asked = read_all(changes, told.rules.currency)
    recorded = _played(found.address, told)
    opened = told.opened.fact
    return what_if(
        recorded,
        asked,
        Table(opened.limits, opened.differential, _seated(record, found.address, told, asked)),
        _around(record, found.address, recorded),
        lambda name: rule_book.find(connection, name).rules,
    )


class _Record(Struct, frozen=True):
    """The record as far as it had come."""

    connection: "psycopg.Connection[Any]"
    until: int

    def lines(self, stream: "UUID") -> Iterator[Line]:
        """A stream's facts; those that somebody made unreadable say nothing here."""
        for line in read_lines(self.connection, stream, self.until):
            if not isinstance(line.fact, Unreadable):
                yield line

    def table_day(self, address: addresses.TableDay, until: int) -> TableDay | None:
        """As it was at a position; None: its record makes no sense any more."""
        recorded = read_stream(self.connection, TableDay.stream(address))
        facts = (
            event_of(event)
            for event, line in zip(recorded, lines(recorded), strict=True)
            if line.position <= until and not isinstance(line.fact, Unreadable)
        )
        with suppress(*SENSELESS):
            return TableDay.project(None, facts)
        return None


def _played(address: addresses.Coup, told: Replay) -> Played:
    rules = told.rules
    wagers = tuple(_wager(line.fact, line.fact.amount) for line in told.wagers)
    stands = None
    if told.voided:
        stands = settled(rules, wagers, None)
    elif told.settled:
        last = {
            (line.fact.seat, line.fact.spot): line.fact
            for line in (*told.payments, *told.corrected)
        }
        stands = tuple(
            Paid(
                _wager(each, each.stake),
                Payment.of(each),
                rules.for_stay(each.stay, told.as_it_wins),
            )
            for each in last.values()
        )
    cards = tuple(line.fact.card for line in told.dealt)
    as_it_wins = tuple(told.as_it_wins)
    return Played(str(address), rules, told.phase, wagers, cards, stands, as_it_wins)


def _wager(fact: Any, stake: int) -> Wager:
    return Wager(fact.seat, fact.spot, stake, fact.patron, fact.stay)


def _seated(
    record: _Record,
    address: addresses.Coup,
    told: Replay,
    changes: Sequence[Change],
) -> dict[int, Stay]:
    """Who sat where when betting closed, if somebody asks for wagers of others."""
    if not any(isinstance(each, BetIs | BetMoved) for each in changes):
        return {}
    end = (told.closed or told.opened).position
    day = record.table_day(address.shoe.table_day, end)
    return dict(day.seats) if day else {}


class _Later(Struct, frozen=True):
    """The coups that the shoe dealt after one, each read when it is asked for."""

    record: _Record
    coups: tuple[addresses.Coup, ...]

    def __iter__(self) -> Iterator[Played]:
        for address in self.coups:
            try:
                played = self._played(address)
            except SENSELESS:  # what somebody made unreadable cannot be dealt again
                return
            yield played

    def _played(self, address: addresses.Coup) -> Played:
        told = Replay.of(list(self.record.lines(Coup.stream(address))))
        opened = told.opened.fact  # type: ignore[union-attr]
        rule_book.learn(self.record.connection, opened.rules, opened.rules_digest)
        return _played(address, told)  # type: ignore[arg-type]


def _around(record: _Record, address: addresses.Coup, recorded: Played) -> Around:
    facts = [line.fact for line in record.lines(Shoe.stream(address.shoe))]
    own = (shoe.CoupBegun, shoe.CardDrawn, shoe.CarriedCardDealt)
    end = max(
        (
            n
            for n, fact in enumerate(facts, 1)
            if isinstance(fact, own) and fact.coup == address.number
        ),
        default=len(facts),
    )
    before, after = facts[:end], facts[end:]
    waiting = _waiting(before)
    out = Counter(card for card, _ in _left(before)) + Counter(_burned(before))
    out -= Counter(recorded.cards) + Counter(waiting)
    cards = [*((card, False) for card in waiting), *_left(after), *_told_at_the_end(facts)]
    begun = (fact.coup for fact in after if isinstance(fact, shoe.CoupBegun))
    loaded = (fact.decks for fact in facts if isinstance(fact, shoe.Loaded))
    return Around(
        decks=next(loaded, recorded.rules.decks),
        out_before=out,
        afterwards=tuple(Left(n, card, aside) for n, (card, aside) in enumerate(cards)),
        later=_Later(record, tuple(addresses.Coup(address.shoe, each) for each in begun)),
        misdrawn=_misdrawn(before, address.number),
        cut_card_shown=any(isinstance(fact, shoe.CutCardShown) for fact in facts),
    )


def _misdrawn(facts: Sequence[Any], coup: int) -> Misdrawn:
    """What came before a coup when none was due: since the coup before it, or carried into it."""
    begins = [n for n, fact in enumerate(facts) if isinstance(fact, shoe.CoupBegun)]
    mine = next((n for n in begins if facts[n].coup == coup), len(facts))
    before = max((n for n in begins if n < mine), default=0)
    burned = (
        fact.card
        for fact in facts[before:mine]
        if isinstance(fact, shoe.CardMisdrawn) and fact.disposition == "burn"
    )
    carried = sum(isinstance(fact, shoe.CarriedCardDealt) and fact.coup == coup for fact in facts)
    return Misdrawn(carried, tuple(burned))


def _left(facts: Sequence[Any]) -> Iterator[tuple[str, bool]]:
    """The cards that left the shoe for the game, and whether they were burned (R-IRR-1)."""
    for fact in facts:
        if isinstance(fact, shoe.CardDrawn):
            yield fact.card, False
        elif isinstance(fact, shoe.CardMisdrawn):
            yield fact.card, fact.disposition == "burn"


def _burned(facts: Sequence[Any]) -> Iterator[str]:
    """The cards that left it for nothing, as far as they are known."""
    for fact in facts:
        known = isinstance(fact, shoe.Burned) or (
            isinstance(fact, shoe.CardDiscarded) and fact.reason != "foreign"
        )
        if known:
            yield fact.card


def _waiting(facts: Sequence[Any]) -> list[str]:
    """The cards that came when none was due, and that no coup has taken yet."""
    waiting: list[str] = []
    for fact in facts:
        if isinstance(fact, shoe.CardMisdrawn) and fact.disposition != "burn":
            waiting.append(fact.card)
        elif isinstance(fact, shoe.CarriedCardDealt):
            del waiting[:1]
    return waiting


def _told_at_the_end(facts: Sequence[Any]) -> Iterator[tuple[str, bool]]:
    """What a generated shoe still held, in its order (R-SHOE-5)."""
    left = next((fact.cards_left for fact in facts if isinstance(fact, shoe.Ended)), 0)
    for fact in facts:
        if isinstance(fact, shoe.OrderRevealed):
            yield from ((card, False) for card in fact.order[len(fact.order) - left :])
