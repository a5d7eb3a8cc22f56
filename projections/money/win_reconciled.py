"""What lies between the win by chips and the win by wagers of a table day: a column each."""

from collections.abc import Callable

from domain.events import (
    game_account,
)
from projections.model import Event
from projections.money.table_wins import win_of
from projections.rows import Rows

MOVEMENTS = (
    *(game_account.PaidIn, game_account.PaidOut, game_account.HandPaid, game_account.Wagered),
    *(game_account.WagerReleased, game_account.StakeReturned, game_account.StakeLost),
    *(game_account.WinningsCredited, game_account.CashPutRight),
)


def collected(sign: int) -> Callable[[Event, Rows], None]:
    """A change for commission that was collected (1), or given back (-1), in chips of the tray."""

    def change(event: Event, rows: Rows) -> None:
        if event.fields["how"] == "patron" and (row := win_of(event, rows)):
            row.commission += sign * event.fields["amount"]

    return change


def collection_corrected(event: Event, rows: Rows) -> None:
    """Corrects the commission that was collected in chips."""
    if row := win_of(event, rows):
        row.commission += event.fields["amount"] - event.fields["amount_before"]


def earlier_put_right(event: Event, rows: Rows) -> None:
    """Counts what this tray paid for a coup of an earlier day."""
    if event.fields["place"] == "tray" and (row := win_of(event, rows)):
        row.earlier -= event.fields["changes_hands"]


def won(event: Event, rows: Rows) -> None:
    """Adds what a settled coup won on its wagers."""
    if row := win_of(event, rows):
        row.win_by_wagers += event.fields["stakes"] - event.fields["paid"]


def changed_hands(event: Event, rows: Rows) -> None:
    """Changes what was won on wagers; after the closer, this tray neither pays nor takes it."""
    fields = event.fields
    more = (
        fields["changes_hands"] if "changes_hands" in fields else fields["paid"] - fields["stake"]
    )
    another_stake = fields.get("stake_before", fields.get("stake")) != fields.get("stake")
    if row := win_of(event, rows):
        row.win_by_wagers -= more
        if row.closer is not None and not another_stake:
            row.later += more


def coupon_paid(event: Event, rows: Rows) -> None:
    """Adds the chips that a coupon was paid, which no wager won."""
    if row := win_of(event, rows):
        row.promotions += event.fields["paid"]


def coupon_put_right(event: Event, rows: Rows) -> None:
    """Changes what a coupon was paid; after the closer, this tray neither pays nor takes it."""
    more = event.fields["changes_hands"]
    if row := win_of(event, rows):
        row.promotions += more
        if row.closer is not None:
            row.later += more


def on_account(event: Event, rows: Rows) -> None:
    """Counts money that came onto a game account or its wagers, or left them."""
    fields = event.fields
    if row := win_of(event, rows):
        for place, sign in ((fields["into"], 1), (fields["out_of"], -1)):
            if place in ("account", "cloth"):
                row.on_accounts += sign * fields["amount"]


def short(event: Event, rows: Rows) -> None:
    """Adds what the house bears for a game account."""
    if row := win_of(event, rows):
        row.shortages -= event.fields["amount"]
    on_account(event, rows)


def followed(event: Event, rows: Rows) -> None:
    """A game account gives back, or gets, what was corrected, and so no tray does."""
    fields = event.fields
    row = win_of(event, rows)
    if row and row.closer is not None:
        row.later += fields["amount"] * (1 if fields["into"] == "house" else -1)
    on_account(event, rows)
