"""The phase of the game at a table, which follows from what is due there (`TableNow.due`)."""

from ops.now.table_now import TableNow

# The phase by what is due (domain.aggregates.due).
_PHASES = {
    "shoe.load": "no shoe",
    "shoe.inspect": "preparing",
    "shoe.shuffle": "preparing",
    "shoe.cut": "preparing",
    "shoe.burn": "preparing",
    "bet": "betting",
    "open": "betting",
    "no-more-bets": "betting",
    "draw": "dealing",
    "reveal": "turning",
    "settle": "resulted",
    "void": "to void",
    "commission.collect": "over",
    "shoe.end": "over",
    "dispute.decide": "held",
    "table.unlock": "locked up",
}


def phase_of(now: TableNow | None) -> str:
    """The phase of the game; `closed` when nothing is due."""
    if now is None or now.due is None:
        return "closed"
    if now.coup and now.coup.offers:
        return "after four"
    return _PHASES.get(now.due.action, "betting")


def deals_generated(now: TableNow | None) -> bool:
    """Whether the cards are those of a generated shoe."""
    return bool(now and now.shoe and now.shoe.generated)
