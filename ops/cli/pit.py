"""`sabot pit`: the pit boss's terminal, on the whole screen."""

import click

from ops.cli.session import dispatcher_on, require_screen, require_utf8, theme_option, with_database
from ops.database import Database


@click.command()
@click.option("--by", default="", metavar="STAFF", help="Who looks, in open house.")
@click.option("--read-only", is_flag=True, help="Acknowledge nothing, whoever looks.")
@theme_option
@with_database
def pit(database: Database, by: str, read_only: bool, theme: str) -> None:
    """The whole pit on one screen, live: tables, their shoes, coups and replays; alerts; who owes.

    Arrows and Enter lead into a table, its shoes, their coups and the replay of each; Esc leads
    back. Alerts are acknowledged there, by whoever may: everybody else, as surveillance, reads
    only. Nothing else is recorded by it. Its keys stand in its last line; ? tells all of them.

    Where there is no screen, `sabot board --once` prints the board.
    """
    require_utf8("by", by)
    require_screen("`sabot board` tells the same")
    from ops.board import Board
    from ops.terminal.pit.app import PitApp
    from ops.terminal.pit.books import Books
    from ops.terminal.pit.mouth import MOUTH, Mouth

    mouth = Mouth(dispatcher_on(database, MOUTH), by, read_only=read_only)
    face = PitApp(Board(database), Books(database), mouth, theme)
    click.get_current_context().exit(face.attend())
