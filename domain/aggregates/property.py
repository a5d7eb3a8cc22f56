"""The house itself: its name, currency, zone, gaming day and reporting amount.

Founded with defaults by the first command that needs it, so that every ledger says whose it is.
A setting that changes is a fact with a date. Open house until the first administrator.
"""

import re
from datetime import datetime, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from eventsourcing.domain import event

from domain.aggregates.base import Aggregate
from domain.rules.addresses import stream_id
from domain.rules.gaming_day import GamingClock
from domain.rules.money import LARGEST_AMOUNT, is_currency, minor
from domain.rules.pins import LONG_PINS, SHORTEST_PIN
from domain.rules.refusals import BadValue, NotRecovered
from domain.rules.regulators import REGIMES

PROPERTY_STREAM = stream_id("property", "property")
LONGEST_WAIT = 60  # minutes after a wrong recovery secret


class Property(Aggregate):
    """One house, one ledger."""

    TOPIC = "property"

    # Facts: stored for years under TOPIC; add fields, never rename or retype one.
    class Created(Aggregate.Created):
        TOPIC = "property.founded"
        name: str
        currency: str
        zone: str
        day_start: str  # local time, HH:MM
        reporting_amount: int  # cash in one gaming day above this is reported
        helpline: str

    class SettingChanged(Aggregate.Event):
        TOPIC = "property.setting-changed"
        name: str
        value: str  # amounts in minor units
        before: str

    class HouseClosed(Aggregate.Event):
        TOPIC = "property.house-closed"  # nothing is done any more by who did not sign on
        administrator: str

    class AdministratorsChanged(Aggregate.Event):
        TOPIC = "property.administrators-changed"
        administrators: list[str]  # in the order in which they came; never empty

    class RecoverySecretIssued(Aggregate.Event):
        TOPIC = "property.recovery-secret-issued"  # shown once; only its digest is kept elsewhere
        why: str  # `first-administrator`, `asked-for`, or `used` for the one before it

    class AdministratorRecovered(Aggregate.Event):
        TOPIC = "property.administrator-recovered"
        staff: str
        how: str  # `recovery-secret`, `database-superuser`, or `administrator`

    class RecoveryRefused(Aggregate.Event):
        TOPIC = "property.recovery-refused"
        staff: str
        why: str  # `wrong-secret`, or `not-locked`

        def apply(self, aggregate: Any) -> None:
            """The next try has to wait."""
            if self.why == "wrong-secret":
                aggregate.wrong_secrets += 1
                aggregate.wrong_secret_at = self.timestamp

    class RulesApproved(Aggregate.Event):
        TOPIC = "property.rules-approved"  # by its stream the rule set says what, and by whom
        rules: str

    # State
    def __init__(
        self,
        name: str,
        currency: str,
        zone: str,
        day_start: str,
        reporting_amount: int,
        helpline: str,
    ) -> None:
        self.name = name
        self.currency = currency
        self.zone = zone
        self.day_start = day_start
        self.reporting_amount = reporting_amount
        self.helpline = helpline
        self.variance_report = 25_00  # a closer that is off by more is an exception
        self.variance_regulator = 100_00  # by that or more, the regulator's
        self.idle_minutes = 15  # without a coup, after which a table needs a person
        self.session_hours = 16  # after which whoever signed on has to sign on again
        self.pin_digits = LONG_PINS  # of those at least who decide over others' money or rights
        self.regulator = "none"  # whose terms were taken last
        self.dispute_notice_from = 0  # the regulator hears of this and more; 0: of nothing
        self.dispute_notice_minutes = 30  # what "at once" may take in a dispute
        self.dispute_patron_days = 0  # to turn to the regulator; 0: nobody counts them
        self.administrator: str | None = None  # the first one, who closed the house
        self.administrators: list[str] = []
        self.amounts_in = currency  # '': some of them are of one, some of another
        self.to_give: list[str] = []  # amounts that are still of the currency before
        self.wrong_secrets = 0  # in a row, of those with which an administrator is let in again
        self.wrong_secret_at: datetime | None = None
        self.own_rules: list[str] = []  # names of the rule sets that were approved, in order

    @property
    def closed(self) -> bool:
        """Whether only those who signed on are heard."""
        return self.administrator is not None

    # Commands
    @classmethod
    def found(cls, at: datetime) -> Self:
        """A house with the defaults, which `property.set` changes."""
        return cls.begin(
            cls.Created,
            PROPERTY_STREAM,
            at,
            name="Sabot",
            currency="USD",
            zone="UTC",
            day_start="06:00",
            reporting_amount=10_000_00,
            helpline="1-800-GAMBLER",
        )

    @property
    def clock(self) -> GamingClock:
        """Which gaming day a moment belongs to."""
        return GamingClock(self.zone, self.day_start)

    def set(self, name: str, value: str | int) -> None:
        """Changes a setting: a text, a number, an amount in minor units or as text in major ones.

        `regulator` sets all that it asks of a dispute. Refuses: BadValue.
        """
        if name == "regulator":
            self._take_regulator(str(value))
            return
        if name not in SETTINGS:
            raise BadValue(field="name", value=name, why=f"there are {NAMES}")
        now = getattr(self, name)
        read = self._read(name, value)
        if read == now and name not in self.to_give:
            raise BadValue(field="value", value=repr(value), why=f"{name} is so already")
        self._require_variances_in_order(name, read, value)
        self._setting_changed(name=name, value=str(read), before=str(now))

    def _take_regulator(self, name: str) -> None:
        if name not in REGIMES:
            why = f"there are {', '.join(REGIMES)}"
            raise BadValue(field="value", value=repr(name), why=why)
        terms: dict[str, str | int] = {"regulator": name, **REGIMES[name].settings}
        changed = {
            setting: value for setting, value in terms.items() if getattr(self, setting) != value
        }
        if not changed:
            raise BadValue(field="value", value=repr(name), why="regulator is so already")
        for setting, value in changed.items():
            before = getattr(self, setting)
            self._setting_changed(name=setting, value=str(value), before=str(before))

    def require_amounts(self) -> None:
        """None is still of a currency in which the house counts no more. Refuses: BadValue."""
        if self.to_give:
            why = f"its amounts were of another one: set {', '.join(self.to_give)} in it first"
            raise BadValue(field="currency", value=self.currency, why=why)

    def _require_variances_in_order(self, name: str, read: str | int, value: str | int) -> None:
        if any(each != name and each in self.to_give for each in _VARIANCES):
            return  # the other one is still to be given
        report = int(read) if name == "variance_report" else self.variance_report
        regulator = int(read) if name == "variance_regulator" else self.variance_regulator
        if report >= regulator:
            why = "what is reported begins under what is the regulator's"
            raise BadValue(field="value", value=repr(value), why=why)

    def _read(self, name: str, value: str | int) -> str | int:
        if name in ("idle_minutes", "dispute_notice_minutes"):
            return _minutes(value)
        if name == "dispute_patron_days":
            return _days(value)
        if name in _FROM_TO:
            return _within(value, *_FROM_TO[name])
        if name == "dispute_notice_from" and str(value) == "0":
            return 0
        is_amount = isinstance(getattr(self, name), int)
        return self._amount(value) if is_amount else _text(name, str(value))

    def _amount(self, value: str | int) -> int:
        try:
            amount = minor(value, self.currency) if isinstance(value, str) else value
        except ValueError:
            amount = -1
        if not 0 < amount <= LARGEST_AMOUNT:
            why = f"write an amount of {self.currency}, as in 10000 or 12.50"
            raise BadValue(field="value", value=repr(value), why=why)
        return amount

    def administer(self, staff: str, *, administrator: bool) -> None:
        """Somebody is an administrator from now on, or no more. Refuses: BadValue, for the last.

        The first one closes the house: it never opens to everybody again.
        """
        rest = [each for each in self.administrators if each != staff]
        after = [*rest, staff] if administrator else rest
        if not after and self.administrators:
            why = "they are the last administrator: enrol another first"
            raise BadValue(field="staff", value=staff, why=why)
        if set(after) != set(self.administrators):
            self._administrators_changed(administrators=after)
        if administrator and not self.closed:
            self._house_closed(administrator=staff)
            self._recovery_secret_issued(why="first-administrator")

    def renew_secret(self) -> None:
        """A new recovery secret in place of one that is lost. Refuses: BadValue, in open house."""
        if not self.closed:
            why = "it is for a house with an administrator: enrol one first"
            raise BadValue(field="command", value="staff.new-secret", why=why)
        self._recovery_secret_issued(why="asked-for")

    def recover(self, staff: str, how: str, *, right: bool, all_locked: bool) -> None:
        """An administrator is let in again, by whoever proved that they may.

        `right`: whether the secret was. Refuses: NotRecovered, as a fact but while it has to wait.
        """
        if how != "administrator" and not all_locked:
            self._recovery_refused(staff=staff, why="not-locked")
            raise self._not_recovered(
                staff, "not every administrator is locked: one who is not signs on and says it"
            )
        if wait := self._wait():
            raise NotRecovered(staff=staff, why=f"after a wrong secret, try again in {wait} min")
        if not right:
            self._recovery_refused(staff=staff, why="wrong-secret")
            raise self._not_recovered(
                staff, f"that is not the recovery secret; the next try is in {self._wait()} min"
            )
        self._administrator_recovered(staff=staff, how=how)
        if how == "recovery-secret":  # it was typed at a machine, so it is good no more
            self._recovery_secret_issued(why="used")

    def _not_recovered(self, staff: str, why: str) -> NotRecovered:
        refusal = NotRecovered(staff=staff, why=why)
        refusal.recorded = True
        return refusal

    def _wait(self) -> int:
        """For how many minutes no secret is judged: one after the first wrong one, then doubled."""
        if self.wrong_secret_at is None:
            return 0
        pause = timedelta(minutes=min(2 ** (self.wrong_secrets - 1), LONGEST_WAIT))
        left = self.wrong_secret_at + pause - self.happens_at
        return max(0, -(-left // timedelta(minutes=1)))

    def adopt_rules(self, rules: str) -> None:
        """A rule set of the house's own was approved."""
        self._rules_approved(rules=rules)

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(SettingChanged)
    def _setting_changed(self, name: str, value: str, before: str) -> None:
        setattr(self, name, int(value) if isinstance(getattr(self, name), int) else value)
        if name == "currency":
            anew = value != self.amounts_in
            self.to_give = [each for each in AMOUNTS if anew and getattr(self, each)]
        elif name in self.to_give:
            self.to_give.remove(name)
            self.amounts_in = "" if self.to_give else self.currency

    @event(AdministratorsChanged)
    def _administrators_changed(self, administrators: list[str]) -> None:
        self.administrators = administrators

    @event(RecoverySecretIssued)
    def _recovery_secret_issued(self, why: str) -> None:
        pass  # what it is stands nowhere in the record

    @event(AdministratorRecovered)
    def _administrator_recovered(self, staff: str, how: str) -> None:
        self.wrong_secrets = 0
        self.wrong_secret_at = None

    @event(RecoveryRefused)
    def _recovery_refused(self, staff: str, why: str) -> None:
        pass  # the fact itself says what follows from it

    @event(RulesApproved)
    def _rules_approved(self, rules: str) -> None:
        self.own_rules.append(rules)

    @event(HouseClosed)
    def _house_closed(self, administrator: str) -> None:
        self.administrator = administrator


_VARIANCES = ("variance_report", "variance_regulator")
AMOUNTS = ("reporting_amount", *_VARIANCES, "dispute_notice_from")  # 0: of nothing, in any currency
SETTINGS = (
    *("name", "currency", "zone", "day_start", "helpline"),
    *("reporting_amount", "variance_report", "variance_regulator"),
    *("idle_minutes", "session_hours", "pin_digits"),
    *("dispute_notice_from", "dispute_notice_minutes", "dispute_patron_days"),
)

NAMES = ", ".join((*SETTINGS, "regulator"))  # which sets all that it asks of a dispute


_FROM_TO = {"session_hours": (1, 24), "pin_digits": (SHORTEST_PIN, 12)}


def _within(value: str | int, least: int, most: int) -> int:
    if not re.fullmatch(r"[1-9][0-9]?", str(value)) or not least <= int(value) <= most:
        why = f"write a whole number from {least} to {most}"
        raise BadValue(field="value", value=repr(value), why=why)
    return int(value)


def _minutes(value: str | int) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,3}", str(value)) or int(value) > 24 * 60:
        why = "write whole minutes from 1 to 1440, as in 15"
        raise BadValue(field="value", value=repr(value), why=why)
    return int(value)


def _days(value: str | int) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,2}", str(value)) or int(value) > 366:
        raise BadValue(field="value", value=repr(value), why="write whole days from 0 to 366")
    return int(value)


def _text(name: str, value: str) -> str:
    if name == "zone":
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            why = "write a zone of the time zone database, as in Europe/Vienna"
            raise BadValue(field="value", value=repr(value), why=why) from None
    if name == "currency" and not is_currency(value):
        why = "there is no such currency; write three letters of ISO 4217, as in USD"
        raise BadValue(field="value", value=repr(value), why=why)
    if name == "day_start" and not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", value):
        why = "write local time as HH:MM, as in 06:00"
        raise BadValue(field="value", value=repr(value), why=why)
    return value
