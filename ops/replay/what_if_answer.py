"""The answer to a what-if as JSON fields; amounts in minor units."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import asdict

from domain.review.difference import Difference, Paid, Played, house
from domain.review.what_if.later import LaterCoup, LaterCoups
from domain.review.what_if.notes import notes
from domain.review.what_if.question import WhatIf
from domain.review.what_if.redeal import Redealt
from domain.rules.hands import Due
from domain.rules.money import decimal_string
from ops.replay import cited
from ops.replay.coup_story import Payment


class AskedCard(Struct, frozen=True):
    """A card as it would have come."""

    n: int
    card: str
    hand: str
    rule: str
    player_total: int | None
    banker_total: int | None
    due: Due | None
    recorded: str | None  # the card at that place on record
    forced: bool  # dealt against the tableau


class AskedStep(Struct, frozen=True):
    """A decision of the tableau, or against it."""

    position: str
    rule: str
    draws: bool
    why: str
    forced: bool


class OnRecord(Struct, frozen=True):
    """A wager's payment on record, corrections and a void included."""

    seat: int
    patron: str
    spot: str
    stake: int
    paid: int
    commission: int


class SeatDifference(Struct, frozen=True):
    """The difference for a seat in paid, owed and staked amounts; below 0: less."""

    seat: int
    patron: str | None
    paid: int
    commission: int
    commission_exact: str
    staked: int
    net: int


class PatronTotal(Struct, frozen=True):
    """The difference for a patron, with the later coups."""

    patron: str | None
    paid: int
    commission: int
    staked: int
    net: int


class LaterCoupAnswer(Struct, frozen=True, kw_only=True):
    """The result that a later coup of the shoe would have had."""

    coup: str | None
    dummy: bool
    void: bool
    recorded: str | None
    outcome: str | None
    player_total: int | None
    banker_total: int | None
    cards: list[str]
    difference: list[SeatDifference]
    house: int | None
    short: bool


class LaterAnswer(Struct, frozen=True):
    """The later coups that the changes shift, and the total difference."""

    coups: list[LaterCoupAnswer]
    in_step_at: str | None  # the coup after which nothing changes
    short: bool
    totals: list[PatronTotal]
    house: int


class WhatIfAnswer(Struct, frozen=True, kw_only=True):
    """The result that the coup would have had, beside the record."""

    changes: list[str]
    rules: str
    void: bool
    cards: list[AskedCard]
    steps: list[AskedStep]
    outcome: str | None
    natural: bool | None
    player_total: int | None
    banker_total: int | None
    payments: list[Payment]
    recorded: list[OnRecord] | None  # None: nothing was paid yet
    difference: list[SeatDifference]
    house: int | None
    short: bool  # a card is due that is not on record
    taken: list[str]
    left_over: list[str]
    then: str | None
    later: LaterAnswer | None
    notes: list[str]


def answer_of(asked: WhatIf) -> WhatIfAnswer:
    """The answer as fields."""
    hands, currency = asked.hands, asked.rules.currency
    result = hands.result
    last = hands.dealt[-1] if hands.dealt else None
    return WhatIfAnswer(
        changes=[each.written(currency) for each in asked.changes],
        rules=asked.rules.name,
        void=asked.void,
        cards=_cards(hands, asked.recorded.cards),
        steps=[
            AskedStep(each.step.position, each.step.rule, each.draws, each.why, each.forced)
            for each in hands.decisions
        ],
        outcome=result.outcome if result else None,
        natural=result.natural if result else None,
        player_total=last.player_total if last else None,
        banker_total=last.banker_total if last else None,
        payments=[_payment(asked, each) for each in asked.payments],
        recorded=_on_record(asked.recorded),
        difference=[_difference(each) for each in asked.difference],
        house=asked.house,
        short=asked.short,
        taken=[each.card for each in asked.taken],
        left_over=list(asked.left_over),
        then=asked.disposition if asked.left_over else None,
        later=_later(asked, asked.later) if asked.later else None,
        notes=list(notes(asked)),
    )


def _cards(hands: Redealt, recorded: Sequence[str]) -> list[AskedCard]:
    return [
        AskedCard(
            **asdict(each),
            recorded=recorded[each.n - 1] if each.n <= len(recorded) else None,
            forced=each.n > 4 and each.hand in hands.forced,
        )
        for each in hands.dealt
    ]


def _payment(asked: WhatIf, paid: Paid) -> Payment:
    wager = paid.wager
    whose = wager.seat, wager.patron or None, wager.spot, wager.stake
    return Payment(*whose, **paid.payment.as_recorded(), rules=cited.of_what_if(asked, paid))


def _on_record(recorded: Played) -> list[OnRecord] | None:
    if recorded.final is None:
        return None
    wagers = [(each, each.wager) for each in recorded.final]
    return [
        OnRecord(own.seat, own.patron, own.spot, own.stake, each.payment.paid, each.commission)
        for each, own in wagers
    ]


def _difference(row: Difference) -> SeatDifference:
    exact = decimal_string(row.commission_exact)
    whose = row.seat, row.patron or None
    return SeatDifference(*whose, row.paid, row.commission, exact, row.staked, row.net)


def _later(asked: WhatIf, later: LaterCoups) -> LaterAnswer:
    return LaterAnswer(
        coups=[_later_coup(each) for each in later.coups],
        in_step_at=later.in_step_at,
        short=later.short,
        totals=[
            PatronTotal(each.patron or None, each.paid, each.commission, each.staked, each.net)
            for each in asked.totals
        ],
        house=asked.house_total,
    )


def _later_coup(coup: LaterCoup) -> LaterCoupAnswer:
    result, recorded, played = coup.hands.result, coup.recorded, coup.played
    return LaterCoupAnswer(
        coup=played.address if played else None,
        dummy=played is None,
        void=bool(played and played.void),
        recorded=recorded.outcome if recorded else None,
        outcome=result.outcome if result else None,
        player_total=result.player_total if result else None,
        banker_total=result.banker_total if result else None,
        cards=[each.card for each in coup.hands.dealt],
        difference=[_difference(each) for each in coup.difference],
        house=None if coup.short else house(coup.difference),
        short=coup.short,
    )
