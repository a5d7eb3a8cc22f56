"""Verifies the record in the background while `sabot projections run` is at work."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager

from ops.cli.restores import note_restore
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database, LedgerLost
from ops.ledger.recorder import Ledger
from ops.verify.faults import Fault
from ops.verify.rounds import PAUSE, Announcer, AsRead, Ended, Rounds, read_round
from ops.words.failure import Failure

CHANNEL = "program"


class NotTold(Failure):
    """What was found in the record could not be recorded; it is tried again."""


def record_fault(database: Database, fault: Fault, since: str) -> None:
    """Records a fault, so that the board rings. Raises NotTold, LedgerLost."""
    line = {
        "command": "audit.failed",
        "fault": fault.fault,
        "at_event": max(fault.position, 0),
        "words": fault.words[:2_000],
        "since": since,
    }
    with closing(Casino(Ledger(database))) as casino:
        answer = Dispatcher(casino, CHANNEL).for_own_commands().dispatch(line)
    if not answer.ok:
        raise NotTold(answer.reason)


@contextmanager
def verifying(
    database: Database, stop: threading.Event, report: Callable[[str], None], share: int
) -> Iterator[Callable[[], None]]:
    """Verifies in rounds until the block ends; gives what a follower calls when it caught up.

    `report` gets what is found, and what hinders it; `share`: percent of one core.
    """
    with database.session("sabot_auditor") as connection:
        round_before = read_round(connection)

    def record(fault: Fault, since: str) -> None:
        report(f"THE RECORD IS NOT AS IT WAS WRITTEN: {fault.words}")
        record_fault(database, fault, since)

    announcer = Announcer(record, round_before.faults if round_before else ())
    rounds = Rounds(database, announcer, stop, share=share)
    thread = threading.Thread(
        target=_go_round, args=(rounds, stop, report), name="rounds", daemon=True
    )
    thread.start()
    try:
        with ExitStack() as held:
            yield _checks_as_read(database, announcer, report, held)
    finally:
        stop.set()
        thread.join(5)


def _go_round(rounds: Rounds, stop: threading.Event, report: Callable[[str], None]) -> None:
    """One round after the other; what fails now, whatever it is, is an alert and is tried again."""
    while not stop.is_set():
        note_restore(rounds.database, report)
        try:
            rounds.once()
        except Ended:
            return
        except Exception as error:  # noqa: BLE001
            why = str(error) or type(error).__name__
            _note_failure(rounds, why, report)
            report(f"The record could not be verified, which is tried again: {why}")
        stop.wait(PAUSE)


def _note_failure(rounds: Rounds, why: str, report: Callable[[str], None]) -> None:
    """Notes that a round failed, for the board; while the database is away nobody has one."""
    import psycopg

    try:
        rounds.note_failure(why)
    except (LedgerLost, psycopg.Error) as error:
        report(f"That could not be noted for the board: {error}")


def _checks_as_read(
    database: Database, announcer: Announcer, report: Callable[[str], None], held: ExitStack
) -> Callable[[], None]:
    """Verifies what is new, on a connection of its own that is made again if it breaks."""
    import psycopg

    as_read: AsRead | None = None

    def check() -> None:
        nonlocal as_read
        try:
            if as_read is None:
                held.close()
                as_read = AsRead(held.enter_context(database.session("sabot_auditor")), announcer)
            as_read.check()
        except (Failure, LedgerLost, psycopg.Error) as error:
            as_read = None
            report(f"What is new could not be verified: {error}")

    check()
    return check
