"""`sabot filing ttr` and `smr`: what AUSTRAC asks, on a sheet to type from."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from domain.rules.addresses import AmlCase, parse_day
from domain.rules.refusals import BadValue, NotFound
from domain.rules.wording import Words
from ops.cli.filing import filing
from ops.cli.made_reports import (
    Made,
    Places,
    hand_out,
    movers_of,
    person_of,
    report_options,
    require_fields,
)
from ops.cli.reading import permit
from ops.cli.session import json_option, with_database
from ops.commands.house_events import house
from ops.filings import austrac
from ops.filings.beside import apart_words, before_words
from ops.filings.draft import printed
from ops.filings.evidence import cash_of_case
from ops.filings.filer import read_stated
from ops.filings.sar import Cash
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.files import data_home
from ops.replay.aml_case import read_aml_case
from ops.reports.ask import Row, ask
from ops.typed.shell import require_utf8
from projections import REPORTS

_DOLLARS, _THRESHOLD = "AUD", "ttr"
_options = report_options(
    into="Write the sheet here, as CSV",
    number="RECEIPT",
    unknown=f"{', '.join(austrac.FIELDS)}; of another than the first with the number, as in "
    "`P-10418.name`.",
)


@filing.command("ttr")
@click.argument("patron")
@click.argument("day", metavar="DAY")
@_options
@json_option
@with_database
def ttr(
    database: Database,
    patron: str,
    day: str,
    into: Path | None,
    draft: Path | None,
    amends: str,
    unknown: Sequence[str],
    as_json: bool,
) -> None:
    """Make a sheet of PATRON's threshold transactions of the gaming day DAY, for AUSTRAC Online.

    It is not AUSTRAC's file for bulk upload: somebody types from it. What is missing is named field
    by field, with what fills it. The house is in `austrac.toml`, in the house's files.

    \b
    Example: sabot filing ttr P-10417 2026-11-21 --into ttr.csv --draft ttr.pdf
    """
    require_utf8("patron", patron)
    of_day = parse_day(day)
    permit(database, "filing ttr", {"patron": patron, "day": day}, as_json=as_json)
    currency = _require_dollars(database)
    person, today = person_of(database, patron)
    reported = _reported(database, person.patron, day)
    known = movers_of(database, person, of_day, reported, "filing ttr", as_json=as_json)
    principals = known.principals
    due = str(reported[0]["due_by"] or "")
    people = (person, *known.people, *principals.values())
    asked = austrac.Asked(
        kind=austrac.TTR,
        people=[*{each.patron: each for each in people}.values()],
        moved=[_cash(each, row, of_day) for row in reported for each in row["components"]],
        day=of_day,
        due=due,
        late=bool(due) and today.isoformat() > due,
        amends=amends,
        unknown=unknown,
        principals={who: whom.patron for who, whom in principals.items()},
    )
    notes = [*before_words(reported, amends, currency)]
    _hand_out(asked, Places(into, draft), notes, as_json=as_json)


@filing.command("smr")
@click.argument("aml_case", metavar="AML-CASE")
@_options
@json_option
@with_database
def smr(
    database: Database,
    aml_case: str,
    into: Path | None,
    draft: Path | None,
    amends: str,
    unknown: Sequence[str],
    as_json: bool,
) -> None:
    """Make a sheet of the suspicious matter of AML-CASE, for AUSTRAC Online.

    It has everybody whom the case is about, the cash that is evidence, and the notes for the
    report. It is not AUSTRAC's file for bulk upload: somebody types from it.

    \b
    Example: sabot filing smr AML-2026-0001 --into smr.csv
    """
    address = AmlCase.parse(aml_case)
    permit(database, "filing smr", {"case": str(address)}, as_json=as_json)
    currency = _require_dollars(database)
    with database.session("sabot_app") as connection:
        zone = ZoneInfo(house(connection).zone)
        file = read_aml_case(connection, address)
    people = [person_of(database, each) for each in file.subjects]
    subjects = {each.patron: each for each, _ in people}
    noticed_on = date.fromisoformat(file.opened.detected)
    cash = cash_of_case(database, file.positions, file.subjects, noticed_on)
    due_at = datetime.fromisoformat(file.opened.due_at) if file.opened.due_at else None
    asked = austrac.Asked(
        kind=austrac.SMR,
        aml_case=str(address),
        people=[*subjects.values()],
        moved=cash.evidence,
        day=people[0][1],
        due=f"{due_at.astimezone(zone):%Y-%m-%d %H:%M}" if due_at else "",
        late=due_at is not None and clock.wall_clock() >= due_at,
        amends=amends,
        grounds=file.narrative,
        unknown=unknown,
    )
    notes = [apart_words(each, currency) for each in cash.apart]
    _hand_out(asked, Places(into, draft), notes, as_json=as_json)


def _reported(database: Database, patron: str, day: str) -> list[Row]:
    """The patron's threshold transactions of a gaming day, each a row. Refuses: NotFound."""
    rows = ask(database, REPORTS["ctr"], day=day, patron=patron).rows
    reported = [each for each in rows if each["threshold"] == _THRESHOLD and each["total"]]
    if not reported:
        raise NotFound(
            message=Words(
                "{patron} has no threshold transaction on {day}. `sabot report ctr` lists what is "
                "to be reported.",
                patron=patron,
                day=day,
            )
        )
    return reported


def _cash(component: Mapping[str, object], row: Row, day: date) -> Cash:
    """A transaction of a row of the report of cash."""
    return Cash(
        day=day,
        amount=int(str(component["amount"])),
        patron=str(component["patron"]),
        direction=row["direction"],
        at=str(component["at"]),
        table=str(component["table"]),
        position=int(str(component["position"])),
    )


def _require_dollars(database: Database) -> str:
    """The house's currency. Refuses one of another than Australia: BadValue."""
    with database.session("sabot_app") as connection:
        currency = house(connection).currency
    if currency != _DOLLARS:
        raise BadValue(
            message=Words(
                "AUSTRAC's reports are in Australian dollars, and this house counts in {currency}.",
                currency=currency,
            )
        )
    return currency


def _hand_out(
    asked: austrac.Asked, places: Places, notes: Sequence[Words], *, as_json: bool
) -> None:
    """Makes a sheet and writes it; or names what it lacks, and exits with 1."""

    def make() -> Made:
        entity, lacks = read_stated(data_home() / "austrac.toml", austrac.ENTITY, "austrac")
        sheet = austrac.sheet(asked, entity, lacks)
        return Made(
            content=sheet.as_bytes(),
            paper=lambda: printed(sheet.blocks, sheet.title, asked.kind, clock.wall_clock()),
            form=asked.kind,
            then="type from it into AUSTRAC Online, then record that.",
        )

    require_fields(asked.unknown, asked.fields)
    hand_out(make, places, notes, as_json=as_json)
