"""`sabot adjudicate`: cards in, outcome out, one coup a line; reads no ledger."""

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
    """Show the outcome of each coup in FILE, or in standard input, one coup a line.

    A line has the cards in the order dealt, as in `9C 5S 7C QD 9S`, or six digits, the values of
    the next six cards. Exit status 1 if a line is not one complete coup.
    """
    failed = False
    write = sys.stdout.write
    for number, line in enumerate(file, 1):
        try:
            coup = read(line)
        except Refusal as refusal:
            failed = True
            write(_refused(refusal, number) if as_json else f"line {number}: {refusal}\n")
        else:
            write(f"{coup.json()}\n" if as_json else f"{words(coup)}\n")
    sys.exit(1 if failed else 0)


def _refused(refusal: Refusal, number: int) -> str:
    """Prints a refusal as a line of JSON."""
    body = {
        "ok": False,
        "line": number,
        "error": refusal.error,
        "message": str(refusal),
        "rule": refusal.rule,
    }
    return json.dumps(body, ensure_ascii=False) + "\n"


def words(coup: Adjudicated) -> str:
    """The coup as one line for people."""
    result = coup.verdict.result
    player, banker = (
        " ".join(symbol(each) if len(each) == 2 else each for each in hand)
        for hand in (coup.player, coup.banker)
    )
    natural = ", natural" if result.natural else ""
    called = outcome_words(result.outcome, result.player_total, result.banker_total)
    return f"Player {player}   Banker {banker}   {called}{natural}"
