"""`sabot rules sheet`: a rule set as it is printed for the table."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from msgspec import to_builtins

from ops.cli.rules_meant import is_on_record, rules_meant
from ops.cli.session import NEW_FILE, json_option, require_place, say, with_database, write_whole
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.reports.rule_sheet import RuleSheet
from ops.words import language


@click.command("sheet")
@click.argument("name")
@click.option("--language", "spoken", help="Of the sheet, as in pt; default as everywhere.")
@click.option(
    "--output",
    metavar="FILE",
    type=NEW_FILE,
    callback=require_place,
    help="Write it to this file: a PDF if it ends so, else text.",
)
@json_option
@with_database
def sheet(
    database: Database, name: str, spoken: str | None, output: Path | None, as_json: bool
) -> None:
    """Print the rule set NAME for the table: bets, what they pay on, limits, commission, draws.

    NAME is a rule set's, that of a sheet, or a file; what is not on record is marked as a draft.

    \b
    sabot rules sheet dragon-bonus@1 --output cloth.pdf
    sabot rules sheet macau@1 --language zh-Hant
    """
    rules = rules_meant(database, name)
    printed = RuleSheet(rules, _house_name(database), is_on_record(database, rules))
    with _speaking(spoken):
        if output:
            pdf = output.suffix.lower() == ".pdf"
            write_whole(output, printed.pdf() if pdf else printed.text().encode())
            say(f"The sheet of {rules.name} is in {output}.")
        elif as_json:
            click.echo(json.dumps(to_builtins(printed.contents()), ensure_ascii=False))
        else:
            click.echo(printed.text(), nl=False)


def _house_name(database: Database) -> str:
    """The house's name; '' before there is a ledger."""
    if not database.begun:
        return ""
    with database.session("sabot_auditor") as connection:
        return house(connection).name


@contextmanager
def _speaking(spoken: str | None) -> Iterator[None]:
    """In this language, or as before. Raises BadParameter for one that nobody speaks here."""
    try:
        with language.speaking(spoken or language.spoken()):
            yield
    except language.UnknownLanguage as error:
        raise click.BadParameter(str(error), param_hint="--language") from None
