"""`sabot adjudicate`: a pure check of coups, as many as there are lines."""

import json
import sys
from typing import IO

import click

from domain.rules.cards import symbol
from domain.rules.refusals import Refusal
from ops.cli.session import json_option
from ops.replay.adjudicate import Adjudicated, read
from ops.words.show import outcome_words


@click.command()
@click.argument("file", type=click.File("r", encoding="utf-8", errors="replace"), default="-")
@json_option
def adjudicate(file: IO[str], as_json: bool) -> None:
    """Read FILE, or standard input, one coup a line; answer what each came to.

    A line is cards in deal order, as in `9C 5S 7C QD 9S`, or six digits, the values of the
    next six cards. Exit status 1 when any line is no whole coup.
    """
    failed = False
    write = sys.stdout.write
    for number, line in enumerate(file, 1):
        try:
            coup = read(line)
        except Refusal as refusal:
            failed = True
            write(_no(refusal, number) if as_json else f"line {number}: {refusal}\n")
        else:
            write(f"{coup.json()}\n" if as_json else f"{words(coup)}\n")
    sys.exit(1 if failed else 0)


def _no(refusal: Refusal, number: int) -> str:
    told = {
        "ok": False,
        "line": number,
        "error": refusal.error,
        "message": str(refusal),
        "rule": refusal.rule,
    }
    return json.dumps(told, ensure_ascii=False) + "\n"


def words(coup: Adjudicated) -> str:
    """The coup on one line for people."""
    result = coup.verdict.result
    player, banker = (
        " ".join(symbol(each) if len(each) == 2 else each for each in hand)
        for hand in (coup.player, coup.banker)
    )
    natural = ", natural" if result.natural else ""
    called = outcome_words(result.outcome, result.player_total, result.banker_total)
    return f"Player {player}   Banker {banker}   {called}{natural}"
