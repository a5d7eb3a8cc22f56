"""`sabot filing`: reports about money as the regulator's own file, and that they were filed."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path

import click

from domain.rules.addresses import AmlCase, parse_day
from domain.rules.refusals import BadValue, NotFound
from domain.rules.wording import Words
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
from ops.cli.speak import noun
from ops.commands.house_events import house
from ops.filings import ctr as ctr_form
from ops.filings import sar as sar_form
from ops.filings.beside import apart_words, before_words
from ops.filings.draft import draft as draft_of
from ops.filings.evidence import cash_of_case
from ops.filings.filer import read_filer
from ops.filings.patron import UNKNOWN
from ops.filings.tree import Batch
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.files import data_home
from ops.replay.aml_case import read_aml_case
from ops.reports.ask import Row, ask
from ops.typed.shell import require_utf8
from projections import REPORTS

filing = noun("filing", "Reports about money: the regulator's file, and that it was filed.")

_DOLLARS = "USD"


_options = report_options(
    into="Write the regulator's file here",
    number="NUMBER",
    unknown=f"{', '.join(UNKNOWN)}. In a CTR also `{ctr_form.OF_PRINCIPAL}.name` and so on, of the "
    "one for whom they play; in a SAR `P-10418.name`, of one of several.",
    more=[
        click.option(
            "--filer",
            metavar="FILE",
            type=click.Path(dir_okay=False, path_type=Path),
            help="What the regulator knows of the house; default filer.toml in the house's files.",
        )
    ],
)


@filing.command("ctr")
@click.argument("patron")
@click.argument("day", metavar="DAY")
@_options
@json_option
@with_database
def ctr(
    database: Database,
    patron: str,
    day: str,
    into: Path | None,
    draft: Path | None,
    amends: str,
    unknown: Sequence[str],
    filer: Path | None,
    as_json: bool,
) -> None:
    """Make PATRON's currency transaction report of the gaming day DAY, as FinCEN's XML (form 112).

    What is missing is named field by field, with what fills it.

    \b
    Example: sabot filing ctr P-10417 2026-11-21 --into ctr.xml --draft ctr.pdf
    """
    require_utf8("patron", patron)
    of_day = parse_day(day)
    permit(database, "filing ctr", {"patron": patron, "day": day}, as_json=as_json)
    person, today = person_of(database, patron)
    answer = ask(database, REPORTS["ctr"], day=day, patron=patron)
    rows = _of_form(answer.rows, person.patron, day)
    known = movers_of(database, person, of_day, rows, "filing ctr", as_json=as_json)
    asked = ctr_form.Asked(
        person=person,
        day=of_day,
        rows=rows,
        filed_on=today,
        amends=_number(amends),
        unknown=unknown,
        people=known.people,
        principals=known.principals,
        unnamed=known.unnamed,
        for_themselves=known.for_themselves,
    )
    require_fields(
        unknown, [asked.field_of(one, each) for one in asked.everybody for each in UNKNOWN]
    )
    notes = before_words(rows, asked.amends, answer.house.currency)
    make = partial(_made, partial(ctr_form.ctr, asked), filer)
    hand_out(make, Places(into, draft), [*notes], as_json=as_json)


def _of_form(rows: Sequence[Row], patron: str, day: str) -> list[Row]:
    """The rows of the report of cash that are reported with the form. Refuses: NotFound."""
    of_form = [each for each in rows if ctr_form.FORM in (each["paper"] or "") and each["total"]]
    if not of_form:
        raise NotFound(
            message=Words(
                "{patron} has no cash on {day} that is reported with {form}. `sabot report ctr` "
                "lists what is to be reported.",
                patron=patron,
                day=day,
                form=ctr_form.FORM,
            )
        )
    return of_form


@filing.command("sar")
@click.argument("aml_case", metavar="AML-CASE")
@click.option(
    "--activity",
    multiple=True,
    metavar="ACTIVITY",
    type=click.Choice(list(sar_form.ACTIVITIES)),
    help=f"What kind of activity it is: {', '.join(sar_form.ACTIVITIES)}. Repeat it.",
)
@_options
@json_option
@with_database
def sar(
    database: Database,
    aml_case: str,
    activity: Sequence[str],
    into: Path | None,
    draft: Path | None,
    amends: str,
    unknown: Sequence[str],
    filer: Path | None,
    as_json: bool,
) -> None:
    """Make the suspicious activity report of AML-CASE, as FinCEN's XML (form 111).

    Days and amount are those of the cash that is evidence; without any it states the day on which
    it was noticed, and that no amount is involved. The narrative is made of the notes for it, and
    each patron whom the case is about is a subject. What is missing is named field by
    field, with what fills it.

    \b
    Example: sabot filing sar AML-2026-0001 --activity little-play --into sar.xml
    """
    address = AmlCase.parse(aml_case)
    permit(database, "filing sar", {"case": str(address)}, as_json=as_json)
    with database.session("sabot_app") as connection:
        currency = house(connection).currency
        _require_dollars(currency)
        file = read_aml_case(connection, address)
    people = [person_of(database, each) for each in file.subjects]
    subjects = list({each.patron: each for each, _ in people}.values())  # an alias is its patron
    require_fields(
        unknown, [sar_form.field_of(one, subjects, each) for one in subjects for each in UNKNOWN]
    )
    noticed_on = date.fromisoformat(file.opened.detected)
    cash = cash_of_case(database, file.positions, file.subjects, noticed_on)
    asked = sar_form.Asked(
        aml_case=str(address),
        subjects=subjects,
        cash=cash.evidence,
        narrative=file.narrative,
        activities=activity,
        filed_on=people[0][1],
        noticed_on=noticed_on,
        amends=_number(amends),
        unknown=unknown,
    )
    notes = [apart_words(each, currency) for each in cash.apart]
    make = partial(_made, partial(sar_form.sar, asked), filer)
    hand_out(make, Places(into, draft), notes, as_json=as_json)


def _require_dollars(currency: str) -> None:
    """Refuses a house that counts in another currency: BadValue."""
    if currency != _DOLLARS:
        raise BadValue(
            message=Words(
                "FinCEN's reports are in dollars, and this house counts in {currency}.",
                currency=currency,
            )
        )


def _number(amends: str) -> str:
    """The number of the report that is corrected, as FinCEN gives it. Refuses: BadValue."""
    if amends and not (
        amends.isascii() and amends.isdigit() and len(amends) == len(ctr_form.UNKNOWN_PRIOR)
    ):
        raise BadValue(
            field="amends",
            value=repr(amends),
            why=Words("write the 14 digits of the acknowledgement, or 14 zeros"),
        )
    return amends


def _made(make: Callable[..., Batch], filer: Path | None) -> Made:
    """FinCEN's file. Raises Lacks."""
    batch = make(*read_filer(filer or data_home() / "filer.toml"))
    title = f"FinCEN {batch.form.removesuffix('X')}"
    return Made(
        content=batch.as_bytes(),
        paper=lambda: draft_of(batch, title, clock.wall_clock()),
        form=batch.form,
        then="once it is acknowledged, record that it was filed.",
    )
