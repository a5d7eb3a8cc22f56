"""One dispute: a patron's complaint about a coup, the record, and the decisions (R-IRR-5).

Opening a case freezes the coup: the position in the ledger up to which it was read, and the result
of its replay then. Two people decide, and the decision takes effect on the coup in the same act. A
case may be decided again until it is closed: for another seat, or because the regulator decided
differently.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Self
from uuid import UUID

from msgspec import Struct
from msgspec.structs import asdict

from domain.aggregates.base import OfTableDay
from domain.aggregates.corrections import Change, Rightly, require_two
from domain.aggregates.coup import Coup
from domain.aggregates.property import Property
from domain.events import dispute as events
from domain.rules import addresses
from domain.rules.evidence import Evidence
from domain.rules.house_rules import HouseRules
from domain.rules.layout import Wager
from domain.rules.money import major
from domain.rules.odds.at_most import most_together
from domain.rules.refusals import BadValue, CaseClosed, CaseUnfinished, MissingField
from domain.rules.wording import N_, Moment, Words


class Frozen(Struct, frozen=True):
    """A coup in the record at one position."""

    position: int  # the ledger's last when it was read
    version: int  # of the coup's stream
    phase: str
    agrees: bool
    disagreements: list[str]


class Dispute(OfTableDay, events.State):
    """One case about one coup."""

    @property
    def status(self) -> str:
        """The status of the case: `open`, `decided`, `told` or `closed`."""
        if self.closed:
            return "closed"
        if not self.decisions:
            return "open"
        return "told" if self.patron_informed else "decided"

    @staticmethod
    def stream(address: addresses.Case) -> UUID:
        """The stream of a case."""
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
        """Opens a case about a patron's complaint, with the record of the coup.

        `names`: all names of the patron. `others`: the earlier cases about that coup. Refuses a
        moment before the coup: BadValue.
        """
        _require_after(coup, at)
        wagers = _wagers_of(coup, names)
        worth = _at_stake(coup.rules, wagers) if amount is None else amount
        opened = events.Opened(
            case=str(address),
            coup=str(coup.address),
            table_day=str(coup.table_day),
            patron=patron,
            wagers=[_wager_fields(*each) for each in wagers],
            complaint=complaint,
            amount=worth,
            amount_named=amount is not None,
            hold=hold,
            frozen_at=frozen.position,
            coup_version=frozen.version,
            coup_phase=frozen.phase,
            agrees=frozen.agrees,
            disagreements=frozen.disagreements,
            notify_by=_notify_by(worth, house, at),
            others=[{"case": str(each.address), "status": each.status} for each in others],
            opened_by=opened_by,
        )
        return cls.begin(opened, cls.stream(address), at)

    def note(
        self, text: str, evidence: Sequence[Evidence], by: str, what_if: Sequence[str] = ()
    ) -> None:
        """Adds a note, with its evidence and what-if questions. Refuses: CaseClosed."""
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
        self, decision: str, rightly: Rightly, coup: Coup, *, by: str, approved_by: str
    ) -> None:
        """Checks that two impartial people decide, and that a correction names its wager.

        Refuses: CaseClosed, SecondPersonNeeded, MissingField, BadValue.
        """
        self._require_open()
        require_two(Words("Deciding a dispute"), by, approved_by)
        self._require_no_part(coup.dealer, (by, approved_by))
        given = asdict(rightly) | {
            "to": None if rightly.to is None else major(rightly.to, coup.rules.currency),
            "as": rightly.as_spot,
        }
        del given["as_spot"]
        if decision == "correct" and None in (given["seat"], given["spot"]):
            raise MissingField(
                message=Words(
                    "To pay a wager another amount, name the wager: its seat and its spot."
                )
            )
        if decision != "correct" and any(each is not None for each in given.values()):
            raise BadValue(
                message=Words(
                    "This decision pays no wager another amount. Leave the wager and its payment "
                    "out, or decide to pay it another amount."
                )
            )
        if decision == "stand" and self.effect:
            raise BadValue(message=self._cannot_stand())

    def _require_no_part(self, dealer: str, people: Sequence[str]) -> None:
        """Refuses a decision by the patron, or by whoever dealt the coup: BadValue."""
        for who in people:
            if who == self.patron:
                template = N_("{who} made the complaint. Two others have to decide.")
            elif who == dealer:
                template = N_("{who} dealt the coup. Two others have to decide.")
            else:
                continue
            raise BadValue(rule="R-IRR-5", message=Words(template, who=who))

    def _cannot_stand(self) -> Words:
        """Why the coup cannot be left as it was, after an earlier decision."""
        if self.decision == "void":
            return Words(
                "The coup is void and stays void (R-IRR-5). Inform the patron, and close the case."
            )
        return Words(
            "The payment was already changed: {effect}. Correct it again, or inform the patron and "
            "close the case.",
            effect=self.effect,
        )

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
        """Records a decision with its effect. Refuses: as `require_decidable`.

        `commission`: how much more commission is charged, or less if negative.
        """
        self.require_decidable(decision, rightly, coup, by=by, approved_by=approved_by)
        if decision == "stand":
            coup.require_finished()
        hands = sum(each.chips for each in changes)
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
                stake=rightly.stake,
            )
        )
        self._let_go("decided", by)

    def _instead(self, decision: str, seat: int | None, spot: str | None) -> str:
        """The earlier decision that this one replaces, in words, or '' if none.

        A decision about another wager stays valid beside it.
        """
        for number, (before, *wager) in reversed(list(enumerate(self.decided, 1))):
            left_as_it_was = before == "stand" and number == self.decisions
            if left_as_it_was or decision == "void" or wager == [seat, spot]:
                return f"instead of decision {number}, "
        return ""

    def tell(self, house: Property, by: str, in_words: str = "") -> None:
        """Records that the patron was told the decision and their rights.

        The days in which they may turn to the regulator count from then. `in_words`: the words that
        were used; '' if nobody wrote them down.
        Refuses: CaseClosed, CaseUnfinished, BadValue.
        """
        self._require_open()
        self._require_decided()
        if self.patron_informed:
            raise BadValue(
                message=Words(
                    "The patron was already informed of decision {n} of {case}.",
                    n=self.decisions,
                    case=self.address,
                )
            )
        days = house.dispute_patron_days
        until = house.clock.local(self.happens_at + timedelta(days=days))
        self.record(
            events.PatronTold(
                number=self.decisions,
                until=until.isoformat() if days else None,
                by=by,
                in_words=in_words,
            )
        )

    def notify(self, reference: str, by: str) -> None:
        """Records that the regulator was notified, or its later reference. Refuses: CaseClosed."""
        self._require_open()
        self.record(events.RegulatorNotified(reference=reference, by=by))

    def hold(self, by: str) -> None:
        """Holds the table, so that no further coup is dealt. Refuses: CaseClosed, BadValue."""
        self._require_open()
        if self.holds or self.decisions:
            held = N_("{case} already holds its table.")
            decided = N_("{case} is decided, so it cannot hold its table.")
            raise BadValue(message=Words(held if self.holds else decided, case=self.address))
        self.record(events.HoldPlaced(by=by))

    def release(self, by: str) -> None:
        """Releases the table. Refuses: CaseClosed, BadValue."""
        self._require_open()
        if not self.holds:
            raise BadValue(message=Words("{case} holds no table.", case=self.address))
        self._let_go("released", by)

    def hand_out(self, position: int, json_sha256: str, pdf_sha256: str, by: str) -> None:
        """Records that a pack of the case was made; also after it closed."""
        self.record(
            events.PackMade(
                position=position, json_sha256=json_sha256, pdf_sha256=pdf_sha256, by=by
            )
        )

    def close(self, by: str) -> None:
        """Closes the case. Refuses: CaseClosed, CaseUnfinished."""
        self._require_open()
        self._require_decided()
        if not self.patron_informed:
            raise self._unfinished(Words("Inform the patron of the decision, with `dispute tell`"))
        if self.notify_by and not self.notified:
            raise self._unfinished(Words("Notify the regulator, with `dispute notify`"))
        self.record(events.Closed(decision=self.decision, by=by))

    def _let_go(self, why: str, by: str) -> None:
        if self.holds:
            self.record(events.HoldReleased(why=why, by=by))

    def _require_open(self) -> None:
        if self.closed:
            raise CaseClosed(case=self.address, coup=self.coup)

    def _require_decided(self) -> None:
        if not self.decisions:
            raise self._unfinished(Words("Decide it first, with `dispute decide`"))

    def _unfinished(self, why: Words) -> CaseUnfinished:
        return CaseUnfinished(case=self.address, why=why)


def _require_after(coup: Coup, at: datetime) -> None:
    """Refuses a complaint of before its coup: BadValue."""
    if at < coup.created_on:
        raise BadValue(
            message=Words(
                "{coup} was opened at {opened}, after {at}. Give a later moment.",
                coup=coup.address,
                opened=Moment(coup.created_on),
                at=Moment(at),
            )
        )


def _wagers_of(coup: Coup, names: Sequence[str]) -> list[tuple[Wager, int | None]]:
    """A patron's wagers, each with its payment so far, or None if it is not settled."""
    wagers: list[tuple[Wager, int | None]] = []
    for wager in coup.wagers():
        if wager.patron in names:
            payment = coup.settled.get((wager.seat, wager.spot))
            wagers.append((wager, payment.paid if payment else None))
    return wagers


