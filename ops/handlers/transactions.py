"""The buy-ins and cash-outs of a gaming day, by the record itself."""

from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from domain.events import table_money
from domain.rules.regimes import Direction
from ops.handlers.alerts import AT_ONCE
from ops.handlers.desk import Desk
from ops.ledger.reading import Wanted, read_events
from ops.reports.batch import event_of

_MOVED: Mapping[str, Direction] = {
    table_money.BoughtIn.TOPIC: "in",
    table_money.CashedOut.TOPIC: "out",
}


class Transaction(Struct):
    """Cash of one buy-in or cash-out, as it was corrected last; 0: it never was."""

    position: int
    name: str
    direction: Direction
    amount: int


def transactions_of(desk: Desk, day: date) -> list[Transaction]:
    """Every transaction of a gaming day, in the order of the record."""
    moved: dict[int, Transaction] = {}
    wanted = Wanted((*_MOVED, table_money.CashCorrected.TOPIC), days=(day, day))
    with desk.casino.ledger.connection() as connection:
        recorded = read_events(connection, 0, AT_ONCE, wanted=wanted)
    for event in map(event_of, recorded):
        name, amount = event.fields["patron"], event.fields["amount"]
        if event.topic in _MOVED:
            direction = _MOVED[event.topic]
            moved[event.position] = Transaction(event.position, name, direction, amount)
        else:
            corrected = moved[event.fields["position"]]
            corrected.name, corrected.amount = name, amount
    return [*moved.values()]
