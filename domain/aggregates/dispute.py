"""One dispute: what a patron says of a coup, what the record says, what was decided (R-IRR-5).

Opening a case freezes the coup: the place in the ledger up to which it was read, and what the
replay said of it then. Two people decide; the effect of what they decide is stated of the coup in
the same act. Until it is closed a case may be decided again: several seats, or the regulator said
otherwise.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Self
from uuid import UUID

from msgspec import Struct
from msgspec.structs import asdict

from domain.aggregates.base import Aggregate
from domain.aggregates.corrections import Change, Rightly, require_two
from domain.aggregates.coup import Coup
from domain.aggregates.property import Property
from domain.events import dispute as events
from domain.rules import addresses
from domain.rules.house_rules import HouseRules
from domain.rules.layout import Wager
from domain.rules.money import major
from domain.rules.refusals import BadValue, CaseClosed, CaseUnfinished, MissingField
from domain.rules.wagers import winnings


class Frozen(Struct, frozen=True):
    """A coup as the record had it at one position."""

    position: int  # the ledger's last when it was read
    version: int  # of the coup's stream
    phase: str
    agrees: bool
    disagreements: list[str]


class Evidence(Struct, frozen=True):
    """What a camera saw, by its own clock."""

    camera: str
    at: datetime
    ahead: int  # milliseconds by which that clock is ahead of the record's

    def as_recorded(self) -> events.Part:
        """With the moment that it was by the record's clock."""
        by_record = self.at - timedelta(milliseconds=self.ahead)
        return {
            "camera": self.camera,
            "at": self.at.isoformat(),
            "ahead": self.ahead,
            "by_record": _to_the_millisecond(by_record),
        }


def _to_the_millisecond(moment: datetime) -> str:
    """No camera tells more; a whole second has no fraction."""
    return moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds")


