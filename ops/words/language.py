"""The language in which this process speaks to people. The record and `--json` stay English.

`_` is for text that is shown at once. `Words` of `domain.rules.wording` is for text made before its
reader is known; `shown` puts it into the reader's language. The messages are in
`ops/words/languages`: a language's messages and, beside them, its dates and marks.

>>> with reading("pt"):
...     _("{patron}, who has left, owes {amount}.", patron="P-101", amount=Amount(1_250_000, "USD"))
'P-101, que saiu, deve 12\\xa0500,00.'
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files

from msgspec import Struct, toml

from domain.rules.spots import own_label
from domain.rules.wording import (
    N_,
    Amount,
    Figure,
    Joined,
    Moment,
    Number,
    Until,
    Words,
    filled,
    last_day_of,
)
from ops.words.dated import day_in

__all__ = ["ENGLISH", "FORMS", "LANGUAGES", "N_", "_", "amount", "clock", "day", "marked", "moment"]
__all__ += ["number", "reading", "shown", "speak", "speaking", "spoken"]

ENGLISH = "en"
_DAYS = ("day", "until", "filed_on")  # so end the names of values that are days, as recorded


class Forms(Struct, frozen=True, forbid_unknown_fields=True):
    """What a language writes differently from English, from its file `languages/CODE.toml`.

    `browser`: the language tags of browsers that ask for it, each with all that begin with it;
    `font`: that of its letters on paper, if it is not the usual one.
    """

    name: str
    browser: tuple[str, ...]
    date: str = "{y:04}-{m:02}-{d:02}"
    month_day: str = "{m:02}-{d:02}"
    thousands: str = ","
    decimal: str = "."
    comma: str = ", "
    font: str = ""


def _forms() -> Mapping[str, Forms]:
    folder = files("ops.words").joinpath("languages")
    written = {each.name.removesuffix(".toml"): each for each in folder.iterdir()
               if each.name.endswith(".toml")}  # fmt: skip
    return {code: toml.decode(written[code].read_bytes(), type=Forms) for code in sorted(written)}


FORMS = _forms()
LANGUAGES: Mapping[str, str] = {code: forms.name for code, forms in FORMS.items()}


class UnknownLanguage(ValueError):
    """Sabot does not speak a language that somebody asked for."""


class _Spoken:
    language = ENGLISH


_READER: ContextVar[str | None] = ContextVar("language of the reader", default=None)


def speak(language: str) -> None:
    """Sets the language of this process. Raises UnknownLanguage."""
    _require(language)
    _Spoken.language = language


def _require(language: str) -> None:
    if language not in LANGUAGES:
        all_of_them = ", ".join(f"{code} ({name})" for code, name in LANGUAGES.items())
        msg = f"Sabot does not speak {language!r}. It speaks {all_of_them}."
        raise UnknownLanguage(msg)


def spoken() -> str:
    """The language of the reader, or else of this process."""
    return _READER.get() or _Spoken.language


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Sets another language for all of this process, for a while. Raises UnknownLanguage."""
    before = _Spoken.language
    speak(language)
    try:
        yield
    finally:
        _Spoken.language = before


@contextmanager
def reading(language: str) -> Iterator[None]:
    """Sets another language for one paper or page, in this context. Raises UnknownLanguage."""
    _require(language)
    before = _READER.set(language)
    try:
        yield
    finally:
        _READER.reset(before)


def _(template: str, /, **values: object) -> str:
    """A message with its values, in the reader's language."""
    return shown(Words(template, **values))


def shown(text: str) -> str:
    """The words in the reader's language; text that is not a message unchanged."""
    if not isinstance(text, Words) or (spoken() == ENGLISH and not _on_a_page()):
        return str(text)
    if isinstance(text, Joined):
        *some, last = (shown(each) for each in text.each)
        values: dict[str, object] = {"some": FORMS[spoken()].comma.join(some), "last": last}
    else:
        values = {name: _value(name, value) for name, value in text.values.items()}
    return filled(_message(text), values)


