"""A coup's story as JSON fields; `page` shows the same to people.

Amounts are minor units.
"""

from collections.abc import Collection
from typing import Any

from msgspec import UNSET, Struct, UnsetType, to_builtins

from domain.aggregates.coup_state import BOTH_HANDS
from domain.events import coup
from domain.review.replay import CardLine, Disagreement, Line, Replay
from domain.rules.hands import Due, Step
from domain.rules.pro_rata import is_share
from domain.rules.refusals import SENSELESS
from domain.rules.wagers import METER
from domain.rules.wording import plain
from ops.ledger.chain import Fields
from ops.ledger.mapper import fields_of
from ops.ledger.streams import name_of
from ops.replay import cited
from ops.replay.story import CoupRecord

EventLine = Fields  # an event's name, moment and position before its own fields


class WagerLaid(Struct, frozen=True):
    """A wager when betting closed."""

    seat: int
    patron: str
    stay: str
    spot: str
    stake: int
    at: str
    position: int


class Card(Struct, frozen=True):
    """A card as visible at the table; None for a card face down, and for totals with it."""

    n: int
    card: str | None
    hand: str
    face_down: bool
    carried: bool
    position: int
    at: str
    rule: str
    player_total: int | None
    banker_total: int | None
    due: Due | None
    typed: str | None = None  # the card that was typed first, where it was another one


class Payment(Struct, frozen=True):
    """A wager's payment at settlement, or the one that it would have had."""

    seat: int
    patron: str | None
    spot: str
    stake: int
    result: str
    odds: str | None
    winnings: int
    commission_exact: str
    commission_charged: int
    commission_due: str | None
    paid: int
    paid_up: int
    rules: tuple[str, ...]  # the numbers of those by which it was paid

    @property
    def is_share(self) -> bool:
        """Whether it won less than its odds say (R-PAY-6)."""
        return self.result == "win" and is_share(self.stake, self.odds, self.winnings)

    @property
    def by_meter(self) -> bool:
        """Whether a meter paid it (R-PROG-3)."""
        return self.result == "win" and METER in (self.odds or "")


class Decided(Struct, frozen=True):
    """A wager's payment by decision of two people."""

    seat: int
    spot: str
    paid: int
    by_the_cards: int
    position: int


class Proof(Struct, frozen=True):
    """The coup's positions in the record, and whether the chain is good there."""

    first_position: int
    last_position: int
    head: str
    chain_good: bool


class CoupStory(Struct, frozen=True, kw_only=True):
    """A coup from its opening to its corrections; without `rules` its record cannot be read."""

    as_of: str | UnsetType = UNSET
    until: int | UnsetType = UNSET  # the position before which the story stops
    coup: str
    rules: str | None = None
    phase: str | None = None
    dealer: str | None = None
    supervisor: str | None = None
    limits: dict[str, list[int]] | None = None
    wagers: list[WagerLaid] = []
    earlier: list[EventLine] = []
    cards: list[Card] = []
    steps: list[Step] = []
    outcome: str | None = None
    natural: bool | None = None
    player_total: int | None = None
    banker_total: int | None = None
    payments: list[Payment] = []
    decided: list[Decided] = []
    hands_given: EventLine | None = None
    second_bets: list[EventLine] | UnsetType = UNSET  # opened and closed after four cards
    undecided: list[EventLine] | UnsetType = UNSET  # bets on several coups that go on
    coupons: list[EventLine] | UnsetType = UNSET  # laid, taken back, paid, put right
    hands_given_back: list[EventLine] = []
    turned: list[EventLine] = []
    exceptions: list[EventLine] = []
    agrees: bool
    disagreements: list[Disagreement]
    afterwards: list[EventLine] = []
    proof: Proof

    @property
    def void(self) -> bool:
        """Whether every stake was returned."""
        return self.phase == "voided"

    def total(self, hand: str) -> int | None:
        """The hand's total, or None if it is unknown or a card is face down."""
        return self.player_total if hand == "player" else self.banker_total

    def as_dict(self) -> dict[str, object]:
        """The story as JSON fields."""
        fields: dict[str, object] = to_builtins(self, enc_hook=plain)
        return fields if self.rules else {name: fields[name] for name in _SENSELESS}


_SENSELESS = (  # the order of fields for a record that cannot be read
    *("coup", "rules", "phase", "dealer", "supervisor", "limits", "outcome", "natural"),
    *("hands_given", "player_total", "banker_total", "wagers", "earlier", "cards", "steps"),
    *("payments", "decided", "hands_given_back", "turned", "exceptions", "afterwards"),
    *("agrees", "disagreements", "proof"),
)


