"""The houses of a group in a browser: how each is, who else saw it, and the reports over all.

What is shown is what `sabot group list` and `sabot group report` read, by the same permission. A
house that is far from counted is shown as far as it is: `sabot group pull` counts it meanwhile.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any
from urllib.parse import urlencode

import msgspec
from msgspec import Struct
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from domain.rules.addresses import parse_day
from domain.rules.refusals import BadValue, NotFound
from domain.rules.wording import Words
from ops.finding.opening import ALL, divided, question
from ops.group import members
from ops.group.asking import Answer, Narrowed, ask
from ops.group.following import TOGETHER
from ops.group.questions import REPORTS, GroupReport
from ops.group.rates import NoRate, head_of, labelled
from ops.group.rates import every as every_rate
from ops.group.state import State, Witnessed, state_of
from ops.reports.moments import Typed
from ops.reports.narrowings import require
from ops.reports.paging import Part, Place, Turn, part_of
from ops.web.pages.desk import Desk
from ops.web.pages.reports import MOST, Cell, Sheet
from ops.web.pages.viewer import opens
from ops.web.pages.visitor import Visitor
from ops.web.turned_away import NotTrusted
from ops.words import group as words
from ops.words import language, pages
from ops.words.language import shown
from ops.words.terms import barring_called
from ops.words.values import amount

_NARROWED = ("table", "day", "from", "to")
_HOUSES = ("property", "state", "events", "counted", "newest", "lag", "looked", "record")
_WITNESSES = ("property", "witness", "how", "seen", "seen_at")
_RIGHT = {"events", "counted", "lag", "seen"}


class OverHouses(Sheet, frozen=True):
    """Rows of several houses: sums currency by currency, and no single event up to which."""

    sums: Sequence[dict[str, str]] = ()

    @property
    def feet(self) -> list[dict[str, str]]:
        """The sums below the rows, a line for each currency."""
        return [*self.sums]

    @property
    def stacked(self) -> bool:
        """Whether a row is a list of its values on a telephone: how a house is, is a sentence."""
        return "state" in self.columns

    @property
    def beneath(self) -> list[str]:
        """Which rows they are."""
        return [pages.rows_of(self.first, len(self.rows), self.many)]


class Question(Struct, frozen=True):
    """What an address asks of a group's report."""

    report: GroupReport
    per: tuple[str, ...]
    house: str
    narrowed: dict[str, str | None]
    as_of: str
    into: str
    rate: str

    @classmethod
    def of(cls, request: Request) -> "Question":
        """As it is in the address. Refuses: NotFound, BadValue, BadAddress."""
        report, query = question(request.path_params), request.query_params
        narrowed = {name: _typed(query, name) or None for name in _NARROWED}
        for name in filter(narrowed.get, narrowed.keys() - {*report.narrowings}):
            raise NotTrusted(pages.takes_no(name, ("house", "per", *report.narrowings)), 422)
        require(narrowed)
        house, as_of, into, rate = (
            _typed(query, each) for each in ("house", "as_of", "into", "rate")
        )
        if bool(into) != bool(rate):
            why = Words("give both `into` and `rate`, or neither")
            raise BadValue(field=Words("what sums are in"), value=into or rate, why=why)
        return cls(report, divided(report, query), house, narrowed, as_of, into, rate)

    def answer(self) -> Answer:
        """The same answer as the command. Refuses: BadValue, NotFound. Raises NotTrusted."""
        try:
            houses = members.pulled([self.house] if self.house else ())
        except members.NoMember as error:
            raise NotFound(what=Words("house {name}", name=self.house or "—")) from error
        as_of = Typed.required(self.as_of, "--as-of") if self.as_of else None
        narrowed = Narrowed.of(self.narrowed)
        answer = ask(self.report, houses, self.per, narrowed, as_of, at_most=TOGETHER)
        try:
            return answer.converted(self.into, self.rate) if self.into else answer
        except NoRate as error:
            raise NotTrusted(str(error), 422) from error

    @property
    def query(self) -> str:
        """It as in an address."""
        asked = {"house": self.house, "per": ",".join(self.per) or ALL, **self.narrowed}
        asked |= {"into": self.into, "rate": self.rate}
        return urlencode(
            {name: each for name, each in {**asked, "as_of": self.as_of}.items() if each}
        )

    @property
    def divisions(self) -> Iterator[tuple[str, str]]:
        """By what it can be divided, and the words, for who may see it divided so."""
        here = f"/group/{self.report.name}?per="
        names = [*self.report.per]
        pairs = (pair for pair in combinations(names, 2))
        ways = dict.fromkeys(
            [(), *((each,) for each in names), *pairs, self.report.usually, self.per]
        )
        for way in ways:
            value = ",".join(way) or ALL
            called = ", ".join(map(words.heading, way)) or shown(words.ALL_TOGETHER)
            if opens(here + value):
                yield value, called


