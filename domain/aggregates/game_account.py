"""The money of a stay at positions that bet without chips (R-ACC-1).

A wager is taken from the account in the act that places it, and paid into it in the act that
settles it, so nobody ever bets more than is there. Cash and tickets go in and out by an attendant.
"""

from datetime import datetime
from typing import Any, Self

from domain.aggregates.base import AccountOfStay
from domain.aggregates.table_day import TableDay
from domain.aggregates.tray import Signed
from domain.events import coup_wagers
from domain.events import game_account as events
from domain.rules.layout import of_an_account
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.refusals import AccountNotEmpty, AccountShort, BadValue
from domain.rules.regimes import Direction
from domain.rules.seating import Stay
from domain.rules.wording import Amount, Words


class GameAccount(AccountOfStay, events.State):
    """The account of one stay at one table."""

    NOUN = "game-account"

    @property
    def balance(self) -> int:
        """The minor units that can be wagered or paid out."""
        return self.places["account"]

    @property
    def on_the_cloth(self) -> int:
        """The minor units that are wagered on coups in play."""
        return self.places["cloth"]

    @property
    def in_no_tray(self) -> int:
        """The minor units that are here, or wagered, or were paid by the cage after the stay."""
        return self.balance + self.on_the_cloth + self.places["cage"]

    @property
    def next_ticket(self) -> str:
        """The number of the next ticket, counted by stay so that no table waits for another."""
        return f"{self.stay}/ticket-{self.tickets + 1}"

    def has_decided(self, coup: str, seat: int, spot: str) -> bool:
        """Whether a wager was settled out of this account."""
        return (coup, seat, spot) in self.decided

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(cls, seat: int, stay: Stay, day: TableDay, *, at: datetime) -> Self:
        """Opens the account of a position, empty."""
        return cls.begin(
            events.Opened(
                **day.opens_for(stay),
                seat=seat,
            ),
            cls.stream(stay.address),
            at,
        )

    def require_room(self, amount: int) -> None:
        """Refuses money that some readers of JSON could not read exactly: BadValue."""
        if self.balance + self.on_the_cloth + amount > LARGEST_AMOUNT:
            raise BadValue(
                message=Words("The account would come to more than 2^53 minor units. Pay in less.")
            )

    def pay_in(self, seat: int, amount: int, entry: int, ticket: str | None = None) -> None:
        """Puts cash or a ticket on the account; `entry`: its place in the table day's stream."""
        source = "ticket" if ticket else "cash"
        moved = self._moved(seat, amount, source, "account")
        self.record(events.PaidIn(ticket=ticket, entry=entry, **moved))

    def pay_out(self, seat: int, amount: int, entry: int, ticket: str | None = None) -> None:
        """Pays in cash or with a ticket. Refuses: AccountShort."""
        self.require(seat, amount)
        into = "ticket" if ticket else "cash"
        moved = self._moved(seat, amount, "account", into)
        self.record(events.PaidOut(ticket=ticket, entry=entry, **moved))

    def pay_by_hand(self, seat: int, amount: int, entry: int, signed: Signed) -> None:
        """Pays by hand, signed by two. Refuses: AccountShort."""
        self.require(seat, amount)
        moved = self._moved(seat, amount, "account", "hand")
        self.record(events.HandPaid(entry=entry, **moved, **signed.fields))

    def correct_cash(
        self,
        position: int,
        entry: int,
        seat: int,
        more: int,
        signed: Signed,
        *,
        was: Direction,
        place: str,
    ) -> None:
        """Puts right money that was typed wrong: `more`, or less, is on the account.

        `was`: whether it was paid in or out; `place`: where it came from, or went. What was lost
        in play since is a shortage: cash that was never given is a fact all the same.
        """
        self._bear_what_is_short(seat, -more)
        out_of, into = (place, "account") if more > 0 else ("account", place)
        moved = self._moved(seat, abs(more), out_of, into)
        self.record(
            events.CashPutRight(position=position, entry=entry, was=was, **moved, **signed.fields)
        )

    def leave_open(self, seat: int) -> None:
        """Notes money that a correction leaves with a patron who is not at the table."""
        if self.balance:
            self.record(events.LeftOnAccount(seat=seat, balance=self.balance))

    def settle(self, amount: int) -> None:
        """Has the cage pay what was left here; less than 0: it did not, after all."""
        out_of, into = ("account", "cage") if amount > 0 else ("cage", "account")
        self.record(events.SettledAtCage(**self._moved(self.seat, abs(amount), out_of, into)))

    def require_empty(self) -> None:
        """Refuses that a patron leaves money behind: AccountNotEmpty."""
        if self.balance:
            raise AccountNotEmpty(patron=self.patron, balance=Amount(self.balance, self.currency))

    def follow(self, event: coup_wagers.OfWager) -> None:
        """Moves the money of a wager that was placed, released, decided or put right.

        Wagers in chips, from before the account was opened, are left alone.
        Refuses: AccountShort, BadValue.
        """
        match event:
            case coup_wagers.WagerPlaced():
                self._stake(event, event.amount)
            case coup_wagers.WagerWithdrawn():
                self._stake(event, 0)
            case coup_wagers.WagerReduced():
                self._stake(event, event.amount)
            case coup_wagers.WagerReturned(paid_before=None):
                self._stake(event, 0)
            case coup_wagers.WagerSettled():
                self._decide(event)
            case coup_wagers.WagerReturned() | coup_wagers.PaymentCorrected():
                self._follow_payment(event, event.changes_hands)
            case coup_wagers.WagerFound() | coup_wagers.StakeCorrected() | coup_wagers.WagerMoved():
                raise of_an_account(event.seat, event.spot)

    def _stake(self, event: coup_wagers.OfWager, stake: int) -> None:
        """Has so much lie on the wager's spot."""
        wager = (event.coup, event.seat, event.spot)
        more = stake - self.staked.get(wager, 0)
        if more > 0:
            self.require(event.seat, more)
            self.record(events.Wagered(**self._of(event, more, "account", "cloth")))
        elif more < 0:
            self.record(events.WagerReleased(**self._of(event, -more, "cloth", "account")))

    def _decide(self, event: coup_wagers.WagerSettled) -> None:
        stake = self.staked.get((event.coup, event.seat, event.spot), 0)
        if not stake:
            return
        back, won = min(stake, event.paid), max(event.paid - stake, 0)
        if stake > back:
            self.record(events.StakeLost(**self._of(event, stake - back, "cloth", "house")))
        if back:
            self.record(events.StakeReturned(**self._of(event, back, "cloth", "account")))
        if won:
            self.record(events.WinningsCredited(**self._of(event, won, "house", "account")))

    def _follow_payment(
        self, event: coup_wagers.WagerReturned | coup_wagers.PaymentCorrected, more: int
    ) -> None:
        """Pays more of a decided wager, or takes back what was paid too much."""
        if not more or not self.has_decided(event.coup, event.seat, event.spot):
            return
        self._bear_what_is_short(event.seat, -more, event.coup)
        places = ("house", "account") if more > 0 else ("account", "house")
        self.record(events.PaymentFollowed(**self._of(event, abs(more), *places)))

    def _bear_what_is_short(self, seat: int, taken: int, coup: str | None = None) -> None:
        """Has the house bear what is not there of an amount that a correction takes back."""
        if taken > self.balance:
            moved = self._moved(seat, taken - self.balance, "house", "account")
            self.record(events.FoundShort(coup=coup, **moved))

    def require(self, seat: int, amount: int) -> None:
        """Refuses an amount that is not there: AccountShort."""
        if amount > self.balance:
            raise AccountShort(
                seat=seat,
                balance=Amount(self.balance, self.currency),
                amount=Amount(amount, self.currency),
            )

    def _of(
        self, event: coup_wagers.OfWager, amount: int, out_of: str, into: str
    ) -> dict[str, Any]:
        moved = self._moved(event.seat, amount, out_of, into)
        return {"coup": event.coup, "spot": event.spot, **moved}

    def _moved(self, seat: int, amount: int, out_of: str, into: str) -> dict[str, Any]:
        """The fields of a movement, with the balance after it."""
        change = amount * ((into == "account") - (out_of == "account"))
        return {
            "seat": seat,
            "amount": amount,
            "out_of": out_of,
            "into": into,
            "balance": self.balance + change,
        }