class Dispute(Aggregate, events.State):
    """One case about one coup."""

    @property
    def belongs_to(self) -> tuple[date | None, str]:
        """The gaming day and the table of the coup."""
        return self.coup.shoe.table_day.day, self.coup.shoe.table_day.table

    @property
    def status(self) -> str:
        """How far it came: `open`, `decided`, `told` or `closed`."""
        if self.closed:
            return "closed"
        if not self.decisions:
            return "open"
        return "told" if self.told else "decided"

    @staticmethod
    def stream(address: addresses.Case) -> UUID:
        """Where this case's events are."""
        return addresses.stream_id("dispute", str(address))

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(
        cls,
        address: addresses.Case,
        coup: Coup,
        patron: str,
        names: Sequence[str],
        complaint: str,
        *,
        frozen: Frozen,
        house: Property,
        at: datetime,
        amount: int | None = None,
        hold: bool = False,
        others: Sequence["Dispute"] = (),
        opened_by: str = "",
    ) -> Self:
        """What a patron, under all their `names`, says of a coup, and how the record stands.

        `others`: the cases of that coup that there are already. Refuses: BadValue, before the coup
        was opened.
        """
        if at < coup.created_on:
            why = f"the coup was opened at {house.clock.local(coup.created_on).isoformat()}"
            raise BadValue(field="at", value=at.isoformat(), why=why)
        wagers = _wagers_of(coup, names)
        worth = _at_stake(coup.rules, wagers) if amount is None else amount
        notify_by = _notify_by(worth, house, at)
        return cls.begin(
            events.Opened(
                case=str(address),
                coup=str(coup.address),
                table_day=str(coup.address.shoe.table_day),
                patron=patron,
                wagers=[_told(*each) for each in wagers],
                complaint=complaint,
                amount=worth,
                amount_said=amount is not None,
                hold=hold,
                frozen_at=frozen.position,
                coup_version=frozen.version,
                coup_phase=frozen.phase,
                agrees=frozen.agrees,
                disagreements=frozen.disagreements,
                notify_by=notify_by,
                others=[{"case": str(each.address), "status": each.status} for each in others],
                opened_by=opened_by,
            ),
            cls.stream(address),
            at,
        )

    def note(
        self, text: str, evidence: Sequence[Evidence], by: str, what_if: Sequence[str] = ()
    ) -> None:
        """What somebody saw, said or asked, and where it can be seen. Refuses: CaseClosed."""
        self._require_open()
        self.record(
            events.Noted(
                text=text,
                evidence=[each.as_recorded() for each in evidence],
                what_if=list(what_if),
                by=by,
            )
        )

    def require_decidable(
        self,
        decision: str,
        rightly: Rightly,
        *,
        by: str,
        approved_by: str,
        dealer: str,
        currency: str,
    ) -> None:
        """Two people who have no part in it, and a correction says of which wager.

        Refuses: CaseClosed, SecondPersonNeeded, MissingField, BadValue.
        """
        self._require_open()
        require_two("Deciding a dispute", by, approved_by)
        self._require_no_part(dealer, {"by": by, "with": approved_by})
        said = asdict(rightly) | {
            "to": None if rightly.to is None else major(rightly.to, currency),
            "as": rightly.as_spot,
        }
        del said["as_spot"]
        if decision == "correct":
            for field in ("seat", "spot"):
                if said[field] is None:
                    raise MissingField(command="dispute.decide", field=field, why=" to correct")
        for field, value in said.items():
            if decision != "correct" and value is not None:
                why = f"only a decision to correct has one, and this is to {decision}"
                raise BadValue(field=field, value=value, why=why)
        if decision == "stand" and self.undone:
            raise BadValue(field="decision", value="'stand'", why=self._stands_no_more())

    def _require_no_part(self, dealer: str, people: Mapping[str, str]) -> None:
        """Neither the patron nor whoever dealt the coup decides about it."""
        for field, who in people.items():
            if who in (self.patron, dealer):
                part = "complain of it" if who == self.patron else "dealt the coup"
                why = f"they {part}: two others decide"
                raise BadValue(rule="R-IRR-5", field=field, value=repr(who), why=why)

    def _stands_no_more(self) -> str:
        then = "tell the patron, and close the case"
        if self.decision == "void":
            return f"the coup is void, and stays so (R-IRR-5): {then}"
        return f"by now {self.undone}: correct it again, or {then}"

    def decide(
        self,
        decision: str,
        reason: str,
        changes: Sequence[Change],
        coup: Coup,
        house: Property,
        *,
        rightly: Rightly = Rightly(),  # noqa: B008  (frozen)
        commission: int = 0,
        by: str = "",
        approved_by: str = "",
    ) -> None:
        """What was decided, and what it came to. Refuses: as `require_decidable`.

        `commission`: by so much more, or less, is charged, as the accounts say.
        """
        self.require_decidable(
            decision,
            rightly,
            by=by,
            approved_by=approved_by,
            dealer=coup.dealer,
            currency=coup.rules.currency,
        )
        if decision == "stand":
            coup.require_finished()
        hands = sum(each.after.paid - each.before.paid for each in changes)
        moved = self.moved + abs(hands)
        notify_by = self.notify_by or _notify_by(moved, house, self.happens_at)
        self.record(
            events.Decided(
                number=self.decisions + 1,
                decision=decision,
                reason=reason,
                seat=rightly.seat,
                spot=rightly.spot,
                to=rightly.to,
                changes_hands=hands,
                commission_changes=commission,
                effect=self._instead(decision, rightly.seat, rightly.spot)
                + _effect(decision, changes, commission, coup),
                tell_by=self.tell_by or _within_notice(house, self.happens_at),
                decided_by=by,
                approved_by=approved_by,
                as_spot=rightly.as_spot,
                notify_by=notify_by,
            )
        )
        self._let_go("decided", by)

    def _instead(self, decision: str, seat: int | None, spot: str | None) -> str:
        """Which earlier decision this one takes the place of, in words; '': none.

        What was decided of another wager goes on beside it.
        """
        for number, (before, *wager) in reversed(list(enumerate(self.decided, 1))):
            stood = before == "stand" and number == self.decisions
            if stood or decision == "void" or wager == [seat, spot]:
                return f"instead of decision {number}, "
        return ""

    def tell(self, house: Property, by: str) -> None:
        """The patron heard the decision, and of their rights. Refuses: CaseClosed, CaseUnfinished.

        From then on the days count in which they may turn to the regulator.
        """
        self._require_open()
        self._require_decided("told to the patron")
        if self.told:
            why = f"the patron was told decision {self.decisions} already"
            raise BadValue(field="case", value=str(self.address), why=why)
        days = house.dispute_patron_days
        until = house.clock.local(self.happens_at + timedelta(days=days))
        self.record(
            events.PatronTold(
                number=self.decisions, until=until.isoformat() if days else None, by=by
            )
        )

    def notify(self, reference: str, by: str) -> None:
        """The regulator heard of it; again, when its reference comes later. Refuses: CaseClosed."""
        self._require_open()
        self.record(events.RegulatorNotified(reference=reference, by=by))

    def hold(self, by: str) -> None:
        """The table waits from now on. Refuses: CaseClosed, BadValue."""
        self._require_open()
        if self.holds or self.decisions:
            why = "it holds its table already" if self.holds else "it is decided"
            raise BadValue(field="case", value=str(self.address), why=why)
        self.record(events.HoldPlaced(by=by))

    def release(self, by: str) -> None:
        """The table need not wait any more. Refuses: CaseClosed, BadValue."""
        self._require_open()
        if not self.holds:
            why = "it holds no table"
            raise BadValue(field="case", value=str(self.address), why=why)
        self._let_go("released", by)

    def hand_out(self, position: int, json_sha256: str, pdf_sha256: str, by: str) -> None:
        """Its pack leaves the house; of a case that is closed, too."""
        self.record(
            events.PackMade(
                position=position, json_sha256=json_sha256, pdf_sha256=pdf_sha256, by=by
            )
        )

    def close(self, by: str) -> None:
        """There is nothing more to say of it. Refuses: CaseClosed, CaseUnfinished."""
        self._require_open()
        self._require_decided("closed")
        if not self.told:
            raise self._unfinished("closed", "the patron was not told; say `dispute tell`")
        if self.notify_by and not self.notified:
            raise self._unfinished("closed", "the regulator was not notified; say `dispute notify`")
        self.record(events.Closed(decision=self.decision, by=by))

    def _let_go(self, why: str, by: str) -> None:
        if self.holds:
            self.record(events.HoldReleased(why=why, by=by))

    def _require_open(self) -> None:
        if self.closed:
            raise CaseClosed(case=self.address, coup=self.coup)

    def _require_decided(self, step: str) -> None:
        if not self.decisions:
            raise self._unfinished(step, "it is not decided; say `dispute decide`")

    def _unfinished(self, step: str, why: str) -> CaseUnfinished:
        return CaseUnfinished(case=self.address, step=step, why=why)


