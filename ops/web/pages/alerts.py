"""What needs somebody: the alerts of the board, acknowledged at once or with a note."""

from collections.abc import Iterator
from datetime import datetime
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from domain.rules.refusals import NotFound
from ops.board.folds import fold_name, fold_words, folds, past_words, when
from ops.board.rows import Alert, OpenIncident, Seen
from ops.commands.reader import Asked
from ops.handlers.alerts import AND_OLDER
from ops.web.pages import acts, aml, settling
from ops.web.pages.alert_list import REFUSED, Listed, find_listed, look_of
from ops.web.pages.command_forms import NOTHING_NEXT
from ops.web.pages.desk import Desk
from ops.web.pages.forms import page_of_this_house, read_form
from ops.web.pages.leads import at_event, page_about
from ops.web.pages.render import part
from ops.web.pages.viewer import acknowledges, may, reads
from ops.web.pages.visitor import Visitor
from ops.words.aml_events import due_soon_words
from ops.words.case_alerts import near_words
from ops.words.cash import not_shown_words
from ops.words.columns import title_here
from ops.words.incident_events import incident_words
from ops.words.language import moment, shown
from ops.words.pauses import PAUSES, pause_soon, seat_pauses
from ops.words.unlikely import unlikely_words
from projections.attention.aml_cases import REPORT as AML_CASES
from projections.attention.disputes import REPORT as DISPUTES
from projections.attention.ids_not_shown import REPORT as IDS_NOT_SHOWN
from projections.attention.incidents import REPORT as INCIDENTS
from projections.attention.passing import DISPUTE_OPEN
from projections.people.limits_used import REPORT as LIMITS_USED

MOST = 12  # lines in the pit
MOST_REFUSED = 2  # of those, where the rules held and nothing was lost


class AlertLine(Struct, frozen=True):
    """Alerts of one kind at one coup, as one line."""

    name: str  # by which they are acknowledged
    words: str
    where: str
    when: str
    at: str
    look: str  # presses, case, refused, or ''
    acknowledgeable: bool
    coup: str | None
    table: str | None
    patron: str = ""

    @property
    def position(self) -> str:
        """Where it is in the record; '' for one that no event raised."""
        position = self.name.rpartition("/")[2].removesuffix(AND_OLDER)
        return position if position.isdecimal() else ""


class NoticedLine(Struct, frozen=True):
    """What is on record for some readers alone, and where it leads to, as one line."""

    words: str
    when: str
    where: str
    href: str  # the coup at the event by which it was seen, the form of a case, or ''


class OpenLine(Struct, frozen=True):
    """A case, money with somebody who has left, or an incident, that is open still."""

    words: str
    href: str  # '' for whoever may not open its page
    when: str
    where: str
    table: str


def alert_lines(seen: Seen, table: str | None = None) -> list[AlertLine]:
    """What needs somebody, in the pit or at one table, the gravest first."""
    return [_line(fold, seen) for fold in folds(seen.alerts) if table in (None, fold[0].table)]


def _line(fold: list[Alert], seen: Seen) -> AlertLine:
    newest = fold[0]
    return AlertLine(
        name=fold_name(fold),
        words=fold_words(fold, seen),
        where=newest.where,
        when=when(newest, seen.at),
        at=newest.at or "",
        look=look_of(newest),
        acknowledgeable=newest.acknowledgeable and acknowledges(newest.kind),
        coup=newest.coup,
        table=newest.table,
        patron=(newest.detail or {}).get("patron") or "",
    )


def drawn(seen: Seen) -> str:
    """The list of the pit."""
    every = folds(seen.alerts)
    refused = [fold for fold in every if fold[0].gravity == REFUSED]
    graver = [fold for fold in every if fold[0].gravity != REFUSED]
    listed = [*graver, *refused[:MOST_REFUSED]][:MOST]
    return part(
        "pit_parts.html",
        "alerts",
        lines=[_line(fold, seen) for fold in listed],
        more=len(every) - len(listed),
        past=past_words(seen),
        counted=seen.counted,
        unsettled=open_lines(seen),
        unlikely=unlikely_lines(seen),
        aml=aml_lines(seen),
        aml_title=title_here(AML_CASES),
        not_shown=not_shown_lines(seen),
        not_shown_title=title_here(IDS_NOT_SHOWN),
        pauses=pause_lines(seen),
        pauses_title=shown(PAUSES),
    )


def unlikely_lines(seen: Seen) -> list[NoticedLine]:
    """What chance does not explain, for whom the report shows it."""
    if not reads("report protection"):
        return []
    return [
        NoticedLine(
            words=shown(unlikely_words(each.detail)),
            when=near_words(each.at.astimezone(seen.at.tzinfo), seen.at),
            where=each.coup or each.table,
            href=at_event(each.coup, each.position) if each.coup else "",
        )
        for each in seen.unlikely
    ]


def aml_lines(seen: Seen) -> list[str]:
    """The cases of money laundering whose report is due soon, for whom the report shows them."""
    if not reads(f"report {AML_CASES.name}"):
        return []
    return [
        shown(due_soon_words(each.aml_case, each.due_at, seen.at, over=each.over))
        for each in seen.aml_due
    ]