def _on_a_page() -> bool:
    return _READER.get() is not None


def commas(texts: Iterable[str]) -> str:
    """Several texts with the language's comma between them."""
    return FORMS[spoken()].comma.join(texts)


def number(count: int) -> str:
    """A count with separators for thousands, in the language's form."""
    return marked(f"{count:,}")


def amount(minor: int, currency: str, *, short: bool = False) -> str:
    """Money in the language's form; `short` leaves out minor digits that are 0."""
    return marked(str(Amount(minor, currency, short=short)))


def percent(share: float) -> str:
    """A share in per cent, in the language's form.

    >>> percent(0.0105791)
    '1.06%'
    """
    return marked(f"{share:z.2%}")


def day(when: date) -> str:
    """A date in the language's form."""
    return FORMS[spoken()].date.format(y=when.year, m=when.month, d=when.day)


def month_day(when: date) -> str:
    """A date without its year, in the language's form."""
    return FORMS[spoken()].month_day.format(m=when.month, d=when.day)


def short_moment(at: datetime) -> str:
    """A date without its year and a time of day to the minute, in the time zone of `at`."""
    return f"{month_day(at)} {at:%H:%M}"


def date_form() -> str:
    """The form of a date in the reader's language, with `{y}`, `{m}` and `{d}` in it."""
    return FORMS[spoken()].date


def clock(at: datetime, places: int = 0) -> str:
    """A time of day as given, with so many digits after the second: `20:14:07.1`.

    >>> clock(datetime.fromisoformat("2026-11-21T20:14:07.190"), places=1)
    '20:14:07.1'
    """
    time = at.strftime("%H:%M:%S")
    return f"{time}{marked(f'.{at:%f}'[: places + 1])}" if places else time


def moment(at: datetime, places: int = 0) -> str:
    """A date and a time of day in the language's form, in the time zone of `at`."""
    return f"{day(at.date())} {clock(at, places)}"


def minute(at: datetime) -> str:
    """A date and a time of day to the minute, in the time zone of `at`."""
    return f"{day(at.date())} {at:%H:%M}"


def term(end: datetime) -> str:
    """The end of a term: its last day, or the minute within a day, in the time zone of `end`."""
    last = last_day_of(end)
    return day(last) if last else minute(end)


def _value(name: str, value: object) -> object:
    if isinstance(value, Amount | Number | Figure):
        return marked(str(value))
    if isinstance(value, str):
        when = day_in(value) if name.endswith(_DAYS) else None
        return day(when) if when else shown(value)
    if isinstance(value, Until) and value.last_day:
        return day(value.last_day)
    if isinstance(value, Moment):
        return moment(value.at, value.places)
    if isinstance(value, date):
        return day(value)
    return value


def marked(digits: str) -> str:
    """A number in English form, with the language's separators instead.

    On a page what is below 0 has a minus sign; a terminal's hyphen can be typed and copied.

    >>> with reading("pt"):
    ...     marked("-1,365.00")
    '−1\\xa0365,00'
    """
    forms = FORMS[spoken()]
    marks = {ord(","): forms.thousands, ord("."): forms.decimal}
    return digits.translate(marks | {ord("-"): "−"} if _on_a_page() else marks)


def _message(text: Words) -> str:
    if spoken() == ENGLISH:
        return text.template if text.number == 1 else text.many
    catalogue = _catalogue(spoken())
    if text.about:
        return catalogue.pgettext(text.about, text.template)
    if text.many:
        return catalogue.ngettext(text.template, text.many, text.number)
    message = catalogue.gettext(text.template) if text.template else ""
    return own_label(message, spoken()) if message == text.template else message


@cache
def _catalogue(language: str) -> NullTranslations:
    """The messages of a language."""
    from io import BytesIO

    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    written = files("ops.words").joinpath("languages", f"{language}.po").read_bytes()
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(written), locale=language.replace("-", "_")))
    compiled.seek(0)
    return GNUTranslations(compiled)
