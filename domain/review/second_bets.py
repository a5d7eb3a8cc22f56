"""Bets after the first four cards in the record beside today's rules (R-BET-8).

Each event is judged by what held before it, so it is asked while the story is built.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from domain.events import coup, coup_wagers
from domain.rules.cards import points
from domain.rules.house_rules import HouseRules

WINDOW = (coup.SecondBetsOpened, coup.SecondBetsClosed)
JUDGED = (*WINDOW, coup.CardDealt, coup_wagers.WagerPlaced)
Differs = tuple[str, object, object]  # what, as recorded, as it should be


def differs(state: coup.State, rules: HouseRules, event: Any) -> Iterator[Differs]:
    """How an event is another than the rules allow after what was before it."""
    match event:
        case coup.SecondBetsOpened():
            recorded = _offer(event.offered, event.player_total, event.banker_total)
            should = _offer(state.layout.offered(rules, state.cards), *_totals(state.cards))
            if recorded != should:
                yield "bets after four cards", recorded, should
        case coup.SecondBetsClosed(by="dealer"):
            for broken in state.layout.not_taken(rules):
                if broken.wager and broken.wager.spot in state.offered:
                    what = f"seat {broken.wager.seat} {broken.wager.spot}"
                    yield what, "taken", f"refused as {broken.refusal.error}"
        case coup.CardDealt(n=5) if state.phase == "dealing":
            yield from _third_card(state, rules)
        case coup_wagers.WagerPlaced(spot=spot) if spot in rules.after_four:
            if state.second != "open" or spot not in state.offered:
                yield f"seat {event.seat} {spot}", "taken", "not offered then"


def _third_card(state: coup.State, rules: HouseRules) -> Iterator[Differs]:
    """Why no third card was to be dealt yet."""
    offered = state.layout.offered(rules, state.cards)
    if state.second == "open":
        yield "card 5", "while bets were taken", "after no more bets"
    elif offered and offered != state.offered:
        yield "bets after four cards", "never opened", ", ".join(offered)


def _offer(spots: Sequence[str], player: object, banker: object) -> str:
    """What is offered at which totals: `lucky-6 at 5 to 6`."""
    return f"{', '.join(map(str, spots)) or 'nothing'} at {player} to {banker}"


def _totals(cards: Sequence[str]) -> tuple[int, int]:
    """The totals of the first two cards, Player's and Banker's."""
    counts = [points(card) for card in cards[:4]]
    return sum(counts[::2]) % 10, sum(counts[1::2]) % 10
