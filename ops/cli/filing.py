"""`sabot filing`: reports about money as the regulator's own file, and that they were filed."""

import json
from collections.abc import Callable, Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path

import click
from msgspec.structs import replace

from domain.rules.addresses import AmlCase, parse_day
from domain.rules.patron_files import EMPTY, together
from domain.rules.refusals import BadValue, NotFound
from domain.rules.wording import Words, listed
from ops.cli.reading import permit
from ops.cli.session import (
    NEW_FILE,
    dispatcher_on,
    json_option,
    require_place,
    with_database,
    write_whole,
)
from ops.cli.speak import noun
from ops.commands.house_events import house
from ops.filings import ctr as ctr_form
from ops.filings import sar as sar_form
from ops.filings.draft import draft
from ops.filings.evidence import cash_that_is_evidence
from ops.filings.filer import Filer, read_filer
from ops.filings.lacks import Lack, Lacks
from ops.filings.patron import UNKNOWN, Person
from ops.filings.tree import Batch
from ops.handlers.aml import day_given
from ops.handlers.cash_together import principal_of
from ops.handlers.patron_files import files_of
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.files import data_home
from ops.ledger.secrets import People
from ops.replay.aml_case import read_aml_case
from ops.reports.ask import ask
from ops.typed.shell import require_utf8
from ops.words.language import shown
from projections import REPORTS

filing = noun("filing", "Reports about money: the regulator's file, and that it was filed.")

_DOLLARS = "USD"


