"""One patron, by a name or an alias: who that is, and whether they may play.

A patron may be known by an alias first, and be identified later; a wrong identification is ended.
A name that looks like another is that patron's until somebody tells them apart.
"""

from datetime import date, datetime, timedelta
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import patron as events
from domain.rules.addresses import stream_id
from domain.rules.play_limits import Limit
from domain.rules.play_used import Used
from domain.rules.refusals import BadValue, PatronBarred
from domain.rules.wording import N_, Until, Words, either

BARRINGS = {"barred": N_("the house barred them"), "self-excluded": N_("they excluded themselves")}


class Patron(Aggregate, events.State):
    """One name or alias of a patron."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(patron: str) -> UUID:
        """The stream of a name."""
        return stream_id("patron", patron)

    @property
    def identity(self) -> str:
        """The patron whom the alias was identified as, or the name itself."""
        return self.patron_is or self.patron

    @property
    def barred(self) -> bool:
        """Whether the patron may not play, by the house's decision or their own."""
        return self.barring is not None

    # Commands: decide; refuse, or record an event.
    @classmethod
    def know(cls, patron: str, at: datetime) -> Self:
        """Begins a name that the floor never had before."""
        return cls.begin(events.Known(patron=patron), cls.stream(patron), at)

    def identify(self, patron_is: str) -> None:
        """Identifies an alias as a patron. Refuses: BadValue."""
        if self.patron_is is not None:
            raise BadValue(
                message=Words(
                    "{alias} is already identified as {patron}.",
                    alias=self.patron,
                    patron=self.patron_is,
                )
            )
        if patron_is == self.patron:
            raise BadValue(
                message=Words(
                    "{alias} is the alias itself. Name the patron who it is.", alias=patron_is
                )
            )
        self.record(events.Identified(patron_is=patron_is))

    def separate(self, reason: str, requested_by: str, approved_by: str) -> str:
        """Ends a wrong identification, and returns the patron that it named. Refuses: BadValue."""
        if self.patron_is is None:
            raise BadValue(
                message=Words(
                    "{patron} was not identified as anybody. Name the alias.", patron=self.patron
                )
            )
        was = self.patron_is
        self.record(
            events.Separated(
                was=was, reason=reason, requested_by=requested_by, approved_by=approved_by
            )
        )
        return was

    def tell_apart(self, other: str, reason: str = "") -> None:
        """Records that another name is another patron's, though it looks the same."""
        self.record(events.ToldApart(other=other, reason=reason))

    def bar(self, reason: str, kind: str = "barred") -> None:
        """Bars the patron from playing. Refuses: BadValue."""
        if kind not in BARRINGS:
            raise BadValue(
                field="kind",
                value=repr(kind),
                why=Words("write {kinds}", kinds=either(f"`{each}`" for each in BARRINGS)),
            )
        if self.barred:
            raise BadValue(message=Words("{patron} is already barred.", patron=self.patron))
        self.record(events.Barred(reason=reason, kind=kind))

    def unbar(self, reason: str) -> None:
        """Lets the patron play again. Refuses: BadValue."""
        if self.barring is None:
            raise BadValue(message=Words("{patron} is not barred.", patron=self.patron))
        self.record(events.Unbarred(reason=reason, was=self.barring))

    def limit(
        self, kind: str, period: str, amount: int | None, *, whose: str, waits: timedelta
    ) -> None:
        """Limits what the patron deposits or loses, or how long they play (R-PLAY-1).

        `amount`: minor units, of time minutes; None for no limit any more.
        `waits`: how long a higher limit does not hold yet. Refuses: BadValue.
        """
        limit, moment = self.limits.get((kind, period, whose), Limit()), self.happens_at
        if limit.last == amount:
            template = (
                N_("{patron} has no such limit.")
                if amount is None
                else N_("{patron} already has this limit.")
            )
            raise BadValue(message=Words(template, patron=self.patron))
        of_time = kind == "time"
        self.record(
            events.LimitStated(
                kind=kind,
                period=period,
                whose=whose,
                amount=None if of_time else amount,
                amount_before=None if of_time else limit.at(moment),
                minutes=amount if of_time else None,
                minutes_before=limit.at(moment) if of_time else None,
                holds_from=limit.since(amount, moment, waits=waits).isoformat(),
            )
        )

    def take_break(self, until: datetime, whose: str) -> None:
        """Begins a break, or makes the one that lasts longer (R-PLAY-2). Refuses: BadValue."""
        if until <= self.happens_at:
            raise BadValue(message=Words("A break ends later than now. Give its end."))
        if self.break_until and until <= self.break_until:
            raise BadValue(
                message=Words(
                    "{patron} takes a break until {until} already. It is not made shorter.",
                    patron=self.patron,
                    until=Until(self.break_until),
                )
            )
        self.record(events.BreakBegun(until=until.isoformat(), whose=whose))

    def take_over(self, alias: "Patron") -> None:
        """Takes over an alias's lower limits, its break and barring, and who plays for whom.

        They stay if the alias turns out to be somebody else, until somebody changes them.
        """
        if alias.barring and not self.barring:
            self.bar(f"known as {alias.patron}", alias.barring)
        moment = self.happens_at
        for (kind, period, whose), theirs in sorted(alias.limits.items()):
            amount, own = theirs.at(moment), self.limits.get((kind, period, whose), Limit())
            if amount is not None and not own.allows_at_most(amount, moment):
                self.limit(kind, period, amount, whose=whose, waits=timedelta(0))
        if alias.break_until and alias.break_until > max(moment, self.break_until or moment):
            self.take_break(alias.break_until, alias.break_whose)

        days = sorted({date.fromisoformat(first) for first, _ in alias.plays_for})
        before = {day: self.principal_on(day) for day in days}
        for day in days:
            whose = alias.principal_on(day)
            principal = before[day] if whose in ("", self.patron) else whose
            if principal != self.principal_on(day):
                self.play_for(principal, day)
        for agent in sorted(alias.agents - self.agents - {self.patron}):
            self.have_agent(agent)

    def principal_on(self, day: date) -> str:
        """For whom the patron's cash of a gaming day is; '' for themselves."""
        began = [each for first, each in self.plays_for if first <= day.isoformat()]
        return began[-1] if began else ""

    def play_for(self, principal: str, from_day: date) -> None:
        """Records for whom the patron plays from a gaming day on; '' for themselves."""
        self.record(events.PlaysFor(principal=principal, from_day=from_day.isoformat()))

    def have_agent(self, agent: str) -> None:
        """Records that somebody plays for the patron."""
        if agent not in self.agents:
            self.record(events.AgentNamed(agent=agent))

    def play_on(self, table: str, seat: int, until: str, since: datetime | None = None) -> None:
        """Records that the patron played on after a pause was shown; of one with an end, once.

        `since`: from when on that is one pause; None: since the break began.
        """
        already = self.played_on and (since is None or self.played_on >= since)
        if not (until and already):
            self.record(events.PlayedOn(table=table, seat=seat, until=until))

    def announce_rest(self, table: str, seat: int, minutes: int, since: datetime) -> None:
        """Records that a rest will be due in so many minutes; once since they sit (R-PLAY-4)."""
        if not (self.rest_announced and self.rest_announced >= since):
            self.record(events.RestAnnounced(table=table, seat=seat, minutes=minutes))

    def near_limit(self, table: str, seat: int, near: Used, since: datetime) -> None:
        """Records that a limit is nearly used; once since they sit (R-PLAY-3)."""
        if not (self.limit_near and self.limit_near >= since):
            self.record(
                events.LimitNear(table=table, seat=seat, kind=near.kind, period=near.period)
            )

    def play_uncarded(self, table: str, seat: int, what: str, amount: int, above: int) -> None:
        """Records a bet, or cash, above what is played without a card (R-PLAY-5)."""
        self.record(
            events.PlayedUncarded(
                table=table,
                seat=seat,
                what=what,
                amount=amount,
                above=above,
                apart_from=sorted(self.apart | self.separated_from),
            )
        )

    def require_welcome(self) -> None:
        """Refuses: PatronBarred."""
        if self.barring is not None:
            raise PatronBarred(patron=self.patron, why=Words(BARRINGS[self.barring]))
