"""The result of a coup with changes: reads the record around it, and asks the domain.

Records nothing. `what_if_answer` is the answer as fields, `what_if_page` as a page.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from domain.aggregates.coup import Coup
from domain.aggregates.shoe import Shoe
from domain.aggregates.table_day import TableDay
from domain.events import shoe
from domain.events.base import Unreadable
from domain.review.difference import Played
from domain.review.replay import Line, Replay
from domain.review.what_if.changes import BetIs, BetMoved, Change
from domain.review.what_if.later import Left
from domain.review.what_if.misdraw import Misdrawn
from domain.review.what_if.parse import read_all
from domain.review.what_if.question import Around, WhatIf, what_if
from domain.review.what_if.wagers import Table
from domain.rules import addresses
from domain.rules.refusals import SENSELESS, BadValue, NotFound, Refusal
from domain.rules.seating import Stay
from ops.commands import rule_book
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_stream
from ops.ledger.streams import lines, read_lines
from ops.replay.story import CoupRecord

if TYPE_CHECKING:
    from uuid import UUID

    import psycopg

_DEALT = (shoe.CardDrawn, shoe.CarriedCardDealt)  # to a coup


def ask(connection: "psycopg.Connection[Any]", coup: CoupRecord, changes: Sequence[str]) -> WhatIf:
    """Computes the coup with all of the changes together.

    Refuses: BadValue, UnknownRules, NotFound. An altered record may have no answer.
    """
    if coup.face_down:
        why = "cards of the coup lie face down; ask when they are turned"
        raise BadValue(rule="R-DEAL-3", field="--what-if", value=repr(changes[0]), why=why)
    try:
        asked = _ask(connection, coup, changes)
        _ = asked.payments, asked.difference, asked.totals  # so that errors are raised here
        return asked
    except Refusal:
        raise
    except SENSELESS as error:
        what = f"sense in what is on record around {coup.address}, so nothing can be reckoned"
        raise NotFound(what=what) from error


def _ask(connection: "psycopg.Connection[Any]", coup: CoupRecord, changes: Sequence[str]) -> WhatIf:
    replay = coup.whole
    assert replay is not None, "a coup without its beginning has no what-if"
    record = _Record(connection, coup.read_until)
    asked = read_all(changes, replay.rules.currency)
    recorded = Played.of(coup.address, replay)
    opened = replay.opened.event
    return what_if(
        recorded,
        asked,
        Table(
            opened.limits,
            opened.differential,
            _seated(record, coup.address, replay, asked),
            replay.state.layout.nth,
        ),
        _around(record, coup.address, recorded),
        lambda name: rule_book.find(connection, name).rules,
    )


class _Record(Struct, frozen=True):
    """The record up to a position."""

    connection: "psycopg.Connection[Any]"
    until: int

    def lines(self, stream: "UUID") -> Iterator[Line]:
        """A stream's events, without those that were altered and cannot be read."""
        for line in read_lines(self.connection, stream, self.until):
            if not isinstance(line.event, Unreadable):
                yield line

    def table_day(self, address: addresses.TableDay, until: int) -> TableDay | None:
        """The table day as it was at a position, or None if its record cannot be read."""
        recorded = read_stream(self.connection, TableDay.stream(address))
        events = (
            event_of(event)
            for event, line in zip(recorded, lines(recorded), strict=True)
            if line.position <= until and not isinstance(line.event, Unreadable)
        )
        with suppress(*SENSELESS):
            return TableDay.project(None, events)
        return None


def _seated(
    record: _Record,
    address: addresses.Coup,
    replay: Replay,
    changes: Sequence[Change],
) -> dict[int, Stay]:
    """The patrons' seats when betting closed; read only if a change is about other wagers."""
    if not any(isinstance(each, BetIs | BetMoved) for each in changes):
        return {}
    end = (replay.closed or replay.opened).position
    day = record.table_day(replay.state.table_day, end)
    return dict(day.seats) if day else {}


class _Later(Struct, frozen=True):
    """The later coups of the shoe, each read when it is asked for."""

    record: _Record
    coups: tuple[addresses.Coup, ...]

    def __iter__(self) -> Iterator[Played]:
        for address in self.coups:
            try:
                played = self._played(address)
            except SENSELESS:  # altered events cannot be dealt again
                return
            yield played

    def _played(self, address: addresses.Coup) -> Played:
        replay = Replay.of(list(self.record.lines(Coup.stream(address))))
        opened = replay.opened.event  # type: ignore[union-attr]
        rule_book.learn(self.record.connection, opened.rules, opened.rules_digest)
        return Played.of(address, replay)  # type: ignore[arg-type]


