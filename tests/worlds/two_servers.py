"""A PostgreSQL with a synchronous standby, which may go away and be promoted."""

from contextlib import closing, suppress
from pathlib import Path

import psycopg

from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.processes import wait
from ops.ledger.embedded.programs import programs_for

NAME = "second"
WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
OF_SECOND = f"FROM pg_stat_replication WHERE application_name = '{NAME}'"
LONG = 60.0  # seconds, for a server to start


class TwoServers:
    """The first one has a ledger; nothing is committed there that the second one has not."""

    def __init__(self, place: Path) -> None:
        self.first, self.second = Embedded(place / "first"), Embedded(place / NAME)
        Database(home=self.first).connect("sabot_app").close()
        self.database = Database(self.first.url(database="sabot"))  # which starts nothing again
        self._programs = programs_for(self.first.data)
        self._copy()
        self.back()
        self.run(f"ALTER SYSTEM SET synchronous_standby_names = '{NAME}'")
        self.run("SELECT pg_reload_conf()")
        assert wait(self.in_step, LONG)

    def _copy(self) -> None:
        self.second.cluster.mkdir(parents=True)
        self._programs.own(self.second.cluster)
        of = f"{self.first.url()}&application_name={NAME}"
        to = str(self.second.data)
        self._programs.run("pg_basebackup", "-D", to, "-d", of, "-R", "-c", "fast")

    def run(self, statement: str) -> list[tuple[object, ...]]:
        """What a superuser is answered by the first server."""
        with psycopg.connect(self.first.url(database="sabot"), autocommit=True) as superuser:
            done = superuser.execute(statement)  # type: ignore[call-overload]
            return done.fetchall() if done.description else []

    def tell_second(self, statement: str) -> None:
        """What a superuser tells the second server."""
        with psycopg.connect(self.second.url(), autocommit=True) as superuser:
            superuser.execute(statement)  # type: ignore[call-overload]

    def on_second(self, statement: str) -> list[tuple[object, ...]]:
        """What a superuser is answered by the second server."""
        with psycopg.connect(self.second.url(database="sabot"), autocommit=True) as superuser:
            return superuser.execute(statement).fetchall()  # type: ignore[call-overload]

    def in_step(self) -> bool:
        return self.run(f"SELECT sync_state {OF_SECOND}") == [("sync",)]

    @property
    def standby(self) -> Database:
        """The ledger as the second server has it, for reading."""
        return Database(self.second.url(database="sabot"))

    def caught_up(self) -> bool:
        """Whether the second server has replayed all that the first one has committed."""
        return self.run(f"SELECT replay_lsn >= pg_current_wal_flush_lsn() {OF_SECOND}") == [(True,)]

    def waiting(self) -> list[int]:
        """The server's processes that wait for the second one."""
        return [pid for (pid,) in self.run(WAITING) if isinstance(pid, int)]

    def away(self) -> None:
        """The second one stops."""
        self.second.stop()

    def back(self) -> None:
        """The second one is there again, and follows the first."""
        if self._second_answers():
            return
        self._programs.own(self.second.socket_dir)
        self.second._write_settings()
        self.second.log.touch(mode=0o644)
        self._programs.launch(self.second.data, self.second.log)
        assert wait(self._second_answers, LONG)

    def _second_answers(self) -> bool:
        with suppress(psycopg.OperationalError):
            psycopg.connect(self.second.url()).close()
            return True
        return False

    def promote(self) -> Database:
        """The first one is lost, and the second one takes over: the ledger there."""
        self.first.stop("immediate")
        self.back()
        with closing(psycopg.connect(self.second.url(), autocommit=True)) as superuser:
            superuser.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
            superuser.execute("SELECT pg_promote(), pg_reload_conf()")
        return Database(self.second.url(database="sabot"))

    def cancels(self) -> int:
        """Ends every wait for the second one, as `pg_cancel_backend` does; how many there were."""
        return self._ends("pg_cancel_backend")

    def terminates(self) -> int:
        """Ends every session that waits for the second one; how many there were."""
        return self._ends("pg_terminate_backend")

    def _ends(self, how: str) -> int:
        return len(self.run(WAITING.replace("pid", f"{how}(pid)")))

    def close(self) -> None:
        for each in (self.second, self.first):
            each.destroy()
