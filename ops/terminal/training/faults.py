"""Mistakes of others: by patrons, and by the caller who misreads, miscalls, mispays, forgets.

Each is put into a correct coup, by name, if the coup has room for it.
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.cards import points
from domain.rules.hands import Hand, Hands, Outcome, Result, Step, outcome_of, play
from domain.rules.house_rules import HouseRules
from domain.rules.settlement import Payment, pay
from domain.rules.spots import MAIN_SPOTS, OPPOSITE, SPOT, SPOTS
from domain.rules.wagers import winnings
from ops.terminal.training.moments import (
    Betting,
    Call,
    Dealing,
    Fault,
    Leaving,
    Moment,
    Paid,
    Paying,
    Wager,
    paid_words,
)
from ops.words import show


class Scene(Struct, frozen=True):
    """A correct coup, and the patrons at the table, betting or not."""

    rules: HouseRules
    random: Random
    patrons: Mapping[int, str]
    moments: tuple[Moment, ...]

    @property
    def betting(self) -> Betting:
        """The wagers."""
        return next(each for each in self.moments if isinstance(each, Betting))

    @property
    def dealings(self) -> list[Dealing]:
        """The first four cards, then each further one."""
        return [each for each in self.moments if isinstance(each, Dealing)]

    @property
    def paying(self) -> Paying:
        """The payments."""
        return next(each for each in self.moments if isinstance(each, Paying))

    @property
    def result(self) -> Result:
        """The result of all cards."""
        result = play(self.paying.cards).result
        assert result
        return result

    @property
    def idle(self) -> list[int]:
        """Seats that bet nothing."""
        betting = {each.seat for each in self.betting.wagers}
        return [seat for seat in self.patrons if seat not in betting]

    def amount(self, amount: int) -> str:
        """An amount as it is called over the table."""
        return show.chips(amount, self.rules.currency)

    def with_moment(self, old: Moment, new: Moment) -> tuple[Moment, ...]:
        """The coup with one moment replaced."""
        return tuple(new if each is old else each for each in self.moments)


Moments = tuple[Moment, ...]
Mistake = Callable[[Scene, str], Moments | None]


# What patrons try while bets are open (R-BET-1 to 3).
def _try_wager(scene: Scene, kind: str, wager: Wager, rule: str, right: str) -> Moments:
    fault = Fault(kind, rule, right)
    return scene.with_moment(scene.betting, replace(scene.betting, tried=wager, fault=fault))


def _on_idle_seat(scene: Scene, kind: str, spot: str, stake: int, right: str) -> Moments | None:
    if not scene.idle:
        return None
    wager = Wager(scene.random.choice(scene.idle), spot, stake)
    return _try_wager(scene, kind, wager, "R-BET-3", right)


def _main(scene: Scene) -> str:
    return scene.random.choice(("player", "banker"))


def under_minimum(scene: Scene, kind: str) -> Moments | None:
    """A main wager under the table's minimum."""
    least, step = scene.rules.main.minimum, scene.rules.increment
    if least <= step:
        return None
    stake = scene.random.randrange(step, least, step)
    right = f"{scene.amount(stake)} is under the minimum of {scene.amount(least)}"
    return _on_idle_seat(scene, kind, _main(scene), stake, right)


def over_maximum(scene: Scene, kind: str) -> Moments | None:
    """A main wager over the table's maximum."""
    most, step = scene.rules.main.maximum, scene.rules.increment
    stake = most + step * scene.random.randint(1, 20)
    right = f"{scene.amount(stake)} is over the maximum of {scene.amount(most)}"
    return _on_idle_seat(scene, kind, _main(scene), stake, right)


def no_increment(scene: Scene, kind: str) -> Moments | None:
    """A wager that is not a multiple of the table's increment."""
    least, step = scene.rules.main.minimum, scene.rules.increment
    stake = least + step * scene.random.randint(1, 20) + step // 2
    right = f"{scene.amount(stake)} is not a multiple of {scene.amount(step)}"
    return _on_idle_seat(scene, kind, _main(scene), stake, right)


