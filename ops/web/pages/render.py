"""Pages from templates: everything that somebody typed is escaped, all words are the reader's."""

import re
from datetime import date, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from domain.rules.wording import Words
from ops.web.pages import drawing, viewer
from ops.web.pages.markdown import coded, linked
from ops.words import cloth, found, group, language, not_open, pages, settling, show
from ops.words.coups import spot_name
from ops.words.dated import day_in
from ops.words.language import shown

if TYPE_CHECKING:
    from collections.abc import Callable

_FOR_THE_VIEWER = (viewer.link, viewer.staff, viewer.whose, viewer.may, viewer.opens)


_WORDS = {
    "w": pages,
    "c": cloth,
    "f": found,
    "g": group,
    "n": not_open,
    "s": settling,
}  # as templates call them


@cache
def _environment() -> Environment:
    env = Environment(
        loader=PackageLoader("ops.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(
        **_WORDS,
        **{each.__name__: each for each in (drawing.card, drawing.big_road, drawing.chip)},
        evening=drawing.evening,
        spot=spot_name,
        languages=language.LANGUAGES,
        spoken=language.spoken,
        date_form=language.date_form,
        **{each.__name__: each for each in _FOR_THE_VIEWER},
    )
    env.filters.update(
        shown=_shown,
        coded=coded,
        linked=linked,
        worded=language._,
        money=_money,
        parted=_parted,
        plain=show.plain,
        chips=show.chips,
        number=language.number,
        day=_day,
        clock=_clock,
        moment=_moment,
        term=_term,
        clock1=_tenths,
    )
    return env


def html(template: str, **values: Any) -> str:
    """A page, or a part of one, in the reader's language."""
    return _environment().get_template(template).render(values)


def part(template: str, name: str, **values: Any) -> str:
    """One macro of a template, called with these values."""
    macro: Callable[..., Markup] = getattr(_macros(template), name)
    return str(macro(**values)).strip()


def fragment(template: str, name: str, **values: Any) -> Markup:
    """The same, for a page that has it among its values."""
    return Markup(part(template, name, **values))  # noqa: S704  (a macro escapes its values)


@cache
def _macros(template: str) -> Any:
    return _environment().get_template(template).module


def _money(minor: int, currency: str, *, short: bool = False) -> str:
    return language.amount(minor, currency, short=short)


_TO_THE_DAY = re.compile(r"(.*\d{4}-\d\d-\d\d/)(.+)")


def _parted(text: str) -> str:
    """Words, of which those of an address may break after its gaming day where room is short."""
    if parts := _TO_THE_DAY.fullmatch(text):
        return Markup("<span>{}</span><wbr><span>{}</span>").format(*parts.groups())
    return text


def _shown(text: object) -> str:
    return shown(text) if isinstance(text, str | Words) else str(text)


def _clock(moment: str | datetime | None, zone: Any = None) -> str:
    """A time of day: `20:14:07`."""
    if moment is None:
        return ""
    at = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return language.clock(at.astimezone(zone) if zone else at)


def _tenths(at: datetime, zone: Any) -> str:
    """A time of day to a tenth of a second."""
    return language.clock(at.astimezone(zone), places=1)


def _day(day: object) -> str:
    """A gaming day in the reader's form."""
    when = day if isinstance(day, date) else day_in(day)
    return language.day(when) if when else str(day)


def _term(end: datetime, zone: Any) -> str:
    """The end of a term: its last day, or the minute within a day."""
    return language.term(end.astimezone(zone))


def _moment(moment: str | datetime | None, zone: Any = None) -> str:
    """A date and a time of day."""
    if moment is None:
        return ""
    at = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return language.moment(at.astimezone(zone) if zone else at)