def story_of(record: CoupRecord) -> CoupStory:
    """The story of a coup; for an unreadable record, only that it is unreadable."""
    if record.replay is None:
        return _senseless(record, "begins with the coup's opening")
    try:
        return _story(record, record.replay)
    except SENSELESS as error:
        return _senseless(record, f"makes sense: {error!r} does not")


def _story(record: CoupRecord, replay: Replay) -> CoupStory:
    opened = replay.opened.event
    result = replay.resulted.event if replay.resulted else None
    stop, down = record.stops_before, record.face_down
    hidden = Disagreement("told when its cards are turned", None, None)
    return CoupStory(
        as_of=record.as_of.isoformat() if record.as_of else UNSET,
        until=stop.position if stop else UNSET,
        coup=str(record.address),
        rules=replay.rules.name,
        phase=replay.phase,
        dealer=opened.dealer,
        supervisor=opened.supervisor,
        limits=opened.limits,
        wagers=[_wager(line) for line in replay.wagers],
        earlier=[_event_line(line) for line in replay.earlier],
        cards=[_card(shown, down, replay.typed(shown.line.event.n)) for shown in replay.cards],
        steps=list(record.steps),
        outcome=result.outcome if result else None,
        natural=result.natural if result else None,
        player_total=result.player_total if result else _total(record, replay, "player"),
        banker_total=result.banker_total if result else _total(record, replay, "banker"),
        payments=[
            _payment(replay, line.event)
            for line in (*replay.payments, *replay.paid_late, *replay.ran_out)
        ],
        decided=[_decided(line, paid) for line, paid in replay.decided],
        hands_given=_event_line(replay.given) if replay.given else None,
        second_bets=[_event_line(line) for line in replay.second_bets] or UNSET,
        undecided=[_event_line(line) for line in replay.undecided] or UNSET,
        coupons=[_event_line(line) for line in replay.coupons] or UNSET,
        hands_given_back=[_event_line(line) for line in replay.given_back],
        turned=[_event_line(line) for line in replay.turned],
        exceptions=[_without_face_down(line, down) for line in record.exceptions],
        agrees=not record.disagreements,
        disagreements=[hidden if down else each for each in record.disagreements],
        afterwards=[_event_line(line) for line in record.afterwards],
        proof=_proof(record),
    )


def _senseless(record: CoupRecord, expected: str) -> CoupStory:
    """The story of a coup whose events were altered so that they cannot be read."""
    gone = Disagreement("the record", None, expected)
    return CoupStory(
        coup=str(record.address), agrees=False, disagreements=[gone], proof=_proof(record)
    )


def _proof(record: CoupRecord) -> Proof:
    return Proof(record.first_position, record.last_position, record.head.hex(), record.chain_good)


def _wager(line: Line) -> WagerLaid:
    event = line.event
    return WagerLaid(
        seat=event.seat,
        patron=event.patron,
        stay=event.stay,
        spot=event.spot,
        stake=event.amount,
        at=line.at.isoformat(),
        position=line.position,
    )


def _card(shown: CardLine, face_down: Collection[int], typed: str | None) -> Card:
    """A card as visible at the table: no total while a card before it is face down."""
    event = shown.line.event
    unseen = any(n <= event.n for n in face_down)
    due = shown.due if event.n < BOTH_HANDS or not unseen else None
    return Card(
        n=event.n,
        card=None if event.n in face_down else event.card,
        hand=event.hand,
        face_down=event.n in face_down,
        carried=event.carried,
        position=shown.line.position,
        at=shown.line.at.isoformat(),
        rule=event.rule,
        player_total=None if unseen else shown.player_total,
        banker_total=None if unseen else shown.banker_total,
        due=due,
        typed=typed,
    )


def _without_face_down(line: Line, face_down: Collection[int]) -> EventLine:
    """An event's fields; a card of the coup is named only if it is face up."""
    fields = _event_line(line)
    hidden = isinstance(line.event, coup.CardMoved) and line.event.n in face_down
    return fields | ({"card": None} if hidden else {})


def _decided(line: Line, by_the_cards: int) -> Decided:
    event = line.event
    return Decided(event.seat, event.spot, event.paid, by_the_cards, line.position)


def _payment(replay: Replay, event: Any) -> Payment:
    of_the_event = (name for name in Payment.__struct_fields__ if name != "rules")
    own = {name: getattr(event, name) for name in of_the_event}
    return Payment(**own, rules=cited.of_event(replay, event))


def _event_line(line: Line) -> EventLine:
    own = {"event": name_of(line), "at": line.at.isoformat(), "position": line.position}
    proved = {"approved_proved": line.proved} if line.proved else {}
    return {**own, **fields_of(line.event), **proved, **own}  # a field may be another's position


def _total(record: CoupRecord, replay: Replay, hand: str) -> int | None:
    if record.face_down:
        return None
    total: int | None = getattr(replay.cards[-1], f"{hand}_total") if replay.cards else None
    return total
