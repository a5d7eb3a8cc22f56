"""Alerts that hold only while a table, a tray, a box, a case or a seat stays as it is.

They have rows in `alerts` only once acknowledged; until then they are computed from the tables of
other projections. Whether an idle table, a box that waits or a missed deadline is an alert depends
on the time of the question, so only a board shows those.
"""

from domain.rules.permissions import BARRED_AT_SEAT
from projections.money.trays_now import TRAY
from projections.people.patrons import BARRED_NOW
from projections.ranks import RANKS

COMMISSION_OWED, NO_COUP = "commission owed", "no coup"
FILL_NEEDED, BELOW_ZERO = "fill needed", "tray below zero"
OF_A_TRAY = (FILL_NEEDED, BELOW_ZERO)
BOX_NOT_COUNTED = "box not counted"
DISPUTE_DEADLINE, DISPUTE_OPEN = "dispute deadline", "dispute open"
OF_A_CASE = (DISPUTE_DEADLINE, DISPUTE_OPEN)
PASSING = (COMMISSION_OWED, NO_COUP, *OF_A_TRAY, BOX_NOT_COUNTED, *OF_A_CASE, BARRED_AT_SEAT)


def _standing(position: str, kind: str, at: str, detail: str, *conditions: str) -> str:
    """SQL for alerts that a table's present state raises, without acknowledged ones."""
    return f"""
    SELECT {position}, '{kind}', {at}, table_code, gaming_day, shoe, coup, {detail},
           NULL::text, NULL::timestamptz, NULL::text, {RANKS[kind]}
      FROM tables_now
     WHERE closed_at IS NULL AND {" AND ".join(conditions)}
       AND NOT EXISTS (SELECT FROM alerts
                        WHERE (alerts.position, alerts.kind) = ({position}, '{kind}'))"""  # noqa: S608


def _of_a_tray(position: str, kind: str, at: str, detail: str, condition: str) -> str:
    """SQL for alerts that a tray's present contents raise, without acknowledged ones."""
    return f"""
    SELECT {position}, '{kind}', {at}, table_code, gaming_day, NULL::text, NULL::text, {detail},
           NULL::text, NULL::timestamptz, NULL::text, {RANKS[kind]}
      FROM trays_now JOIN tables_now USING (table_code, gaming_day)
     WHERE closed_at IS NULL AND {condition}
       AND NOT EXISTS (SELECT FROM alerts
                        WHERE (alerts.position, alerts.kind) = ({position}, '{kind}'))"""  # noqa: S608


_OWING = """(SELECT jsonb_agg(jsonb_build_object('patron', patron, 'owed', owed)
                          ORDER BY patron, stay)
               FROM stays_now
              WHERE stays_now.table_code = tables_now.table_code AND owed > 0)"""
_COMMISSION_OWED = _standing(
    "cut_card_position",
    COMMISSION_OWED,
    "cut_card_at",
    "jsonb_build_object('type', 'CutCardShown', 'last_coup', last_coup, "
    f"'cards_left', cards_left, 'owing', {_OWING})",
    "cut_card_position IS NOT NULL",
    f"{_OWING} IS NOT NULL",
)
_NO_COUP = _standing(
    "idle_position",
    NO_COUP,
    "idle_at",
    "jsonb_build_object('minutes', "
    "floor(extract(epoch FROM %(now)s::timestamptz - idle_at) / 60)::int)",
    "idle_at <= %(now)s::timestamptz - make_interval(mins => %(idle_minutes)s)",
)


def _overdue(position: str, by: str, done: str, notify: str) -> str:
    """SQL for cases whose notice to the regulator or the patron is overdue.

    Acknowledged ones are left out.
    """
    return f"""
    SELECT {position}, '{DISPUTE_DEADLINE}', {by}, table_code, gaming_day, NULL::text, coup,
           jsonb_build_object('case', case_number, 'notify', '{notify}', 'by', {by}),
           NULL::text, NULL::timestamptz, NULL::text, {RANKS[DISPUTE_DEADLINE]}
      FROM disputes
     WHERE {by} <= %(now)s::timestamptz AND {done} IS NULL AND closed_at IS NULL
       AND NOT EXISTS (SELECT FROM alerts
                        WHERE (alerts.position, alerts.kind)
                            = (disputes.{position}, '{DISPUTE_DEADLINE}'))"""  # noqa: S608


