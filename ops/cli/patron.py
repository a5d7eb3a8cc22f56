"""`sabot patron`: the patrons. Names and files are stored beside the record, and can be erased."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO
from zoneinfo import ZoneInfo

import click
from msgspec import to_builtins

from domain.aggregates.patron import BARRINGS
from domain.rules.exclusion_lists import Listed
from domain.rules.patron_files import EMPTY, due_of, together
from domain.rules.patron_import import ASKED, MADE, MERGED, WRONG, Planned
from domain.rules.refusals import NotFound
from domain.rules.wording import N_, Words, plain
from ops.cli.reading import permit
from ops.cli.session import dispatcher_on, json_option, with_database
from ops.cli.speak import noun
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.exclusion_lists import bar as bar_listed
from ops.handlers.exclusion_lists import rows_of_list, who_is_here
from ops.handlers.patron_files import files_of, today
from ops.handlers.patron_import import planned, rows_of, take
from ops.ledger.database import Database
from ops.ledger.secrets import People
from ops.reports.ask import Row, ask
from ops.typed.shell import require_utf8
from ops.words.cash import not_shown_words
from ops.words.exclusion_lists import list_words
from ops.words.language import shown
from ops.words.patron_files import barred_words, due_words, lines_of
from ops.words.patron_import import Taken, import_words
from projections import REPORTS

_WHAT_WAS_NOT_SHOWN = ("patron", "direction", "amount", "answer")
_NOT_SHOWN = (
    *("position", "day", "at", "table", "direction", "amount", "thresholds", "answer"),
    *("withdrawn_at", "requested_by", "approved_by", "reason"),
)
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

    desk = dispatcher.desk
    number, files, day = dispatcher.casino.look(lambda: (*files_of(desk, patron), today(desk)))
    not_shown = ask(database, REPORTS["ids-not-shown"], patron=number)
    barring = _barring_of(dispatcher, number)
    every = together(files.values()) if files else EMPTY
    whom = dispatcher.casino.look(lambda: desk.names.identity(every.on_behalf_of))
    theirs = _barring_of(dispatcher, whom) if whom else None
    if not files and not not_shown.rows and not barring:
        raise NotFound(what=Words("file of {patron}", patron=number))
    if as_json:
        own = files.pop(number, EMPTY)
        body = {
            "patron": number,
            "file": to_builtins(own),
            "aliases": to_builtins(files),
            "barring": barring,
            "on_behalf_of_barring": theirs,
            "due": list(due_of(every, day)),
            "ids_not_shown": [{name: row[name] for name in _NOT_SHOWN} for row in not_shown.rows],
        }
        click.echo(json.dumps(body, ensure_ascii=False))
        return
    for name, contents in files.items():
        click.echo(name if name == number else shown(Words("{alias}, an alias", alias=name)))
        for part, value in lines_of(contents):
            click.echo(f"  {shown(part)}: {shown(value)}")
    for words in (
        *([barred_words(number, **barring)] if barring else ()),
        *([barred_words(whom, **theirs)] if theirs else ()),
        *due_words(every, day),
        *_not_shown_words(not_shown.rows, not_shown.house.currency),
    ):
        click.echo(f"! {shown(words)}")


def _barring_of(dispatcher: Dispatcher, patron: str) -> dict[str, str] | None:
    """How a patron is barred, since when and why, with the list and its reference; or None."""
    known = dispatcher.casino.look(lambda: dispatcher.desk.names.record(patron))
    if known is None or known.barring is None or known.barred_at is None:
        return None
    zone = dispatcher.casino.look(lambda: ZoneInfo(dispatcher.desk.house().zone))
    since = known.barred_at.astimezone(zone).isoformat(timespec="seconds")
    return {"kind": known.barring, "since": since, "reason": known.barred_for}


def _not_shown_words(rows: Iterable[Row], currency: str) -> Iterator[Words]:
    """The IDs that were asked for and not shown, each with its day."""
    for row in rows:
        who, way, amount, answer = (row[name] for name in _WHAT_WAS_NOT_SHOWN)
        sentence = not_shown_words(who, way, amount, answer, currency)
        template = (
            N_("{day}: {sentence}")
            if row["reason"] is None
            else N_("{day}: {sentence} That is withdrawn: {reason}.")
        )
        yield Words(template, day=row["day"], sentence=sentence, reason=row["reason"])


@patron.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--yes", is_flag=True, help="Take the rows that are right and about nobody else.")
@click.option("--apart", multiple=True, metavar="PATRON", help="A number that is nobody else's.")
@click.option("--by", default="", help="The staff number of the person who does it.")
@json_option
@with_database
def import_(
    database: Database,
    file: BinaryIO,
    yes: bool,
    apart: tuple[str, ...],
    by: str,
    as_json: bool,
) -> None:
    """Write patrons of a spreadsheet into their files; without --yes only show what would be done.

    FILE is CSV, with the names of columns in its first row. Nothing in a file is replaced. A row
    that may be about somebody who is on record already is asked about.
    """
    require_utf8("by", by)
    permit(database, "patron import", as_json=as_json)
    dispatcher = dispatcher_on(database, "shell")
    rows = planned(dispatcher, rows_of(file.read()), apart)
    right = [each for each in rows if each.what in (MADE, MERGED)]
    taken = _taken((each.row, take(dispatcher, each, by)) for each in right) if yes else None
    _show_rows(rows, import_words(rows, taken=yes), taken, as_json=as_json)


@patron.command()
@click.argument("file", type=click.File("rb"))
@click.option("--list", "of_list", required=True, metavar="NAME", help="Whose list it is.")
@click.option(
    "--kind",
    type=click.Choice(list(BARRINGS)),
    default="self-excluded",
    show_default=True,
    help="Whether the people on it excluded themselves.",
)
@click.option(
    "--same-numbers",
    is_flag=True,
    help="Its column `patron` has numbers that are the same persons' here: bar by them, too.",
)
@click.option("--yes", is_flag=True, help="Bar those who are on it for certain.")
@click.option("--by", default="", help="The staff number of the person who does it.")
@json_option
@with_database
def exclude(
    database: Database,
    file: BinaryIO,
    of_list: str,
    kind: str,
    same_numbers: bool,
    yes: bool,
    by: str,
    as_json: bool,
) -> None:
    """Bar who of an exclusion list is on file here; without --yes only show who it is.

    FILE is CSV, with the names of columns in its first row. Who has the same document, or the same
    name and birth date, is barred; where only the names look the same you are asked to look.
    `sabot group exclusions` makes such a list of the bars at other houses of a group.
    Nothing is stored about anybody else. Do it again whenever there is a newer list, and each day.
    """
    require_utf8("list", of_list)
    require_utf8("by", by)
    permit(database, "patron exclude", as_json=as_json)
    dispatcher = dispatcher_on(database, "shell")
    rows = who_is_here(dispatcher, rows_of_list(file.read()), same_numbers=same_numbers)
    certain = (each for each in rows if each.what == "bar")
    done = ((each.row, bar_listed(dispatcher, each, of_list, kind, by)) for each in certain)
    taken = _taken(done) if yes else None
    _show_rows(rows, list_words(rows, taken=yes), taken, as_json=as_json)


def _taken(done: Iterable[tuple[int, Answer | None]]) -> Taken:
    """What was written: each row that is done, with its answer; None where no event was to be."""
    written, position, refused = 0, None, {}
    for row, answer in done:
        if answer and not answer.ok:
            refused[row] = answer.reason
            continue
        written += 1
        position = answer.position if answer else position
    return Taken(written, position, refused)


def _show_rows(
    rows: Sequence[Planned] | Sequence[Listed],
    words: Iterable[Words],
    taken: Taken | None,
    *,
    as_json: bool,
) -> None:
    """Shows what became of each row of a file; the exit status is 1 if somebody has to look.

    `taken`: what was written; None if it is only shown.
    """
    refused = taken.refused if taken else {}
    if as_json:
        body = {
            "taken": bool(taken),
            "rows": to_builtins(rows, enc_hook=plain),
            "refused": refused,
            "written": taken.written if taken else 0,
            "position": taken.position if taken else None,
        }
        click.echo(json.dumps(body, ensure_ascii=False))
    else:
        for line in words:
            click.echo(shown(line))
        if taken:
            click.echo(shown(taken.words()))
        for row, why in refused.items():
            click.echo(f"Row {row} was refused: {why}", err=True)
    wrong = refused or any(each.what in (ASKED, WRONG) for each in rows)
    click.get_current_context().exit(1 if wrong else 0)
