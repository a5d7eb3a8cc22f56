"""`sabot filing ttr` and `smr`: what AUSTRAC asks, on a sheet to type from."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import click

from domain.rules.wording import N_, Words, last_day_of
from ops.cli.filing import filing
from ops.cli.made_reports import Made, Places, hand_out, report_options, require_fields
from ops.cli.reports_asked import OfDay, Regulator, behind_of, of_case, of_day
from ops.cli.session import json_option, with_database
from ops.filings import austrac
from ops.filings.beside import before_words
from ops.filings.draft import printed
from ops.filings.filer import read_stated
from ops.filings.patron import Person
from ops.filings.sar import Cash
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.files import data_home
from ops.reports.ask import Row

_THRESHOLD = "ttr"
_AUSTRAC = Regulator(
    "AUD", N_("AUSTRAC's reports are in Australian dollars, and this house counts in {currency}.")
)
_NONE = N_(
    "{patron} has no threshold transaction on {day}. `sabot report ctr` lists what is to be "
    "reported."
)
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
    asked = of_day(database, patron, day, "filing ttr", _reported, _NONE, _AUSTRAC, as_json=as_json)
    due = str(asked.rows[0]["due_by"] or "")
    sheet = austrac.Asked(
        kind=austrac.TTR,
        people=_people([asked.person, *asked.movers.people], asked.movers.principals),
        moved=[*_moved(asked)],
        day=asked.day,
        due=due,
        late=bool(due) and asked.today.isoformat() > due,
        amends=amends,
        unknown=unknown,
        principals=behind_of(asked.movers.people, asked.movers.principals),
    )
    notes = [*before_words(asked.rows, amends, asked.currency)]
    _hand_out(sheet, Places(into, draft), notes, as_json=as_json)


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

    It has everybody whom the case is about, for whom they play, the cash that is evidence, and the
    notes for the report. It is not AUSTRAC's file for bulk upload: somebody types from it.

    \b
    Example: sabot filing smr AML-2026-0001 --into smr.csv
    """
    asked = of_case(database, aml_case, "filing smr", _AUSTRAC, amends, as_json=as_json)
    due_at = asked.due_at
    sheet = austrac.Asked(
        kind=austrac.SMR,
        aml_case=str(asked.address),
        people=_people(asked.subjects, asked.principals),
        moved=asked.cash,
        day=asked.today,
        due=_term(due_at) if due_at else "",
        late=due_at is not None and clock.wall_clock() >= due_at,
        amends=amends,
        grounds=asked.file.narrative,
        unknown=unknown,
        principals=asked.behind,
    )
    _hand_out(sheet, Places(into, draft), asked.notes, as_json=as_json)


def _term(end: datetime) -> str:
    """The last day of a term, or the minute with which it ends."""
    last = last_day_of(end)
    return last.isoformat() if last else f"{end:%Y-%m-%d %H:%M}"


def _people(people: Sequence[Person], principals: Mapping[str, Person]) -> list[Person]:
    """These, then for whom they play, each once."""
    return [*{each.patron: each for each in (*people, *principals.values())}.values()]


def _reported(rows: Sequence[Row]) -> Iterator[Row]:
    """The threshold transactions of these rows."""
    return (each for each in rows if each["threshold"] == _THRESHOLD)


def _moved(asked: OfDay) -> Iterator[Cash]:
    """The transactions of the rows of a day."""
    for row in asked.rows:
        for each in row["components"]:
            yield Cash(
                day=asked.day,
                direction=row["direction"],
                **{name: each[name] for name in ("amount", "patron", "at", "table", "position")},
            )


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
