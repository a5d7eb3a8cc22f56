"""`sabot pit`: the pit boss's terminal, on the whole screen."""

import click

from ops.board.board import Board
from ops.cli.reading import permit
from ops.cli.session import dispatcher_on, require_screen, theme_option, with_database
from ops.cli.starts import record_start
from ops.kit.hang_up import end_with_terminal
from ops.ledger.database import Database, NotFit
from ops.now.books import Books
from ops.terminal.dealer.journal import Journal
from ops.terminal.pit.acknowledger import CHANNEL, FORCED, JOURNAL, OWN_LOGIN, Acknowledger
from ops.typed.shell import require_utf8


@click.command()
@click.option("--by", default="", metavar="STAFF", help="Who looks, in open house.")
@click.option("--read-only", is_flag=True, help="Acknowledge nothing, whoever looks.")
@theme_option
@with_database
def pit(database: Database, by: str, read_only: bool, theme: str) -> None:
    """The whole pit on one screen, live: tables, their shoes, coups and replays; alerts; who owes.

    Arrows and Enter lead into a table, its shoes, their coups and the replay of each; Esc leads
    back. Alerts are acknowledged there, by whoever may: everybody else, as surveillance, reads
    only. Nothing else is recorded by it. Its last line shows its keys; ? shows all of them.

    Where there is no screen, `sabot board --once` prints the board.
    """
    require_utf8("by", by)
    end_with_terminal()
    require_screen("`sabot board` tells the same")
    reader = permit(database, "pit")

    who, why = (reader.who, OWN_LOGIN) if reader.own_login else (by, FORCED if read_only else "")
    journal = None if why else _journal(database)
    acknowledger = Acknowledger(
        dispatcher_on(database, CHANNEL), who, read_only=why, journal=journal
    )
    from ops.terminal.pit.app import PitApp

    face = PitApp(Board(database), Books(database), acknowledger, theme)
    record_start(database, "pit", by=by)
    try:
        click.get_current_context().exit(face.attend())
    finally:
        acknowledger.close()


def _journal(database: Database) -> "Journal | None":
    """The journal, or None if this account can store none, as when it only reads."""
    try:
        return Journal.at(database, JOURNAL)
    except NotFit:
        return None
