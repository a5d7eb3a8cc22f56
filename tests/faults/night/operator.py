"""Does what the schedule says to servers, actors and clocks, one act after the other."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from typing import TypeVar

from domain.rules.refusals import Refusal
from ops.commands.casino import Casino
from ops.handlers.checkpoints import Made, look, make
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import LedgerLost
from ops.ledger.embedded.processes import wait
from ops.ledger.recorder import Ledger
from ops.proof.checkpoint import origin_of
from ops.reports.rebuild import rebuild
from ops.words.failure import Failure
from projections import PROJECTIONS
from tests.faults.night import checks
from tests.faults.night.backups import Backups
from tests.faults.night.company import Company
from tests.faults.night.schedule import ZONE, Act
from tests.faults.night.servers import Servers
from tests.worlds.signing import ORIGIN
from tests.worlds.witnesses import Witness

TWO = {"by": "A-1", "with": "S-11", "reason": "the disk failed"}
MB = 1 << 20
LONG = 300.0  # seconds; a night may run beside much else
T = TypeVar("T")


def begin(dispatcher: Dispatcher) -> None:
    """The house, before its first table opens."""
    line = {"command": "property.set", "name": "zone", "value": ZONE, "by": "A-1", "id": "zone"}
    assert dispatcher.dispatch(line).ok


class NightWitness:
    """A witness of the record that may not answer."""

    def __init__(self, witness: Witness, key: str) -> None:
        self._witness, self._key = witness, key
        self.knows(1)

    @property
    def cosigned(self) -> int:
        """How many checkpoints it has cosigned."""
        return self._witness.heard.count(200)

    def knows(self, epoch: int) -> None:
        """It is told the name of the record in an epoch."""
        self._witness.service.add_log(origin_of(ORIGIN, epoch), self._key)

    def goes(self) -> None:
        self._witness.answers.extend([(503, "text/plain", "away")] * 99)

    def comes(self) -> None:
        self._witness.answers.clear()


class Operator:
    """`done` counts the acts of each kind; `missing` what restores lost, as two people accepted."""

    def __init__(
        self, servers: Servers, company: Company, witness: NightWitness, backups: Backups
    ) -> None:
        self.servers, self.company = servers, company
        self.witness, self.backups = witness, backups
        self.done: Counter[str] = Counter()
        self.missing = 0
        # What was on record before a restore, and its newest event.
        self._before: dict[str, int | None] = {}
        self._newest = (0, b"")
        self._acts: dict[str, Callable[[Act], object]] = {
            "cut before": lambda _: self.servers.cut("before"),
            "cut after": lambda _: self.servers.cut("after"),
            "kill a writer": self._kill_writer,
            "kill the server": lambda _: self.servers.kill(first=True),
            "kill the standby": self._kill_standby,
            "cancel the wait": lambda act: self._end_waits(act, self.servers.cancels),
            "end the wait": lambda act: self._end_waits(act, self.servers.terminates),
            "promote": lambda _: self._promote(),
            "copy the disk": lambda _: self.servers.copy_disk(),
            "back up": lambda _: self.backups.begin(),
            "restore": lambda _: self._restore(),
            "restore a backup": self._restore_backup,
            "kill the follower": self._kill_follower,
            "sign": lambda _: self.sign(),
            "a witness is away": lambda _: self._sign_alone(),
            "step a clock": self._step,
            "fill the disk": self._fill,
            "slow the disk": self._slow,
            "kill the house server": lambda _: self.company.door.kill(),
            "rebuild": self._rebuild,
            "hold the ledger": self._hold,
        }

    def do(self, act: Act, then: int) -> None:
        """One act, while lines go on until `then`; afterwards everything runs that can run."""
        self.company.wait_for(act.after)
        self.company.world.let_go_on(then / self.company.world.schedule.lines + 0.05)
        self._acts[act.kind](act)
        self.servers.up()
        self.company.go_on()
        self.done[act.kind] += 1

    def _kill_writer(self, act: Act) -> None:
        time.sleep(act.amount * 0.01)
        self.company.kill(act.who)

    def _kill_standby(self, act: Act) -> None:
        self.servers.kill(first=False)
        time.sleep(act.amount)

    def _end_waits(self, act: Act, ends: Callable[[], int]) -> None:
        """While the standby is away, those who wait for it are disturbed; it comes back."""
        self.servers.away()
        for _ in range(1 + act.who % 3):
            wait(self.servers.waiting, 5)
            ends()
        time.sleep(act.amount * 2)

    def _promote(self) -> None:
        self.servers.change_places()
        if self.backups.are_on:  # of a server that is lost
            self.backups.begin()

    def _kill_follower(self, act: Act) -> None:
        if not self.backups.are_on:
            self.backups.begin()
        time.sleep(act.amount)
        self.backups.kill()

    def _restore(self) -> None:
        """All begins again with a copy of the disk."""
        self._gone()
        self._remember()
        self.servers.restore()
        self._go_on()

    def _restore_backup(self, act: Act) -> None:
        """All begins again with a backup, at some moment since its base."""
        self._gone()
        with self.backups.restored(act.amount, datetime.now(UTC)) as data:
            self._remember()
            self.servers.restore(data)
        self._go_on()

    def _gone(self) -> None:
        """Everybody leaves, and the record is signed."""
        self.company.leave()
        self.sign()

    def _remember(self) -> None:
        """What is on record before a restore: a killed writer's line may come late."""
        asked = "SELECT position, hash FROM ledger.events ORDER BY position DESC LIMIT 1"
        [self._newest] = checks.rows_of(self.servers.first_database, asked)
        self._before = checks.kept(self.servers.first_database)

    def _go_on(self) -> None:
        """Two people accept what is missing, if anything is, and everybody comes back."""
        on_record = checks.kept(self.servers.first_database)
        whole = checks.has(self.servers.first_database, *self._newest)
        noticed = self._patiently(lambda: look(self.servers.through))
        assert noticed or whole, "nobody noticed the restore"
        if noticed:
            self._accept()
        self.missing += len(self._before.keys() - on_record.keys())
        self.company.forget(on_record)
        self.company.come_back()
        if self.backups.are_on:
            self.backups.begin()

    def _accept(self) -> None:
        """Two people accept what is missing; the witness is told the name of the new epoch."""
        with closing(Casino(Ledger(self.servers.through))) as casino:
            house = Dispatcher(casino, "night", patience=30.0).for_own_commands()
            answer = house.dispatch({"command": "audit.restored", **TWO})
        assert answer.ok, str(answer)
        [restored] = answer.body["events"]
        self.witness.knows(restored["epoch"])

    def _patiently(self, act: Callable[[], T]) -> T:
        """What comes of an act, which is tried again while somebody holds what it needs."""
        ends = time.monotonic() + LONG
        while True:
            try:
                return act()
            except LedgerLost:
                if time.monotonic() > ends:
                    raise
            time.sleep(0.5)

    def sign(self) -> Made:
        """The record is signed, and the witness cosigns it."""
        with closing(Casino(Ledger(self.servers.through))) as casino:
            dispatcher = Dispatcher(casino, "night", patience=30.0)
            made = self._patiently(lambda: make(dispatcher, self.servers.through))
        assert made, "there is no key"
        assert not made.refused, made.refused
        return made

    def _sign_alone(self) -> None:
        """It is signed while the witness does not answer, which is asked again afterwards."""
        self.witness.goes()
        alone = self.sign()
        self.witness.comes()
        together = self.sign()
        assert (len(alone.cosignatures), len(together.cosignatures)) == (0, 1), (alone, together)

    def _step(self, act: Act) -> None:
        """Somebody's clock jumps by up to two minutes, or by hours, and is put right later."""
        seconds = (act.amount - 0.5) * (240 if act.who % 2 else 7200)
        self.company.step_clock(act.who, seconds)

    def _fill(self, act: Act) -> None:
        if not self.servers.disks.mounted:
            return
        with self.servers.full_disk(int(act.amount * MB)):
            time.sleep(2)
            self.servers.first.stop("immediate")  # it could not even start again by itself

    def _slow(self, act: Act) -> None:
        with self.servers.slow_disk(int(20 + act.amount * 80)):
            time.sleep(1 + act.amount)

    def _rebuild(self, act: Act) -> None:
        """A projection is made anew while all the others write and read."""
        name = sorted(PROJECTIONS)[act.who % len(PROJECTIONS)]
        try:
            with self.servers.through.session("sabot_projector") as connection:
                rebuild(connection, PROJECTIONS[name])
        except (LedgerLost, Failure, Refusal):
            self.done["a rebuild that gave up"] += 1

    def _hold(self, act: Act) -> None:
        """Somebody holds what every writer waits for."""
        import psycopg

        with closing(psycopg.connect(self.servers.first_database.url)) as superuser:
            superuser.execute("LOCK TABLE locks.ledger IN EXCLUSIVE MODE")
            time.sleep(1 + 2 * act.amount)
