"""Alerts about the record: what of it this program cannot read, and what its upkeep lacks."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from domain.rules.wording import Number, Words
from ops.words.event_values import Detail
from ops.words.failure import MAY_BE_LOST
from ops.words.language import _, minute

Sentences = Iterator[str]


def unreadable_words(table: str, position: int) -> Words:
    """The words for a table's record that cannot be read."""
    return Words(
        "{table}: the event at position {position} cannot be read. Somebody has altered it.",
        table=table,
        position=Number(position),
    )


def unknown_words(table: str, topic: str) -> Words:
    """The words for a table where a newer program recorded what this one does not know."""
    return Words(
        "{table}: a newer Sabot recorded {topic}, which this one does not know. Upgrade this "
        "program.",
        table=table,
        topic=topic,
    )


def stopped_words(projection: str, why: str) -> Words:
    """The words for a projection that stopped at an event that it cannot read."""
    return Words("{projection} stopped: {why}", projection=projection, why=why)


def _behind(detail: Detail, _currency: str) -> Sentences:
    most = Number(max(detail["behind"].values()))
    yield _("Reports are up to {most} events behind: `sabot projections run`", most=most)


def _ledger_cut(_detail: Detail, _currency: str) -> Sentences:
    yield _("The ledger has lost events that the reports have read.")
    yield _(
        "Run `sabot audit verify`, restore the ledger from a whole backup, then run "
        "`sabot projections rebuild`."
    )


def _standby_away(detail: Detail, _currency: str) -> Sentences:
    yield Words(MAY_BE_LOST, since=detail["since"])
    yield _("Start the standby again: `sabot manual drill` says how.")


def _checkpoint_overdue(detail: Detail, _currency: str) -> Sentences:
    yield _(
        "No checkpoint covers the events since {since}: `sabot audit checkpoint`, on the server.",
        since=_minute(detail),
    )


def _verification_overdue(detail: Detail, _currency: str) -> Sentences:
    if "why" in detail:
        yield _(
            "The whole record could not be verified since {since}, which is tried again: {why}",
            since=_minute(detail),
            why=detail["why"],
        )
        return
    yield _(
        "The whole record was last verified at {since}: `sabot projections run` must be at work.",
        since=_minute(detail),
    )


def _minute(detail: Detail) -> str:
    return minute(datetime.fromisoformat(detail["since"]))


ABOUT_THE_RECORD: Mapping[str, Callable[[Detail, str], Sentences]] = {
    "projections behind": _behind,
    "ledger cut": _ledger_cut,
    "standby away": _standby_away,
    "checkpoint overdue": _checkpoint_overdue,
    "verification overdue": _verification_overdue,
}
