"""Phrases as sentences, each with the stop of its language.

>>> sentence("Player stands on 6"), sentences(["No more bets.", "9♣ to Player"])
('Player stands on 6.', 'No more bets. 9♣ to Player.')
>>> with_rule("Seat 3 has no bet.", "R-BET-1")
'Seat 3 has no bet (R-BET-1).'
>>> with_rule("Banker's card is due (R-DRAW-3).", "R-DEAL-1")
"Banker's card is due (R-DRAW-3, R-DEAL-1)."
"""

import re
from collections.abc import Iterable

from ops.words.language import N_, _

STOPS = ".。"
_CITES = re.compile(rf" ?[(（](R-[A-Z]+-\d+)[)）][{STOPS}]*$")
NO_LINE = N_("Digits alone are no line. If that was a PIN, it is kept nowhere.")
ENDS = (*STOPS, ":", "”", "：", "」")  # of what needs no stop


def sentence(phrase: str) -> str:
    """A phrase with a stop."""
    return _("{phrase}.", phrase=phrase)


def sentences(phrases: Iterable[str]) -> str:
    """Sentences one after the other, each with a stop, so that one hears where it ends."""
    return " ".join(each if each.endswith(ENDS) else sentence(each) for each in phrases if each)


def with_rule(phrase: str, rule: str) -> str:
    """A sentence with its rule before the stop; with another one there, both in one bracket."""
    cited = _CITES.search(phrase)
    if cited:
        phrase, rule = phrase[: cited.start()], f"{cited[1]}, {rule}"
    return _("{phrase} ({rule}).", phrase=phrase.rstrip(STOPS), rule=rule)
