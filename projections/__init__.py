"""What people read: one file per projection, with its tables, its changes and its report.

Pure: an event changes rows in memory; `ops.reports.batch` loads and writes them, many events at a
time. Every row can be dropped and computed again.
"""

from projections.attention import (
    alerts,
    aml_cases,
    disputes,
    exceptions,
    ids_not_shown,
    incidents,
    inquiries,
    left_open,
    protection,
    unfinished,
    voids,
    worth,
)
from projections.commission import owed, proof, vigorish
from projections.game import coups, measures, shoe_cards, shoes, tables_now, wagers
from projections.model import Change, Event, Projection, Report
from projections.money import (
    adjustments,
    aml_patterns,
    boxes,
    cash_log,
    ctr,
    inventory,
    master,
    meters,
    progressives,
    promotions,
    slips,
    statements,
    table_win,
    tickets,
    trays_now,
    yields,
)
from projections.people import (
    access,
    dealers,
    dealers_compared,
    limits_used,
    patron_files,
    patrons,
    patrons_compared,
    play_limits,
    ratings,
    readings,
    staff,
)
from projections.record import audits, checkpoints, integrity, programs, tree
from projections.rows import Page, Row, Rows, Table

__all__ = [
    "PROJECTIONS",
    "REPORTS",
    "Change",
    "Event",
    "Page",
    "Projection",
    "Report",
    "Row",
    "Rows",
    "Table",
]

_FILES = (
    *(owed, proof, coups, wagers, exceptions, voids),
    *(table_win, inventory, slips, boxes, audits, adjustments, cash_log, access, shoes),
    *(
        integrity,
        alerts,
        protection,
        incidents,
        inquiries,
        aml_cases,
        ids_not_shown,
        ratings,
        dealers,
        disputes,
        vigorish,
        programs,
        meters,
        progressives,
        promotions,
        play_limits,
        staff,
    ),
)
PROJECTIONS: dict[str, Projection] = {
    each.name: each
    for each in (
        *(file.PROJECTION for file in _FILES),
        *(patrons.PROJECTION, tables_now.PROJECTION, trays_now.PROJECTION),
        *(checkpoints.PROJECTION, tree.PROJECTION, tickets.PROJECTION),
    )
}
REPORTS: dict[str, Report] = {
    each.name: each
    for each in (
        *(file.REPORT for file in _FILES),
        *(ctr.REPORT, ctr.LOG, shoe_cards.REPORT, master.REPORT, measures.REPORT, readings.REPORT),
        readings.SECRET,
        yields.REPORT,
        statements.REPORT,
        limits_used.REPORT,
        aml_patterns.REPORT,
        worth.REPORT,
        dealers_compared.REPORT,
        patrons_compared.REPORT,
        patron_files.REPORT,
        *(vigorish.ADJUSTMENT, left_open.REPORT, unfinished.REPORT, meters.COMPARISON, meters.WIN),
    )
}
