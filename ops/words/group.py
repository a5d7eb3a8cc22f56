"""The words of a group's reports and pages: their columns, and how its houses are."""

from collections.abc import Mapping, Sequence

from domain.rules.wording import N_, Words, counted, worded
from ops.words.columns import heading_here
from ops.words.language import _, number, shown

GROUP = worded("page: the houses of a group", "Group")
HOUSES = worded("heading: the houses of a group", "Houses")
REPORTS = worded("heading: the reports over all houses of a group", "Over all houses")
WITNESSES = worded("heading: what the houses of a group saw of one another", "Witnesses")
NO_HOUSES = N_("There is no house in this group yet. `sabot group add` adds one.")
NO_WITNESS = N_(
    "Nobody was asked yet what they saw of a house, and no checkpoint has a cosignature."
)
PER = worded("field: by what the rows of a group's report are divided", "divided by")
HOUSE = worded("field: narrows a group's report to one house", "house")
EVERY_HOUSE = worded("choice: a group's report of every house", "every house")
ALL_TOGETHER = worded("choice: a group's report that is divided by nothing", "all together")
AS_OF = worded("label: what was recorded by then is in a group's report", "as of")
RATE = worded("field: at which rates sums of a group are in one currency", "at the rates of")
INTO = worded("field: the currency in which sums of a group are", "in one currency")
NO_RATE = worded("choice: sums of a group stay in their currencies", "none: currencies apart")
UP_TO = worded("heading: up to which event each house is in a group's report", "What is in it")
GOOD, AWAY, UNWITNESSED, STOPPED, NEW = "good", "away", "unwitnessed", "stopped", "new"
STATES: Mapping[str, Words] = {
    GOOD: worded("state of a house: what is held of it is verified", "in order"),
    AWAY: worded("state of a house: nothing came at the last look", "away"),
    UNWITNESSED: worded(
        "state of a house: a required witness has not signed what came", "not witnessed"
    ),
    STOPPED: worded("state of a house: its record is not to be trusted", "DISTRUSTED"),
    NEW: worded("state of a house", "not pulled yet"),
}
# Of each column of a group's reports and of its houses: the heading, and what it means.
COLUMNS: Mapping[str, tuple[Words, str]] = {
    "property": (worded("column", "house"), N_("the house, by its name in this group")),
    "table": (worded("column", "table"), N_("the table of that house")),
    "day": (worded("column", "day"), N_("the gaming day of that house")),
    "patron": (
        worded("column", "patron"),
        N_("the patron, by the number or alias in the house's record, identified there"),
    ),
    "currency": (worded("column", "currency"), N_("the currency of the row's amounts")),
    "barred_at": (worded("column", "barred at"), N_("the house where the patron may not play")),
    "kind": (
        worded("column", "kind"),
        N_("whether the house barred the patron, or they excluded themselves"),
    ),
    "table_days": (worded("column", "table days"), N_("days of tables")),
    "not_counted": (
        worded("column", "not counted"),
        N_("days of tables whose win is not known yet: not closed, or the box not counted"),
    ),
    "drop": (worded("column", "drop"), N_("cash that was counted in drop boxes")),
    "win": (worded("column", "win"), N_("the win of the days of tables that are counted")),
    "stays": (worded("column", "stays"), N_("stays of patrons at tables")),
    "charged": (worded("column", "charged"), N_("commission that was charged")),
    "collected": (worded("column", "collected"), N_("commission that was paid")),
    "outstanding": (worded("column", "outstanding"), N_("commission that is still owed")),
    "houses": (worded("column", "houses"), N_("at how many houses")),
    "last_day": (worded("column", "last day"), N_("the last gaming day of these")),
    "buy_in": (worded("column", "buy in"), N_("chips bought with cash")),
    "cash_in": (worded("column", "cash in"), N_("cash that the patron gave")),
    "cash_out": (worded("column", "cash out"), N_("cash that the patron got")),
    "record": (
        worded("column: the name by which a house signs its record", "record"),
        N_("the name by which the house signs its record"),
    ),
    "state": (worded("column", "state"), N_("how the house was at the last look, and why")),
    "events": (
        worded("column: of a house in a group", "events"),
        N_("how many events are held here and verified, up to the newest checkpoint"),
    ),
    "counted": (
        worded("column: of a house in a group", "in reports"),
        N_("up to which event it is in reports; a report counts the rest"),
    ),
    "newest": (
        worded("column: of a house in a group", "newest event"),
        N_("when the newest event that is held was recorded, by that house"),
    ),
    "lag": (
        worded("column: of a house in a group", "lag"),
        N_("how many seconds after that it was here, signed"),
    ),
    "looked": (worded("column: of a house in a group", "looked at"), N_("the last look at it")),
    "witness": (
        worded("column", "witness"),
        N_("who signed the house's checkpoint too, or was asked what they saw of it"),
    ),
    "how": (
        worded("column: how a witness is known to have seen a record", "how"),
        N_("whether it signed the newest checkpoint that is held, or answered when it was asked"),
    ),
    "seen": (
        worded("column: the events of a record that a witness saw", "saw"),
        N_("how many events of the house it had seen; nothing if it knew none"),
    ),
    "seen_at": (worded("column", "when"), N_("when it signed, or was asked")),
}
SIGNED_TOO = worded("how a witness saw a record", "signed the checkpoint")
CHECKED = worded("how a witness saw a record: its signature is right", "signed, checked")
ASKED = worded("how a witness saw a record", "was asked")


def heading(key: str) -> str:
    """The heading of a column, in the reader's language."""
    return shown(COLUMNS[key][0]) if key in COLUMNS else heading_here(key)


def meaning(key: str) -> str:
    """What a column means, in the reader's language."""
    return _(COLUMNS[key][1]) if key in COLUMNS else ""


def counts_at(house: str, name: str, position: int, held: int, as_of: str | None = None) -> str:
    """Up to which event a house is in a report; `held`: of how many; `as_of`: a moment."""
    words = {"house": house, "name": name, "position": number(position)}
    if position == held:
        return _("{house}: {name}, up to event #{position}.", **words)
    if as_of:
        return _(
            "{house}: {name}, up to event #{position} of {held}, the newest at that moment.",
            **words,
            held=number(held),
        )
    return _(
        "{house}: {name}, up to event #{position} of {held}. What is not counted yet, `sabot group "
        "pull` counts.",
        **words,
        held=number(held),
    )


def rates_words(into: str, source: str, day: str, rates: Sequence[str]) -> str:
    """At which rates sums are in one currency, for the head of a report."""
    return _(
        "Sums in {into} at the rates of {source} for {day}: {rates}.",
        into=into, source=source, day=day, rates=", ".join(rates) or "—",
    )  # fmt: skip


def sum_in(currency: str, into: str) -> str:
    """Before the sum of a currency that is shown in another one."""
    return _("{currency} in {into}", currency=currency, into=into)


def all_in(into: str) -> str:
    """Before the sum of all currencies."""
    return _("all in {into}", into=into)


def stopped_words(house: str, why: str) -> str:
    """That a house is not to be trusted, above what is counted of it."""
    return _("{house} stopped: {why}", house=house, why=why)


def lag_words(seconds: float) -> Words:
    """How late something came."""
    return counted(max(0, round(seconds)), "{n} second", "{n} seconds")
