"""The words for settling money that was left open with a patron who has left."""

from collections.abc import Mapping

from domain.rules.wording import Words, worded

_HOW = "choice: how money that was left open is settled"
HOW: Mapping[str, Words] = {
    "received": worded(_HOW, "the patron pays it"),
    "paid": worded(_HOW, "the patron is paid it"),
    "written-off": worded(_HOW, "written off: the patron does not come back to pay"),
    "unclaimed": worded(_HOW, "not claimed: the cage keeps it for the patron"),
}
_PLACE = "choice: where money that was left open is paid"
PLACES: Mapping[str, Words] = {
    "cage": worded(_PLACE, "at the cage"),
    "table": worded(_PLACE, "at the table, with chips of its open tray"),
}
AT_A_SHELL = worded(
    "board: below money that is open with patrons who have left",
    "To settle money: `sabot patron settle TABLE PATRON HOW REASON`",
)
SETTLE = worded("link: to the form that settles what was left open with a patron", "Settle it")


def next_step(table: str, day: str, patron: str, owes: int) -> Words:
    """How money left open of a gaming day is settled; `owes`: below 0, it is owed to them."""
    return Words(
        "Two people settle it, at the cage or with `--place table` at the table: "
        "`patron settle {table} {patron} {how} REASON --day {day}`.",
        table=table,
        patron=patron,
        how="received" if owes > 0 else "paid",
        day=day,
    )


def settle(table: str, day: str, open_: str) -> Words:
    """The button of the form: what of which gaming day is settled."""
    return Words("Settle {amount} of {table}, {day}", amount=open_, table=table, day=day)