def _wagers_of(coup: Coup, names: Sequence[str]) -> list[tuple[Wager, int | None]]:
    """What lay for a patron, and what each wager was paid so far; None: it is not settled."""
    found: list[tuple[Wager, int | None]] = []
    for wager in coup.wagers():
        if wager.patron in names:
            payment = coup.settled.get((wager.seat, wager.spot))
            found.append((wager, payment.paid if payment else None))
    return found


def _told(wager: Wager, paid: int | None) -> events.Part:
    return {"seat": wager.seat, "spot": wager.spot, "stake": wager.stake, "paid": paid}


def _at_stake(rules: HouseRules, wagers: Sequence[tuple[Wager, int | None]]) -> int | None:
    """What a dispute is about when nobody says: the most that these wagers may have been paid."""
    if not wagers:
        return None
    return sum(max(_most(rules, wager), paid or 0) for wager, paid in wagers)


def _most(rules: HouseRules, wager: Wager) -> int:
    """What the best line of its pay table brings, stake included."""
    lines = rules.spots[wager.spot].pays if wager.spot in rules.spots else ()
    return wager.stake + max((winnings(wager.stake, line.pays) for line in lines), default=0)


def _notify_by(amount: int | None, house: Property, at: datetime) -> str | None:
    """An amount that nobody knows may be any: the regulator hears of it."""
    begins = house.dispute_notice_from
    if not begins or (amount is not None and amount < begins):
        return None
    return _within_notice(house, at)


def _within_notice(house: Property, at: datetime) -> str:
    """As long after it as "at once" may take."""
    by = at + timedelta(minutes=house.dispute_notice_minutes)
    return house.clock.local(by).isoformat()


def _effect(decision: str, changes: Sequence[Change], commission: int, coup: Coup) -> str:
    """As the floor would say it."""
    if decision == "stand":
        return "the coup stays void" if coup.phase == "voided" else "the payment stands"
    currency = coup.rules.currency
    said = ["the coup is void"] if decision == "void" else []
    for each in changes:
        before, after = each.before, each.after
        other = f", as {each.as_spot}," if each.as_spot else ""
        said.append(
            f"seat {each.wager.seat} {each.wager.spot}{other} is paid "
            f"{major(after.paid, currency)} in all, not {major(before.paid, currency)}"
        )
    if commission:
        more = "more" if commission > 0 else "less"
        said.append(f"{major(abs(commission), currency)} {more} commission")
    return "; ".join(said)
