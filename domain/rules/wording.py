"""Sentences that remember what they are made of, so that they can be read in another language.

A `Words` is English text: it prints, compares and is stored as such. Beside it stay its template
and the values in it, from which `ops/words` makes the same sentence in the reader's language. The
templates are the messages of the catalogue, `ops/words/languages`.

>>> owed = Words("{patron} owes {amount}.", patron="P-101", amount=Amount(12_500, "USD"))
>>> owed, owed.template
('P-101 owes 125.00.', '{patron} owes {amount}.')
>>> counted(1, "{n} card is missing.", "{n} cards are missing.")
'1 card is missing.'
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, Self

from domain.rules.money import digits, major

_VALUE = "{value}"  # not a message: there is nothing to translate


class Words(str):
    """One sentence or phrase; a template's `{name}` is filled by the value of that name.

    Values are text as it is, `Words`, `Amount`, `Number`, `Figure`, a date (also as in an event,
    `2026-11-21`), or anything whose `str` is meant.
    """

    __slots__ = ("about", "many", "number", "template", "values")

    template: str  # the message in the catalogue; in the singular where there is a plural
    many: str  # the plural; '' for a message without one
    number: int  # which decides between the two
    about: str  # tells two messages with the same English apart; '' for most
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """The English sentence."""
        return cls.made(template, "", 1, "", values)

    @classmethod
    def made(
        cls, template: str, many: str, number: int, about: str, values: Mapping[str, object]
    ) -> Self:
        """The English sentence, with all that it remembers."""
        words = super().__new__(cls, filled(template if number == 1 else many, values))
        words.template, words.many, words.number = template, many, number
        words.about, words.values = about, values
        return words


class Joined(Words):
    """Several phrases as one: `a, b and c`."""

    __slots__ = ("each",)

    each: tuple[str, ...]


class Amount:
    """Money in minor units of a currency; `short` leaves out the minor digits where they are 0.

    >>> str(Amount(100_000, "USD")), str(Amount(100_000, "USD", short=True))
    ('1,000.00', '1,000')
    """

    __slots__ = ("currency", "minor", "short")

    def __init__(self, minor: int, currency: str, *, short: bool = False) -> None:
        self.minor, self.currency, self.short = minor, currency, short

    @property
    def places(self) -> int:
        """How many digits follow the point when it is shown."""
        places = digits(self.currency)
        return 0 if self.short and self.minor % 10**places == 0 else places

    def __str__(self) -> str:
        text = major(self.minor, self.currency)
        hidden = digits(self.currency) - self.places
        return text[: -hidden - 1] if hidden else text


class Number(int):
    """A count that is shown with its thousands apart: 730,000."""

    def __str__(self) -> str:
        return f"{int(self):,}"

    def __format__(self, spec: str) -> str:
        return format(int(self), spec or ",")


class Figure(str):
    """A figure as English writes it, `1,000.5` or `-2.5%`: shown with the reader's marks."""

    __slots__ = ()


class Moment:
    """A moment of the record, which is shown by the house's clock.

    Whoever answers puts it there with `by_the_clock`.

    >>> str(Moment(datetime.fromisoformat("2026-11-21T20:14:07+00:00")))
    '2026-11-21 20:14:07'
    """

    __slots__ = ("at",)

    def __init__(self, at: datetime) -> None:
        self.at = at

    @property
    def places(self) -> int:
        """How many digits follow the second when it is shown."""
        return 3 if self.at.microsecond else 0

    def __str__(self) -> str:
        form = "milliseconds" if self.places else "seconds"
        return self.at.replace(tzinfo=None).isoformat(" ", form)


class Until(Moment):
    """The end of a term. One that ends with a day, at midnight, is shown as that last day.

    >>> str(Until(datetime.fromisoformat("2026-12-01T00:00:00+01:00")))
    '2026-11-30'
    """

    __slots__ = ()

    @property
    def last_day(self) -> date | None:
        """The day with which it ends; None if it ends within one."""
        return last_day_of(self.at)

    def __str__(self) -> str:
        return self.last_day.isoformat() if self.last_day else super().__str__()


def last_day_of(end: datetime) -> date | None:
    """The day with which a term ends that ends at this moment; None if it ends within one."""
    return None if end.time() != time() else end.date() - timedelta(days=1)


def by_the_clock(value: object, local: Callable[[datetime], datetime]) -> Any:
    """A sentence with its moments by a clock; any other value unchanged."""
    match value:
        case Moment():
            return type(value)(local(value.at))
        case Joined():
            joined = listed((by_the_clock(each, local) for each in value.each), value.template)
            return joined if isinstance(joined, Joined) else value
        case Words():
            values = {name: by_the_clock(each, local) for name, each in value.values.items()}
            return Words.made(value.template, value.many, value.number, value.about, values)
    return value


def N_(template: str) -> str:  # noqa: N802  (gettext's own name for it)
    """Marks a message that is looked up later; returns it unchanged."""
    return template


def worded(about: str, template: str, /, **values: object) -> Words:
    """A message whose English is also said of something else: `about` is what this one is about."""
    return Words.made(template, "", 1, about, values)


def counted(number: int, one: str, many: str, /, **values: object) -> Words:
    """A message by number: `{n}` in it is the number."""
    return Words.made(one, many, number, "", {"n": Number(number), **values})


def as_words(value: object) -> Words:
    """A single value, an Amount for one, where Words are asked for."""
    return Words(_VALUE, value=value)


def listed(phrases: Iterable[str], last: str = N_("{some} and {last}")) -> Words:
    """`a, b and c`; `last` is how the last one follows. Nothing listed is empty.

    >>> listed(["Player", "Banker", "Tie"])
    'Player, Banker and Tie'
    """
    each = tuple(phrases)
    if len(each) < 2:
        text = each[0] if each else ""
        return text if isinstance(text, Words) else Words("{text}", text=text)
    some = ", ".join(each[:-1])
    joined = Joined.made(last, "", 1, "", {"some": some, "last": each[-1]})
    joined.each = each
    return joined


def either(phrases: Iterable[str]) -> Words:
    """`a, b or c`."""
    return listed(phrases, N_("{some} or {last}"))


def filled(template: str, values: Mapping[str, object]) -> str:
    """A template with its values put in; one without values may hold any brace."""
    return template.format(**values) if values else template


def plain(value: object) -> str:
    """`Words` as text, for msgspec, which encodes no kind of text but `str` itself."""
    if isinstance(value, Words):
        return str(value)
    msg = f"{type(value).__name__} has no form in JSON"
    raise NotImplementedError(msg)
