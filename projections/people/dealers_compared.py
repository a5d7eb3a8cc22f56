"""Dealers compared: what went wrong at each dealer's coups, beside those of all others."""

from domain.rules.permissions import WATCH, Reading
from projections.model import Report, narrowed

# What a dealer's hands or entries bring about; a bet that was refused is the patron's.
OF_THE_DEALER = (
    *("payment disagrees", "payment corrected", "stake corrected", "card corrected"),
    *("wager moved", "wager found late", "wager reduced", "over or under limit"),
    *("undue card", "exposed or foreign card", "card moved", "burn left out"),
    *("cut card passed", "coup voided"),
)

# `ops.reports.computed` makes `compared` of everybody's counts.
REPORT = Report(
    name="dealers-compared",
    title="Dealers compared",
    about="what went wrong at whose coups more often than chance allows",
    read_by=Reading(WATCH),
    projections=("coups",),
    columns=("staff", "shoes", "coups", "compared"),
    sql=f"""
WITH dealt AS (
    SELECT dealer AS staff, shoe, exceptions FROM coups
     WHERE dealer <> '' AND phase <> 'unused' AND {narrowed()}
), dealers AS (
    SELECT staff, count(DISTINCT shoe) AS shoes, count(*) AS coups FROM dealt GROUP BY staff
), wrong AS (
    SELECT staff, noted.kind, count(*) AS times
      FROM dealt, jsonb_to_recordset(exceptions) AS noted (kind text)
     WHERE noted.kind IN {OF_THE_DEALER}
     GROUP BY staff, noted.kind
)
SELECT staff, shoes, coups, jsonb_build_object('coups', coups, 'times', (
           SELECT coalesce(jsonb_object_agg(kind, times), '{{}}') FROM wrong
            WHERE wrong.staff = dealers.staff)) AS compared
  FROM dealers ORDER BY staff
""",  # noqa: S608
    money=(),
    narrowings=("table", "day"),
    shown=("staff", "shoes", "coups", "compared"),
    has_total=False,
    days_independent=False,  # who dealt more than one day is one row
    newest_first=False,
    words={
        "shoes": ("shoes", "how many shoes they dealt from"),
    },
)
