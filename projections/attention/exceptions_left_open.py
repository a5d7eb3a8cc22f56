"""Exceptions of money left open with a patron who has left: each row follows what is still open."""

from collections.abc import Callable

from domain.events import game_account, open_money
from projections.attention.exception_kinds import kind_of
from projections.attention.exception_rows import (
    EXCEPTIONS,
    UNFINISHED,
    Noted,
    as_answered,
    finish,
    row_of,
)
from projections.commission.owed import owes_more
from projections.model import Change, Event
from projections.rows import Rows

# What may take money off the game account of a patron who has left.
TAKES_OFF = (
    *(game_account.PaidOut.TOPIC, game_account.HandPaid.TOPIC),
    *(game_account.PaymentFollowed.TOPIC, game_account.CashPutRight.TOPIC),
    game_account.SettledAtCage.TOPIC,
)
# What may change the bets that are open with somebody who has left.
SETTLES = (
    *(open_money.BetLeftOpen.TOPIC, open_money.LeftOpenSettled.TOPIC),
    open_money.SettlementTakenBack.TOPIC,
)


def left_open(which: Callable[[Event], str]) -> Change:
    """A change that notes what is left open; a stay has one row of each kind while it is."""

    def change(event: Event, rows: Rows) -> None:
        open_yet = rows.find(UNFINISHED, which(event))
        for each in open_yet:
            _settle(each, event.fields["balance"], event, rows)
        if not open_yet and event.fields["balance"]:
            row = row_of(event, kind_of(event), as_answered(event))
            row.unfinished = which(event)
            rows.put(EXCEPTIONS, row)

    return change


def stay_of(event: Event) -> str:
    """The event's stay, whose commission is open."""
    return str(event.fields["stay"])


def bets_of(event: Event) -> str:
    """The bets of the event's stay, apart from its commission."""
    return f"{event.fields['stay']} bets"


def bets_settled(event: Event, rows: Rows) -> None:
    """Changes what is left open of a stay's bets."""
    for each in rows.find(UNFINISHED, bets_of(event)):
        _settle(each, event.fields["balance"], event, rows)


def account_of(event: Event) -> str:
    """The game account of the event's stay, apart from its commission."""
    return f"{event.fields['stay']} account"


def owes(event: Event, rows: Rows) -> None:
    """Changes what is open with a stay; who settles the last of it acknowledges the row."""
    for each in rows.find(UNFINISHED, event.fields["stay"]):
        _settle(each, each.detail["balance"] + owes_more(event), event, rows)


def taken_off(event: Event, rows: Rows) -> None:
    """Changes what is left on a game account."""
    for each in rows.find(UNFINISHED, account_of(event)):
        _settle(each, event.fields["balance"], event, rows)


def _settle(row: Noted, balance: int, event: Event, rows: Rows) -> None:
    detail = rows.mark(EXCEPTIONS, row).detail
    before, detail["balance"] = detail["balance"], balance
    if balance == 0:
        detail["settled"], detail["settled_at"] = before, event.at.isoformat()
        detail["settled_by"], detail["how"] = event.actor, event.fields.get("how")
        settled = finish(row, rows)
        settled.acknowledged_by = settled.acknowledged_by or event.actor or None
        settled.acknowledged_at = settled.acknowledged_at or event.at
