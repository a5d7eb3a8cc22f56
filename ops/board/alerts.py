"""The alerts on the board, and how urgent each is."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from domain.rules.permissions import BARRED_AT_SEAT, ID_WITHDRAWN, LITTLE_PLAY, SPLIT, TO_AMEND
from ops.backup.standing import FAILING as BACKUP_FAILING
from ops.board.reading import OpenAlert, Rows
from ops.board.rows import Alert, BoardRow, Seen
from ops.commands.reader import Asked
from ops.commands.rights import Rights
from ops.ledger.chain import Fields
from ops.reports.runner import LedgerNotAsRead
from ops.words.case_alerts import overdue_words
from ops.words.record_alerts import stopped_words
from projections.attention.alerts import (
    FAILED,
    LINE_MISSING,
    MISSING,
    RECOVERED,
    RESTORED,
    UNCARDED,
)
from projections.attention.passing import (
    BOX_NOT_COUNTED,
    DISPUTE_DEADLINE,
    DISPUTE_OPEN,
    FILL_NEEDED,
)
from projections.people.limits_used import REPORT as LIMITS_USED
from projections.ranks import RANKS, SLIP, WRONG

# The kinds that need a person, the most urgent first: cards or money are missing, the record
# contradicts itself, somebody waits or a deadline nears, a decision is wanted. Typing errors come
# last.
DISAGREEING = (
    *("record unreadable", "projection stopped"),
    *("disagreement on re-adjudication", "order untold"),
)
WAITING = (
    BARRED_AT_SEAT,
    DISPUTE_DEADLINE,
    FILL_NEEDED,
    BOX_NOT_COUNTED,
    "commission owed",
    "no coup",
    "cash over",
    "cash near",
    TO_AMEND,
    LITTLE_PLAY,
    SPLIT,
    UNCARDED,
)
CUT_OFF = ("ledger cut", "standby away")
PRESSING = (
    *CUT_OFF,
    BACKUP_FAILING,
    RESTORED,
    LINE_MISSING,
    FAILED,
    *MISSING,
    *DISAGREEING,
    RECOVERED,
    *WAITING,
    "number locked",
)
WANTED = (
    *(DISPUTE_OPEN, "payment disagrees", "commission left open"),
    "money left on account",
    *("commission walked or waived", "coup voided"),
    *("payment corrected", "stake corrected", "card corrected", "wager moved"),
    *("money corrected", "counted again"),
    *(
        "table reopened",
        "alias separated",
        "names told apart",
        ID_WITHDRAWN,
        "exposed or foreign card",
        "undue card",
        "slip or serial reused",
    ),
)
URGENT = (*PRESSING, *WANTED)
_PRESS = frozenset(PRESSING)
_PLACES = {kind: place for place, kind in enumerate(URGENT)}
REFUSED = ("UndueCardRefused", "LateBetRefused")  # the rules held, and nothing was lost
GRAVITIES = ("pressing", "notable", "refused")


def alert_of(row: OpenAlert, zone: ZoneInfo) -> Alert:
    """An alert from its row."""
    return Alert(
        at=row.at.astimezone(zone).isoformat(),
        day=row.day.isoformat(),
        table=row.table or None,
        coup=row.coup,
        kind=row.kind,
        alert=row.alert,
        detail=_detail(row),
        gravity=_gravity(row.kind, row.rank, row.detail),
        rank=row.rank,
        acknowledgeable=row.kind != RESTORED,
    )


def _detail(row: OpenAlert) -> Fields:
    """The fields of the event that raised the alert; for a deadline also what was due."""
    if row.kind == DISPUTE_DEADLINE:
        return {"why": overdue_words(row.detail), **row.detail}
    return row.detail


def _gravity(kind: str, rank: int, detail: Fields) -> str:
    """The gravity of an alert."""
    if rank == WRONG or kind in _PRESS:
        return "pressing"
    return "refused" if rank == SLIP or detail.get("type") in REFUSED else "notable"


def own_alerts(rows: Rows, now: datetime) -> Iterator[Alert]:
    """Alerts that the reader of the ledger raises; they end with a repair."""
    if rows.may_be_lost:
        yield _of_projections("standby away", rows.head, dict(rows.may_be_lost.values))
    for each in rows.missing[:1]:  # the same is missing for the others
        why = str(LedgerNotAsRead(each.missing or ""))
        yield _of_projections("ledger cut", each.position, {"why": why})
    for position, why in rows.unreadable:
        yield _of_projections("record unreadable", position, {"why": why})
    for each in rows.stopped:
        why = stopped_words(each.projection, each.stopped_why or "")
        yield _of_projections("projection stopped", each.stopped_at or 0, {"why": why})
    if rows.behind:
        first_unread = rows.head - max(rows.behind.values()) + 1
        yield _of_projections("projections behind", first_unread, {"behind": rows.behind})
    for lack in rows.backups.lacks:
        yield _of_projections(lack.kind, 0, {"why": lack.words})
    for kind, position, detail in rows.upkeep.overdue(now):
        yield _of_projections(kind, position, detail)


def _of_projections(kind: str, position: int, detail: Fields) -> Alert:
    return Alert(
        kind=kind,
        alert=f"{kind.replace(' ', '-')}/{position}",
        detail=detail,
        gravity=_gravity(kind, RANKS[kind], detail),
        rank=RANKS[kind],
        acknowledgeable=False,
    )


def order(alert: Alert) -> tuple[int, int, int]:
    """The sort key of alerts: by rank, then by gravity; a projection that is behind comes last."""
    kind = alert.kind
    place = _PLACES.get(kind, len(URGENT) + (kind == "projections behind"))
    return alert.rank, GRAVITIES.index(alert.gravity), place


def seen_by(rights: Rights, seen: Seen) -> Seen:
    """What of the pit somebody with these rights may learn, the tables in the order of just that.

    Without them a suspicion moves no table up, is not counted, and does not ring.
    """
    if seen.pauses and not rights.may_read(Asked(f"report {LIMITS_USED.name}")):
        seen = replace(seen, pauses=[])
    waiting = [*seen.alerts, *seen.unsettled]
    kinds = {each.kind for each in waiting} | {each.kind for each in seen.past}
    if all(map(rights.may_learn, kinds)):
        return seen
    alerts = [each for each in seen.alerts if rights.may_learn(each.kind)]
    return replace(
        seen,
        alerts=alerts,
        past=[each for each in seen.past if rights.may_learn(each.kind)],
        unsettled=[each for each in seen.unsettled if rights.may_learn(each.kind)],
        tables=by_need(seen.tables, alerts),
    )


def by_need(tables: list[BoardRow], alerts: list[Alert]) -> list[BoardRow]:
    """The tables in order: urgent ones, those held or near their cut card, those with alerts.

    Those that are closed come last.
    """
    pressing = [each for each in alerts if each.presses]
    press = {each.table: n for n, each in reversed(list(enumerate(pressing)))}
    notable = {each.table for each in alerts if each.gravity == "notable"}

    def need(table: BoardRow) -> tuple[int, int, str]:
        code = table.table
        if not table.open:
            return 4, 0, code
        if code in press:
            return 0, press[code], code
        if table.held_by:
            return 1, -1, code
        if table.nears_cut_card:
            return 1, table.coups_to_cut_card or 0, code
        return (2 if code in notable else 3), 0, code

    return sorted(tables, key=need)
