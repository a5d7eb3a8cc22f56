"""Limits as they are used now: what `domain.rules.play_used` is computed from, by patron."""

from domain.rules.permissions import OF_MONEY
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
# is used. An alias that was identified has none of its own: the patron took them over. `seated`:
# only of those who sit at a table now.
READING = f"""
WITH sits AS (
    SELECT coalesce(known.patron, seats_now.patron) AS patron, table_code, seat, gaming_day
      FROM seats_now JOIN tables_now USING (table_code)
      LEFT JOIN patron_identities AS known ON alias = seats_now.patron
     WHERE closed_at IS NULL
), limited AS MATERIALIZED (
    SELECT DISTINCT patron FROM play_limits
     WHERE item IN {LIMITS}
       AND (NOT %(seated)s OR patron IN (SELECT patron FROM sits))
       AND NOT EXISTS (SELECT FROM patron_identities WHERE alias = play_limits.patron)
), names AS (
    SELECT patron AS name, patron FROM limited
     UNION ALL
    SELECT alias, patron FROM patron_identities JOIN limited USING (patron)
), of_seats AS (
    SELECT patron, jsonb_agg(jsonb_build_object('table', table_code, 'seat', seat,
               'day', gaming_day) ORDER BY table_code, seat) AS seats
      FROM sits JOIN limited USING (patron) GROUP BY patron
), of_limits AS (
    SELECT stated.patron, {STATED_AS} AS stated
      FROM play_limits AS stated JOIN limited USING (patron)
     WHERE item IN {LIMITS} GROUP BY stated.patron
), of_cash AS (
    SELECT patron, jsonb_agg(jsonb_build_object('day', gaming_day, 'direction', direction,
               'total', total)) AS cash
      FROM play_cash JOIN limited USING (patron)
     WHERE gaming_day >= %(today)s::date - {_BACK} GROUP BY patron
), of_time AS (
    SELECT names.patron,
           jsonb_agg(jsonb_build_object('since', seated_at, 'until', left_at)) AS sat
      FROM names JOIN stays ON stays.patron = names.name
     WHERE left_at IS NULL OR gaming_day >= %(today)s::date - {_BACK} GROUP BY names.patron
)
SELECT patron, coalesce(seats, '[]') AS seats, stated, coalesce(cash, '[]') AS cash,
       coalesce(sat, '[]') AS sat
  FROM limited JOIN of_limits USING (patron)
  LEFT JOIN of_seats USING (patron)
  LEFT JOIN of_cash USING (patron)
  LEFT JOIN of_time USING (patron)
"""  # noqa: S608

# Each seat whose patron was announced a rest since they sat down, with when it is due.
RESTS_NOW = """
SELECT seats_now.table_code AS "table", seats_now.seat, max(until) AS due_at
  FROM seats_now
  JOIN stays_now USING (stay)
  JOIN tables_now ON tables_now.table_code = seats_now.table_code AND closed_at IS NULL
  LEFT JOIN patron_identities ON alias = seats_now.patron
  JOIN play_limits ON play_limits.patron = coalesce(patron_identities.patron, seats_now.patron)
   AND item = 'rest-announced' AND at >= seated_at
 GROUP BY seats_now.table_code, seats_now.seat
"""

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
 ORDER BY percent DESC, patron COLLATE "C", item, counts_over, whose
""",  # noqa: S608
    money=("amount", "used", "left"),
    narrowings=("table", "patron"),
    shown=(
        *("patron", "table", "seat", "item", "counts_over"),
        *("amount", "used", "left", "minutes_used", "minutes_left", "full", "counts_until"),
    ),
    has_total=False,
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
        "full": ("full", "how much of the limit is used, as a share of it, rounded down"),
        "counts_from": ("counts from", "from when on it counts"),
        "counts_until": ("counts until", "when it counts anew, from the next gaming day on"),
    },
    codes={
        "item": {each: each for each in ("deposit", "loss", "time")},
        "whose": {each: each for each in ("patron", "house")},
        "counts_over": {each: each for each in ("day", "week", "month")},
    },
)
