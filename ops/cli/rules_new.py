"""`sabot rules new`: asks for every term of a rule set, checks each answer, and writes the file."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import click

from domain.rules.house_rules import HouseRules
from domain.rules.refusals import BadValue, UnknownRules
from domain.rules.wording import listed
from ops.cli.odds import rules_named
from ops.cli.questions import Questions
from ops.cli.rule_draft import BASE, Draft
from ops.cli.rule_edges import edges_as_dict, print_edges
from ops.cli.rules_new_bets import ask_bets
from ops.cli.rules_new_terms import ask_commission, ask_decks, ask_money, ask_others
from ops.cli.session import NEW_FILE, json_option, require_place, say, with_database, write_whole
from ops.ledger.database import Database

_ANSWERS = {
    "name": "The rule set's name and version, as in riverside@1.",
    "source": "Where the rules come from.",
    "based-on": "The rule set that has what is not asked.",
    "currency": "The currency, as in USD.",
    "chips": "The chips, as in '1, 5, 25, 100'.",
    "increment": "What each bet is a multiple of.",
    "minimum": "The least main wager.",
    "maximum": "The most on a main wager.",
    "differential": "The most by which Player and Banker may differ, or none.",
    "decks": "How many decks.",
    "commission": "The commission on Banker, as in 5%.",
    "timing": "When it is taken: at-payout, deferred, in-the-odds.",
    "rounding": "How it is rounded: exact, or as in 'up 1.00'.",
}


def _answers(command: Any) -> Any:
    """An option for each answer."""
    for name, about in reversed(_ANSWERS.items()):
        command = click.option(f"--{name}", help=about)(command)
    return command


@click.command("new")
@click.argument("file", type=NEW_FILE, callback=require_place)
@_answers
@click.option(
    "--line",
    "lines",
    multiple=True,
    help="A line of the file, as in 'cut_card = 16'; may be given often, also for bets.",
)
@click.option("--defaults", is_flag=True, help="Ask nothing: what no option says is as usual.")
@json_option
@with_database
def new(
    database: Database,
    file: Path,
    lines: tuple[str, ...],
    defaults: bool,
    as_json: bool,
    **answers: str | None,
) -> None:
    """Write a rule set's FILE by answering questions, each with its usual answer.

    Every answer is checked at once. FILE is written when the last one is given; Ctrl-C leaves
    nothing behind. An answer may come from an option instead, or all of them from standard input.

    \b
    sabot rules new riverside.toml
    sabot rules new riverside.toml --defaults --source 'the sheet of 1 October' \\
        --line 'spots.tie.pays = {"tie" = "9:1"}'
    """
    if file.exists():
        why = "it is there already; write another name, or move it away"
        raise BadValue(field="FILE", value=repr(str(file)), why=why)
    draft = Draft(lambda name: rules_named(database, name).rules)
    questions = Questions(answers, defaults=defaults)
    try:
        _ask_all(database, draft, questions, file, lines)
    except click.Abort:
        say(f"\n{file} was not written.")
        raise
    draft.shorten()
    write_whole(file, draft.text.encode())
    if as_json:
        click.echo(json.dumps({**edges_as_dict(draft.rules), "file": str(file)}))
        return
    print_edges(draft.rules)
    _say_next(file, draft.rules, draft.base.name)


def _ask_all(
    database: Database, draft: Draft, questions: Questions, file: Path, lines: tuple[str, ...]
) -> None:
    if not questions.defaults:
        say(
            "Enter takes the answer in brackets. ? explains, < goes back. "
            "Ctrl-C ends without a file."
        )

    def take_lines() -> None:
        for line in lines:
            draft.take_line(line)

    ask_name = partial(_ask_name, database, file)
    asked = (_ask_base, ask_name, _ask_source, ask_money, ask_decks, ask_commission)
    blocks = [partial(questions.until_right, partial(each, draft, questions)) for each in asked]
    more = [] if questions.defaults else [ask_bets, ask_others]
    questions.in_turn([*blocks, take_lines, *(partial(each, draft, questions) for each in more)])


def _ask_base(draft: Draft, questions: Questions) -> None:
    words = "The rule set that it is most like; `sabot rules list` has all"
    draft.take({"based_on": questions.ask("based_on", words, BASE)})


def _ask_source(draft: Draft, questions: Questions) -> None:
    draft.take({"source": questions.ask("source", "Where the rules come from")})


def _ask_name(database: Database, file: Path, draft: Draft, questions: Questions) -> None:
    usual = "".join(each if each.isalnum() else "-" for each in file.stem.lower()).strip("-")
    name = questions.ask("name", "Name and version, as in riverside@1", f"{usual}@1")
    draft.take({"name": name})
    try:
        rules_named(database, name)
    except UnknownRules:
        return
    stem, _, version = name.partition("@")
    why = f"the house has approved it already; a change is {stem}@{int(version) + 1}"
    raise BadValue(field="name", value=repr(name), why=why)


def _say_next(file: Path, rules: HouseRules, base: str) -> None:
    offered = listed(list(rules.spots))
    click.echo(f"\n{file} has {rules.name}, with {offered}. It is not on record yet. Next:")
    for line in (
        f"sabot rules check {file}",
        f"sabot rules diff {base} {file}",
        f"sabot rules sheet {file} --output {file.with_suffix('.pdf')}",
        f"sabot rules approve {file} --by A-1 --with S-11",
    ):
        click.echo(f"  {line}")
