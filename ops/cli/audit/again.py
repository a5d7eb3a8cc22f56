"""`sabot audit again`: takes lines again that a restored record lacks, by two people."""

from collections.abc import Iterator

import click

from ops.cli.session import database_of, dispatcher_on, json_option, say
from ops.cli.speak import answer_to, tell
from ops.handlers.lost_lines import again as line_again
from ops.ledger.chain import Fields
from ops.ledger.database import Database
from ops.reports.ask import ask
from projections import REPORTS
from projections.attention.alerts import LINE_MISSING

EVERY = "all"


@click.command()
@click.argument("alert")
@click.argument("reason")
@click.option("--by", metavar="STAFF", help="The staff number of the administrator.")
@click.option("--with", "with", metavar="STAFF", help="The second person; they type their PIN.")
@json_option
@click.pass_context
def again(ctx: click.Context, /, alert: str, reason: str, as_json: bool, **people: str) -> None:
    """Take an acknowledged line again that a restored record lacks, by two people.

    ALERT is the name of the line's alert on the board; `all` takes every line, in order. A line is
    recorded with its own moment and in the name of its sender, and counts once. To leave it out of
    the record for good: `sabot alert acknowledge`, with the reason.

    \b
    Example: sabot audit again line-missing/48213 'backup of 20:00' \\
       --by A-1 --with S-11
    """
    database = database_of(ctx)
    dispatcher = dispatcher_on(database, channel="shell").for_own_commands()
    dispatcher.casino.ledger.require_leader()
    named = {name: each for name, each in people.items() if each}
    done = 0
    for name, fields in _missing(database, alert):
        answer, currency = answer_to(
            dispatcher, "audit.again", {**line_again(name, reason, fields), **named}
        )
        done += answer.ok
        if alert != EVERY or not answer.ok:
            tell(ctx, answer, currency, as_json=as_json)
    say(f"Taken again: {done:,}. No acknowledged line is missing.")


def _missing(database: Database, alert: str) -> Iterator[tuple[str, Fields]]:
    """The alerts of lines that are missing, with their events' fields, in the lines' order."""
    rows = ask(database, REPORTS["alerts"]).rows
    lines = [each for each in rows if each["kind"] == LINE_MISSING and not each["acknowledged_at"]]
    wanted = [each for each in lines if alert in (EVERY, each["alert"])]
    if alert != EVERY and not wanted:
        raise click.UsageError(f"{alert} names no line that is missing: see `sabot board`.")
    for each in sorted(wanted, key=lambda row: (row["detail"]["epoch"], row["detail"]["until"])):
        yield each["alert"], each["detail"]
