"""`sabot patron`: the patrons. Names and files are stored beside the record, and can be erased."""

import json
from datetime import date

import click
from msgspec import to_builtins

from domain.rules.patron_files import Contents, due_of
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.cli.reading import permit
from ops.cli.session import dispatcher_on, json_option, with_database
from ops.cli.speak import noun
from ops.commands.command import Command
from ops.handlers.patron_files import file_of, today
from ops.ledger.database import Database
from ops.ledger.secrets import People
from ops.typed.shell import require_utf8
from ops.words.language import shown
from ops.words.patron_files import due_words, lines_of

patron = noun("patron", "Who plays here, by house number or alias.")


@patron.command()
@click.argument("patron")
@click.argument("name", required=False)
@with_database
def name(database: Database, patron: str, name: str | None) -> None:
    """Show PATRON's name, or store NAME. Names are in no event."""
    require_utf8("patron", patron)
    permit(database, "patron name", {"patron": patron})
    people = People(dispatcher_on(database, "shell").casino.ledger)
    if name:
        people.name_patron(patron, name)
    stored = people.patron_name(patron)
    if stored is None:
        raise NotFound(what=f"name of {patron}")
    click.echo(stored)


@patron.command("show")
@click.argument("patron")
@json_option
@with_database
def show_(database: Database, patron: str, as_json: bool) -> None:
    """Show PATRON's file, and what is due about it. That somebody looked is on record."""
    require_utf8("patron", patron)
    permit(database, "patron show", {"patron": patron}, as_json=as_json)
    dispatcher = dispatcher_on(database, "shell")

    def read() -> tuple[str, Contents | None, date]:
        dispatcher.casino.begin(Command())
        try:
            return *file_of(dispatcher.desk, patron), today(dispatcher.desk)
        finally:
            dispatcher.casino.take_back()

    number, contents, day = dispatcher.casino.ask(read)
    if contents is None:
        raise NotFound(what=Words("file of {patron}", patron=number))
    if as_json:
        due = list(due_of(contents, day))
        body = {"patron": number, "file": to_builtins(contents), "due": due}
        click.echo(json.dumps(body, ensure_ascii=False))
        return
    click.echo(number)
    for part, value in lines_of(contents):
        click.echo(f"  {shown(part)}: {shown(value)}")
    for words in due_words(contents, day):
        click.echo(f"! {shown(words)}")
