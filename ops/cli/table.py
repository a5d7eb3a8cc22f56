"""`sabot table`: a table through its gaming day, and `sabot table run`, which deals it."""

import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ops.cli.session import dispatcher_on, say, with_database
from ops.cli.speak import noun
from ops.cli.starts import record_start
from ops.ledger import clock
from ops.ledger.database import Database
from ops.words import show
from ops.words.events import sentences
from ops.words.language import shown

if TYPE_CHECKING:
    from ops.handlers.answer import Answer
    from ops.now.table_now import TableNow

table = noun("table", "A table through its gaming day.")


@table.command("run")
@click.argument("code", metavar="TABLE")
@click.option("--by", metavar="STAFF", help="In open house, who runs it.")
@with_database
def run(database: Database, code: str, by: str | None) -> None:
    """Deal TABLE by the clock of its rule set, from generated shoes, until Ctrl-C (R-DEAL-6).

    Started again, it goes on where the table is. Two of them deal no card twice. It waits where
    people must act first: nobody sits, a case holds the table, a coup can only be voided.

    Exit status: 0 it was stopped, or the table closed; 1 a line was refused; 3 the ledger was lost.

    \b
    Example: sabot table run E01
    """
    stop = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stop.set())

    def tell(now: "TableNow", answer: "Answer | None") -> None:
        if answer is None:
            say(shown(show.due_words(now.due.as_dict())) if now.due else "")
            return
        for words in sentences(answer.events, now.currency):
            click.echo(shown(words))

    record_start(database, "run", table=code, by=by or "")
    deal(database, code, stop.wait, tell, by)


def deal(
    database: Database,
    code: str,
    wait: Callable[[float], bool],
    tell: "Callable[[TableNow, Answer | None], None]",
    by: str | None = None,
) -> None:
    """Deals a table until `wait` says to stop. Raises ClickException when a line is refused."""
    from ops.dealing.runner import Runner
    from ops.now.follow import Follower

    dispatcher = dispatcher_on(database, "run")
    given = {"by": by} if by else {}
    with database.session("sabot_auditor") as connection:
        follower = Follower(connection, code)
        seen = [follower.now]

        def look() -> "TableNow":
            if follower.catch_up():
                seen[0] = follower.now
            return seen[0]

        runner = Runner(
            look,
            lambda line: dispatcher.dispatch({**line, **given}),
            wait,
            clock.wall_clock,
            tell,
        )
        ended = runner.run()
    if ended.answer:
        raise click.ClickException(ended.answer.reason)
