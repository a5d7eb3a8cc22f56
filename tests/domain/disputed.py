"""A coup of an evening as a what-if is told of it, and the shoe around it."""

from collections import Counter

from domain.review.difference import Played, settled
from domain.review.what_if.later import Left
from domain.review.what_if.parse import read_all
from domain.review.what_if.question import Around, what_if
from domain.review.what_if.wagers import Table
from domain.rules.hands import play
from domain.rules.house_rules import named
from domain.rules.layout import Wager
from domain.rules.seating import Stay

SHOE = "B01/2026-11-21/1"
SEATED = {seat: Stay(f"P-{seat}", f"B01/2026-11-21/stay-{seat}") for seat in (1, 3, 5)}
# The coup of the design page: 6 to 4 for the Player.
COUP = "9C 5S 7C QD 9S"
BETS = ((3, "banker", 100_00), (5, "player", 500_00))


def lies(seat, spot, stake):
    """A wager of whoever sits there."""
    stay = SEATED[seat]
    return Wager(seat, spot, stake, stay.patron, stay.address)


def played(cards=COUP, *bets, number=1, rules="dragon-bonus@1", phase="settled"):
    """A coup on record; paid by the rules, unless it never came so far."""
    rules = named(rules) if isinstance(rules, str) else rules
    dealt = cards.split()
    wagers = tuple(lies(*bet) for bet in bets)
    stands = None
    if phase == "voided":
        stands = settled(rules, wagers, None)
    elif phase == "settled":
        stands = settled(rules, wagers, play(dealt).result)
    return Played(f"{SHOE}/{number}", rules, phase, wagers, tuple(dealt), stands)


def table(rules="dragon-bonus@1", differential=None):
    """The limits of a rule set, and P-1, P-3 and P-5 at their seats."""
    spots = named(rules).spots
    limits = {
        spot: [named(rules).limit(spot).minimum, named(rules).limit(spot).maximum] for spot in spots
    }
    main = [named(rules).main.minimum, named(rules).main.maximum]
    return Table({"main": main, **limits}, differential, SEATED)


def shoe(*later, afterwards="", burned="", **around):
    """The shoe around a coup: the cards of the later coups, or these, came after it."""
    cards = afterwards.split() or [card for coup in later for card in coup.cards]
    aside = burned.split()
    left = tuple(Left(n, card, card in aside) for n, card in enumerate(cards))
    return Around(**{"decks": 8, "out_before": Counter(), **around}, afterwards=left, later=later)


def ask(*changes, coup=None, around=None, at=None):
    """What it would have come to."""
    coup = coup or played(COUP, *BETS)
    return what_if(coup, read_all(changes, "USD"), at or table(), around or shoe())


def money(told):
    """Of each seat: staked, paid, commission; and the house."""
    rows = {row.seat: (row.staked, row.paid, row.commission) for row in told.difference}
    return rows, told.house
