"""The money of a table day: what came into the tray and left it, and how it is put right.

A movement that was typed wrong is corrected by two people as an event of its own; both values stay
on record (R-IRR-5). Amounts are minor units.
"""

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from domain.aggregates.base import Aggregate
from domain.aggregates.property import Property
from domain.events import table_money as events
from domain.rules.chips import Chips, added, few_of, require_countable, total
from domain.rules.house_rules import HouseRules, of
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.refusals import BadValue, NotFound, TableClosed
from domain.rules.seating import Stay
from domain.rules.wording import Amount, Words


class Signed(Struct, frozen=True):
    """Why something is put right, and the two people who do it (R-IRR-5)."""

    reason: str
    requested_by: str
    approved_by: str

    @property
    def fields(self) -> dict[str, Any]:
        """The fields that an event of it has."""
        return asdict(self)


class Wrong(Struct, frozen=True):
    """An entry that was typed wrong: its position in the ledger, its place in the stream, when."""

    position: int
    entry: int
    moved_at: str  # by the house's clock


class Tray(Aggregate, events.TrayState):
    """The chips and the cash of one table day."""

    @property
    def rules(self) -> HouseRules:
        """The rule set of this table day."""
        return of(self.rules_name, self.rules_digest)

    def require_open(self) -> None:
        """Refuses: TableClosed."""
        if self.closed:
            raise TableClosed(what=str(self.address))

    def in_session(self, wagers_won: int, commission: int) -> tuple[int, int]:
        """What of the whole day's chips from wagers and commission came in this session."""
        won_before, commission_before = self.before_session
        return wagers_won - won_before, commission - commission_before

    def expected_now(self, wagers_won: int, commission: int) -> int:
        """The value that the tray should have now, in minor units.

        `wagers_won` and `commission`: the chips that they brought into it in the whole day.
        """
        return self.tray + sum(self.in_session(wagers_won, commission))

    def fill(self, slip: str, chips: Chips) -> None:
        """Receives chips from the cage, with their slip. Refuses: TableClosed."""
        self.require_open()
        require_countable("chips", chips)
        self._require_bounded(self.tray + total(chips))
        self.record(events.Filled(slip=slip, chips=chips, total=total(chips)))

    def credit(self, slip: str, chips: Chips) -> None:
        """Gives chips to the cage, with their slip. Refuses: TableClosed."""
        self.require_open()
        require_countable("chips", chips)
        self._require_bounded(self.tray - total(chips))
        self.record(events.Credited(slip=slip, chips=chips, total=total(chips)))

    def exceed(self, act: str, amount: int, holds: int) -> None:
        """Records that more leaves the house's hands than the tray should hold."""
        self.record(events.TrayExceeded(act=act, amount=amount, holds=holds))

    def change_colour(self, taken: Chips, given: Chips) -> None:
        """Changes chips for chips of the same worth. Refuses: TableClosed, BadValue."""
        self.require_open()
        require_countable("taken", taken)
        self._require_same_worth(taken, given)
        self.record(events.ColourChanged(taken=taken, given=given, total=total(taken)))

    def _require_same_worth(self, taken: Chips, given: Chips) -> None:
        """Refuses a colour change in which a patron would gain or lose: BadValue."""
        if not any(taken.values()) or total(taken) != total(given):
            raise BadValue(
                message=Words(
                    "Chips worth {taken} cannot be changed for chips worth {given}: both have to "
                    "be worth the same.",
                    taken=self._amount(total(taken)),
                    given=self._amount(total(given)),
                )
            )
        if taken == given:
            raise BadValue(message=Words("These are the same chips. Nothing is to be changed."))

    def needs_fill(self, holds: int, house: Property) -> bool:
        """Whether a tray that holds so much needs a fill, as the house set it."""
        floor = max(house.fill_floor, total(self.opener) * house.fill_share // 100)
        return holds < floor or bool(few_of(self.chips, self.opener, house.fill_share))

    def put_coup_right(self, coup: str, changes_hands: int) -> None:
        """Corrects a coup of a closed day with chips of this tray."""
        self.record(
            events.EarlierCoupPutRight(coup=coup, changes_hands=changes_hands, place="tray")
        )

    def leave_chips_open(self, coup: str, changes_hands: int) -> None:
        """Leaves the chips of a corrected coup where they are, because the patron has left."""
        self.record(events.ChipsLeftOpen(coup=coup, changes_hands=changes_hands))

    def move_open_money(
        self, patron: str, stay: str, amount: int, *, session: int, moved_at: str
    ) -> None:
        """Settles what was left open with a patron with this tray. Refuses: BadValue."""
        self._require_bounded(self.tray + amount)
        self.record(
            events.OpenMoneyMoved(
                patron=patron, stay=stay, amount=amount, session=session, moved_at=moved_at
            )
        )

    def recover_commission(self, patron: str, stay: str, amount: int) -> None:
        """Takes commission written off elsewhere into this tray. Refuses: TableClosed."""
        self.require_open()
        self._require_bounded(self.tray + amount)
        self.record(events.CommissionRecovered(patron=patron, stay=stay, amount=amount))

    def move_for_incident(self, incident: str, amount: int) -> None:
        """Takes chips into the tray, or with less than 0 out of it. Refuses: TableClosed."""
        self.require_open()
        self._require_bounded(self.tray + amount)
        self.record(events.IncidentChipsMoved(incident=incident, amount=amount))

    # Putting right.
    def movement(self, entry: int) -> events.Movement:
        """Cash or chips that moved, as last corrected. Refuses: NotFound."""
        if entry not in self.moved:
            raise NotFound(
                message=Words(
                    "That event moved no money of {day}. Name a buy-in, a cash-out, a fill, a "
                    "credit, a colour change or an opener.",
                    day=self.address,
                )
            )
        return self.moved[entry]

    def correct_cash(
        self, wrong: Wrong, seat: int, stay: Stay, amount: int, signed: Signed
    ) -> None:
        """Corrects a buy-in or a cash-out; 0: it never was. Refuses: BadValue."""
        before = self.movement(wrong.entry)
        if (before.patron, before.stay, before.amount) == (stay.patron, stay.address, amount):
            raise self._nothing_new()
        self._require_bounded(self.tray + events.SIGN[before.kind] * (amount - before.amount))
        self.record(
            events.CashCorrected(
                **asdict(wrong),
                kind=before.kind,
                seat=seat,
                patron=stay.patron,
                stay=stay.address,
                amount=amount,
                patron_before=before.patron,
                stay_before=before.stay,
                amount_before=before.amount,
                **signed.fields,
            )
        )

    def correct_colour(self, wrong: Wrong, taken: Chips, given: Chips, signed: Signed) -> None:
        """Corrects a colour change; without chips it never was. Refuses: BadValue."""
        if taken or given:
            self._require_same_worth(taken, given)
        self.correct_chips(wrong, added(taken, given, -1), signed)

    def correct_chips(self, wrong: Wrong, chips: Chips, signed: Signed) -> None:
        """Corrects the chips of an opener, a fill or a credit; none: it never was.

        Refuses: BadValue.
        """
        before = self.movement(wrong.entry)
        require_countable("chips", chips)
        if before.chips == chips:
            raise self._nothing_new()
        more = events.SIGN[before.kind] * (total(chips) - before.amount)
        self._require_bounded(self.tray + more)
        self.record(
            events.ChipsCorrected(
                **asdict(wrong),
                kind=before.kind,
                slip=before.slip,
                session=before.session,
                chips=chips,
                total=total(chips),
                chips_before=before.chips or {},
                total_before=before.amount,
                **signed.fields,
            )
        )

    def _nothing_new(self) -> BadValue:
        return BadValue(
            message=Words("That is how it is on record. Give what was wrong as it really was.")
        )

    def _require_bounded(self, tray: int) -> None:
        """Refuses a tray that some readers of JSON could not read exactly: BadValue."""
        if abs(tray) > LARGEST_AMOUNT:
            raise BadValue(
                message=Words(
                    "The tray would come to more than 2^53 minor units. Check the amount."
                )
            )

    def _amount(self, amount: int) -> Amount:
        return Amount(amount, self.rules.currency)
