"""Rebuilds a coup from the ledger alone; `coup_story` is for programs, `page` for people."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from domain.aggregates.coup import Coup
from domain.events import coup
from domain.review.replay import Disagreement, Line, Replay
from domain.rules import addresses
from domain.rules.hands import Step
from domain.rules.refusals import SENSELESS, BadValue, NotFound
from ops.ledger.chain import GENESIS, Verification
from ops.ledger.reading import head_of, read_events, read_stream
from ops.ledger.streams import lines, name_of, recorded_until
from ops.replay.aftermath import afterwards
from ops.replay.copies import PatronsCopy
from ops.replay.coup_record import beside, learn_rules, shoe_record

if TYPE_CHECKING:
    import psycopg

CARDS = 6  # the most that a coup has
FAR = 5_000  # positions: more than hundreds of tables record during a coup


class CoupRecord(Struct, frozen=True, dict=True):
    """A coup's events with their surroundings in the record.

    `shown_events`: how many of the coup's events the story shows; None: all.
    """

    address: addresses.Coup
    lines: Sequence[Line]
    noted: Sequence[Line]  # by its shoe, except the cards that it dealt
    became: Sequence[Line]  # corrections, commission and cases
    disagreements: Sequence[Disagreement]  # of the whole record with today's adjudication
    first_position: int
    last_position: int
    head: bytes  # the chain's hash at the last position
    chain_good: bool
    read_until: int  # the position up to which it was read
    as_of: datetime | None = None
    shown_events: int | None = None

    @cached_property
    def whole(self) -> Replay | None:
        """The coup as recorded, or None if the beginning of its record is gone."""
        return Replay.of(self.lines)

    @property
    def table_day(self) -> addresses.TableDay:
        """The table day on which it was opened."""
        return self.whole.state.table_day if self.whole else self.address.shoe.table_day

    @cached_property
    def replay(self) -> Replay | None:
        """The coup up to the end of the story, or None if its record has no beginning."""
        return (
            self.whole if self.shown_events is None else Replay.of(self.lines[: self.shown_events])
        )

    @property
    def stops_before(self) -> Line | None:
        """The event before which the story stops, or None."""
        return None if self.shown_events is None else self.lines[self.shown_events]

    @property
    def exceptions(self) -> list[Line]:
        """The exceptions of the coup and its shoe, up to the end of the story."""
        own = self.replay.exceptions if self.replay else []
        return sorted([*own, *self._before_stop(self.noted)], key=lambda line: line.position)

    @property
    def afterwards(self) -> list[Line]:
        """The corrections, commission and cases of the coup, up to the end of the story."""
        return self._before_stop(self.became)

    def _before_stop(self, lines: Sequence[Line]) -> list[Line]:
        stop = self.stops_before
        return [line for line in lines if stop is None or line.position < stop.position]

    @cached_property
    def face_down(self) -> frozenset[int]:
        """The numbers of the cards that are still face down, which no display shows (R-DEAL-3)."""
        return self.whole.face_down if self.whole else frozenset()

    @property
    def steps(self) -> Sequence[Step]:
        """The decisions on third cards; none while a card is face down (R-DEAL-3)."""
        return () if self.face_down or self.replay is None else self.replay.steps

    @property
    def open_lines(self) -> Sequence[Line]:
        """The events before the first card that is still face down."""
        for place, line in enumerate(self.lines):
            if isinstance(line.event, coup.CardDealt) and line.event.n in self.face_down:
                return self.lines[:place]
        return self.lines

    def up_to(self, events: int) -> "CoupRecord":
        """The story of the first so many events."""
        return replace(self, shown_events=events if events < len(self.lines) else None)

    def until(self, n: int) -> "CoupRecord":
        """The story before card n, 1 to 6, or before position n. Refuses: BadValue."""
        if n > CARDS:
            last = self.lines[-1].position
            if not self.first_position < n <= last:
                why = f"its events are #{self.first_position} to #{last}"
                raise BadValue(field="--until", value=n, why=why)
            return self.up_to(sum(line.position < n for line in self.lines))
        for place, line in enumerate(self.lines):
            if isinstance(line.event, coup.CardDealt) and line.event.n == n:
                return self.up_to(place)
        raise BadValue(field="--until", value=n, why=f"{self.address} has no card {n}")

    @property
    def patrons(self) -> set[str]:
        """The names of all patrons in its events."""
        events = [line.event for line in (*self.lines, *self.became)]
        named = (getattr(event, name, None) for event in events for name in ("patron", "to_patron"))
        return {name for name in named if name}

    def shown_to(self, names: Collection[str]) -> "CoupRecord":
        """The record as the patron with these names is shown it: theirs, the cards and the rules.

        `names`: all names of the patron.
        """
        copy = self.copy_for(names)
        opened = [line.event for line in self.became if name_of(line) == "DisputeOpened"]
        theirs = self.with_cases([event.case for event in opened if event.patron in names])
        return replace(
            self,
            lines=copy.own(self.lines),
            noted=copy.shown(self.noted),
            became=copy.shown(theirs.became),
            disagreements=copy.disagreements(self.disagreements),
        )

    def copy_for(self, names: Collection[str]) -> PatronsCopy:
        """What the copy for the patron with these names is made by."""
        try:
            currency = self.whole.rules.currency if self.whole else ""
        except SENSELESS:  # its rule set is unknown
            currency = ""
        return PatronsCopy.of(self.lines, names, currency)

    def with_cases(self, cases: Sequence[str]) -> "CoupRecord":
        """The record without the events of other cases."""
        became = [
            line for line in self.became if getattr(line.event, "case", None) in (None, *cases)
        ]
        return replace(self, became=became)


def find(
    connection: "psycopg.Connection[Any]",
    address: addresses.Coup,
    until: int | None = None,
    as_of: datetime | None = None,
) -> CoupRecord:
    """Reads a coup back, with the chain along it. Refuses: NotFound.

    `until`: the last position as of a moment; None: the last one now. Later events are left out.
    """
    end = head_of(connection) if until is None else until
    recorded = recorded_until(read_stream(connection, Coup.stream(address)), end)
    if not recorded:
        raise NotFound(what=f"coup {address}{f' as of {as_of}' if as_of else ''}")
    events = lines(recorded)
    replay = Replay.of(events)
    learn_rules(connection, [events])
    shoe = shoe_record(connection, address, end)
    disagreements = beside(connection, address, events, end, shoe).disagreements
    return CoupRecord(
        address=address,
        lines=events,
        noted=shoe.noted,
        became=afterwards(connection, replay, address, end) if replay else [],
        disagreements=disagreements,
        first_position=recorded[0].position,
        last_position=recorded[-1].position,
        head=recorded[-1].hash,
        chain_good=_chain_is_good(connection, [event.position for event in recorded]),
        read_until=end,
        as_of=as_of,
    )


def _chain_is_good(connection: "psycopg.Connection[Any]", positions: Sequence[int]) -> bool:
    """Recomputes the chain along the coup, from the event before it to the one after it.

    Corrections made long afterwards are checked apart, without the days between.
    """
    return all(_walk(connection, *stretch).ok for stretch in _stretches(positions))


def _stretches(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last position of each stretch without a wide gap."""
    first = last = positions[0]
    for position in positions[1:]:
        if position - last > FAR:
            yield first, last
            first = position
        last = position
    yield first, last


def _walk(connection: "psycopg.Connection[Any]", first: int, last: int) -> Verification:
    before = read_events(connection, after=first - 2, limit=1, until=first - 1)
    chain = Verification(head=before[0].hash if before else GENESIS, events=first - 1)
    position = first - 1
    while chain.ok and position < last:
        piece = read_events(connection, after=position, limit=FAR, until=last)
        chain.walk(piece)
        position = piece[-1].position if piece else last
    # Without the next event, a cut at the coup's end would not show.
    chain.walk(read_events(connection, after=last, limit=1))
    return chain
