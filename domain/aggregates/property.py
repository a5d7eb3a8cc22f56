"""The house itself: its name, currency, zone, gaming day and reporting amount.

The first command that needs it founds it with defaults, so that every ledger names its house. A
changed setting is an event. The house is open until it has an administrator.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from domain.aggregates.base import Aggregate
from domain.events import property as events
from domain.rules.addresses import stream_id
from domain.rules.chips import parse_chips
from domain.rules.destinations import parse_destinations
from domain.rules.gaming_day import GamingClock
from domain.rules.money import LARGEST_AMOUNT, is_currency, minor
from domain.rules.pins import SHORTEST_PIN
from domain.rules.refusals import BadValue, NotRecovered
from domain.rules.regulators import REGIMES
from domain.rules.shifts import Shift, parse_shifts, shift_of
from domain.rules.wording import Words, counted, listed

PROPERTY_STREAM = stream_id("property", "property")
LONGEST_WAIT = 60  # minutes after a wrong recovery secret


class Property(Aggregate, events.State):
    """One house, one ledger."""

    @property
    def closed(self) -> bool:
        """Whether commands need a sign-on."""
        return self.administrator is not None

    # Commands
    @classmethod
    def establish(cls, at: datetime) -> Self:
        """Founds a house with the defaults, which `property.set` changes."""
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
        """The clock that assigns moments to gaming days."""
        return GamingClock(self.zone, self.day_start)

    @property
    def named_shifts(self) -> tuple[Shift, ...]:
        """The shifts of a gaming day, in order."""
        return parse_shifts(self.shifts, self.day_start)

    @property
    def own_chips(self) -> tuple[int, ...]:
        """The denominations that the house has beside those of its rule sets, in minor units."""
        return parse_chips(self.chips, self.currency)

    def shift_of(self, moment: datetime, day: date) -> str:
        """The shift of this gaming day to which a moment belongs."""
        return shift_of(self.named_shifts, self.clock, moment, day)

    def set(self, name: str, value: str | int) -> None:
        """Changes a setting: a text, a number, an amount in minor units or as text in major ones.

        `regulator` sets all of its terms for disputes. Refuses: BadValue.
        """
        if name == "regulator":
            self._take_regulator(str(value))
            return
        if name not in SETTINGS:
            raise BadValue(
                message=Words(
                    "There is no setting {name}. The settings are {names}.",
                    name=name,
                    names=listed((*SETTINGS, "regulator")),
                )
            )
        now = getattr(self, name)
        read = self._read(name, value)
        if read == now and name not in self.to_give:
            raise BadValue(
                message=Words("{name} is already {value}.", name=name, value=repr(value))
            )
        self._require_variances_in_order(name, read, value)
        self._require_shifts_from(name, str(read))
        self.record(events.SettingChanged(name=name, value=str(read), before=str(now)))

    def _take_regulator(self, name: str) -> None:
        if name not in REGIMES:
            raise BadValue(
                message=Words(
                    "There are no terms of a regulator {name}. The regulators are {names}.",
                    name=repr(name),
                    names=listed(REGIMES),
                )
            )
        terms: dict[str, str | int] = {"regulator": name, **REGIMES[name].settings}
        changed = {
            setting: value for setting, value in terms.items() if getattr(self, setting) != value
        }
        if not changed:
            raise BadValue(
                message=Words("{name} is already {value}.", name="regulator", value=repr(name))
            )
        for setting, value in changed.items():
            before = getattr(self, setting)
            self.record(events.SettingChanged(name=setting, value=str(value), before=str(before)))

    def require_amounts(self) -> None:
        """Refuses while an amount is still in a former currency of the house: BadValue."""
        if self.to_give:
            raise BadValue(
                message=Words(
                    "Some amounts of the house are not in {currency} yet. Set {names} first.",
                    currency=self.currency,
                    names=listed(self.to_give),
                )
            )

    def _require_variances_in_order(self, name: str, read: str | int, value: str | int) -> None:
        if any(each != name and each in self.to_give for each in events.VARIANCES):
            return  # the other one is to be set in the new currency first
        report = int(read) if name == "variance_report" else self.variance_report
        regulator = int(read) if name == "variance_regulator" else self.variance_regulator
        if report >= regulator:
            raise BadValue(
                message=Words(
                    "{name} cannot be {value}: `variance_report` must be less than "
                    "`variance_regulator`.",
                    name=name,
                    value=repr(value),
                )
            )

    def _require_shifts_from(self, name: str, day_start: str) -> None:
        """Refuses another start of the day while the first shift has a time: BadValue."""
        first = self.named_shifts[0]
        if name == "day_start" and first.name != self.shifts and first.starts != day_start:
            raise BadValue(
                message=Words(
                    "The first shift begins at {at}. Set `shifts` to one name first, as in `day`.",
                    at=first.starts,
                )
            )

    def _read(self, name: str, value: str | int) -> str | int:
        if name in ("idle_minutes", "dispute_notice_minutes"):
            return _minutes(value)
        if name == "dispute_patron_days":
            return _days(value)
        if name in _FROM_TO:
            return _within(value, *_FROM_TO[name])
        if name in ("chips", "shifts"):
            self._require_list(name, str(value))
            return str(value)
        if name in _MAY_BE_NONE and str(value) == "0":
            return 0
        is_amount = isinstance(getattr(self, name), int)
        return self._amount(value) if is_amount else _text(name, str(value))

    def _require_list(self, name: str, text: str) -> None:
        """Refuses a list that cannot be read: BadValue."""
        if name == "chips":
            parse_chips(text, self.currency)
        else:
            parse_shifts(text, self.day_start)

    def _amount(self, value: str | int) -> int:
        try:
            amount = minor(value, self.currency) if isinstance(value, str) else value
        except ValueError:
            amount = -1
        if not 0 < amount <= LARGEST_AMOUNT:
            why = Words(
                "write an amount of {currency}, as in `10000` or `12.50`", currency=self.currency
            )
            raise BadValue(field="value", value=repr(value), why=why)
        return amount

    def administer(self, staff: str, *, administrator: bool, secret: str = "") -> None:
        """Makes somebody an administrator, or ends that. Refuses to end the last one: BadValue.

        The first administrator closes the house for good, and a recovery secret is issued.
        `secret`: the digest of what is stored of it.
        """
        rest = [each for each in self.administrators if each != staff]
        after = [*rest, staff] if administrator else rest
        if not after and self.administrators:
            raise BadValue(
                message=Words(
                    "{staff} is the last administrator. Enrol another first.", staff=staff
                )
            )
        if set(after) != set(self.administrators):
            self.record(events.AdministratorsChanged(administrators=after))
        if administrator and not self.closed:
            self.record(events.HouseClosed(administrator=staff))
            self.record(events.RecoverySecretIssued(why="first-administrator", digest=secret))

    def renew_secret(self, secret: str) -> None:
        """Issues a new recovery secret in place of a lost one. Refuses in open house: BadValue.

        `secret`: the digest of what is stored of it.
        """
        if not self.closed:
            raise BadValue(
                message=Words(
                    "A recovery secret is for a house with an administrator. Enrol one first."
                )
            )
        self.record(events.RecoverySecretIssued(why="asked-for", digest=secret))

    def recover(
        self, staff: str, how: str, *, right: bool, others: Sequence[str], secret: str
    ) -> None:
        """Lets an administrator in again.

        `right`: whether the secret was right. `others`: the other administrators who are not
        locked, and so could do it. `secret`: the digest of what is stored of the next one.
        Refuses, recorded unless it must wait: NotRecovered.
        """
        if how != "administrator" and others:
            self.record(events.RecoveryRefused(staff=staff, why="another-can"))
            raise self._not_recovered(
                Words(
                    "The recovery secret is for a house in which no administrator can let {staff} "
                    "in. {other} can: sign on as {other}, then `sabot staff recover {staff}`.",
                    staff=staff,
                    other=others[0],
                )
            )
        if wait := self._wait():
            raise NotRecovered(
                message=Words(
                    "A wrong recovery secret was typed. Try again in {wait}.",
                    wait=_minutes_long(wait),
                )
            )
        if not right:
            self.record(events.RecoveryRefused(staff=staff, why="wrong-secret"))
            raise self._not_recovered(
                Words(
                    "That is not the recovery secret. Try again in {wait}.",
                    wait=_minutes_long(self._wait()),
                )
            )
        self.record(events.AdministratorRecovered(staff=staff, how=how))
        if how == "recovery-secret":  # it was typed at a machine, so it must not work again
            self.record(events.RecoverySecretIssued(why="used", digest=secret))

    def _not_recovered(self, message: Words) -> NotRecovered:
        refusal = NotRecovered(message=message)
        refusal.recorded = True
        return refusal

    def _wait(self) -> int:
        """The minutes before the next try: one after the first wrong secret, then doubled."""
        if self.wrong_secret_at is None:
            return 0
        pause = timedelta(minutes=min(2 ** (self.wrong_secrets - 1), LONGEST_WAIT))
        left = self.wrong_secret_at + pause - self.happens_at
        return max(0, -(-left // timedelta(minutes=1)))

    def adopt_rules(self, rules: str) -> None:
        """Adds an approved rule set of the house."""
        self.record(events.RulesApproved(rules=rules))

    def miss(self, missing: events.EventsMissing) -> None:
        """Records that events are missing, unless as much is on record and waits for a decision.

        What two people accepted while somebody still looked for it is not asked again. A line that
        is missing is recorded once.
        """
        if missing.line_id:
            if missing.line_id not in self.lost_lines:
                self.record(missing)
        elif not self._is_accepted(missing) and not any(
            each.signed >= missing.signed and each.until >= missing.until for each in self.missing
        ):
            self.record(missing)

    def _is_accepted(self, missing: events.EventsMissing) -> bool:
        """Whether two people accepted a restore by which these are missing."""
        return any(
            each.epoch > missing.epoch and each.continues < missing.until for each in self.restores
        )

    def go_on(
        self, root: Callable[[int], str], *, reason: str, requested_by: str, approved_by: str
    ) -> None:
        """Begins a new epoch without the events that are missing. Refuses: BadValue.

        `root`: of the tree over so many events, in hex.
        """
        if not self.missing:
            raise BadValue(
                message=Words(
                    "No event that was signed or acknowledged is missing from the record."
                )
            )
        continues = min(each.continues for each in self.missing)
        of_checkpoints = [each for each in self.missing if each.signed]
        newest = max(of_checkpoints, key=lambda each: each.until, default=None)
        self.record(
            events.RecordRestored(
                epoch=max(self.epoch, *(each.epoch for each in self.missing)) + 1,
                continues=continues,
                root=root(continues),
                until=max(each.until for each in self.missing),
                signed=newest.until if newest else 0,
                signed_root=newest.mark if newest else "",
                server=self.missing[-1].server,
                reason=reason,
                requested_by=requested_by,
                approved_by=approved_by,
            )
        )


SETTINGS = (
    *("name", "currency", "zone", "day_start", "shifts", "helpline"),
    *("reporting_amount", "variance_report", "variance_regulator"),
    *("adjustment_report", "checkpoint_to", "chips", "fill_floor", "fill_share"),
    *("little_play_cash", "little_play_share"),
    *("box_hours", "idle_minutes", "session_hours", "session_idle_minutes", "pin_digits"),
    *("dispute_notice_from", "dispute_notice_minutes", "dispute_patron_days"),
)

_MAY_BE_NONE = ("dispute_notice_from", "fill_floor")  # amounts of which 0 means none
_FROM_TO = {
    "fill_share": (0, 100),
    "little_play_cash": (0, 100),
    "little_play_share": (1, 1000),
    "box_hours": (1, 24 * 7),
    "session_hours": (1, 24),
    "session_idle_minutes": (0, 24 * 60),
    "pin_digits": (SHORTEST_PIN, 12),
}


def _within(value: str | int, least: int, most: int) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,3}", str(value)) or not least <= int(value) <= most:
        why = Words("write a whole number from {least} to {most}", least=least, most=most)
        raise BadValue(field="value", value=repr(value), why=why)
    return int(value)


def _minutes_long(minutes: int) -> Words:
    return counted(minutes, "{n} minute", "{n} minutes")


def _minutes(value: str | int) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,3}", str(value)) or int(value) > 24 * 60:
        why = Words("write whole minutes from 1 to 1440, as in `15`")
        raise BadValue(field="value", value=repr(value), why=why)
    return int(value)


def _days(value: str | int) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,2}", str(value)) or int(value) > 366:
        raise BadValue(
            field="value", value=repr(value), why=Words("write whole days from 0 to 366")
        )
    return int(value)


def _text(name: str, value: str) -> str:
    if name == "zone":
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            why = Words("write a zone of the time zone database, as in `Europe/Vienna`")
            raise BadValue(field="value", value=repr(value), why=why) from None
    if name == "currency" and not is_currency(value):
        why = Words("write a currency of ISO 4217, as in `USD`")
        raise BadValue(field="value", value=repr(value), why=why)
    if name == "checkpoint_to":
        parse_destinations(value)
    if name == "day_start" and not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", value):
        why = Words("write local time as HH:MM, as in `06:00`")
        raise BadValue(field="value", value=repr(value), why=why)
    return value