def _options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of every report."""
    for option in (
        click.option(
            "--into",
            metavar="FILE",
            type=NEW_FILE,
            callback=require_place,
            help="Write the regulator's file here; without it only what is missing is shown.",
        ),
        click.option(
            "--draft",
            metavar="FILE",
            type=NEW_FILE,
            callback=require_place,
            help="Write a PDF to look at here.",
        ),
        click.option(
            "--amends", default="", metavar="NUMBER", help="The report that this one corrects."
        ),
        click.option(
            "--unknown",
            multiple=True,
            metavar="FIELD",
            help=f"What the house could not find out, and the report states: {', '.join(UNKNOWN)}. "
            f"In a CTR also `{ctr_form.OF_PRINCIPAL}.name` and so on, of the one for whom they "
            "play; in a SAR `P-10418.name`, of one of several. Repeat it.",
        ),
        click.option(
            "--filer",
            metavar="FILE",
            type=click.Path(dir_okay=False, path_type=Path),
            help="What the regulator knows of the house; default filer.toml in the house's files.",
        ),
    ):
        command = option(command)
    return command


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
    rows = [each for each in answer.rows if ctr_form.FORM in (each["paper"] or "")]
    if not rows:
        raise NotFound(
            message=Words(
                "{patron} has no cash on {day} that is reported with {form}. `sabot report ctr` "
                "lists what is to be reported.",
                patron=person.patron,
                day=day,
                form=ctr_form.FORM,
            )
        )
    asked = ctr_form.Asked(
        person=person,
        day=of_day,
        rows=rows,
        filed_on=today,
        amends=_number(amends),
        unknown=unknown,
    )
    asked = _with_others(database, asked, as_json=as_json)
    require_fields(
        unknown, [asked.field_of(one, each) for one in asked.everybody for each in UNKNOWN]
    )
    _make(lambda *known: ctr_form.ctr(asked, *known), filer, (into, draft), as_json=as_json)


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
        _require_dollars(house(connection).currency)
        file = read_aml_case(connection, address)
    people = [person_of(database, each) for each in file.subjects]
    subjects = list({each.patron: each for each, _ in people}.values())  # an alias is its patron
    require_fields(
        unknown, [sar_form.field_of(one, subjects, each) for one in subjects for each in UNKNOWN]
    )
    asked = sar_form.Asked(
        aml_case=str(address),
        subjects=subjects,
        cash=cash_that_is_evidence(database, file.positions),
        narrative=file.narrative,
        activities=activity,
        filed_on=people[0][1],
        noticed_on=date.fromisoformat(file.opened.detected),
        amends=_number(amends),
        unknown=unknown,
    )
    _make(lambda *known: sar_form.sar(asked, *known), filer, (into, draft), as_json=as_json)


def person_of(database: Database, patron: str) -> tuple[Person, date]:
    """The patron whom a name stands for, with name and file, and the date at the house now."""
    dispatcher = dispatcher_on(database, "shell")
    desk = dispatcher.desk
    number, files, (today, _) = dispatcher.casino.look(
        lambda: (*files_of(desk, patron), day_given(desk, None))
    )
    name = People(dispatcher.casino.ledger).patron_name(number)
    return Person(number, name, together(files.values()) if files else EMPTY), today


def _with_others(database: Database, asked: ctr_form.Asked, *, as_json: bool) -> ctr_form.Asked:
    """The same with who else moved cash in the total, and for whom.

    That the file of somebody else was read is recorded.
    """
    dispatcher, day, person = dispatcher_on(database, "shell"), asked.day, asked.person
    names = dispatcher.desk.names

    def file_of(patron: str) -> Person:
        if patron == person.patron:
            return person
        about = {"patron": patron, "day": day.isoformat()}
        permit(database, "filing ctr", about, as_json=as_json)
        return person_of(database, patron)[0]

    movers = dict.fromkeys(each["patron"] for row in asked.rows for each in row["components"])
    whom, named, own = dispatcher.casino.look(
        lambda: (
            {each: principal_of(dispatcher.desk, each, day) for each in movers},
            {each for each in movers if (known := names.record(each)) and known.plays_for},
            names.identity(person.contents.on_behalf_of) == person.patron,
        )
    )
    people = [file_of(each) for each in movers]
    others = {each: file_of(each) for each in dict.fromkeys(filter(None, whom.values()))}
    return replace(
        asked,
        people=people,
        principals={who: others[principal] for who, principal in whom.items() if principal},
        unnamed=[
            each.patron
            for each in people
            if each.contents.on_behalf_of
            and each.patron not in named
            and not (own and each.patron == person.patron)
        ],
        for_themselves=own,
    )


def _require_dollars(currency: str) -> None:
    """Refuses a house that counts in another currency: BadValue."""
    if currency != _DOLLARS:
        raise BadValue(
            message=Words(
                "FinCEN's reports are in dollars, and this house counts in {currency}.",
                currency=currency,
            )
        )


def require_fields(unknown: Sequence[str], known: Sequence[str]) -> None:
    """Refuses what no field of a report is called: BadValue."""
    for each in unknown:
        if each not in known:
            raise BadValue(
                field="unknown",
                value=repr(each),
                why=Words("choose one of {names}", names=listed(known)),
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


_Known = tuple[Filer | None, list[Lack]]


def _make(
    make: Callable[..., Batch],
    filer: Path | None,
    places: tuple[Path | None, Path | None],
    *,
    as_json: bool,
) -> None:
    """Makes a report and writes it; or names what it lacks, and exits with 1."""
    try:
        batch = make(*read_filer(filer or data_home() / "filer.toml"))
    except Lacks as lacks:
        show_lacks(lacks.every, as_json=as_json)
        click.get_current_context().exit(1)
    content = batch.as_bytes()
    into, paper = places
    if into:
        write_whole(into, content)
    if paper:
        title = f"FinCEN {batch.form.removesuffix('X')}"
        write_whole(paper, draft(batch, title, clock.wall_clock()))
    digest = sha256(content).hexdigest()
    if as_json:
        click.echo(json.dumps({"ok": True, "form": batch.form, "sha256": digest}))
        return
    click.echo(f"Nothing is missing. SHA-256 {digest}")
    if into:
        click.echo(f"The file is {into}. Once it is acknowledged, record that it was filed.")


def show_lacks(lacks: Sequence[Lack], *, as_json: bool) -> None:
    """Prints what a report lacks, field by field, with what fills it."""
    if as_json:
        every = [
            {"field": each.field, "message": shown(each.words), "how": each.how} for each in lacks
        ]
        click.echo(json.dumps({"ok": False, "lacks": every}, ensure_ascii=False))
        return
    for each in lacks:
        click.echo(f"{each.field}: {shown(each.words)}\n  {each.how}", err=True)
