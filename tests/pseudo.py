"""A made-up language: every letter of a message is another letter, so what stays English shows.

>>> with pseudo():
...     _("Seat {seat} has nothing on {spot}: type `3 b 500`.", seat=3, spot=Words("Banker"))
'Šëàŧ 3 ħàš ñöŧħíñğ öñ Ḃàñķëř: ŧýṗë `3 b 500`.'
>>> with pseudo(wide=True):
...     _("Tie")
'Ｔｉｅ'
>>> english_in("Šëàŧ 3 P-10417 ħàš nothing: ŧýṗë `3 b 500`")
['nothing']
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from gettext import NullTranslations
from unittest import mock

from domain.rules.wording import Words
from ops.words import language
from ops.words.language import _

__all__ = ["Words", "_", "english_in", "pseudo"]

_ENGLISH = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OTHER = "àḃçđëḟğħíĵķŀṁñöṗɋřšŧúṽŵẋýžÀḂÇĐËḞĞĦÍĴĶĿṀÑÖṖɊŘŠŦÚṼŴẊÝŽ"
_LETTERS = str.maketrans(_ENGLISH, _OTHER)  # each one cell wide
_WIDE = {ord(each): ord(each) + 0xFEE0 for each in _ENGLISH}  # each two cells wide, as in Chinese
_AS_TYPED = re.compile(r"(`[^`]*`|\{[^{}]*\})")  # stays: what is typed, and values
_WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")


class _Pseudo(NullTranslations):
    """Translates every message."""

    def __init__(self, letters: dict[int, int]) -> None:
        super().__init__()
        self._of = letters

    def gettext(self, message: str) -> str:
        parts = _AS_TYPED.split(message)
        return "".join(each.translate(self._of) if n % 2 == 0 else each
                       for n, each in enumerate(parts))  # fmt: skip

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


@contextmanager
def pseudo(*, wide: bool = False, speaking: str = "zh-Hant") -> Iterator[None]:
    """Everything in the made-up language; `wide`: in letters that take two cells.

    `speaking`: the language whose dates, commas and numbers it has; English stays English.
    """
    made_up = _Pseudo(_WIDE if wide else _LETTERS)
    with (
        mock.patch.object(language, "_catalogue", return_value=made_up),
        language.speaking(speaking),
    ):
        yield


def english_in(text: str, *names: str) -> list[str]:
    """The words of a text that went through no catalogue.

    Left out are what stands in backticks, whatever has a digit in it, and these names.
    """
    text = re.sub(r"`[^`]*`", " ", text)
    for each in _longest_first(names):
        if each in text:  # hundreds of names are looked for in every line of a screen
            text = re.sub(rf"(?<!\w){re.escape(each)}(?!\w)", " ", text)
    words = (word for token in text.split() if not re.search(r"\d", token)
             for word in _WORD.findall(token))  # fmt: skip
    return [word for word in words if len(word) > 1]


@cache
def _longest_first(names: tuple[str, ...]) -> list[str]:
    return sorted(names, key=len, reverse=True)