_NOT_NOTIFIED = _overdue(
    "position",
    "notify_by",
    "regulator_notified_at",
    "regulator",
)
_NOT_INFORMED = _overdue(
    "decided_position",
    "tell_by",
    "patron_told_at",
    "patron",
)
# Of a case that is not closed, with the deadlines still to be met.
_OF_A_CASE = """jsonb_build_object('case', case_number, 'patron', patron, 'decision', decision,
               'notify_by', CASE WHEN regulator_notified_at IS NULL THEN notify_by END,
               'tell_by', CASE WHEN patron_told_at IS NULL THEN tell_by END)"""
_CASE_SEEN = f"""EXISTS (SELECT FROM alerts
                        WHERE (alerts.position, alerts.kind)
                            = (disputes.position, '{DISPUTE_OPEN}'))"""
_DISPUTE_OPEN = f"""
    SELECT position, '{DISPUTE_OPEN}', opened_at, table_code, gaming_day, NULL::text, coup,
           {_OF_A_CASE}, NULL::text, NULL::timestamptz, NULL::text, {RANKS[DISPUTE_OPEN]}
      FROM disputes
     WHERE closed_at IS NULL AND NOT {_CASE_SEEN}"""  # noqa: S608
# The same of cases of which somebody has acknowledged the alert, with the columns of a list.
CASES_SEEN = f"""
        SELECT position, '{DISPUTE_OPEN}', opened_at, table_code, gaming_day, coup, {_OF_A_CASE},
               {RANKS[DISPUTE_OPEN]}
          FROM disputes
         WHERE closed_at IS NULL AND {_CASE_SEEN}"""  # noqa: S608

_FILL_NEEDED = _of_a_tray(
    "low_position",
    FILL_NEEDED,
    "low_at",
    f"jsonb_build_object('tray', {TRAY}, 'floor', low_floor, 'chips', low_chips)",
    "low_position IS NOT NULL AND below_position IS NULL",
)
_BELOW_ZERO = _of_a_tray(
    "below_position",
    BELOW_ZERO,
    "below_at",
    f"jsonb_build_object('tray', {TRAY})",
    "below_position IS NOT NULL",
)
_BOX_NOT_COUNTED = f"""
    SELECT removed_position, '{BOX_NOT_COUNTED}', removed_at, table_code, gaming_day, NULL::text,
           NULL::text, jsonb_build_object('box', box, 'shift', shift, 'carried', carried_at,
               'hours', floor(extract(epoch FROM %(now)s::timestamptz - removed_at) / 3600)::int),
           NULL::text, NULL::timestamptz, NULL::text, {RANKS[BOX_NOT_COUNTED]}
      FROM boxes
     WHERE removed_at <= %(now)s::timestamptz - make_interval(hours => %(box_hours)s)
       AND counted_at IS NULL
       AND NOT EXISTS (SELECT FROM alerts
                        WHERE (alerts.position, alerts.kind)
                            = (boxes.removed_position, '{BOX_NOT_COUNTED}'))"""  # noqa: S608

_BARRED_AT_SEAT = f"""
    SELECT position, '{BARRED_AT_SEAT}', since, table_code, gaming_day, NULL::text, NULL::text,
           jsonb_build_object('patron', patron, 'seat', seat, 'whom', whom, 'since', since),
           NULL::text, NULL::timestamptz, NULL::text, {RANKS[BARRED_AT_SEAT]}
      FROM ({BARRED_NOW}) AS barred
     WHERE NOT EXISTS (SELECT FROM alerts
                        WHERE (alerts.position, alerts.kind)
                            = (barred.position, '{BARRED_AT_SEAT}'))"""  # noqa: S608

_BETWEEN = "\n        UNION ALL"
# The same whenever it is asked of the same record.
OF_THE_RECORD = _BETWEEN.join(
    (_COMMISSION_OWED, _FILL_NEEDED, _BELOW_ZERO, _DISPUTE_OPEN, _BARRED_AT_SEAT)
)
# Takes the parameters now, idle_minutes and box_hours.
AT_ONE_MOMENT = _BETWEEN.join((_NO_COUP, _BOX_NOT_COUNTED, _NOT_NOTIFIED, _NOT_INFORMED))
