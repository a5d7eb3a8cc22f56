"""The house itself: its name, currency, zone, gaming day and reporting amount.

Founded with defaults by the first command that needs it, so that every ledger says whose it is.
A setting that changes is a fact with a date. Open house until the first administrator.
"""

import re
from datetime import datetime
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from eventsourcing.domain import event

from domain.addresses import stream_id
from domain.aggregate import Aggregate
from domain.gaming_day import GamingClock
from domain.money import LARGEST_AMOUNT, minor
from domain.refusals import BadValue
from domain.regulators import REGIMES

PROPERTY_STREAM = stream_id("property", "property")


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
        self.regulator = "none"  # whose terms were taken last
        self.dispute_notice_from = 0  # the regulator hears of this and more; 0: of nothing
        self.dispute_notice_minutes = 30  # what "at once" may take in a dispute
        self.dispute_patron_days = 0  # to turn to the regulator; 0: nobody counts them
        self.administrator: str | None = None  # the first one, who closed the house
        self.administrators: list[str] = []
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
        if read == now:
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

    def _require_variances_in_order(self, name: str, read: str | int, value: str | int) -> None:
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

    def adopt_rules(self, rules: str) -> None:
        """A rule set of the house's own was approved."""
        self._rules_approved(rules=rules)

    # Changes: run again at every replay, so no rule, clock, id or I/O.
    @event(SettingChanged)
    def _setting_changed(self, name: str, value: str, before: str) -> None:
        setattr(self, name, int(value) if isinstance(getattr(self, name), int) else value)

    @event(AdministratorsChanged)
    def _administrators_changed(self, administrators: list[str]) -> None:
        self.administrators = administrators

    @event(RulesApproved)
    def _rules_approved(self, rules: str) -> None:
        self.own_rules.append(rules)

    @event(HouseClosed)
    def _house_closed(self, administrator: str) -> None:
        self.administrator = administrator


SETTINGS = (
    *("name", "currency", "zone", "day_start", "helpline"),
    *("reporting_amount", "variance_report", "variance_regulator"),
    "idle_minutes",
    *("dispute_notice_from", "dispute_notice_minutes", "dispute_patron_days"),
)

NAMES = ", ".join((*SETTINGS, "regulator"))  # which sets all that it asks of a dispute


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
    for which, pattern, why in (
        ("currency", r"[A-Z]{3}", "write three letters of ISO 4217, as in USD"),
        ("day_start", r"([01][0-9]|2[0-3]):[0-5][0-9]", "write local time as HH:MM, as in 06:00"),
    ):
        if name == which and not re.fullmatch(pattern, value):
            raise BadValue(field="value", value=repr(value), why=why)
    return value
