"""Limits as they are used now: what `domain.rules.play_used` is computed from, by patron."""

from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.model import Report
from projections.people.patrons import ASKED

USED = "limits_used"  # the parameter with the rows, which are computed by those rules
LIMITS = "('deposit', 'loss', 'time')"
# Of each limit that was stated: what it is, and from when on it holds.
STATED_AS = """coalesce(jsonb_agg(jsonb_build_object('kind', item, 'period', period, 'whose', whose,
               'limit', coalesce(amount, minutes), 'at', at, 'since', holds_from)
               ORDER BY position), '[]')"""
_BACK = 32  # days before today that may count, and some hours more

# One row a patron of whom a limit is on record: everything from which is computed how much of each
# is used, and when a rest is due. An alias that was identified has none of its own: the patron took
# them over. `seated`: only of those who sit at a table now; `resting`: also of those of them who
# have no limit, with their times at tables since that gaming day.
READING = f"""
WITH of_seats AS (
    SELECT coalesce(known.patron, seats_now.patron) AS patron,
           jsonb_agg(jsonb_build_object('table', table_code, 'seat', seat, 'day', gaming_day)
               ORDER BY table_code, seat) AS seats
      FROM seats_now JOIN tables_now USING (table_code)
      LEFT JOIN patron_identities AS known ON alias = seats_now.patron
     WHERE closed_at IS NULL
     GROUP BY 1
), of_limits AS (
    SELECT DISTINCT patron, %(today)s::date - {_BACK} AS since FROM play_limits
     WHERE item IN {LIMITS}
       AND NOT EXISTS (SELECT FROM patron_identities WHERE alias = play_limits.patron)
), asked AS MATERIALIZED (
    SELECT patron, coalesce(seats, '[]') AS seats, coalesce(since, %(resting)s) AS since
      FROM of_limits FULL JOIN of_seats USING (patron)
     WHERE CASE WHEN since IS NULL THEN %(resting)s::date IS NOT NULL
           ELSE NOT %(seated)s OR seats IS NOT NULL END
)
SELECT patron, seats,
       (SELECT {STATED_AS} FROM play_limits
         WHERE play_limits.patron = asked.patron AND item IN {LIMITS}) AS stated,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('day', gaming_day, 'direction', direction,
                   'total', total)), '[]')
          FROM play_cash
         WHERE play_cash.patron = asked.patron AND gaming_day >= %(today)s::date - {_BACK}) AS cash,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('since', seated_at, 'until', left_at)), '[]')
          FROM stays
         WHERE stays.patron IN (
               SELECT asked.patron UNION ALL
               SELECT alias FROM patron_identities AS known WHERE known.patron = asked.patron)
           AND (left_at IS NULL OR gaming_day >= asked.since)) AS sat
  FROM asked
"""  # noqa: S608

# Seats of who is in a break, and until when; a break is made longer, never shorter (R-PLAY-2).
BREAKS_NOW = """
SELECT table_code, seat, max(until)
  FROM seats_now JOIN tables_now USING (table_code)
  LEFT JOIN patron_identities AS known ON alias = seats_now.patron
  JOIN play_limits ON play_limits.patron = coalesce(known.patron, seats_now.patron)
 WHERE closed_at IS NULL AND item = 'break' AND until > %(now)s
 GROUP BY table_code, seat
"""
DAYS_NOW = "SELECT DISTINCT gaming_day FROM tables_now WHERE closed_at IS NULL"  # of open tables

REPORT = Report(
    name="limits-used",
    title="Limits as they are used",
    about="how much of each patron's limit is used now, the fullest first",
    read_by=OF_MONEY,
    projections=("play_limits", "ratings", "tables_now", "patrons"),
    columns=(
        *("patron", "table", "seat", "item", "whose", "counts_over"),
        *("amount", "used", "left", "minutes", "minutes_used", "minutes_left", "full"),
        *("counts_from", "counts_until"),
    ),
    sql=f"""
SELECT patron, "table", seat, item, whose, counts_over, amount, used, "left", minutes,
       minutes_used, minutes_left, "full", counts_from, counts_until
  FROM jsonb_to_recordset(%({USED})s::jsonb) AS used(patron text, "table" text, seat int,
       item text, whose text, counts_over text, amount bigint, used bigint, "left" bigint,
       minutes bigint, minutes_used bigint, minutes_left bigint, "full" text, percent int,
       counts_from timestamptz, counts_until timestamptz)
 WHERE {ASKED.format("used.patron")}
   AND (%(table)s::text IS NULL OR "table" = %(table)s)
 ORDER BY percent DESC, patron COLLATE "C", item, counts_over, whose,
          "table" COLLATE "C", seat
""",  # noqa: S608
    money=("amount", "used", "left"),
    narrowings=("table", "patron"),
    shown=(
        *("patron", "table", "seat", "item", "counts_over"),
        *("amount", "used", "left", "minutes_used", "minutes_left", "full", "counts_until"),
    ),
    no_total=no_total.MIXED,
    days_independent=False,
    newest_first=False,
    may_lack=("amount", "used", "left"),
    dropped_first=("counts_until", "minutes_used"),
    words={
        "table": ("table", "where the patron sits now; empty if nowhere"),
        "seat": ("seat", "their seat there"),
        "item": ("item", "a limit of deposits, of losses or of time"),
        "whose": ("whose", "who wanted it: the patron or the house"),
        "counts_over": ("counts over", "over which the limit counts: day, week or month"),
        "amount": ("amount", "the limit; empty for one of time"),
        "used": ("used", "what counts against it; below 0 if more chips went for cash than came"),
        "left": ("left", "how much more cash is taken for chips; below 0 where it is over"),
        "minutes": ("minutes", "the limit of time at tables"),
        "minutes_used": ("minutes used", "the minutes at tables that count, up to now"),
        "minutes_left": ("minutes left", "for how many minutes more the patron may play"),
        "full": (
            "full",
            "how much of the limit is used, as a share of it; 1 only where nothing is left",
        ),
        "counts_from": ("counts from", "from when on it counts"),
        "counts_until": ("counts until", "when it counts anew, from the next gaming day on"),
    },
    codes={
        "item": {each: each for each in ("deposit", "loss", "time")},
        "whose": {each: each for each in ("patron", "house")},
        "counts_over": {each: each for each in ("day", "week", "month")},
    },
)
