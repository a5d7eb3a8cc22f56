"""What a report to a regulator is made of at a shell: a case, or a patron's cash of a day."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.rules.addresses import AmlCase, parse_day
from domain.rules.refusals import BadValue, NotFound
from domain.rules.wording import Words
from ops.cli.made_reports import Movers, movers_of, person_of
from ops.cli.reading import permit
from ops.cli.session import dispatcher_on
from ops.commands.house_events import house
from ops.filings.beside import apart_words, filed_words, of_others_words, unreported_words
from ops.filings.evidence import cash_of_case
from ops.filings.patron import Person
from ops.filings.sar import Cash
from ops.handlers.cash_together import principal_of
from ops.ledger.database import Database
from ops.replay.aml_case import AmlFile, read_aml_case
from ops.reports.ask import Row, ask
from ops.typed.shell import require_utf8
from projections import REPORTS


class Regulator(Struct, frozen=True):
    """To whom reports go, and in which currency: no house that counts in another has one."""

    currency: str
    only: str  # the refusal of another, as a message

    def require(self, currency: str) -> None:
        """Refuses a house that counts in another currency: BadValue."""
        if currency != self.currency:
            raise BadValue(message=Words(self.only, currency=currency))


class OfCase(Struct, frozen=True, kw_only=True):
    """What a report of a case is made of.

    `subjects`: whom it is about, each once. `principals`: for whom they, or who moved its cash,
    play, by the number of who plays; `notes`: what somebody ought to know who makes the report.
    """

    address: AmlCase
    file: AmlFile
    subjects: Sequence[Person]
    today: date
    noticed_on: date
    zone: ZoneInfo
    cash: Sequence[Cash]
    principals: Mapping[str, Person]
    notes: Sequence[Words]

    @property
    def behind(self) -> Mapping[str, str]:
        """For whom somebody plays, by the number of who plays: a number, or the words of a file."""
        return behind_of(self.subjects, self.principals)

    @property
    def due_at(self) -> datetime | None:
        """By when it is due, in the house's time; None where the regime knows no term."""
        due = self.file.opened.due_at
        return datetime.fromisoformat(due).astimezone(self.zone) if due else None


class OfDay(Struct, frozen=True, kw_only=True):
    """What a report of a patron's day is made of: the rows of the report of cash, and who moved it.

    `today`: the date at the house now.
    """

    person: Person
    day: date
    today: date
    rows: Sequence[Row]
    currency: str
    movers: Movers


def of_case(
    database: Database,
    typed: str,
    reading: str,
    regulator: Regulator,
    amends: str,
    *,
    as_json: bool,
) -> OfCase:
    """A case that was typed, for a `reading`. Refuses: BadValue, NotFound."""
    address = AmlCase.parse(typed)
    permit(database, reading, {"case": str(address)}, as_json=as_json)
    with database.session("sabot_app") as connection:
        owner = house(connection)
        regulator.require(owner.currency)
        file = read_aml_case(connection, address)
    people = [person_of(database, each) for each in file.subjects]
    subjects = {each.patron: each for each, _ in people}  # an alias is its patron
    noticed_on = date.fromisoformat(file.opened.detected)
    cash = cash_of_case(database, file.positions, file.subjects, noticed_on)
    whom = _played_for(database, subjects, cash.evidence, noticed_on)
    return OfCase(
        address=address,
        file=file,
        subjects=[*subjects.values()],
        today=people[0][1],
        noticed_on=noticed_on,
        zone=ZoneInfo(owner.zone),
        cash=cash.evidence,
        principals={
            who: subjects.get(each) or _other(database, reading, address, each, as_json=as_json)
            for who, each in whom.items()
        },
        notes=[
            *unreported_words(file),
            *filed_words(file, amends),
            *_of_others(cash.evidence, subjects, whom, owner.currency),
            *(apart_words(each, owner.currency) for each in cash.apart),
        ],
    )


def of_day(
    database: Database,
    patron: str,
    typed: str,
    reading: str,
    rows_of: Callable[[Sequence[Row]], Iterator[Row]],
    none: str,
    regulator: Regulator | None = None,
    *,
    as_json: bool,
) -> OfDay:
    """A patron's gaming day that was typed, for a `reading`. Refuses: BadValue, NotFound.

    `rows_of`: of the rows of the report of cash those with which the report is made; `none`: the
    refusal of a day without any, as a message.
    """
    require_utf8("patron", patron)
    day = parse_day(typed)
    permit(database, reading, {"patron": patron, "day": typed}, as_json=as_json)
    if regulator:
        with database.session("sabot_app") as connection:
            regulator.require(house(connection).currency)
    person, today = person_of(database, patron)
    answer = ask(database, REPORTS["ctr"], day=typed, patron=patron)
    rows = [*rows_of([each for each in answer.rows if each["total"]])]
    if not rows:
        raise NotFound(message=Words(none, patron=person.patron, day=typed))
    return OfDay(
        person=person,
        day=day,
        today=today,
        rows=rows,
        currency=answer.house.currency,
        movers=movers_of(database, person, day, rows, reading, as_json=as_json),
    )


def behind_of(people: Sequence[Person], principals: Mapping[str, Person]) -> Mapping[str, str]:
    """For whom these play, by number: the other one's number, or what a file has instead of one."""
    stated = {each.patron: each.contents.on_behalf_of for each in people}
    numbers = {who: each.patron for who, each in principals.items()}
    return {who: text for who, text in stated.items() if text} | numbers


def _of_others(
    evidence: Sequence[Cash], subjects: Collection[str], whom: Mapping[str, str], currency: str
) -> Iterator[Words]:
    """The cash of whom the case is not about, and who play for nobody in it, nor they for them."""
    theirs = {*subjects, *(whom[each] for each in subjects if each in whom)}
    for each in evidence:
        if not {each.patron, whom.get(each.patron)} & theirs:
            yield of_others_words(each, currency)


def _played_for(
    database: Database, subjects: Mapping[str, Person], cash: Sequence[Cash], noticed_on: date
) -> Mapping[str, str]:
    """For whom each subject, and whoever moved the cash, plays on its day, as known now."""
    days = {each.patron: each.day for each in cash}
    dispatcher = dispatcher_on(database, "shell")
    whom = dispatcher.casino.look(
        lambda: {
            each: principal_of(dispatcher.desk, each, days.get(each, noticed_on))
            for each in dict.fromkeys([*subjects, *days])
        }
    )
    return {who: each for who, each in whom.items() if each}


def _other(
    database: Database, reading: str, address: AmlCase, patron: str, *, as_json: bool
) -> Person:
    """Somebody who is no subject of the case; that their file was read is on record."""
    permit(database, reading, {"case": str(address), "patron": patron}, as_json=as_json)
    return person_of(database, patron)[0]