def tie_alone(scene: Scene, kind: str) -> Moments | None:
    """A Tie without a main wager, under the table's minimum."""
    if "tie" not in scene.rules.spots:
        return None
    least, table = scene.rules.limit("tie").minimum, scene.rules.main.minimum
    step = scene.rules.increment
    first = -(-least // step) * step
    if first >= table:
        return None
    stake = scene.random.randrange(first, table, step)
    right = f"without a Player or Banker bet, a Tie must be {scene.amount(table)} or more"
    return _on_idle_seat(scene, kind, "tie", stake, right)


def both_sides(scene: Scene, kind: str) -> Moments | None:
    """Player and Banker at one seat."""
    main = [each for each in scene.betting.wagers if each.spot in OPPOSITE]
    if not main:
        return None
    placed = scene.random.choice(main)
    wager = Wager(placed.seat, OPPOSITE[placed.spot], placed.stake)
    right = f"seat {placed.seat} may have Player or Banker, not both"
    return _try_wager(scene, kind, wager, "R-BET-1", right)


def not_offered(scene: Scene, kind: str) -> Moments | None:
    """A spot that is not on this layout."""
    others = [spot for spot in SPOTS[2:7] if spot not in scene.rules.spots]
    if not others or not scene.idle:
        return None
    spot = scene.random.choice(others)
    wager = Wager(scene.random.choice(scene.idle), spot, scene.rules.main.minimum)
    right = f"this table has no {show.spot_called(spot)}"
    return _try_wager(scene, kind, wager, "R-BET-2", right)


# What patrons try after the first card (R-DEAL-2).
_TOO_LATE = "the first card is out: no wager may be placed, moved or taken back"


def _too_late(scene: Scene, kind: str, wager: Wager) -> Moments:
    after = scene.random.choice([*scene.dealings, scene.paying])
    return scene.with_moment(
        after, replace(after, late=wager, fault=Fault(kind, "R-DEAL-2", _TOO_LATE))
    )


def late_bet(scene: Scene, kind: str) -> Moments | None:
    """Chips that come after the first card."""
    if not scene.idle:
        return None
    wager = Wager(scene.random.choice(scene.idle), _main(scene), scene.rules.main.minimum)
    return _too_late(scene, kind, wager)


def late_withdrawal(scene: Scene, kind: str) -> Moments | None:
    """Chips that go after the first card."""
    placed = scene.random.choice(scene.betting.wagers)
    return _too_late(scene, kind, replace(placed, back=True))


# What the caller miscalls (R-CARD, R-DRAW, R-WIN-1).
def _call(scene: Scene, moment: Dealing, kind: str, rule: str, right: str, wrong: Call) -> Moments:
    return scene.with_moment(moment, replace(moment, call=wrong, fault=Fault(kind, rule, right)))


def misread(scene: Scene, kind: str) -> Moments | None:
    """A card is read as another."""
    moment = scene.random.choice(scene.dealings)
    n = scene.random.randrange(len(moment.cards) - moment.new, len(moment.cards))
    card = moment.cards[n]
    other = scene.random.choice([rank for rank in "A2345678" if points(rank + "C") != points(card)])
    read = (*moment.call.read[:n], other + card[1], *moment.call.read[n + 1 :])
    right = f"the card is {_rank(card)}, and was read as {_rank(other)}"
    wrong = Call.of(read)  # totals and what follows are called from the wrong reading
    return _call(scene, moment, kind, "R-CARD-1", right, wrong)


def _rank(card: str) -> str:
    names = {"A": "an ace", "8": "an 8", "T": "a 10", "J": "a jack", "Q": "a queen", "K": "a king"}
    return names.get(card[0], f"a {card[0]}")


def wrong_total(scene: Scene, kind: str) -> Moments | None:
    """A hand is added up wrong."""
    moment = scene.random.choice(scene.dealings)
    hand: Hand = scene.random.choice(("player", "banker"))
    right_one = getattr(moment.call, f"{hand}_total")
    total = (right_one + scene.random.choice((1, 9))) % 10
    wrong = replace(moment.call, **{f"{hand}_total": total})
    cards = " and ".join(str(points(card)) for card in moment.hands.cards(hand))
    right = f"{hand.title()} has {cards}, which is {right_one}"
    return _call(scene, moment, kind, "R-CARD-2", right, wrong)


def draw_when_not_due(scene: Scene, kind: str) -> Moments | None:
    """The caller draws for a hand that stands, without a natural."""
    return _draw(scene, kind, natural=False)


def natural_overlooked(scene: Scene, kind: str) -> Moments | None:
    """The caller draws although a hand has a natural."""
    return _draw(scene, kind, natural=True)


def _draw(scene: Scene, kind: str, *, natural: bool) -> Moments | None:
    places = [
        (moment, hand)
        for moment in scene.dealings
        for hand in _standing(moment.hands)
        if _natural(moment.hands) is natural
    ]
    if not places:
        return None
    moment, hand = scene.random.choice(places)
    step = _step(moment.hands, hand)
    return _call(
        scene, moment, kind, step.rule, step.why, replace(moment.call, draws=hand, wins=None)
    )


def _standing(hands: Hands) -> Iterator[Hand]:
    """Hands that take no card; none after Banker's third card."""
    if len(hands.cards("banker")) == 3:
        return
    for step in hands.steps:
        if not step.draws:
            yield "player" if step.position == "player-third" else "banker"


def _natural(hands: Hands) -> bool:
    return bool(hands.result and hands.result.natural)


def _step(hands: Hands, hand: Hand) -> Step:
    return next(step for step in hands.steps if step.position == f"{hand}-third")


def no_draw_when_due(scene: Scene, kind: str) -> Moments | None:
    """The caller lets a hand stand that must draw."""
    places = [moment for moment in scene.dealings if moment.hands.due]
    if not places:
        return None
    moment = scene.random.choice(places)
    due = moment.hands.due
    assert due
    step = _step(moment.hands, due.hand)
    call = moment.call
    wins = outcome_of(call.player_total, call.banker_total)
    wrong = replace(call, draws=None, wins=wins)
    return _call(scene, moment, kind, step.rule, step.why, wrong)


def wrong_hand(scene: Scene, kind: str) -> Moments | None:
    """The third card is laid on the wrong hand."""
    places = [moment for moment in scene.dealings if moment.new == 1]
    if not places:
        return None
    moment = scene.random.choice(places)
    belongs = moment.hands.dealt[-1].hand
    other: Hand = "banker" if belongs == "player" else "player"
    step = _step(moment.hands, belongs)
    right = f"the card belongs to {belongs.title()}: {step.why}, by {step.rule}"
    return _call(scene, moment, kind, "R-IRR-2", right, replace(moment.call, laid=other))


def wrong_outcome(scene: Scene, kind: str) -> Moments | None:
    """The wrong hand is called as the winner."""
    moment = scene.dealings[-1]
    call = moment.call
    wins: Outcome = "banker" if call.wins == "player" else "player"
    won = "a Tie" if call.wins == "tie" else f"{(call.wins or '').title()}'s"
    right = f"Player has {call.player_total} and Banker {call.banker_total}: it is {won}"
    return _call(scene, moment, kind, "R-WIN-1", right, replace(call, wins=wins))


# What the caller mispays (R-PAY-1 to 4, R-COM-2).
def _pays(scene: Scene, kind: str, old: Paid, paid: int, rule: str, why: str) -> Moments | None:
    """The coup with another payment, or None if it is the same amount."""
    if paid == old.paid:
        return None
    right = f"seat {old.seat}'s {paid_words(old, scene.rules.currency)}: {why}"
    new = tuple(replace(each, paid=paid) if each is old else each for each in scene.paying.paid)
    fault = Fault(kind, rule, right)
    return scene.with_moment(scene.paying, replace(scene.paying, paid=new, fault=fault))


def _one_of(scene: Scene, which: Callable[[Paid], bool]) -> Paid | None:
    fitting = [each for each in scene.paying.paid if which(each)]
    return scene.random.choice(fitting) if fitting else None


def banker_pay(scene: Scene, kind: str) -> Moments | None:
    """Commission taken when it is owed, not taken when it is due, or the wrong odds for Banker."""
    wager = _one_of(scene, lambda each: each.spot == "banker" and each.paid > each.stake)
    if wager is None:
        return None
    rules, timing = scene.rules, scene.rules.commission.timing
    payment = _payment(scene, "banker", wager.stake)
    if timing == "deferred":
        taken = payment.winnings * rules.commission.rate[0] // rules.commission.rate[1]
        why = "commission is collected later, not now"
        return _pays(scene, kind, wager, wager.paid - taken, "R-COM-2", why)
    in_full = wager.stake * 2
    if timing == "at-payout":
        why = "commission is taken as it is paid"
        return _pays(scene, kind, wager, in_full, "R-COM-2", why)
    why = f"it pays {(payment.odds or '').replace(':', ' to ')}"
    return _pays(scene, kind, wager, in_full, "R-PAY-1", why)


def tie_odds(scene: Scene, kind: str) -> Moments | None:
    """A Tie paid at other odds."""
    wager = _one_of(scene, lambda each: each.spot == "tie" and each.paid > each.stake)
    if wager is None:
        return None
    to = (wager.paid - wager.stake) // wager.stake
    paid = wager.stake * (1 + (9 if to == 8 else 8))
    return _pays(scene, kind, wager, paid, "R-PAY-1", f"a Tie pays {to} to 1")


def push_taken(scene: Scene, kind: str) -> Moments | None:
    """A Tie, and the caller takes a main wager."""
    wager = _one_of(scene, lambda each: each.spot in OPPOSITE and each.paid == each.stake)
    if wager is None or _outcome(scene) != "tie":
        return None
    return _pays(scene, kind, wager, 0, "R-PAY-1", "a Tie returns the wager")


def loser_left(scene: Scene, kind: str) -> Moments | None:
    """A losing main wager is left on the layout."""
    wager = _one_of(scene, lambda each: each.spot in OPPOSITE and each.paid == 0)
    if wager is None:
        return None
    why = f"{_outcome(scene).title()} won"
    return _pays(scene, kind, wager, wager.stake, "R-PAY-1", why)


def bonus_missed(scene: Scene, kind: str) -> Moments | None:
    """An optional wager that won is taken."""
    wager = _one_of(scene, lambda each: each.spot not in MAIN_SPOTS and each.paid > each.stake)
    if wager is None:
        return None
    return _pays(scene, kind, wager, 0, SPOT[wager.spot].rule, _why_it_wins(scene, wager))


def bonus_margin(scene: Scene, kind: str) -> Moments | None:
    """A Dragon Bonus is paid by a margin that is one off."""
    wager = _one_of(
        scene, lambda each: SPOT[each.spot].rule == "R-PAY-2" and each.paid > each.stake
    )
    result = scene.result
    if wager is None or result.natural:
        return None
    near = [m for m in (result.margin - 1, result.margin + 1) if 4 <= m <= 9]
    margin = scene.random.choice(near)
    side = wager.spot.removeprefix("dragon-")
    lines = {line.when: line.pays for line in scene.rules.spots[wager.spot].pays}
    odds = lines[f"{side} wins by {margin} without a natural"]
    paid = wager.stake + winnings(wager.stake, odds)
    return _pays(scene, kind, wager, paid, "R-PAY-2", _why_it_wins(scene, wager))


def _why_it_wins(scene: Scene, wager: Paid) -> str:
    payment = _payment(scene, wager.spot, wager.stake)
    return f"{payment.line}, which pays {(payment.odds or '').replace(':', ' to ')}"


def _outcome(scene: Scene) -> str:
    return scene.result.outcome


def _payment(scene: Scene, spot: str, stake: int) -> Payment:
    return pay(scene.rules, spot, stake, scene.result)


# What the caller forgets when a patron leaves (R-COM-4).
def commission_forgotten(scene: Scene, kind: str) -> Moments | None:
    """A patron who owes commission leaves without paying it."""
    owing = [seat for seat in scene.patrons if _owes_after(scene, seat)]
    if not owing:
        return None
    seat = scene.random.choice(owing)
    right = f"seat {seat} owes commission, and pays it before the chair is free"
    fault = Fault(kind, "R-COM-4", right)
    leaving = Leaving(seat=seat, patron=scene.patrons[seat], forgotten=True, fault=fault)
    return (*(each for each in scene.moments if not isinstance(each, Leaving)), leaving)


def _owes_after(scene: Scene, seat: int) -> bool:
    """Whether the seat owes commission of this coup."""
    return any(
        payment.commission_due == "deferred" and payment.commission_exact
        for wager in scene.betting.wagers
        if wager.seat == seat and (payment := _payment(scene, wager.spot, wager.stake))
    )


KINDS: dict[str, Mistake] = {
    mistake.__name__.replace("_", "-"): mistake
    for mistake in (
        *(under_minimum, over_maximum, no_increment, tie_alone, both_sides, not_offered),
        *(late_bet, late_withdrawal),
        *(misread, wrong_total, draw_when_not_due, natural_overlooked, no_draw_when_due),
        *(wrong_hand, wrong_outcome),
        *(banker_pay, tie_odds, push_taken, loser_left, bonus_missed, bonus_margin),
        commission_forgotten,
    )
}


def plant(scene: Scene, kind: str) -> Moments | None:
    """The coup with the mistake `kind` in it, or None if it has no room for it."""
    return KINDS[kind](scene, kind)
