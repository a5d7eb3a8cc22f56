"""What was voided or corrected, recorded as an address with codes, in the reader's language.

>>> str(original_words("B01/2026-11-21/1/2 8 player as tie"))
'B01/2026-11-21/1/2 seat 8 Player as Tie'
>>> str(original_words("B01/2026-11-21/1/2 card 3 KH QH"))
'B01/2026-11-21/1/2 card 3: Q♥, not K♥'
>>> str(original_words("2026-000004"))
'2026-000004'
"""

import re
from collections.abc import Callable, Mapping

from domain.rules.wording import N_, Words
from ops.words.columns import CODES
from ops.words.terms import card_called, spot_called

_WAGER = r"(?P<coup>\S+/\d+) (?P<seat>\d+) (?P<spot>\S+)"
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(form), words)
    for form, words in (
        (_WAGER, N_("{coup} seat {seat} {spot}")),
        (rf"{_WAGER} as (?P<as_spot>\S+)", N_("{coup} seat {seat} {spot} as {as_spot}")),
        (rf"{_WAGER} (?P<to_seat>\d+)", N_("{coup} seat {seat} {spot}, to seat {to_seat}")),
        (
            r"(?P<coup>\S+/\d+) card (?P<n>\d+) (?P<was>\w\w) (?P<card>\w\w)",
            N_("{coup} card {n}: {card}, not {was}"),
        ),
        (r"(?P<kind>\S+) #(?P<position>\d+)", N_("{kind} #{position}")),
    )
)
_CALLED: Mapping[str, Callable[[str], str]] = {
    **dict.fromkeys(("spot", "as_spot"), spot_called),
    **dict.fromkeys(("was", "card"), card_called),
    "kind": lambda code: Words(CODES[code]) if code in CODES else code,
}


def original_words(original: str) -> Words:
    """The words for what was voided or corrected; another form than these is unchanged."""
    for form, words in _FORMS:
        if match := form.fullmatch(original):
            values = {
                name: _CALLED[name](text) if name in _CALLED else text
                for name, text in match.groupdict().items()
            }
            return Words(words, **values)
    return Words("{original}", original=original)
