"""The words of a what-if, at a shell and on a coup's page."""

from domain.rules.cards import symbol
from domain.rules.wording import N_, Words, worded
from ops.words.language import shown
from ops.words.terms import hand_called

CARDS = Words("Cards")
PAYMENTS = Words("Payments")
DIFFERENCE = Words("Difference")
LATER = Words("Later coups")
ON_RECORD = Words("on record")
THEN = Words("then")
NO_WAGER = Words("no wager")
PAID = Words("paid")
THEIR_CARDS = Words("cards")
STAKED = Words("staked")
COMMISSION = Words("commission")
BETTER_OFF = Words("better off")
HOUSE = Words("house")
NO_BETS = Words("no bets")
NOT_FINISHED = Words("not finished")
NOT_DEALT = Words("not dealt")
VOID = Words("Void: every stake is returned")
SHORT = Words("No outcome: the coup would not be finished.")
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
