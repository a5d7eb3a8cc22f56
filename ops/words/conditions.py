"""When a line of a pay table decides, in the reader's language and short, for the cloth of a spot.

A rule set has its conditions in English, as `domain/rules/conditions` reads them. Those of the
program's own rule sets are said here in the reader's words; any other stays as it is written.

>>> str(when_words("banker wins by 9 without a natural")), when_words("both hands have a pair")
('by 9', None)
"""

import re

from domain.rules.wording import N_, Words
from ops.words.terms import spot_called

_CARDS = {"two": "2", "three": "3"}
_HAND = "(?P<hand>player|banker)"
# What a patron reads on a spot of one hand needs not name the hand again: there a Dragon wins by 9.
_PHRASES = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (f"{_HAND} wins", N_("{hand} wins")),
        ("tie", N_("tie")),
        (r"tie on (?P<total>\d)", N_("tie on {total}")),
        ("natural tie", N_("natural tie")),
        (f"{_HAND} wins with a natural", N_("natural win")),
        (rf"{_HAND} wins by (?P<margin>\d) without a natural", N_("by {margin}")),
        (rf"{_HAND} wins on (?P<total>\d)", N_("win on {total}")),
        (
            rf"{_HAND} wins on (?P<total>\d) with (?P<cards>two|three) cards",
            N_("win on {total} with {cards} cards"),
        ),
        ("first two (player|banker) cards are a pair", N_("pair")),
    )
)


def when_words(when: str) -> Words | None:
    """The condition in words; None if there are none for it."""
    for pattern, template in _PHRASES:
        if match := pattern.fullmatch(when):
            return Words(template, **_values(match))
    return None


def _values(match: re.Match[str]) -> dict[str, object]:
    values: dict[str, object] = dict(match.groupdict())
    if "hand" in values:
        values["hand"] = spot_called(str(values["hand"]))
    if "cards" in values:
        values["cards"] = _CARDS[str(values["cards"])]
    return values