def _typed(query: QueryParams, name: str) -> str:
    return query.get(name, "").strip()


def sheet_of(answer: Answer, turn: Turn, most: int = MOST) -> OverHouses:
    """The rows of an answer that are on a page. Refuses: BadValue."""
    shown_here = (*answer.per, "currency", *answer.report.shown)
    keys = (*answer.per, "currency")

    def place(row: Mapping[str, object]) -> Place:
        return tuple("" if row[each] is None else str(row[each]) for each in keys)

    rows = sorted(answer.rows, key=place)
    part = part_of([*map(place, rows)], turn, most)
    here = rows[part.rows.start : part.rows.stop]
    right = {each: answer.is_number(each) for each in shown_here}
    first = shown_here[0]
    sums = []
    if len(rows) > 1 and answer.per:
        of = pages.total_of(len(here), len(rows))
        sums += [{**each, first: of} for each in answer.sums()]
    if answer.in_one:
        sums += labelled(answer.in_one, first)
    return _sheet(
        answer.report.name,
        shown(answer.report.title),
        right,
        [[_cell(answer, each, row) for each in shown_here] for row in here],
        part,
        len(rows),
        language._(answer.report.about),
        [
            {
                each: str(row[each]) if each == first else _value(answer, each, row)
                for each in shown_here
                if each in row
            }
            for row in sums
        ],
    )


def _sheet(
    name: str,
    title: str,
    right: Mapping[str, bool],
    rows: list[list[Cell]],
    part: Part,
    many: int,
    about: str = "",
    sums: Sequence[dict[str, str]] = (),
) -> OverHouses:
    """Rows with their columns, each of which is at the right or not."""
    return OverHouses(
        name=name,
        title=title,
        about=about,
        columns={each: words.heading(each) for each in right},
        meanings={each: words.meaning(each) for each in right},
        right=dict(right),
        rows=rows,
        totals={},
        left_out="",
        part=part,
        many=many,
        position=0,
        currency="",
        plots=[],
        sums=sums,
    )


def _cell(answer: Answer, name: str, row: Mapping[str, object]) -> Cell:
    href = ""
    if name in ("property", "barred_at"):
        href = f"/group/{answer.report.name}?{urlencode({'house': row[name]})}"
    return Cell(_value(answer, name, row), answer.is_number(name), href)


def _value(answer: Answer, name: str, row: Mapping[str, Any]) -> str:
    value = row[name]
    if value is None:
        return ""
    if name in answer.report.counts:
        return language.number(value)
    if answer.is_number(name):
        return amount(value, str(row["currency"]))
    if name == "kind":
        return shown(barring_called(value))
    if name in ("day", *answer.report.days):
        return language.day(parse_day(value))
    return str(value)


def _of_houses(states: Sequence[State]) -> OverHouses:
    """How each house is."""
    return _listed("houses", words.HOUSES, _HOUSES, [_row_of(each) for each in states])


