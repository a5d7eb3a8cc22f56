"""Records the start of a long-running part, and never keeps it from starting.

A start while the ledger is away is not recorded; nor is one by a login that may only read.
"""

from contextlib import closing
from threading import Thread

from domain.rules.refusals import Refusal
from ops.commands.casino import Casino
from ops.commands.saved_token import saved_token
from ops.commands.signed_on import Token
from ops.door.fresh_id import fresh_id
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.starts import CHANNEL, record
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.words.failure import Failure

PATIENCE = 2.0  # seconds for which a part waits for its start to be recorded
_PROCESS = fresh_id()  # in each id, so that one process records each of its parts once


def record_start(
    database: Database,
    part: str,
    *,
    table: str | None = None,
    by: str = "",
    token: Token | None = None,
) -> None:
    """Records that a part was started here; `by`: in open house, by whom.

    In a closed house the start is by the person signed on here, if there is one. `token`: by
    default the saved one.
    """
    try:
        if database.embedded:  # it may have to be started first, which takes longer
            database.connect("sabot_app").close()
    except Failure:
        return
    own = Database(database.given, database.embedded)
    asked = (own, part, table, by, token or saved_token())
    recorder = Thread(target=_record, args=asked, name="start", daemon=True)
    recorder.start()
    recorder.join(PATIENCE)


def _record(database: Database, part: str, table: str | None, by: str, token: Token) -> None:
    import psycopg

    try:
        with closing(Casino(Ledger(database))) as casino:
            dispatcher = Dispatcher(casino, CHANNEL, patience=0, token=token)
            record(dispatcher, f"start:{_PROCESS}:{part}:{table or ''}", part, table, by)
    except (Failure, Refusal, psycopg.Error, OSError):
        return  # as if it were away
