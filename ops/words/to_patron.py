"""What is refused at an electronic table, in the words for whoever plays there.

A refusal is written for staff: it names seats, commands and rules. Here it is said again for the
patron. What is not here is ASK, which says neither too much nor anything that is not so.

>>> from domain.rules.refusals import OverMaximum
>>> words = OverMaximum(seat=3, spot="Tie", amount="9.00", maximum="5.00").words
>>> str(in_patrons_words("OverMaximum", words))
'At most 5.00 on Tie: choose a smaller chip.'
"""

from collections.abc import Mapping
from string import Formatter

from domain.rules.wording import N_, Amount, Words
from ops.words import cloth

ASK = Words("This cannot be done now. Ask an attendant.")
_NO_COUP = N_("No bet can be placed yet. Wait for the next coup.")
_NO_PLAY = N_("No bet can be placed from this account now. Ask an attendant.")

# By the name of a refusal; a `{name}` is a value of its own sentence.
BY_REFUSAL: Mapping[str, str | Words] = {
    # The bet.
    "BettingClosed": cloth.BETS_CLOSED,
    "CoupOver": N_("That coup is over. Bet on the next one."),
    "UnderMinimum": N_("At least {minimum} on {spot}: choose a larger chip."),
    "OverMaximum": N_("At most {maximum} on {spot}: choose a smaller chip."),
    "OverPart": N_("At most {allowed} on {spot} beside your other bet: choose a smaller chip."),
    "NotAnIncrement": N_("A bet here is a multiple of {increment}."),
    "BothSides": N_("You have a bet on {spot}. Bet on Player or on Banker, not on both."),
    "OnlyBeside": N_("{spot} is taken only beside a bet on {spots}. Bet on that first."),
    "SpotNotOffered": N_("{spot} is no bet of this table. Choose another."),
    "SpotNotAtSeat": N_("{spot} is not taken at this place. Choose another bet."),
    "SpotNotInCoup": N_("{spot} is not taken in this coup. Choose another bet."),
    "SpotNotOnCards": N_("{spot} takes no bet now. Choose another."),
    "NoWager": N_("There is no bet to take back."),
    # The money, and whoever plays.
    "AccountShort": N_("There is {balance} left on this account, which is less than the bet."),
    "NoAccount": cloth.NO_SEAT,
    "SeatEmpty": cloth.NO_SEAT,
    "PlayPaused": N_("This account takes a break until {until}."),
    # The table.
    "ShoeNotReady": _NO_COUP,
    "ShoeStepOutOfOrder": _NO_COUP,
    "BurnDue": _NO_COUP,
    "CutCardOut": _NO_COUP,
    "CoupNotFinished": _NO_COUP,
    "TableClosed": cloth.OVER,
    "TableHeld": cloth.HELD,
    "TableLockedUp": cloth.LOCKED,
}
_WITHOUT: Mapping[str, str] = {"PlayPaused": _NO_PLAY}  # where the values are not there


def in_patrons_words(error: str, words: str) -> Words:
    """A refusal as the patron reads it; `words`: the sentence for staff, with its values.

    The answer to a line that was sent before has no values left.
    """
    values = _values(words)
    balance = values.get("balance")
    if error == "AccountShort" and isinstance(balance, Amount) and not balance.minor:
        return cloth.NO_MONEY
    template = BY_REFUSAL.get(error, ASK)
    if isinstance(template, Words):
        return template
    names = {name for _, name, *_ in Formatter().parse(template) if name}
    if not all(values.get(name) for name in names):
        return Words(_WITHOUT[error]) if error in _WITHOUT else ASK
    return Words(template, **{name: values[name] for name in names})


def _values(words: str) -> Mapping[str, object]:
    """The values of a refusal, also where it stands in a sentence about several wagers."""
    values: Mapping[str, object] = words.values if isinstance(words, Words) else {}
    within = values.get("refusal")
    return {**values, **_values(within)} if isinstance(within, Words) else values