def _around(record: _Record, address: addresses.Coup, recorded: Played) -> Around:
    events = _as_drawn(line.event for line in record.lines(Shoe.stream(address.shoe)))
    end = _end(events, address.number)
    before, after = events[:end], events[end:]
    waiting = _waiting(before)
    out = Counter(card for card, _ in _left(before)) + Counter(_burned(before))
    out -= Counter(recorded.cards) + Counter(waiting)
    cards = [*((card, False) for card in waiting), *_left(after), *_revealed_at_the_end(events)]
    begun = (event.coup for event in after if isinstance(event, shoe.CoupBegun))
    loaded = (event.decks for event in events if isinstance(event, shoe.Loaded))
    return Around(
        decks=next(loaded, recorded.rules.decks),
        out_before=out,
        afterwards=tuple(Left(n, card, aside) for n, (card, aside) in enumerate(cards)),
        later=_Later(record, tuple(addresses.Coup(address.shoe, each) for each in begun)),
        misdrawn=_misdrawn(before, address.number),
        cut_card_shown=any(isinstance(event, shoe.CutCardShown) for event in events),
    )


def _end(events: Sequence[Any], coup: int) -> int:
    """How many events there are until all cards of that coup are out; all, if it has none."""
    own = (shoe.CoupBegun, *_DEALT)
    numbered = enumerate(events, 1)
    mine = (n for n, event in numbered if isinstance(event, own) and event.coup == coup)
    return max(mine, default=len(events))


def _as_drawn(events: Iterable[Any]) -> list[Any]:
    """The events of a shoe as if no card had been typed wrong, or too late."""
    drawn: list[Any] = []
    coup = 0
    for event in events:
        if isinstance(event, shoe.CoupBegun):
            coup = event.coup
        if isinstance(event, shoe.CardRenamed):
            for place in _places(drawn, event.coup, event.was):
                drawn[place] = replace(drawn[place], card=event.card)
        elif isinstance(event, shoe.CardTakenBack):
            for place in _places(drawn, event.coup, event.card):
                del drawn[place]
        else:
            late = isinstance(event, shoe.CardDrawn | shoe.CardMisdrawn) and event.coup < coup
            drawn.insert(_end(drawn, event.coup) if late else len(drawn), event)
    return drawn


def _places(drawn: Sequence[Any], coup: int, card: str) -> list[int]:
    """Where a card of a coup is, the last of that name; a carried one is where it came, too."""
    numbered = list(enumerate(drawn))
    mine = [n for n, each in numbered if isinstance(each, _DEALT) and each.coup == coup]
    places = [n for n in mine if drawn[n].card == card][-1:]
    carried = [n for n, each in numbered if isinstance(each, shoe.CarriedCardDealt)]
    came = [n for n, each in numbered if isinstance(each, shoe.CardMisdrawn) and _waits(each)]
    return [*places, *(came[carried.index(n)] for n in places if n in carried)]


def _waits(event: shoe.CardMisdrawn) -> bool:
    """Whether the card waits for a coup."""
    return event.disposition != "burn"


def _misdrawn(events: Sequence[Any], coup: int) -> Misdrawn:
    """The misdrawn cards since the coup before, and those carried into this one."""
    begins = [n for n, event in enumerate(events) if isinstance(event, shoe.CoupBegun)]
    mine = next((n for n in begins if events[n].coup == coup), len(events))
    before = max((n for n in begins if n < mine), default=0)
    burned = (
        event.card
        for event in events[before:mine]
        if isinstance(event, shoe.CardMisdrawn) and event.disposition == "burn"
    )
    carried = sum(
        isinstance(event, shoe.CarriedCardDealt) and event.coup == coup for event in events
    )
    return Misdrawn(carried, tuple(burned))


def _left(events: Sequence[Any]) -> Iterator[tuple[str, bool]]:
    """The cards that left the shoe in play, and whether each was burned (R-IRR-1)."""
    for event in events:
        if isinstance(event, shoe.CardDrawn):
            yield event.card, False
        elif isinstance(event, shoe.CardMisdrawn):
            yield event.card, not _waits(event)


def _burned(events: Sequence[Any]) -> Iterator[str]:
    """The cards that were burned or discarded, as far as they are known."""
    for event in events:
        known = isinstance(event, shoe.Burned) or (
            isinstance(event, shoe.CardDiscarded) and event.reason != "foreign"
        )
        if known:
            yield event.card


def _waiting(events: Sequence[Any]) -> list[str]:
    """The misdrawn cards that no coup has taken yet."""
    waiting: list[str] = []
    for event in events:
        if isinstance(event, shoe.CardMisdrawn) and _waits(event):
            waiting.append(event.card)
        elif isinstance(event, shoe.CarriedCardDealt):
            del waiting[:1]
    return waiting


def _revealed_at_the_end(events: Sequence[Any]) -> Iterator[tuple[str, bool]]:
    """The cards left in a generated shoe at its end, in its order (R-SHOE-5)."""
    left = next((event.cards_left for event in events if isinstance(event, shoe.Ended)), 0)
    for event in events:
        if isinstance(event, shoe.OrderRevealed):
            yield from ((card, False) for card in event.order[len(event.order) - left :])