def _wager_fields(wager: Wager, paid: int | None) -> events.Part:
    return {"seat": wager.seat, "spot": wager.spot, "stake": wager.stake, "paid": paid}


def _at_stake(rules: HouseRules, wagers: Sequence[tuple[Wager, int | None]]) -> int | None:
    """The default amount in dispute: the most that these can be paid on one outcome, or None.

    It is not less than what was paid for them.
    """
    if not wagers:
        return None
    most = most_together(rules, [(wager.spot, wager.stake) for wager, _ in wagers])
    return max(most, sum(paid or 0 for _, paid in wagers))


def _notify_by(amount: int | None, house: Property, at: datetime) -> str | None:
    """The deadline to notify the regulator, or None; an unknown amount counts as a large one."""
    begins = house.dispute_notice_from
    if not begins or (amount is not None and amount < begins):
        return None
    return _within_notice(house, at)


def _within_notice(house: Property, at: datetime) -> str:
    """The deadline for what must be done at once."""
    by = at + timedelta(minutes=house.dispute_notice_minutes)
    return house.clock.local(by).isoformat()


def _effect(decision: str, changes: Sequence[Change], commission: int, coup: Coup) -> str:
    """The effect of a decision in words."""
    if decision == "stand":
        return "the coup stays void" if coup.phase == "voided" else "the payment stands"
    currency = coup.rules.currency
    parts = ["the coup is void"] if decision == "void" else []
    for each in changes:
        before, after = each.before, each.after
        other = f", as {each.as_spot}," if each.as_spot else ""
        what = f"coupon {each.coupon}" if each.coupon else each.wager.spot
        if each.stake_before is not None:
            lay = major(each.wager.stake, currency)
            parts.append(
                f"seat {each.wager.seat} {what} was {lay}, not {major(each.stake_before, currency)}"
            )
        parts.append(
            f"seat {each.wager.seat} {what}{other} is paid "
            f"{major(after.paid, currency)} in all, not {major(before.paid, currency)}"
        )
    if commission:
        more = "more" if commission > 0 else "less"
        parts.append(f"{major(abs(commission), currency)} {more} commission")
    return "; ".join(parts)
