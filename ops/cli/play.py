"""`sabot play`: an electronic table on this machine, with play money, in a browser."""

import signal
import sys
import threading
from pathlib import Path

import click

from ops.cli.at_the_door import run as shell
from ops.cli.serve import PRELOAD, REFUSED_LINES
from ops.cli.session import dispatcher_on, say
from ops.cli.table import deal
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.files import data_home
from ops.now.follow import Follower
from ops.web.budget import Budget
from ops.web.server import Address, serve
from ops.web.shells import preload

TABLE, SEAT, BALANCE = "E01", 1, 1_000_00
LEFT = "the program was stopped"
TWO = {"by": "attendant", "with": "supervisor"}  # in open house anybody may be both


@click.command()
@click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    help="The directory of its own database; default one beside your own ledger's.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8010,
    show_default=True,
    help="The port; with 0 any that is free.",
)
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
def play(home: Path | None, port: int, no_browser: bool) -> None:
    """Play baccarat in a browser on this machine, with play money, in a database of its own.

    The table deals generated shoes by its clock. Ctrl-C ends it; the next time goes on there.
    """
    database = Database(home=Embedded(home or data_home() / "play"))
    with database.session("sabot_app", say):
        pass  # the database is there and fits
    _prepare(database)
    stop = threading.Event()
    dealing = threading.Thread(target=_deal, args=(database, stop), daemon=True)
    preload(PRELOAD)

    def ready(address: Address) -> None:
        dealing.start()
        there = f"{address}/play/{TABLE}/{SEAT}"
        click.echo(f"Your place is {there}. Ctrl-C ends the table.")
        if not no_browser:
            click.launch(there)

    try:
        budget = Budget(REFUSED_LINES)
        serve(
            database,
            Address("127.0.0.1", port),
            shell,
            budget,
            ready=ready,
            play_money=BALANCE,
        )
    finally:
        stop.set()
        if dealing.is_alive():
            dealing.join(5)


def _prepare(database: Database) -> None:
    """Opens the table and an account with play money, where they are not there already.

    A coup that was left in play is undone: it would lock the table up, and nobody else is here.
    """
    with database.session("sabot_auditor") as connection:
        now = Follower(connection, TABLE).now
    mine = now.seat(SEAT)
    lines: list[dict[str, object]] = []
    if now.closed:
        lines.append({"command": "table.open", "rules": "electronic@1", "opener": {}})
    elif now.locked_up or (now.coup and not now.coup.over):
        lines += [] if now.locked_up else [{"command": "table.lock-up", "reason": LEFT}]
        lines.append({"command": "table.unlock", "how": "return", "reason": LEFT, **TWO})
    if mine is None:
        lines.append({"command": "table.seat", "seat": SEAT, "patron": "guest"})
    if mine is None or mine.balance is None:
        lines.append({"command": "account.pay-in", "seat": SEAT, "amount": BALANCE})
    dispatcher = dispatcher_on(database, "play")
    for line in lines:
        answer = dispatcher.dispatch({**line, "table": TABLE})
        if not answer.ok:
            raise click.ClickException(answer.reason)


def _deal(database: Database, stop: threading.Event) -> None:
    try:
        deal(database, TABLE, stop.wait, lambda now, _: None)
    except Exception as error:  # noqa: BLE001  (the page goes on, and whoever plays learns why)
        say(f"The dealing ended: {error}")
        signal.raise_signal(signal.SIGTERM)
        sys.exit(1)
