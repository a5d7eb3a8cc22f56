"""What hypothesis makes up: shoes, coups, seats, and wagers that a rule set lets stand."""

import random

from hypothesis import strategies as st

from domain.rules.cards import DECK
from domain.rules.hands import play
from domain.rules.house_rules import RULE_SETS
from domain.rules.spots import OPPOSITE

CARDS = st.sampled_from(DECK)
RULES = st.sampled_from(sorted(RULE_SETS.values(), key=lambda rules: rules.name))


def shoes(decks=8):
    """Every card of so many decks, shuffled."""
    return st.integers(0, 2**64 - 1).map(
        lambda seed: random.Random(seed).sample(DECK * decks, 52 * decks)
    )


def _as_far_as_due(cards):
    end = 4
    while play(cards[:end]).due:
        end += 1
    return cards[:end]


COUPS = st.lists(CARDS, min_size=6, max_size=6).map(_as_far_as_due)


def seats(rules):
    """The chairs of a rule set's table."""
    return st.sampled_from(rules.seats)


@st.composite
def amounts(draw, rules, spot, *, at_least=0):
    """Steps of the increment between the spot's minimum and maximum."""
    limit = rules.limit(spot)
    low = max(limit.minimum, at_least)
    high = min(limit.maximum, rules.differential or limit.maximum)
    step = rules.increment
    return step * draw(st.integers(-(-low // step), high // step))


@st.composite
def wagers(draw, rules):
    """What one seat bets, by spot: never both sides, a Tie alone at the table minimum."""
    spots = draw(st.sets(st.sampled_from(sorted(rules.spots)), min_size=1))
    if OPPOSITE.keys() <= spots:
        spots.remove(draw(st.sampled_from(sorted(OPPOSITE))))
    alone = 0 if OPPOSITE.keys() & spots else rules.main.minimum
    return {
        spot: draw(amounts(rules, spot, at_least=alone if spot == "tie" else 0))
        for spot in sorted(spots)
    }
