"""Which event puts an earlier one right (R-IRR-5).

No event is ever changed: a mistake and what puts it right are both on record, in one stream.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from domain.events import (
    cash_day,
    commission_account,
    coup,
    coup_coupons,
    coup_wagers,
    game_account,
    open_money,
    patron,
    shoe,
    slip_book,
    table_counts,
    table_day,
    table_money,
)
from domain.events.base import Event

Same = Callable[[Any, Any, int], bool]  # the later event, the earlier one and its position


class _Way(Struct, frozen=True):
    """What an event may put right, and whether it is this one."""

    kinds: tuple[type[Event], ...]
    same: Same


def _fields(*names: str) -> Same:
    def same(later: Any, earlier: Any, _: int) -> bool:
        return all(getattr(later, name) == getattr(earlier, name) for name in names)

    return same


def _position(later: Any, _: Any, position: int) -> bool:
    return bool(later.position == position)


def _again(later: Any, _: Any, __: int) -> bool:
    return later.before is not None


def _session_before(later: Any, earlier: Any, _: int) -> bool:
    return bool(earlier.session == later.session - 1)


_PAID = (coup_wagers.WagerSettled, coup_wagers.WagerSettledLate, coup_wagers.WagerRanOut)
_LAID = (coup_wagers.WagerPlaced, coup_wagers.WagerFound, coup_wagers.WagerCarried)
_BET = (*_LAID, *_PAID)
_OF_WAGER = _fields("seat", "spot")
_SLIP = (slip_book.SlipRequested, slip_book.SlipReceived)
_WAYS: Mapping[type[Event], _Way] = {
    cash_day.IdentityNotShownWithdrawn: _Way((cash_day.IdentityNotShown,), _position),
    coup.CardCorrected: _Way((coup.CardDealt,), _fields("n")),
    coup_wagers.PaymentCorrected: _Way(_PAID, _OF_WAGER),
    coup_wagers.StakeCorrected: _Way(_LAID, _OF_WAGER),
    coup_wagers.WagerRecounted: _Way(
        (coup_wagers.WagerCarried, coup_wagers.WagerUndecided, *_PAID), _OF_WAGER
    ),
    coup_coupons.CouponCorrected: _Way((coup_coupons.CouponSettled,), _fields("seat")),
    coup_wagers.WagerMoved: _Way(_BET, _OF_WAGER),
    coup_wagers.WagerReturned: _Way(_BET, _OF_WAGER),
    coup.Voided: _Way((coup.Opened, coup.Resulted, coup.Settled), _fields()),
    commission_account.CommissionCorrected: _Way(
        (commission_account.CommissionAccrued,), _fields("coup", "seat")
    ),
    commission_account.CollectionCorrected: _Way(
        (commission_account.CommissionCollected,), _position
    ),
    game_account.CashPutRight: _Way(
        (game_account.PaidIn, game_account.PaidOut, game_account.HandPaid), _fields("entry")
    ),
    game_account.PaymentFollowed: _Way(
        (
            game_account.StakeReturned,
            game_account.StakeLost,
            game_account.WinningsCredited,
        ),
        _fields("coup", "seat", "spot"),
    ),
    open_money.SettlementTakenBack: _Way((open_money.LeftOpenSettled,), _fields("number")),
    shoe.CardRenamed: _Way((shoe.CardDrawn,), _fields("coup", "n")),
    shoe.Recounted: _Way((shoe.Reconciled,), _fields()),
    table_money.CashCorrected: _Way((table_money.BoughtIn, table_money.CashedOut), _position),
    table_money.ChipsCorrected: _Way(
        (
            *(table_day.Opened, table_day.Reopened, table_money.Filled, table_money.Credited),
            table_money.ColourChanged,
        ),
        _position,
    ),
    table_counts.DropCounted: _Way((table_counts.DropCounted,), _again),
    table_counts.CloserRecounted: _Way((table_counts.TableClosed,), _fields("session")),
    table_counts.VarianceChanged: _Way((table_counts.TableClosed,), _fields("session")),
    table_counts.ShiftVarianceChanged: _Way((table_counts.ShiftCounted,), _fields("shift")),
    table_day.Unlocked: _Way((table_day.LockedUp,), _fields("coup")),
    table_day.Reopened: _Way((table_counts.TableClosed,), _session_before),
    patron.Separated: _Way((patron.Identified,), lambda later, is_, _: later.was == is_.patron_is),
    slip_book.SlipCorrected: _Way(_SLIP, _fields("slip")),
    slip_book.SlipVoided: _Way((slip_book.SlipRequested,), _fields("slip")),
}
PUT_RIGHT = frozenset(_WAYS) | {kind for way in _WAYS.values() for kind in way.kinds}


def puts_right(later: Event, earlier: Event, position: int) -> bool:
    """Whether an event puts right an earlier one of its stream, which is at `position`."""
    way = _WAYS.get(type(later))
    return way is not None and isinstance(earlier, way.kinds) and way.same(later, earlier, position)
