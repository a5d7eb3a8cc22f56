"""The rules of record by number: each in one sentence, where it comes from, what enforces it.

Odds and limits are the rule set's. Lessons, help and refusals cite a rule by its number and read
its sentence here.

>>> RULEBOOK["R-DRAW-2"].sentence
'Player draws on 0 to 5 and stands on 6 and 7.'
"""

from collections.abc import Mapping

from msgspec import Struct

_TABLEAU = "58 Pa. Code 631a.11; N.J.A.C. 13:69F-3.9"
_ALL_SEEDS = "all five seeds"


class Rule(Struct, frozen=True):
    """One rule of record."""

    number: str
    sentence: str  # that a new dealer knows by heart
    enforced: str  # the module that does
    source: str = ""  # beside the rules of record themselves


_RULES = (
    Rule(
        "R-CARD-1",
        "An ace counts 1, ten and faces count 0, every other card what it shows.",
        "domain.rules.cards",
        _ALL_SEEDS,
    ),
    Rule(
        "R-CARD-2",
        "A hand counts the sum of its cards, without the tens.",
        "domain.rules.cards",
        _ALL_SEEDS,
    ),
    Rule(
        "R-CARD-3",
        "A shoe has each card once for every deck, and never once more.",
        "domain.rules.cards",
    ),
    Rule(
        "R-DEAL-1",
        "Cards go Player, Banker, Player, Banker, then third cards where they are due.",
        "domain.rules.hands",
        _TABLEAU,
    ),
    Rule(
        "R-DEAL-2",
        "Once the first card is out, no wager is placed, moved or taken back; what lies on the "
        "layout is entered before.",
        "domain.aggregates.coup",
    ),
    Rule(
        "R-DEAL-3",
        "In a squeeze the first four cards lie face down: the seat with the most on Player looks "
        "at the Player hand and gives it back, then the dealer turns both, the Player's first.",
        "domain.aggregates.coup",
        "seed 001_cfe116c2",
    ),
    Rule(
        "R-DEAL-4",
        "Who holds the shoe is on record: the dealer, or a patron to whom it was passed.",
        "domain.aggregates.shoe",
    ),
    Rule(
        "R-DEAL-5",
        "Where cards are dealt face down, the dealer turns both hands when four are out, the "
        "Player's first; no display shows a card before.",
        "domain.aggregates.coup",
        "seed 003_c0d30843",
    ),
    Rule(
        "R-DRAW-1",
        "With 8 or 9 on two cards, on either hand, nobody draws.",
        "domain.rules.hands",
        _TABLEAU,
    ),
    Rule(
        "R-DRAW-2",
        "Player draws on 0 to 5 and stands on 6 and 7.",
        "domain.rules.tableau",
        _TABLEAU,
    ),
    Rule(
        "R-DRAW-3",
        "When Player stood, Banker draws on 0 to 5 and stands on 6 and 7.",
        "domain.rules.tableau",
        _TABLEAU,
    ),
    Rule(
        "R-DRAW-4",
        "When Player drew, Player's third card decides: Banker always draws on 0 to 2, on 3 "
        "unless it is an 8, on 4 if it is 2 to 7, on 5 if it is 4 to 7, on 6 if it is 6 or 7, and "
        "never on 7.",
        "domain.rules.tableau",
        _TABLEAU,
    ),
    Rule(
        "R-WIN-1",
        "The hand nearer to 9 wins; equal totals are a Tie.",
        "domain.rules.hands",
        _ALL_SEEDS,
    ),
    Rule(
        "R-BET-1",
        "A seat has Player or Banker, never both; a Tie goes with either.",
        "domain.rules.layout",
    ),
    Rule(
        "R-BET-2",
        "Only the spots of the layout are bet on, each within limits of its own.",
        "domain.rules.wagers",
    ),
    Rule(
        "R-BET-3",
        "A wager is a multiple of the increment, within minimum and maximum; a Tie alone meets "
        "the table minimum.",
        "domain.rules.layout",
    ),
    Rule(
        "R-BET-4",
        "All Player and all Banker money may be only so far apart when betting closes.",
        "domain.rules.layout",
    ),
    Rule(
        "R-BET-5",
        "A wager that is found outside its limits after the deal stays whole, or is reduced to "
        "its limit, as the rule set says; it is an exception either way.",
        "domain.rules.layout",
    ),
    Rule(
        "R-PAY-1",
        "Player pays 1 to 1, Banker 1 to 1 less commission or at its own odds, a Tie as the "
        "layout says; on a Tie, Player and Banker wagers are returned.",
        "domain.rules.wagers",
    ),
    Rule(
        "R-PAY-2",
        "The Dragon Bonus pays a natural win, and another by enough points, the more the better; "
        "a natural Tie returns it.",
        "domain.rules.wagers",
        "seed 003_c0d30843",
    ),
    Rule(
        "R-PAY-3",
        "A pair bet pays when the hand's first two cards are of one rank.",
        "domain.rules.wagers",
    ),
    Rule(
        "R-PAY-4",
        "Where no commission is taken, some Banker wins pay less, and Dragon 7, Panda 8, Lucky 6 "
        "and the Tiger bets pay by the winning hand.",
        "domain.rules.wagers",
    ),
    Rule(
        "R-PAY-5",
        "An amount that the table's chips cannot make is paid up to the next one that they can.",
        "domain.rules.settlement",
    ),
    Rule(
        "R-COM-1",
        "Commission is a share of what a Banker wager won.",
        "domain.rules.settlement",
    ),
    Rule(
        "R-COM-2",
        "Commission is taken as the Banker wager is paid, or owed until the patron leaves or the "
        "shoe ends; the rule set says which.",
        "domain.aggregates.commission",
        "seed 003_c0d30843",
    ),
    Rule(
        "R-COM-3",
        "Commission is rounded as the rule set says, for each win or when it is collected, to "
        "what the table's chips can make.",
        "domain.rules.money",
    ),
    Rule(
        "R-COM-4",
        "Nobody leaves and no shoe ends while commission is owed.",
        "domain.aggregates.commission",
    ),
    Rule(
        "R-COM-5",
        "Commission belongs to a patron's stay at the table, not to the chair.",
        "domain.aggregates.commission",
    ),
    Rule(
        "R-SHOE-1",
        "A shoe is loaded, inspected, shuffled, cut and burned, in this order; no step is left "
        "out.",
        "domain.aggregates.shoe",
    ),
    Rule(
        "R-SHOE-2",
        "The first card is shown and burned, and as many more face down as it counts.",
        "domain.aggregates.shoe",
    ),
    Rule(
        "R-SHOE-3",
        "When the cut card shows, the coup is finished and one more is dealt; when it shows as a "
        "coup's first card, that coup is the last.",
        "domain.aggregates.shoe",
    ),
    Rule(
        "R-SHOE-4",
        "At the end every card of the shoe is drawn, burned, discarded or left over.",
        "domain.aggregates.shoe",
    ),
    Rule(
        "R-SHOE-5",
        "A generated shoe is bound to its order at the shuffle, and shows the order at its end.",
        "domain.rules.order",
    ),
    Rule(
        "R-IRR-1",
        "A card that came when none was due cannot go back into the shoe.",
        "domain.aggregates.shoe",
    ),
    Rule(
        "R-IRR-2",
        "A card on the wrong hand goes to its own, if no other was drawn since.",
        "domain.aggregates.coup",
    ),
    Rule(
        "R-IRR-3",
        "A card found face up in the shoe is discarded, recorded, and never used.",
        "domain.aggregates.shoe",
    ),
    Rule(
        "R-IRR-4",
        "With too few cards, a broken device, or a missing or foreign card the coup is void, and "
        "every wager goes back.",
        "domain.aggregates.coup",
    ),
    Rule(
        "R-IRR-5",
        "A coup is voided and a payment corrected by two people, one of them a supervisor, with a "
        "reason; nothing is edited.",
        "domain.aggregates.coup",
    ),
)
RULEBOOK: Mapping[str, Rule] = {rule.number: rule for rule in _RULES}