def _row_of(state: State) -> list[Cell]:
    held = {
        "property": state.name,
        "record": state.record,
        "events": language.number(state.events),
        "counted": "" if state.only_seen else language.number(state.counted),
        "newest": language.moment(state.recorded_at) if state.recorded_at else "",
        "lag": "" if state.lag is None else shown(words.lag_words(state.lag)),
        "looked": language.moment(state.at) if state.at else "",
    }
    how = shown(words.STATES[state.how])
    held["state"] = f"{how}: {state.why}" if state.why else how
    leads = f"/group/win?{urlencode({'house': state.name})}"
    href = "" if state.only_seen or not state.events else leads
    return [
        Cell(
            held[name],
            name in _RIGHT,
            href if name == "property" else "",
            grave=name == "state" and bool(state.stopped),
        )
        for name in _HOUSES
    ]


def _of_witnesses(states: Sequence[State]) -> OverHouses:
    """Who else saw the record of each house."""
    rows = [_seen(state.name, each) for state in states for each in state.seen]
    return _listed("witnesses", words.WITNESSES, _WITNESSES, rows)


def _seen(house: str, seen: Witnessed) -> list[Cell]:
    held = {
        "property": house,
        "witness": seen.witness,
        "how": shown(
            words.CHECKED if seen.checked else words.SIGNED_TOO if seen.signed else words.ASKED
        ),
        "seen": "" if seen.size is None else language.number(seen.size),
        "seen_at": language.moment(seen.at),
    }
    return [Cell(held[name], name in _RIGHT) for name in _WITNESSES]


def _listed(name: str, title: Words, columns: Sequence[str], rows: list[list[Cell]]) -> OverHouses:
    """A sheet of a few rows, all on one page."""
    part = part_of([(n,) for n in range(len(rows))], Turn(), max(1, len(rows)))
    right = {each: each in _RIGHT for each in columns}
    return _sheet(name, shown(title), right, rows, part, len(rows))


async def list_houses(desk: Desk, request: Request, who: Visitor) -> Response:
    """How each house is, who else saw it, and the reports over all."""
    states = await desk.in_thread(lambda: [*map(state_of, members.every())])
    listed = [
        (f"/group/{each.name}", shown(each.title), language._(each.about))
        for each in REPORTS.values()
    ]
    return desk.page(
        request, who, "group.html",
        houses=_of_houses(states), witnesses=_of_witnesses(states), reports=listed,
    )  # fmt: skip


async def houses_as_data(desk: Desk, request: Request, who: Visitor) -> Response:
    """The same as JSON, a house each, as `sabot group list --json` has it."""
    states = await desk.in_thread(lambda: [*map(state_of, members.every())])
    return Response(msgspec.json.encode(states), media_type="application/json")


async def show_sums(desk: Desk, request: Request, who: Visitor) -> Response:
    """A report over all houses, as the address asks for it."""
    asked = Question.of(request)
    turn = Turn.of(request.query_params)
    answer = await desk.in_thread(asked.answer)
    return desk.page(
        request, who, "group_report.html",
        sheet=sheet_of(answer, turn), asked=asked, answer=answer,
        more=language._(answer.report.more) if answer.report.more else "",
        houses=[each.name for each in members.every() if not each.only_seen],
        in_one=head_of(answer.in_one) if answer.in_one else "",
        rates=dict.fromkeys(f"{each.source}/{each.day}" for each in every_rate()),
        counts=[
            words.counts_at(e.property, e.name, e.position, e.held, answer.as_of)
            for e in answer.houses
        ],
        stopped=[words.stopped_words(e.property, e.stopped) for e in answer.houses if e.stopped],
    )  # fmt: skip


async def export_sums(desk: Desk, request: Request, who: Visitor) -> Response:
    """The same as JSON, as the command prints it."""
    form = request.path_params["form"]
    asked = Question.of(request)
    if form != "json":
        name = asked.report.name
        raise NotFound(what=Words("report {name} as .{form}", name=name, form=form))
    answer = await desk.in_thread(asked.answer)
    return Response(msgspec.json.encode(answer.as_dict()), media_type="application/json")
