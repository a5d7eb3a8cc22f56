"""`sabot filing`: reports about money as the regulator's own file, and that they were filed."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from domain.rules.refusals import BadValue
from domain.rules.wording import N_, Words
from ops.cli.made_reports import Made, Places, hand_out, report_options, require_fields
from ops.cli.reports_asked import OfCase, Regulator, of_case, of_day
from ops.cli.session import json_option, with_database
from ops.cli.speak import noun
from ops.filings import ctr as ctr_form
from ops.filings import sar as sar_form
from ops.filings.beside import before_words
from ops.filings.draft import draft as draft_of
from ops.filings.filer import read_filer
from ops.filings.patron import UNKNOWN
from ops.filings.tree import Batch
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.files import data_home
from ops.reports.ask import Row

filing = noun("filing", "Reports about money: the regulator's file, and that it was filed.")

_FINCEN = Regulator(
    "USD", N_("FinCEN's reports are in dollars, and this house counts in {currency}.")
)
_NONE = N_(
    "{patron} has no cash on {day} that is reported with FinCEN Form 112. `sabot report ctr` lists "
    "what is to be reported."
)


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
    about = of_day(database, patron, day, "filing ctr", _of_form, _NONE, as_json=as_json)
    known = about.movers
    asked = ctr_form.Asked(
        person=about.person,
        day=about.day,
        rows=about.rows,
        filed_on=about.today,
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
    notes = [*before_words(about.rows, asked.amends, about.currency)]
    make = partial(_made, partial(ctr_form.ctr, asked), filer)
    hand_out(make, Places(into, draft), notes, as_json=as_json)


def _of_form(rows: Sequence[Row]) -> Iterator[Row]:
    """The rows that are reported with the form."""
    return (each for each in rows if ctr_form.FORM in (each["paper"] or ""))


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
    about = of_case(database, aml_case, "filing sar", _FINCEN, amends, as_json=as_json)
    subjects = about.subjects
    require_fields(
        unknown, [sar_form.field_of(one, subjects, each) for one in subjects for each in UNKNOWN]
    )
    asked = sar_form.Asked(
        aml_case=str(about.address),
        subjects=subjects,
        cash=about.cash,
        narrative=about.file.narrative,
        activities=activity,
        filed_on=about.today,
        noticed_on=about.noticed_on,
        amends=_number(amends),
        unknown=unknown,
    )
    make = partial(_made, partial(sar_form.sar, asked), filer)
    hand_out(make, Places(into, draft), [*about.notes, *_behind(about)], as_json=as_json)


def _behind(about: OfCase) -> Iterator[Words]:
    """For whom somebody plays who is no subject: the form has subjects, and no part for these."""
    subjects = {each.patron for each in about.subjects}
    for who, principal in about.behind.items():
        if principal not in subjects:
            yield Words(
                "{patron} plays on behalf of {principal}, who is not in the report: name them in "
                "the case with `aml subject`, or in a note for the report.",
                patron=who,
                principal=principal,
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
