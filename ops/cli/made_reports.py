"""What every report to a regulator has at a shell: options, whom it names, and what it lacks."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from pathlib import Path

import click
from msgspec import Struct

from domain.rules.patron_files import EMPTY, together
from domain.rules.refusals import BadValue
from domain.rules.wording import Words, listed
from ops.cli.reading import permit
from ops.cli.session import NEW_FILE, dispatcher_on, require_place, write_whole
from ops.filings.lacks import Lack, Lacks
from ops.filings.patron import Person
from ops.handlers.aml import day_given
from ops.handlers.cash_together import principal_of
from ops.handlers.patron_files import files_of
from ops.ledger.database import Database
from ops.ledger.secrets import People
from ops.reports.ask import Row
from ops.words.language import shown

_Command = Callable[..., None]


class Places(Struct, frozen=True):
    """Where somebody wants a report; None: nowhere."""

    into: Path | None
    draft: Path | None


class Made(Struct, frozen=True):
    """A report: the file, the paper to look at, its form, and what is to be done with the file."""

    content: bytes
    paper: Callable[[], bytes]
    form: str
    then: str


def report_options(
    *, into: str, number: str, unknown: str, more: Sequence[Callable[[_Command], _Command]] = ()
) -> Callable[[_Command], _Command]:
    """The options of a report: what the file is, how it is numbered, what is not known."""
    options: Sequence[Callable[[_Command], _Command]] = (
        _file("--into", f"{into}; without it only what is missing is shown."),
        _file("--draft", "Write a PDF to look at here."),
        click.option("--amends", default="", metavar=number, help="The report that this corrects."),
        click.option(
            "--unknown",
            multiple=True,
            metavar="FIELD",
            help=f"What the house could not find out: {unknown} Repeat it.",
        ),
        *more,
    )

    def decorate(command: _Command) -> _Command:
        for option in options:
            command = option(command)
        return command

    return decorate


def _file(name: str, words: str) -> Callable[[_Command], _Command]:
    return click.option(name, metavar="FILE", type=NEW_FILE, callback=require_place, help=words)


def hand_out(
    make: Callable[[], Made], places: Places, notes: Sequence[Words], *, as_json: bool
) -> None:
    """Makes a report and writes it; or names what it lacks, and exits with 1.

    `notes`: what somebody ought to know who makes it. `make` raises Lacks.
    """
    try:
        made = make()
    except Lacks as lacks:
        _show_lacks(lacks.every, notes, as_json=as_json)
        click.get_current_context().exit(1)
    if places.into:
        write_whole(places.into, made.content, private=True)
    if places.draft:
        write_whole(places.draft, made.paper(), private=True)
    digest, printed = sha256(made.content).hexdigest(), [shown(each) for each in notes]
    if as_json:
        body = {"ok": True, "form": made.form, "sha256": digest, "notes": printed}
        click.echo(json.dumps(body, ensure_ascii=False))
        return
    click.echo(f"Nothing is missing. SHA-256 {digest}")
    if places.into:
        click.echo(f"{places.into}: {made.then}")
    for note in printed:
        click.echo(f"! {note}")


def _show_lacks(lacks: Sequence[Lack], notes: Sequence[Words], *, as_json: bool) -> None:
    """Prints what a report lacks, field by field, with what fills it."""
    printed = [shown(each) for each in notes]
    if as_json:
        every = [
            {"field": each.field, "message": shown(each.words), "how": each.how} for each in lacks
        ]
        body = {"ok": False, "lacks": every, "notes": printed}
        click.echo(json.dumps(body, ensure_ascii=False))
        return
    for each in lacks:
        click.echo(f"{each.field}: {shown(each.words)}\n  {each.how}", err=True)
    for note in printed:
        click.echo(f"! {note}", err=True)


def require_fields(unknown: Sequence[str], known: Sequence[str]) -> None:
    """Refuses what no field of a report is called: BadValue."""
    for each in unknown:
        if each not in known:
            raise BadValue(
                field="unknown",
                value=repr(each),
                why=Words("choose one of {names}", names=listed(known)),
            )


def person_of(database: Database, patron: str) -> tuple[Person, date]:
    """The patron whom a name stands for, with name and file, and the date at the house now."""
    dispatcher = dispatcher_on(database, "shell")
    desk = dispatcher.desk
    number, files, (today, _) = dispatcher.casino.look(
        lambda: (*files_of(desk, patron), day_given(desk, None))
    )
    name = People(dispatcher.casino.ledger).patron_name(number)
    return Person(number, name, together(files.values()) if files else EMPTY), today


class Movers(Struct, frozen=True):
    """Who moved the cash of a report, and for whom.

    `principals`: those for whom somebody plays, by the number of who does. `unnamed`: whose file
    says for whom, and nobody is called so. `for_themselves`: whether who is asked about is named as
    the one for whom they play.
    """

    people: Sequence[Person]
    principals: Mapping[str, Person]
    unnamed: Sequence[str]
    for_themselves: bool


def movers_of(
    database: Database, person: Person, day: date, rows: Sequence[Row], reading: str, *,
    as_json: bool,
) -> Movers:  # fmt: skip
    """Who moved the cash of these rows of the report of cash, and for whom.

    That the file of another than the `person` was read, for this `reading`, is recorded.
    """
    dispatcher = dispatcher_on(database, "shell")
    desk = dispatcher.desk

    def file_of(patron: str) -> Person:
        if patron == person.patron:
            return person
        about = {"patron": patron, "day": day.isoformat()}
        permit(database, reading, about, as_json=as_json)
        return person_of(database, patron)[0]

    movers = dict.fromkeys(each["patron"] for row in rows for each in row["components"])
    whom, named, own = dispatcher.casino.look(
        lambda: (
            {each: principal_of(desk, each, day) for each in movers},
            {each for each in movers if (known := desk.names.record(each)) and known.plays_for},
            desk.names.identity(person.contents.on_behalf_of) == person.patron,
        )
    )
    people = [file_of(each) for each in movers]
    others = {each: file_of(each) for each in dict.fromkeys(filter(None, whom.values()))}
    return Movers(
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