def not_shown_lines(seen: Seen) -> list[NoticedLine]:
    """IDs that were not shown, each with the form of a case about it, for who may read them."""
    if not reads(f"report {IDS_NOT_SHOWN.name}"):
        return []
    return [
        NoticedLine(
            words=shown(
                not_shown_words(each.name, each.direction, each.amount, each.answer, seen.currency)
            ),
            when=near_words(each.at.astimezone(seen.at.tzinfo), seen.at),
            where=each.patron,
            href=f"{aml.PAGE}?{urlencode({'patron': each.patron, 'positions': each.position})}",
        )
        for each in seen.not_shown
    ]


def pause_lines(seen: Seen) -> list[tuple[str, str]]:
    """The seats that should pause now or soon, each with its table, for who may read the report."""
    if not reads(f"report {LIMITS_USED.name}"):
        return []
    return [
        (
            each.table,
            shown(seat_pauses(each.table, each.seat, pause_soon(each.what, each.at, seen.at))),
        )
        for each in seen.pauses
    ]


def open_lines(seen: Seen, table: str | None = None) -> list[OpenLine]:
    """What is open still though no alert has it any more, in the pit or at one table."""
    lines = [_seen_before(each, seen) for each in seen.unsettled]
    if reads(f"report {INCIDENTS.name}"):
        lines += [_incident(each, seen) for each in seen.incidents]
    return [each for each in lines if table in (None, each.table)]


def _seen_before(alert: Alert, seen: Seen) -> OpenLine:
    href = f"/alerts/{alert.alert}" if reads("report alerts") else ""
    patron = (alert.detail or {}).get("patron")
    if patron and settling.is_about_it(alert.alert) and may(settling.COMMAND):
        href = settling.page_to_settle(patron)
    if alert.kind == DISPUTE_OPEN and reads(f"report {DISPUTES.name}"):
        href = page_about("case", alert.detail["case"]).href
    return OpenLine(
        words=fold_words([alert], seen),
        href=href,
        when=when(alert, seen.at),
        where=alert.where,
        table=alert.table or "",
    )


def _incident(each: OpenIncident, seen: Seen) -> OpenLine:
    return OpenLine(
        words=shown(incident_words(each.incident, each.kind, each.text)),
        href=page_about("incident", each.incident).href,
        when=near_words(each.at.astimezone(seen.at.tzinfo), seen.at),
        where=each.table,
        table=each.table,
    )


async def show_alert(desk: Desk, request: Request, who: Visitor) -> Response:
    """One alert, to be acknowledged with a note, or by two people; or who did so."""
    name, seen = request.path_params["alert"], (await desk.floor()).seen
    alert, asked = alert_named(seen, name), Asked("report alerts")
    listed = None
    if alert is None and who.rights.may_read(asked):
        await desk.require(who, asked)
        listed = await desk.in_thread(lambda: find_listed(desk.database, name))
        alert = _of_the_list(listed) if listed else None
    elif alert and alert.at:
        alert = replace(alert, when=moment(datetime.fromisoformat(alert.at)))
    if alert is None:
        raise NotFound(what=f"alert {name} on the board")
    suspected = None
    if name.partition("/")[0] in aml.OF_CASH and reads(f"report {AML_CASES.name}"):
        suspected = await desk.in_thread(lambda: aml.from_alert(desk.database, name))
    then = NOTHING_NEXT
    if settling.is_about_it(name) and alert.patron:
        then = await settling.next_with(desk, who, alert.patron)
    return desk.page(
        request, who, "alert.html",
        alert=alert, listed=listed, suspected=suspected, then=then,
        to_settle=settling.page_to_settle(alert.patron) if then.forms else "",
    )  # fmt: skip


def _of_the_list(listed: Listed) -> AlertLine:
    """The line of an alert of a closed gaming day, or of one that is no longer open."""
    return AlertLine(
        name=listed.name,
        words=listed.words,
        where="",
        when=listed.at,
        at="",
        look="",
        acknowledgeable=listed.acknowledgeable,
        coup=listed.coup or None,
        table=listed.table or None,
        patron=listed.patron,
    )


def alert_named(seen: Seen | None, name: str) -> AlertLine | None:
    """The line on the board that has an alert, or None; its own name or that of one in it."""
    if seen is None:
        return None
    named = (fold for fold in folds(seen.alerts) if name in (fold_name(fold), *_names(fold)))
    return next((_line(fold, seen) for fold in named), None)


def _names(fold: list[Alert]) -> Iterator[str]:
    return (each.alert for each in fold if each.alert)


async def acknowledge(desk: Desk, request: Request, who: Visitor) -> Response:
    """Takes an alert off the board."""
    form = await read_form(request)
    asked = acts.read(
        "alert.acknowledge", {"alert": "", **acts.given(form, "alert", "text")}, form, who
    )
    then = page_of_this_house(form.get("then"))
    answer = await acts.act(desk, request, who, asked, form, then)
    return acts.go_on(answer, then)
