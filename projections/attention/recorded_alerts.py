"""The alerts that are on record, as SQL: of which patron each is now, and which of them wait."""

from projections.attention.passing import OF_THE_RECORD
from projections.people.patrons import KNOWN

_COLUMNS = """position, kind, at, table_code, gaming_day, shoe, coup, {detail} AS detail,
           acknowledged_by, acknowledged_at, acknowledged_text, rank"""
_OF_EXCEPTIONS = _COLUMNS.format(detail="detail")
# An alias's alert names the patron as whom it is identified.
_OF_ALERTS = _COLUMNS.format(
    detail="""CASE WHEN known.patron IS NULL THEN detail
                ELSE detail || jsonb_build_object('patron', known.patron) END"""
)
# Whether the patron as whom an alias is identified has the same alert about that day's cash.
_OF_THE_PATRON_TOO = """EXISTS (
            SELECT FROM alerts AS own
             WHERE own.patron = known.patron AND own.gaming_day = alerts.gaming_day
               AND own.ended_at IS NULL AND alerts.kind IN ('cash near', 'cash over')
               AND own.kind IN (alerts.kind, 'cash over')
               AND (own.detail ->> 'direction', coalesce(own.detail ->> 'threshold', ''))
                 = (alerts.detail ->> 'direction', coalesce(alerts.detail ->> 'threshold', ''))
               AND NOT coalesce((alerts.detail -> 'single')::bool, false))"""

HIDDEN_KINDS = "hidden_kinds"  # the parameter with the kinds of which whoever asks may not learn
LEARNT = f"kind <> ALL(%({HIDDEN_KINDS})s::text[])"
NAME = "replace(kind, ' ', '-') || '/' || position"
SHOWN = f"""
SELECT at, table_code AS "table", coup, kind, {NAME} AS alert, detail, acknowledged_by,
       acknowledged_at, acknowledged_text AS text, rank"""

# Those that wait for somebody, and those that do not any more though nobody acknowledged them.
WAITING = f"""
        SELECT {_OF_EXCEPTIONS} FROM exceptions WHERE acknowledged_at IS NULL
        UNION ALL
        SELECT {_OF_ALERTS} FROM alerts {KNOWN.format("alerts")}
         WHERE acknowledged_at IS NULL AND ended_at IS NULL AND NOT {_OF_THE_PATRON_TOO}"""  # noqa: S608
OVER = f"""
                    SELECT position, kind FROM alerts {KNOWN.format("alerts")}
                     WHERE ended_at IS NOT NULL OR {_OF_THE_PATRON_TOO}"""  # noqa: S608
RECORDED = f"""(
        SELECT {_OF_EXCEPTIONS} FROM exceptions
        UNION ALL
        SELECT {_OF_ALERTS} FROM alerts {KNOWN.format("alerts")}
        UNION ALL
        {OF_THE_RECORD}) AS alerts"""  # noqa: S608
# Which of the kinds `kinds` are on record; each is looked for in an index, however many there are.
KINDS_THERE = f"""
        SELECT known.kind FROM unnest(%(kinds)s::text[]) AS known (kind)
         WHERE EXISTS (SELECT FROM exceptions WHERE exceptions.kind = known.kind)
        UNION
        SELECT known.kind FROM unnest(%(kinds)s::text[]) AS known (kind)
         WHERE EXISTS (SELECT FROM alerts WHERE alerts.kind = known.kind)
        UNION
        SELECT passing.kind FROM ({OF_THE_RECORD}) AS passing (position, kind)"""  # noqa: S608
