"""Rebuilds a coup from the ledger alone, as one JSON object; `page` shows it to people."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace as replace_fields

from domain.aggregates.coup import Coup
from domain.aggregates.coup_state import BOTH_HANDS
from domain.events import coup
from domain.review.replay import CardLine, Disagreement, Line, Replay
from domain.rules import addresses
from domain.rules.refusals import SENSELESS, BadValue, NotFound
from ops.ledger.chain import GENESIS, Verification
from ops.ledger.mapper import fields_of
from ops.ledger.recorder import head_of, read_events, read_stream
from ops.ledger.streams import lines, name_of, recorded_until
from ops.replay.aftermath import afterwards
from ops.replay.readjudicate import beside, learn_rules, told_by

if TYPE_CHECKING:
    import psycopg

CARDS = 6  # the most that a coup has
FAR = 5_000  # positions: hundreds of tables do not tell so much during a coup
SOMEBODY = "another patron"
_WRITTEN = ("reason", "text", "detail")  # by somebody, about whomever


@dataclass(frozen=True)
class Found:
    """A coup's facts with their surroundings in the record.

    `told`: how many of the facts are told, where the story stops on the way; None: all of them.
    """

    address: addresses.Coup
    lines: Sequence[Line]
    noted: Sequence[Line]  # by its shoe, beside the cards that it dealt
    became: Sequence[Line]  # of what it came to, later
    disagreements: Sequence[Disagreement]  # of the whole record, adjudicated again today
    first_position: int
    last_position: int
    head: bytes  # the chain's hash at the last position
    chain_good: bool
    read_until: int  # the position up to which all of it was read
    as_of: datetime | None = None
    told: int | None = None

    @cached_property
    def whole(self) -> Replay | None:
        """The coup as it is recorded; None: the beginning of its record is gone."""
        return Replay.of(self.lines)

    @cached_property
    def replay(self) -> Replay | None:
        """The coup as far as it is told."""
        return self.whole if self.told is None else Replay.of(self.lines[: self.told])

    @property
    def stops_before(self) -> Line | None:
        """The fact before which the story stops."""
        return None if self.told is None else self.lines[self.told]

    @property
    def exceptions(self) -> list[Line]:
        """What was out of the ordinary, its shoe's facts too, as far as it is told."""
        own = self.replay.exceptions if self.replay else []
        return sorted([*own, *self._told_of(self.noted)], key=lambda line: line.position)

    @property
    def afterwards(self) -> list[Line]:
        """What became of it, as far as it is told."""
        return self._told_of(self.became)

    def _told_of(self, lines: Sequence[Line]) -> list[Line]:
        stop = self.stops_before
        return [line for line in lines if stop is None or line.position < stop.position]

    @cached_property
    def face_down(self) -> frozenset[int]:
        """The numbers of the cards that no display shows: nobody turned them yet (R-DEAL-3)."""
        return self.whole.face_down if self.whole else frozenset()

    @property
    def open_lines(self) -> Sequence[Line]:
        """The story until before the first card that still lies face down."""
        for place, line in enumerate(self.lines):
            if isinstance(line.fact, coup.CardDealt) and line.fact.n in self.face_down:
                return self.lines[:place]
        return self.lines

    def up_to(self, told: int) -> "Found":
        """The story of so many facts."""
        return replace(self, told=told if told < len(self.lines) else None)

    def until(self, n: int) -> "Found":
        """The story until before card n, 1 to 6, or before position n. Refuses: BadValue."""
        if n > CARDS:
            last = self.lines[-1].position
            if not self.first_position < n <= last:
                why = f"its events are #{self.first_position} to #{last}"
                raise BadValue(field="--until", value=n, why=why)
            return self.up_to(sum(line.position < n for line in self.lines))
        for place, line in enumerate(self.lines):
            if isinstance(line.fact, coup.CardDealt) and line.fact.n == n:
                return self.up_to(place)
        raise BadValue(field="--until", value=n, why=f"{self.address} has no card {n}")

    @property
    def patrons(self) -> set[str]:
        """The names of all who had to do with it."""
        facts = (line.fact for line in (*self.lines, *self.became))
        return {fact.patron for fact in facts if getattr(fact, "patron", None)}

    def shown_to(self, names: Collection[str]) -> "Found":
        """The same, without anybody else's name; of a case of others not even that there is one.

        `names`: all that the patron has. What somebody wrote may name others, so it is left out.
        """
        opened = [line.fact for line in self.became if name_of(line) == "DisputeOpened"]
        theirs = self.with_cases([fact.case for fact in opened if fact.patron in names])
        return replace(
            theirs,
            lines=[_without_others(line, names) for line in self.lines],
            noted=[_without_others(line, names) for line in self.noted],
            became=[_without_others(line, names) for line in theirs.became],
            disagreements=[_without_names(each) for each in self.disagreements],
        )

    def with_cases(self, cases: Sequence[str]) -> "Found":
        """The same, without what became of other disputes."""
        became = [
            line for line in self.became if getattr(line.fact, "case", None) in (None, *cases)
        ]
        return replace(self, became=became)


