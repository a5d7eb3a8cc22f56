"""Statements: what each patron played on each gaming day, for the patron who asks for it."""

from domain.rules.permissions import OF_MONEY
from projections.model import Report, narrowed
from projections.money.cash_log import CASH
from projections.people.limits_used import LIMITS, STATED_AS
from projections.people.patrons import ASKED
from projections.people.ratings import RESULTS

REPORT = Report(
    name="statement",
    title="Statement of play",
    about="what a patron played on each day, as a paper for the patron",
    read_by=OF_MONEY,
    projections=("ratings", "wagers", "commission_owed", "cash", "patrons", "play_limits"),
    columns=(
        *("patron", "day", "first_at", "last_at", "minutes", "coups"),
        *("cash_in", "cash_out", "wagered", "win_loss", "breaks", "limits_held"),
    ),
    sql=f"""
WITH {RESULTS}
, by_day AS (
    SELECT identity AS patron, gaming_day AS day, min(seated_at) AS first_at,
           CASE WHEN bool_and(left_at IS NOT NULL) THEN max(left_at) END AS last_at,
           CASE WHEN bool_and(left_at IS NOT NULL) THEN
               floor(sum(extract(epoch FROM left_at - seated_at)) / 60) END AS minutes,
           coalesce(sum(coups), 0) AS coups, coalesce(sum(handle), 0) AS wagered,
           sum(win_loss) AS win_loss
      FROM asked JOIN results USING (stay) LEFT JOIN by_stay USING (stay)
     GROUP BY identity, gaming_day
), moved AS (
    SELECT patron, gaming_day AS day,
           coalesce(sum(amount) FILTER (WHERE direction = 'in'), 0) AS cash_in,
           coalesce(sum(amount) FILTER (WHERE direction = 'out'), 0) AS cash_out
      FROM ({CASH}) AS cash
     WHERE {narrowed()}
       AND {ASKED.format("patron")}
     GROUP BY patron, gaming_day
)
SELECT patron, day, first_at, last_at, minutes, coalesce(coups, 0) AS coups,
       coalesce(cash_in, 0) AS cash_in, coalesce(cash_out, 0) AS cash_out,
       coalesce(wagered, 0) AS wagered, coalesce(win_loss, 0) AS win_loss,
       (SELECT count(*) FROM play_limits
         WHERE play_limits.patron = played.patron AND gaming_day = day
           AND item = 'break') AS breaks,
       jsonb_build_object(
           'at', (day + 1 + %(day_start)s::time) AT TIME ZONE current_setting('timezone'),
           'stated', (SELECT {STATED_AS} FROM play_limits AS stated
                       WHERE stated.patron = played.patron AND item IN {LIMITS}
                         AND gaming_day <= day)) AS limits_held
  FROM (SELECT * FROM by_day FULL JOIN moved USING (patron, day)) AS played
 ORDER BY day, patron COLLATE "C"
""",  # noqa: S608
    money=("cash_in", "cash_out", "wagered", "win_loss"),
    narrowings=("day", "patron"),
    shown=(
        *("patron", "day", "first_at", "last_at", "minutes", "coups"),
        *("cash_in", "cash_out", "wagered", "win_loss", "breaks", "limits_held"),
    ),
    dropped_first=("limits_held", "breaks", "first_at", "last_at"),
    words={
        "first_at": ("first at", "when the patron sat down first"),
        "last_at": ("last at", "when the patron left last; empty while they are at a table"),
        "minutes": (
            "minutes",
            "at tables, all stays together; empty while they are at a table",
        ),
        "breaks": ("breaks", "how many breaks began, the patron's own and the house's"),
        "limits_held": ("limits", "the limits that held when the gaming day ended"),
        "cash_in": ("cash in", "cash for chips, at tables"),
        "cash_out": ("cash out", "chips for cash, at tables"),
        "wagered": ("wagered", "all wagers of the day together, but for void ones"),
        "win_loss": ("win/loss", "the patron's result after commission: + the patron won"),
    },
)
