"""Alerts of a patron's cash of a gaming day: what ends them, and when one holds again."""

from collections.abc import Iterator

from domain.events import cash_day
from domain.rules.permissions import TO_AMEND
from projections.attention.alert_rows import ALERTS, OF_A_PATRON, PLACES, Alert, Place
from projections.model import Event
from projections.rows import Rows

NEAR, OVER = "cash near", "cash over"
OF_CASH = (NEAR, OVER)
_ENDED_BY = "ended_by_report"  # in an alert's detail: the number of the filing, from 1


def counted_with(event: Event) -> list[str]:
    """Whose cash is in the total beside the patron's."""
    return [*event.fields.get("alike", ()), *event.fields.get("agents", ())]


def remember_place(event: Event, rows: Rows) -> None:
    """Remembers the table where the cash moved; an alias's cash carried over has no table."""
    fields = event.fields
    if not fields["table"]:
        return
    if place := rows.change(PLACES, fields["patron"], event.gaming_day):
        place.table_code = fields["table"]
    else:
        table, day = fields["table"], event.gaming_day
        place = Place(patron=fields["patron"], gaming_day=day, table_code=table)
        rows.put(PLACES, place)


def end_near(event: Event, rows: Rows) -> None:
    """Ends the `cash near` of each patron in the sum that a `cash over` is about."""
    about = {n: event.fields[n] for n in ("direction", "threshold") if n in event.fields}
    for whose in (event.fields["patron"], *counted_with(event)):
        for each in rows.find(OF_A_PATRON, whose, event.gaming_day):
            if each.kind == NEAR and about.items() <= each.detail.items():
                rows.mark(ALERTS, each).ended_at = event.at


def changed(event: Event, rows: Rows) -> None:
    """Ends the alerts of a patron's cash of the day that are not true any more.

    A `cash near` that ended when more was counted holds again once that is counted no more.
    """
    fields = event.fields
    near, over = cash_day.still_true(fields)
    for each in rows.find(OF_A_PATRON, fields["patron"], event.gaming_day):
        apart = each.acknowledged_at is not None or each.detail.get("single")
        if apart or each.kind not in OF_CASH or each.detail["direction"] != fields["direction"]:
            continue
        threshold = each.detail.get("threshold", "")
        if each.ended_at is None and threshold not in (over if each.kind == OVER else near):
            rows.mark(ALERTS, each).ended_at = event.at
        elif each.kind == NEAR and each.ended_at is not None and threshold in near - over:
            rows.mark(ALERTS, each).ended_at = None
    remember_place(event, rows)


def end_of_patron(event: Event, rows: Rows, kind: str, *same: str) -> None:
    """Ends the open alerts of a kind about a patron's day; `same`: the fields of which it is."""
    fields = event.fields
    for each in rows.find(OF_A_PATRON, fields["patron"], event.gaming_day):
        about = all(each.detail.get(name) == fields[name] for name in same)
        if each.kind == kind and each.waits and about:
            rows.mark(ALERTS, each).ended_at = event.at


def filed(event: Event, rows: Rows) -> None:
    """Ends what was to be reported of the day's cash, and to be amended of what was reported."""
    for each in _of_the_report(event, rows):
        if each.waits:
            ended = rows.mark(ALERTS, each)
            ended.ended_at = event.at
            ended.detail = {**ended.detail, _ENDED_BY: event.fields["number"]}


def taken_back(event: Event, rows: Rows) -> None:
    """Lets hold again what a report ended that was typed by mistake."""
    for each in _of_the_report(event, rows):
        if each.detail.get(_ENDED_BY) == event.fields["number"]:
            again = rows.mark(ALERTS, each)
            again.ended_at = None
            again.detail = {name: each for name, each in again.detail.items() if name != _ENDED_BY}


def _of_the_report(event: Event, rows: Rows) -> Iterator[Alert]:
    """The alerts that a report of a patron's cash, or of one transaction, is about."""
    fields = event.fields
    for each in rows.find(OF_A_PATRON, fields["patron"], event.gaming_day):
        if each.detail.get("threshold") != fields["threshold"]:
            continue
        of_the_day = each.kind == OVER and not fields["transaction"]
        to_amend = each.kind == TO_AMEND and each.detail["transaction"] == fields["transaction"]
        if of_the_day or to_amend:
            yield each