def _without_others(line: Line, names: Collection[str]) -> Line:
    return Line(line.position, without_others(line.fact, names))


def without_others(fact: Any, names: Collection[str]) -> Any:
    """A fact that names nobody but this patron."""
    fields = fields_of(fact)
    hidden = {name: "…" for name in _WRITTEN if isinstance(fields.get(name), str)}
    if fields.get("patron") not in (None, *names):
        hidden |= {name: SOMEBODY for name in ("patron", "stay") if name in fields}
    return replace_fields(fact, **hidden)


def _without_names(each: Disagreement) -> Disagreement:
    if each.what.endswith((": patron", ": stay")):
        return replace(each, recorded=SOMEBODY, adjudicated="…")
    return each


def find(
    connection: "psycopg.Connection[Any]",
    address: addresses.Coup,
    until: int | None = None,
    as_of: datetime | None = None,
) -> Found:
    """Reads a coup back, and the chain along it. Refuses: NotFound.

    `until`: a position, and as of which moment it was the last; None: how far the record has come
    now, and whatever comes meanwhile is in none of it.
    """
    end = head_of(connection) if until is None else until
    recorded = recorded_until(read_stream(connection, Coup.stream(address)), end)
    if not recorded:
        raise NotFound(what=f"coup {address}{f' as of {as_of}' if as_of else ''}")
    facts = lines(recorded)
    replay = Replay.of(facts)
    learn_rules(connection, [facts])
    shoe = told_by(connection, address, end)
    disagreements = beside(connection, address, facts, end, shoe).disagreements
    return Found(
        address=address,
        lines=facts,
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

    What was put right long after is a stretch of its own: between the two lie other days.
    """
    return all(_walk(connection, *stretch).ok for stretch in _stretches(positions))


def _stretches(positions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of those that lie near each other."""
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
    chain.walk(read_events(connection, after=last, limit=1))  # or the coup's end may be cut off
    return chain


def as_dict(found: Found) -> dict[str, Any]:
    """As `--json` prints it; a record that makes no sense any more says only that."""
    if found.replay is None:
        return _senseless(found, "begins with the coup's opening")
    try:
        return _story(found, found.replay)
    except SENSELESS as error:
        return _senseless(found, f"makes sense: {error!r} does not")


def _story(found: Found, replay: Replay) -> dict[str, Any]:
    result = replay.resulted.fact if replay.resulted else None
    return {
        **_asked(found),
        "coup": str(found.address),
        "rules": replay.rules.name,
        "phase": replay.phase,
        "dealer": replay.opened.fact.dealer,
        "supervisor": replay.opened.fact.supervisor,
        "limits": replay.opened.fact.limits,
        "wagers": [_wager(line) for line in replay.wagers],
        "earlier": [_with_moment(line) for line in replay.earlier],
        "cards": [_card(shown, found.face_down) for shown in replay.cards],
        "steps": []
        if found.face_down
        else [
            {"position": step.position, "rule": step.rule, "draws": step.draws, "why": step.why}
            for step in replay.steps
        ],
        "outcome": result.outcome if result else None,
        "natural": result.natural if result else None,
        "player_total": result.player_total if result else _total(found, replay, "player"),
        "banker_total": result.banker_total if result else _total(found, replay, "banker"),
        "payments": [_payment(line) for line in replay.payments],
        "decided": [
            {
                "seat": line.fact.seat,
                "spot": line.fact.spot,
                "paid": line.fact.paid,
                "by_the_cards": paid,
                "position": line.position,
            }
            for line, paid in replay.decided
        ],
        "hands_given": _with_moment(replay.given) if replay.given else None,
        "hands_given_back": [_with_moment(line) for line in replay.given_back],
        "turned": [_with_moment(line) for line in replay.turned],
        "exceptions": [_without_face_down(line, found.face_down) for line in found.exceptions],
        "agrees": not found.disagreements,
        "disagreements": [
            {"what": each.what, "recorded": each.recorded, "adjudicated": each.adjudicated}
            if not found.face_down
            else {"what": "told when its cards are turned", "recorded": None, "adjudicated": None}
            for each in found.disagreements
        ],
        "afterwards": [_with_moment(line) for line in found.afterwards],
        "proof": _proof(found),
    }


def _asked(found: Found) -> dict[str, Any]:
    """As of when, and until where, if somebody asked for less than all of it."""
    stop = found.stops_before
    return {
        **({"as_of": found.as_of.isoformat()} if found.as_of else {}),
        **({"until": stop.position} if stop else {}),
    }


def _senseless(found: Found, expected: str) -> dict[str, Any]:
    """All that can be said of a coup whose facts somebody made unreadable."""
    gone = {"what": "the record", "recorded": None, "adjudicated": expected}
    nothing: dict[str, Any] = dict.fromkeys(
        ("rules", "phase", "dealer", "supervisor", "limits", "outcome", "natural", "hands_given")
    )
    empty: dict[str, Any] = {
        name: []
        for name in (
            *("wagers", "earlier", "cards", "steps", "payments", "decided"),
            *("hands_given_back", "turned", "exceptions", "afterwards"),
        )
    }
    return {
        "coup": str(found.address),
        **nothing,
        "player_total": None,
        "banker_total": None,
        **empty,
        "agrees": False,
        "disagreements": [gone],
        "proof": _proof(found),
    }


def _proof(found: Found) -> dict[str, Any]:
    return {
        "first_position": found.first_position,
        "last_position": found.last_position,
        "head": found.head.hex(),
        "chain_good": found.chain_good,
    }


def _wager(line: Line) -> dict[str, Any]:
    fact = line.fact
    return {
        "seat": fact.seat,
        "patron": fact.patron,
        "stay": fact.stay,
        "spot": fact.spot,
        "stake": fact.amount,
        "at": line.at.isoformat(),
        "position": line.position,
    }


def _card(shown: CardLine, face_down: Collection[int]) -> dict[str, Any]:
    """As far as everybody sees it: while a card lies face down no total behind it is told."""
    fact = shown.line.fact
    unseen = any(n <= fact.n for n in face_down)
    due = shown.due if fact.n < BOTH_HANDS or not unseen else None
    return {
        "n": fact.n,
        "card": None if fact.n in face_down else fact.card,
        "hand": fact.hand,
        "face_down": fact.n in face_down,
        "carried": fact.carried,
        "position": shown.line.position,
        "at": shown.line.at.isoformat(),
        "rule": fact.rule,
        "player_total": None if unseen else shown.player_total,
        "banker_total": None if unseen else shown.banker_total,
        "due": {"hand": due.hand, "rule": due.rule} if due else None,
    }


def _without_face_down(line: Line, face_down: Collection[int]) -> dict[str, Any]:
    """A fact that names a card of the coup, only where everybody sees it."""
    told = _with_moment(line)
    hidden = isinstance(line.fact, coup.CardMoved) and line.fact.n in face_down
    return told | ({"card": None} if hidden else {})


def _payment(line: Line) -> dict[str, Any]:
    names = (
        *("seat", "patron", "spot", "stake", "result", "odds", "winnings", "commission_exact"),
        *("commission_charged", "commission_due", "paid", "paid_up"),
    )
    return {name: getattr(line.fact, name) for name in names}


def _with_moment(line: Line) -> dict[str, Any]:
    moment = {"at": line.at.isoformat(), "position": line.position}
    proved = {"approved_proved": line.proved} if line.proved else {}
    return {"event": name_of(line), **moment, **fields_of(line.fact), **proved}


def _total(found: Found, replay: Replay, hand: str) -> int | None:
    if found.face_down:
        return None
    total: int | None = getattr(replay.cards[-1], f"{hand}_total") if replay.cards else None
    return total
