"""Signs the record by itself: after a closing, and while a process follows the ledger."""

import time
from collections.abc import Callable

from ops.cli.session import dispatcher_on, say
from ops.ledger.clock import wall_clock
from ops.ledger.database import Database

CLOSINGS = ("table.close", "table.roll-over")
EVERY = 30.0  # seconds, while a process follows the ledger


def sign_after_closing(database: Database) -> None:
    """Makes a checkpoint if a table closed or a gaming day ended, and says so.

    Nothing without a key of the house on this machine.
    """
    from ops.handlers.checkpoints import sign_if_due

    made = sign_if_due(dispatcher_on(database, channel="program"), database, wall_clock())
    if made and made.anew:
        say(f"The record is signed: {made.checkpoint.size:,} events.")
        for words in made.problems:
            say(f"Not sent to {words}")
        for words in made.refused:
            say(f"REFUSED by {words} Run `sabot audit verify`, and call the regulator.")


def signing_now_and_then(database: Database) -> Callable[[], None]:
    """What a follower calls when it has caught up: it signs at most every half minute."""
    due = 0.0

    def sign() -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + EVERY
            sign_after_closing(database)

    return sign
