"""The house itself: its name, currency, zone, gaming day and reporting amount.

Founded with defaults by the first command that needs it, so that every ledger says whose it is.
A setting that changes is an event with a date. Open house until the first administrator.
"""

import re
from datetime import datetime, timedelta
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from domain.aggregates.base import Aggregate
from domain.events import property as events
from domain.rules.addresses import stream_id
from domain.rules.gaming_day import GamingClock
from domain.rules.money import LARGEST_AMOUNT, is_currency, minor
from domain.rules.pins import SHORTEST_PIN
from domain.rules.refusals import BadValue, NotRecovered
from domain.rules.regulators import REGIMES

PROPERTY_STREAM = stream_id("property", "property")
LONGEST_WAIT = 60  # minutes after a wrong recovery secret


class Property(Aggregate, events.State):
    """One house, one ledger."""

    @property
    def closed(self) -> bool:
        """Whether only those who signed on are heard."""
        return self.administrator is not None

    # Commands
    @classmethod
    def found(cls, at: datetime) -> Self:
        """A house with the defaults, which `property.set` changes."""
        return cls.begin(
            events.Founded(
                name="Sabot",
                currency="USD",
                zone="UTC",
                day_start="06:00",
                reporting_amount=10_000_00,
                helpline="1-800-GAMBLER",
            ),
            PROPERTY_STREAM,
            at,
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
        self.record(events.SettingChanged(name=name, value=str(read), before=str(now)))

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
            self.record(events.SettingChanged(name=setting, value=str(value), before=str(before)))

    def require_amounts(self) -> None:
        """None is still of a currency in which the house counts no more. Refuses: BadValue."""
        if self.to_give:
            why = f"its amounts were of another one: set {', '.join(self.to_give)} in it first"
            raise BadValue(field="currency", value=self.currency, why=why)

    def _require_variances_in_order(self, name: str, read: str | int, value: str | int) -> None:
        if any(each != name and each in self.to_give for each in events.VARIANCES):
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
            self.record(events.AdministratorsChanged(administrators=after))
        if administrator and not self.closed:
            self.record(events.HouseClosed(administrator=staff))
            self.record(events.RecoverySecretIssued(why="first-administrator"))

    def renew_secret(self) -> None:
        """A new recovery secret in place of one that is lost. Refuses: BadValue, in open house."""
        if not self.closed:
            why = "it is for a house with an administrator: enrol one first"
            raise BadValue(field="command", value="staff.new-secret", why=why)
        self.record(events.RecoverySecretIssued(why="asked-for"))

    def recover(self, staff: str, how: str, *, right: bool, all_locked: bool) -> None:
        """An administrator is let in again, by whoever proved that they may.

        `right`: whether the secret was. Refuses: NotRecovered, as an event unless it has to wait.
        """
        if how != "administrator" and not all_locked:
            self.record(events.RecoveryRefused(staff=staff, why="not-locked"))
            raise self._not_recovered(
                staff, "not every administrator is locked: one who is not signs on and says it"
            )
        if wait := self._wait():
            raise NotRecovered(staff=staff, why=f"after a wrong secret, try again in {wait} min")
        if not right:
            self.record(events.RecoveryRefused(staff=staff, why="wrong-secret"))
            raise self._not_recovered(
                staff, f"that is not the recovery secret; the next try is in {self._wait()} min"
            )
        self.record(events.AdministratorRecovered(staff=staff, how=how))
        if how == "recovery-secret":  # it was typed at a machine, so it is good no more
            self.record(events.RecoverySecretIssued(why="used"))

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
        self.record(events.RulesApproved(rules=rules))


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
