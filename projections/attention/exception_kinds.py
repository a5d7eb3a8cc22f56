"""The kinds of exceptions: which events are one, at a coup or elsewhere.

The same slip of the keys, made again by the same person at the same coup, is one row; its detail
has how many `times`.
"""

from typing import Any

from domain.events import (
    adjudication,
    cash_day,
    commission_account,
    coup_wagers,
    deck,
    game_account,
    open_money,
    patron,
    slip_book,
    table_counts,
    table_day,
    table_money,
    ticket,
)
from domain.events import coup as coup_events
from domain.events import shoe as shoe_events
from domain.rules.permissions import ID_WITHDRAWN
from projections.model import Event

LEFT_ON_ACCOUNT = "money left on account"
COUNTED_AGAIN, OPENER_DIFFERS = "counted again", "opener differs"
ACCOUNT_SHORT = "account short"
LEFT_OPEN, BET_LEFT_OPEN = "commission left open", "bet left open"
OWED_STILL = (LEFT_OPEN, BET_LEFT_OPEN, LEFT_ON_ACCOUNT)  # with somebody who has left
# The kind of exception that an event is. Those of a coup are in the coup's row as well.
AT_A_COUP = {
    coup_wagers.LateBetRefused.TOPIC: "late bet",
    coup_wagers.WagerFound.TOPIC: "wager found late",
    coup_wagers.LimitFoundBroken.TOPIC: "over or under limit",
    coup_wagers.WagerReduced.TOPIC: "wager reduced",
    shoe_events.UndueCardRefused.TOPIC: "undue card",
    shoe_events.CardMisdrawn.TOPIC: "undue card",
    shoe_events.CardDiscarded.TOPIC: "exposed or foreign card",
    shoe_events.BurnLeftOut.TOPIC: "burn left out",
    coup_events.CardMoved.TOPIC: "card moved",
    shoe_events.CutCardPassed.TOPIC: "cut card passed",
    coup_wagers.PaymentDisagreed.TOPIC: "payment disagrees",
    coup_wagers.PaymentCorrected.TOPIC: "payment corrected",
    coup_wagers.StakeCorrected.TOPIC: "stake corrected",
    coup_events.CardCorrected.TOPIC: "card corrected",
    coup_wagers.WagerMoved.TOPIC: "wager moved",
    coup_events.Voided.TOPIC: "coup voided",
    game_account.FoundShort.TOPIC: ACCOUNT_SHORT,
    commission_account.CommissionLeftOpen.TOPIC: LEFT_OPEN,
    open_money.BetLeftOpen.TOPIC: BET_LEFT_OPEN,
    adjudication.Disagreed.TOPIC: "disagreement on re-adjudication",
}
ELSEWHERE = {
    commission_account.CommissionWaived.TOPIC: "commission walked or waived",
    commission_account.CommissionWalked.TOPIC: "commission walked or waived",
    slip_book.SlipReuseRefused.TOPIC: "slip or serial reused",
    deck.ReuseRefused.TOPIC: "slip or serial reused",
    shoe_events.OrderUntold.TOPIC: "order untold",
    table_counts.TableClosed.TOPIC: "closer variance",
    table_counts.VarianceChanged.TOPIC: "closer variance",
    table_counts.CloserRecounted.TOPIC: COUNTED_AGAIN,
    table_counts.DropCounted.TOPIC: COUNTED_AGAIN,
    table_day.Reopened.TOPIC: "table reopened",
    table_counts.OpenerDiffered.TOPIC: OPENER_DIFFERS,
    ticket.TicketRefused.TOPIC: "ticket refused",
    table_money.EarlierCoupPutRight.TOPIC: "earlier coup put right",
    table_money.TrayExceeded.TOPIC: "tray exceeded",
    game_account.LeftOnAccount.TOPIC: LEFT_ON_ACCOUNT,
    table_money.CashCorrected.TOPIC: "money corrected",
    table_money.ChipsCorrected.TOPIC: "money corrected",
    commission_account.CollectionCorrected.TOPIC: "money corrected",
    open_money.SettlementTakenBack.TOPIC: "money corrected",
    patron.Separated.TOPIC: "alias separated",
    patron.ToldApart.TOPIC: "names told apart",
    cash_day.IdentityNotShownWithdrawn.TOPIC: ID_WITHDRAWN,
    table_counts.ShiftCounted.TOPIC: "shift variance",
    table_counts.ShiftVarianceChanged.TOPIC: "shift variance",
    table_counts.BoxesCounted.TOPIC: "box difference",
    shoe_events.Reconciled.TOPIC: "shoe not reconciled",
    shoe_events.Recounted.TOPIC: COUNTED_AGAIN,
}
# What the same person may do twice by the same slip of the keys: one row, with how many times.
MADE_AGAIN = (
    coup_wagers.LateBetRefused.TOPIC,
    shoe_events.UndueCardRefused.TOPIC,
    coup_wagers.PaymentDisagreed.TOPIC,
)
# Kinds that apply to a whole command; the row has the position of its first event.
LATE_ENTRY = "late entry"
OF_A_COMMAND = (LATE_ENTRY, "clock behind", "clock ahead")
DIFFERENTIAL = "differential"
KINDS = frozenset({*AT_A_COUP.values(), *ELSEWHERE.values(), DIFFERENTIAL, *OF_A_COMMAND})


def kind_of(event: Event) -> str:
    """The kind of exception that the event is."""
    fields = event.fields
    if fields.get("refusal") == "DifferentialExceeded":
        return DIFFERENTIAL
    if another_stake(event):
        return AT_A_COUP[coup_wagers.StakeCorrected.TOPIC]
    if event.topic == table_counts.CloserRecounted.TOPIC and fields["level"] != "none":
        return ELSEWHERE[table_counts.TableClosed.TOPIC]
    if event.topic == shoe_events.Recounted.TOPIC and (fields["difference"] or fields["over"]):
        return ELSEWHERE[shoe_events.Reconciled.TOPIC]
    return AT_A_COUP.get(event.topic) or ELSEWHERE[event.topic]


def another_stake(event: Event) -> bool:
    """Whether the event puts right how much lay there, paid already or not."""
    fields = event.fields
    return "stake_before" in fields and bool(fields["stake"] != fields["stake_before"])


def coup_of(event: Event) -> str | None:
    """The event's coup, or None; a shoe counts its coups, from 0 before the first."""
    coup = event.fields.get("coup")
    return f"{event.fields['shoe']}/{coup}" if coup and "/" not in str(coup) else coup or None


def made_again(before: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether a slip of the keys is one that was made before; counts it there if it is."""
    apart = ("times", "at")
    same = {name: value for name, value in before.items() if name not in apart}
    if same != {name: value for name, value in now.items() if name not in apart}:
        return False
    before["times"] = before.get("times", 1) + 1
    return True
