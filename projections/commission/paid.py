"""Commission paid: what became of a stay's commission in each shoe, from the accounts.

With it, `proof` compares what the wagers should have brought.
"""

from collections.abc import Callable, Iterator

from projections.model import Event
from projections.rows import Row, Rows, Table

PAID_TABLE = """
-- What was collected in chips, waived or walked, from the accounts. A sum ends when nothing is
-- owed.
CREATE TABLE commission_paid (
    stay      text    NOT NULL,
    shoe      text    NOT NULL,
    owed      bigint  NOT NULL DEFAULT 0,
    period    int     NOT NULL DEFAULT 0,  -- how many sums have ended
    used      boolean NOT NULL DEFAULT true,  -- whether the sum that goes on has a win
    collected numeric NOT NULL DEFAULT 0,
    waived    numeric NOT NULL DEFAULT 0,
    walked    numeric NOT NULL DEFAULT 0,
    forward   numeric NOT NULL DEFAULT 0,  -- crossed a roll-over; to the next stay: below 0
    PRIMARY KEY (stay, shoe)
);
"""


class Paid(Row):
    """What was collected, waived or walked of a stay's commission in a shoe."""

    stay: str
    shoe: str
    owed: int = 0
    period: int = 0
    used: bool = True
    collected: int = 0
    waived: int = 0
    walked: int = 0
    forward: int = 0


PAID = Table("commission_paid", Paid, "stay", "shoe")
OF_A_STAY = PAID.page("stay")


def owes(event: Event, rows: Rows) -> None:
    """Adds what a win, or its correction, charges."""
    fields = event.fields
    if paid := rows.change(PAID, fields["stay"], fields["shoe"]):
        paid.owed += fields["charged"]
    else:
        rows.put(PAID, Paid(stay=fields["stay"], shoe=fields["shoe"], owed=fields["charged"]))


def cleared(what: str) -> Callable[[Event, Rows], None]:
    """Returns a change that reduces what is owed; a sum ends when nothing is owed."""

    def change(event: Event, rows: Rows) -> None:
        for paid, part, chips in _by_shoe(event, rows):
            _pay(paid, part)
            setattr(paid, what, getattr(paid, what) + chips)

    return change


def _pay(paid: Paid, part: int) -> None:
    if paid.owed == part > 0:
        paid.period, paid.used = paid.period + 1, False
    paid.owed -= part


def _take_back(paid: Paid, part: int) -> None:
    """Owes a part again that was not paid after all; a sum that it ended goes on.

    A part below 0, which the house owes, begins and ends no sum.
    """
    if part > 0 and paid.owed == 0 and paid.period and not paid.used:
        paid.period, paid.used = paid.period - 1, True
    paid.owed += part


def collection_corrected(event: Event, rows: Rows) -> None:
    """Enters what was paid for each shoe, in place of what was typed."""
    fields = event.fields
    for shoe, part in fields["by_shoe_before"].items():
        if paid := rows.change(PAID, fields["stay"], shoe):
            _take_back(paid, part)
            paid.collected -= part
    for shoe, part in fields["by_shoe"].items():
        if paid := rows.change(PAID, fields["stay"], shoe):
            _pay(paid, part)
            paid.collected += part


def _taken_back(what: str, event: Event, rows: Rows) -> None:
    """Adds to what is owed again."""
    for paid, part, chips in _by_shoe(event, rows):
        paid.owed += part
        setattr(paid, what, getattr(paid, what) - chips)


def carried_forward(event: Event, rows: Rows) -> None:
    """Takes off what another stay of the patron owes now."""
    for paid, part, _ in _by_shoe(event, rows):
        _pay(paid, part)
        paid.forward -= part


def brought_forward(event: Event, rows: Rows) -> None:
    """Adds what another stay of the patron owed until now."""
    for shoe, part in event.fields["by_shoe"].items():
        paid = rows.change(PAID, event.fields["stay"], shoe)
        if paid:
            _take_back(paid, part)
            paid.forward += part
        else:
            stay = event.fields["stay"]
            rows.put(PAID, Paid(stay=stay, shoe=shoe, owed=part, forward=part))


def refunded(event: Event, rows: Rows) -> None:
    """Takes commission that was given back off what was collected."""
    _taken_back("collected", event, rows)


def owed_again(event: Event, rows: Rows) -> None:
    """Takes commission that is owed again off what was waived or written off."""
    _taken_back(event.fields["was"], event, rows)


def _by_shoe(event: Event, rows: Rows) -> Iterator[tuple[Paid, int, int]]:
    """Each shoe's row, its part of the amount, and what of that was paid in chips.

    The parts should add up to the amount; if not, the first shoe takes the difference. What was
    withheld at payout is counted with the payment, so not again here.
    """
    fields = event.fields
    over = fields["amount"] - sum(fields["by_shoe"].values())
    for shoe, part in fields["by_shoe"].items():
        chips = over if fields.get("how") == "at-payout" else part + over
        if paid := rows.change(PAID, fields["stay"], shoe):
            yield paid, part, chips
        over = 0
