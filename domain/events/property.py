"""The house itself: its settings, its administrators, and its approved rule sets."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from domain.events import base
from domain.rules.pins import LONG_PINS
from domain.rules.shifts import ONE_SHIFT

VARIANCES = ("variance_report", "variance_regulator")
ADJUSTMENT_REPORT = 2_000_00  # the setting `adjustment_report` of a house that never set it
FILL_FLOOR, FILL_SHARE = 0, 10  # the same for `fill_floor` and `fill_share`
AMOUNTS = (
    *("reporting_amount", *VARIANCES, "dispute_notice_from", "fill_floor"),
)  # 0 is the same in any currency


class Founded(base.Event, topic="property.founded", first=True):
    """The house begins, with the settings that `property.set` changes."""

    name: str
    currency: str
    zone: str
    day_start: str  # local time, HH:MM
    reporting_amount: int  # cash in one gaming day above this is reported
    helpline: str


class State(base.State):
    """The house at one moment."""

    def __init__(self, founded: Founded) -> None:
        super().__init__(founded)
        self.name = founded.name
        self.currency = founded.currency
        self.zone = founded.zone
        self.day_start = founded.day_start
        self.reporting_amount = founded.reporting_amount
        self.helpline = founded.helpline
        self.variance_report = 25_00  # a closer that is off by more is an exception
        self.variance_regulator = 100_00  # from this on it is reported to the regulator
        self.adjustment_report = ADJUSTMENT_REPORT  # a larger correction of money is listed
        self.checkpoint_to = "none"  # the places that every signed checkpoint goes to
        self.chips = "none"  # denominations beside those of the rule sets
        self.little_play_cash = 30  # per cent of the reporting amount, in and out; 0: never
        self.little_play_share = 25  # per cent of that cash; less play is an alert
        self.fill_floor = FILL_FLOOR  # a tray below it needs a fill; 0: no floor
        self.fill_share = FILL_SHARE  # per cent of the opener below which it does; 0: no share
        self.box_hours = 24  # after which a box that was taken off should have been counted
        self.idle_minutes = 15  # without a coup, after which a table needs a person
        self.session_hours = 16  # after which a sign-on ends
        self.session_idle_minutes = 0  # without a request, after which it ends; 0: never
        self.pin_digits = LONG_PINS  # at least, for those who decide over others' money or rights
        self.shifts = ONE_SHIFT  # of a gaming day, each with the time at which it begins
        self.regulator = "none"  # the one whose terms were set last
        self.dispute_notice_from = 0  # from this amount the regulator is notified; 0: never
        self.dispute_notice_minutes = 30  # the time for what must be done at once
        self.dispute_patron_days = 0  # to turn to the regulator; 0: no deadline
        self.administrator: str | None = None  # the first one, who closed the house
        self.administrators: list[str] = []
        self.amounts_in = founded.currency  # '': they are in different currencies
        self.to_give: list[str] = []  # amounts that are still in the former currency
        self.wrong_secrets = 0  # wrong recovery secrets in a row
        self.wrong_secret_at: datetime | None = None
        self.own_rules: list[str] = []  # names of the approved rule sets, in order
        self.epoch = 1  # of the record; another one begins when two people accept a restore
        self.missing: list[EventsMissing] = []  # what is missing, and nobody decided about yet
        self.restores: list[RecordRestored] = []  # that were accepted
        self.lost_lines: set[str] = set()  # ids of acknowledged lines that are missing


class SettingChanged(base.Event, topic="property.setting-changed"):
    """A setting of the house changed."""

    name: str
    value: str  # amounts in minor units
    before: str

    def apply(self, state: State) -> None:
        is_number = isinstance(getattr(state, self.name), int)
        setattr(state, self.name, int(self.value) if is_number else self.value)
        if self.name == "currency":
            anew = self.value != state.amounts_in
            state.to_give = [each for each in AMOUNTS if anew and getattr(state, each)]
        elif self.name in state.to_give:
            state.to_give.remove(self.name)
            state.amounts_in = "" if state.to_give else state.currency


class HouseClosed(base.Event, topic="property.house-closed"):
    """The house is closed: commands need a sign-on from now on."""

    administrator: str

    def apply(self, state: State) -> None:
        state.administrator = self.administrator


class AdministratorsChanged(base.Event, topic="property.administrators-changed"):
    """Somebody became an administrator, or stopped being one."""

    administrators: list[str]  # in the order of their enrolment; never empty

    def apply(self, state: State) -> None:
        state.administrators = self.administrators


class RecoverySecretIssued(base.Event, topic="property.recovery-secret-issued"):
    """A recovery secret was shown once; only its digest is stored, elsewhere."""

    why: str  # `first-administrator`, `asked-for`, or `used` for the one before it
    digest: str  # SHA-256 of what is stored of the secret, in hex


class AdministratorRecovered(base.Event, topic="property.administrator-recovered"):
    """An administrator was let in again."""

    staff: str
    how: str  # `recovery-secret`, `database-superuser`, or `administrator`

    def apply(self, state: State) -> None:
        state.wrong_secrets = 0
        state.wrong_secret_at = None


class RecoveryRefused(base.Event, topic="property.recovery-refused"):
    """Somebody tried to let an administrator in again, and may not."""

    staff: str
    why: str  # `wrong-secret`, or `another-can`: an administrator who is not locked

    def apply(self, state: State) -> None:
        # The next try has to wait
        if self.why == "wrong-secret":
            state.wrong_secrets += 1
            state.wrong_secret_at = self.timestamp


class RulesApproved(base.Event, topic="property.rules-approved"):
    """A rule set of the house's own was approved; its stream says what, and by whom."""

    rules: str

    def apply(self, state: State) -> None:
        state.own_rules.append(self.rules)


class EventsMissing(base.Event, topic="property.events-missing"):
    """Events that were signed or acknowledged are not in the record: it was restored.

    With `line` it is one line that was acknowledged, about which two people decide by itself.
    """

    continues: int  # up to this event the record is as it was
    until: int  # up to this event something outside the database knows it
    signed: bool  # whether a checkpoint covers them; otherwise they were acknowledged
    mark: str  # the root of that checkpoint, or the hash of the last event, in hex; '': unknown
    known: str  # where that is known, in words
    epoch: int  # of the record that had them
    server: str  # that has the record now: its system identifier and its timeline
    line: Annotated[str, Meta(description="a line of the feed that was acknowledged, as JSON")] = ""
    line_id: Annotated[str, Meta(description="the id under which it was acknowledged")] = ""
    acknowledged_at: Annotated[str, Meta(description="when: date, time and offset")] = ""
    table: Annotated[str, Meta(description="the table that it names; empty for none")] = ""

    def apply(self, state: State) -> None:
        if self.line_id:
            state.lost_lines.add(self.line_id)
        else:
            state.missing.append(self)


class RecordRestored(base.Event, topic="property.record-restored"):
    """Two people accepted that events are missing: the record goes on in a new epoch."""

    epoch: int  # the new one
    continues: int  # up to this event it is the record of the epoch before
    root: str  # of the tree over these events, in hex
    until: int  # the last event that was known to be there
    signed: int  # how many events a checkpoint of before covers; 0: none that is missing was signed
    signed_root: str  # of that checkpoint, in hex; '': unknown
    server: str  # that has the record now: its system identifier and its timeline
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.epoch = self.epoch
        state.missing = []
        state.restores.append(self)
