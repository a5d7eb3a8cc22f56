"""The words of a what-if on a coup's page."""

from domain.rules.cards import symbol
from domain.rules.wording import N_, Words, worded
from ops.words.language import shown
from ops.words.terms import hand_called

CARDS = worded("heading: of a what-if", "Cards")
PAYMENTS = worded("heading: of a what-if", "Payments")
DIFFERENCE = worded("heading: of a what-if", "Difference")
LATER = worded("heading: coups after the one that is changed", "Later coups")
ON_RECORD = worded("column: what the record has", "on record")
THEN = worded("column: what would have been", "then")
NO_WAGER = worded("value: of a what-if", "no wager")
STAKED = worded("column", "staked")
COMMISSION = worded("column", "commission")
BETTER_OFF = worded("column: by how much", "better off")
HOUSE = worded("row: the house's part", "house")
NO_BETS = worded("value: a coup that nobody bet on", "no bets")
NOT_FINISHED = worded("value: a coup whose cards ran out", "not finished")
NOT_DEALT = worded("a card of a what-if that the record does not have", "not dealt")
VOID = worded("outcome", "Void: every stake is returned")
SHORT = worded("outcome", "No outcome: the coup would not be finished.")
WRITTEN = worded("heading: how the changes of a what-if are written", "How a change is written")
SEVERAL = worded("page", "Several changes at once stand between semicolons.")
# Each form of a change by an example, and what it asks.
FORMS = (
    ("card 5 = KH", N_("another card at that place")),
    ("draw banker", N_("a third card although none was due")),
    ("no-draw banker", N_("no third card although one was due")),
    ("bet 3 banker 200", N_("a wager, or another stake")),
    ("no-bet 3 banker", N_("a wager that was not placed")),
    ("move 3 banker to player", N_("a wager on another spot")),
    ("move 3 banker to 5 banker", N_("a wager at another seat")),
    ("rules classic@1", N_("another rule set")),
    ("rounding up 1 on-collection", N_("commission rounded in another way")),
    ("void", N_("every stake returned")),
    ("then burn", N_("what becomes of the cards that are left over: carry, burn or dummy")),
    ("misdraw burn", N_("what becomes of a card that came when none was due")),
)


def card_goes(card: str, hand: str, rule: str) -> str:
    """To which hand a card would have gone, and by which rule."""
    goes = Words("{card} to {hand} ({rule}).", card=symbol(card), hand=hand_called(hand), rule=rule)
    return shown(goes)


def instead_of(card: str) -> str:
    """Which card the record has instead."""
    return shown(Words("not {card}", card=symbol(card)))
