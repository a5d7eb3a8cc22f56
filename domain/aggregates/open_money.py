"""What corrections leave open with a stay whose patron has left, until two people settle it.

The chips of its bets are open here. Commission stays open on its account, and money on the game
account of the stay; one settlement settles all three.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Self

from domain.aggregates.base import AccountOfStay
from domain.aggregates.tray import Signed
from domain.events import open_money as events
from domain.rules import addresses
from domain.rules.layout import Wager
from domain.rules.refusals import BadValue
from domain.rules.wording import Words


class OpenMoney(AccountOfStay, events.State):
    """The open money of one stay at one table."""

    NOUN = "open-money"

    # Commands: decide; refuse, or record an event.
    @classmethod
    def open(
        cls, stay: str, patron: str, day: addresses.TableDay, currency: str, *, at: datetime
    ) -> Self:
        """Opens it with nothing in it."""
        opened = events.Opened(stay=stay, patron=patron, table_day=str(day), currency=currency)
        return cls.begin(opened, cls.stream(stay), at)

    def leave_open(self, coup: str, wager: Wager, amount: int) -> None:
        """Notes the chips that a correction leaves open; more than 0: the patron owes them."""
        self._note(coup, wager.seat, wager.spot, amount)

    def note_open(self) -> None:
        """Notes what is open again since a settlement was taken back."""
        if self.balance:
            self._note(None, None, None, 0)

    def _note(self, coup: str | None, seat: int | None, spot: str | None, amount: int) -> None:
        balance = self.balance + amount
        self.record(
            events.BetLeftOpen(coup=coup, seat=seat, spot=spot, amount=amount, balance=balance)
        )

    def settle(
        self,
        how: str,
        amount: int,
        *,
        bets: int,
        commission: Mapping[str, int],
        account: int,
        place: str,
        session: int,
        signed: Signed,
    ) -> None:
        """Settles a part of bets, and notes those of commission and of the game account."""
        self.record(
            events.LeftOpenSettled(
                number=self.settlements + 1,
                how=how,
                place=place,
                session=session,
                amount=amount,
                bets=bets,
                commission=dict(commission),
                account=account,
                balance=self.balance - bets,
                **signed.fields,
            )
        )

    def take_back(
        self, number: int, position: int, moved_at: str, signed: Signed
    ) -> events.LeftOpenSettled:
        """Takes back a settlement that was typed wrong, and returns it. Refuses: BadValue."""
        was = self.settled.get(number)
        if was is None:
            raise BadValue(
                message=Words(
                    "That settlement was taken back before. Correct the one that came in its "
                    "place, or settle again, with `patron settle`."
                )
            )
        same: dict[str, Any] = {
            name: getattr(was, name) for name in ("number", "how", "place", "amount", "bets")
        }
        balance = self.balance + was.bets
        self.record(
            events.SettlementTakenBack(
                position=position, moved_at=moved_at, balance=balance, **same, **signed.fields
            )
        )
        return was
