"""`sabot rule`: the rules of record by their numbers, as refusals and papers cite them."""

import json
import sys
from itertools import groupby

import click

from domain.rules.refusals import Refusal
from domain.rules.rulebook import RULEBOOK, Rule, rule_of
from ops.cli.session import json_option
from ops.handlers.answer import refused
from ops.typed.shell import require_utf8
from ops.words import show
from ops.words.failure import REFUSED
from ops.words.rule import details


@click.command()
@click.argument("number", required=False)
@json_option
def rule(number: str | None, as_json: bool) -> None:
    """Show the rule NUMBER, as in R-IRR-4; without a number, every rule.

    Refusals, replays and papers cite rules by these numbers.
    """
    if number is not None:
        one = _rule_or_end(number, as_json=as_json)
        _print_json(as_dict(one)) if as_json else _print(one)
    elif as_json:
        _print_json({"rules": [as_dict(each) for each in RULEBOOK.values()]})
    else:
        _print_all()


def _rule_or_end(number: str, *, as_json: bool) -> Rule:
    """The rule; a refusal ends the command, as a line of JSON if that was asked for."""
    try:
        require_utf8("number", number)
        return rule_of(number)
    except Refusal as refusal:
        if not as_json:
            raise
        click.echo(str(refused({"command": "rule"}, refusal)))
        sys.exit(REFUSED)


def as_dict(one: Rule) -> dict[str, object]:
    """A rule as JSON fields."""
    return {
        "rule": one.number,
        "about": one.family,
        "sentence": one.sentence,
        "source": one.source,
        "enforced": list(one.enforced),
    }


def _print_json(body: dict[str, object]) -> None:
    click.echo(json.dumps(body, ensure_ascii=False))


def _print(one: Rule) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for heading, words in details(one):
        table.add_row(heading, words)
    show.console().print(table)


def _print_all() -> None:
    from rich.table import Table
    from rich.text import Text

    page = show.console()
    for about, rules in groupby(RULEBOOK.values(), lambda each: each.family):
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(no_wrap=True, min_width=8)
        table.add_column(overflow="fold")
        for each in rules:
            table.add_row(each.number, each.sentence)
        page.print(Text(about, style="bold"))
        page.print(table)
