"""Levels of game protection: how seldom chance must do as much before a question makes a row.

Each is a setting of the house, which two people change (`property level`). A level of 10,000: by
chance alone a row comes in at most one of 10,000 shoes, or patrons.

>>> setting_of("new deck")
'new_deck_one_in'
"""

from collections.abc import Mapping

NEW_DECK, EARLIER_SHOE = "new deck", "earlier shoe"
RIGHT, COUNTS, FIRST_CARD = "patron right", "patron counts", "first card"
QUESTIONS = (NEW_DECK, EARLIER_SHOE, RIGHT, COUNTS, FIRST_CARD)
SELDOM = 10_000  # of a house that set no level
LEAST, MOST = 100, 10**12


def setting_of(question: str) -> str:
    """The name under which a question's level is on record."""
    return f"{question.replace(' ', '_')}_one_in"


QUESTION_OF: Mapping[str, str] = {setting_of(each): each for each in QUESTIONS}
