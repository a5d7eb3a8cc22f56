"""`sabot regime`: which cash brings what about, and from which gaming day on (R-CASH-1)."""

import json
from collections.abc import Iterator
from typing import Literal

import click
from msgspec import to_builtins

from domain.aggregates.regime import REGIMES_STREAM, Regimes
from domain.rules.addresses import parse_day
from domain.rules.regimes import Regime, known, programs
from domain.rules.wording import Words
from ops.cli.reading import permit
from ops.cli.rule_edges import table_of
from ops.cli.session import dispatcher_on, json_option, with_database
from ops.cli.speak import noun
from ops.commands.casino import house_of
from ops.handlers.cash import Asked
from ops.handlers.regimes import named
from ops.handlers.trial import ahead_of
from ops.ledger.database import Database
from ops.typed.shell import line_of, require_utf8
from ops.words import show
from ops.words.language import shown
from ops.words.regimes import (
    AT_THE_TABLE,
    carded_words,
    files_words,
    play_words,
    rest_words,
    threshold_words,
)

regime = noun("regime", "What the law asks of cash: which amounts, what is due, by when.")


@regime.command("list")
@json_option
@with_database
def list_(database: Database, as_json: bool) -> None:
    """List the program's regimes, and which the house chose, each with its first gaming day."""
    chosen = list(_chosen(database))
    if as_json:
        body = {
            "regimes": [
                {"name": each.name, "title": each.title, "currency": each.currency}
                for each in programs().values()
            ],
            "chosen": [{"regime": one.name, "from_day": day} for day, one in chosen],
        }
        click.echo(json.dumps(body, ensure_ascii=False))
        return
    table = table_of("regime", "currency", "of")
    for each in programs().values():
        table.add_row(each.name, each.currency, each.title)
    show.console().print(table)
    for day, one in chosen:
        click.echo(f"From {day} on cash is counted by {one.name}.")
    if not chosen:
        click.echo("The house chose none: the setting reporting_amount says what is reported.")


def _chosen(database: Database) -> Iterator[tuple[str, Regime]]:
    """Every choice of the house with its first gaming day, in the order in which they were made."""
    if not database.begun:
        return
    casino = dispatcher_on(database, "shell").casino
    choices = casino.ask(lambda: casino.find(Regimes, REGIMES_STREAM, rely=False))
    for each in choices.choices if choices else ():
        yield each.from_day, known(each.content)


@regime.command("show")
@click.argument("name")
@click.option("--day", metavar="DATE", help="Only the amounts of this gaming day.")
@json_option
@with_database
def show_(database: Database, name: str, day: str | None, as_json: bool) -> None:
    """Show the regime NAME: its amounts, what is due, by when, and its sources.

    NAME is one of the program's, one that the house chose, or a file.
    """
    require_utf8("name", name)
    one = _named(database, name)
    if day:
        one = one.on(parse_day(day))
    if as_json:
        click.echo(json.dumps(to_builtins(one), ensure_ascii=False))
        return
    click.echo(f"{one.name}: {one.title}, in {one.currency}")
    for each in one.thresholds:
        click.echo(f"\n{shown(threshold_words(each, one.currency))}")
        for text in (f"{each.paper}.", each.note, f"Source: {each.source}"):
            if text:
                click.echo(f"  {text}")
    click.echo(f"\n{shown(Words(AT_THE_TABLE[one.at_the_table]))}")
    _show_play(one)
    for sentence in play_words(one):
        click.echo(shown(sentence))
    for words in files_words(one):
        click.echo(f"{shown(words)}\n  Source: {one.files_source}")
    if one.note:
        click.echo(one.note)


def _named(database: Database, name: str) -> Regime:
    chosen = {one.name: one for _, one in _chosen(database)}
    return chosen.get(name) or named(name)


def _show_play(one: Regime) -> None:
    """After how much play a patron rests, and what is played by card alone."""
    for rest in one.rests:
        click.echo(f"{shown(rest_words(rest))}\n  Source: {rest.source}")
    for carded in one.carded:
        click.echo(f"{shown(carded_words(carded, one.currency))}\n  Source: {carded.source}")


@regime.command("ask")
@click.argument("patron")
@click.argument("direction", type=click.Choice(["in", "out"]))
@click.argument("amount")
@click.option("--day", metavar="DATE", help="The gaming day; default today.")
@json_option
@with_database
def ask(
    database: Database,
    patron: str,
    direction: Literal["in", "out"],
    amount: str,
    day: str | None,
    as_json: bool,
) -> None:
    """Say what AMOUNT of cash from PATRON (in) or to them (out) would bring about; records nothing.

    What their cash of that day brought about before is named, too, while it is due.

    \b
    Example: sabot regime ask P-10417 in 4,000
    """
    require_utf8("patron", patron)
    permit(database, "regime ask", {"patron": patron}, as_json=as_json)
    dispatcher = dispatcher_on(database, "shell")
    line = line_of("table.buy-in", {"amount": amount}, house_of(dispatcher.casino))
    asked = Asked(patron, direction, line["amount"], parse_day(day) if day else None)
    ahead = ahead_of(dispatcher, asked)
    if as_json:
        click.echo(json.dumps({"cash": ahead.as_dict() if ahead else None}, ensure_ascii=False))
    else:
        click.echo(f"{shown(ahead.words_on_file)}." if ahead else "It brings nothing about.")
