"""Mistakes of the caller with the cards: misread, added up wrong, drawn wrong, called wrong.

The rules that they break: R-CARD, R-DRAW, R-IRR-2, R-WIN-1.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from domain.rules.cards import points
from domain.rules.hands import Hand, Hands, Outcome, Step, outcome_of
from ops.terminal.training.moments import Call, Dealing, Fault
from ops.terminal.training.scene import Moments, Scene


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
