"""The question that a board asks of the tables now: each table of the day, with its estimates."""

from projections.money.table_win import WIN
from projections.money.trays_now import TRAY

# `tables`: only these; NULL: all. Hands an hour cover the last hour, so they fall while a table is
# idle; since its opening, if that is less. They and the idle time are null if the times in the
# ledger are ahead of now. `steady`: a whole hour was dealt without a pause of the idle minutes, so
# that it tells of the table's pace. The win is an estimate, the win on wagers and the commission
# paid in chips, until drop and closer are counted; then it is what report table-win has. Closed
# tables come last: those of the gaming day, or of an earlier one at which a table is still open.
TABLES_OF_THE_DAY = f"""
SELECT now.*,
       (SELECT coalesce(jsonb_object_agg(seat, patron ORDER BY seat), '{{}}') FROM seats_now
         WHERE seats_now.table_code = now.table_code) AS seats,
       (SELECT coalesce(jsonb_object_agg(seat, jsonb_build_object(
                   'since', seated_at, 'coups', coups,
                   'average_wager', round(staked / nullif(coups, 0))::bigint)), '{{}}')
          FROM seats_now JOIN stays_now USING (stay)
         WHERE seats_now.table_code = now.table_code) AS plays,
       (SELECT count(DISTINCT stay) FROM seats_now
         WHERE seats_now.table_code = now.table_code) AS patrons,
       (SELECT coalesce(sum(greatest(owed, 0)), 0)::bigint FROM stays_now
         WHERE stays_now.table_code = now.table_code) AS owed,
       (SELECT count(*) FROM stays_now
         WHERE stays_now.table_code = now.table_code AND owed > 0) AS owing,
       CASE WHEN last_coup_at <= %(now)s::timestamptz THEN
           (SELECT round(count(*) * 3600 / greatest(60, least(3600,
                       extract(epoch FROM %(now)s::timestamptz - now.opened_at))))::int
              FROM coups_now
             WHERE coups_now.table_code = now.table_code
               AND settled_at > %(now)s::timestamptz - interval '1 hour'
               AND settled_at <= %(now)s::timestamptz)
       END AS hands_per_hour,
       coalesce(
           now.opened_at <= %(now)s::timestamptz - interval '1 hour'
           AND (SELECT max(settled_at - before) FROM (
                   SELECT settled_at, lag(settled_at, 1, %(now)s::timestamptz - interval '1 hour')
                              OVER (ORDER BY settled_at) AS before
                     FROM coups_now
                    WHERE coups_now.table_code = now.table_code
                      AND settled_at > %(now)s::timestamptz - interval '1 hour'
                      AND settled_at <= %(now)s::timestamptz) AS paused)
               < make_interval(mins => %(idle_minutes)s)
           AND idle_at > %(now)s::timestamptz - make_interval(mins => %(idle_minutes)s),
           false) AS steady,
       CASE WHEN idle_at <= %(now)s::timestamptz
            THEN floor(extract(epoch FROM %(now)s::timestamptz - idle_at) / 60)::int
       END AS idle_minutes,
       coalesce(drop_counted, cash_in)::bigint AS "drop",
       coalesce(counted.win, wagers_won + commission_taken, 0)::bigint AS win,
       counted.win IS NULL AS win_estimated,
       {TRAY}::bigint AS tray
  FROM tables_now AS now
  LEFT JOIN trays_now USING (table_code, gaming_day)
  LEFT JOIN LATERAL (SELECT {WIN} AS win FROM table_wins
                      WHERE (table_wins.table_code, table_wins.gaming_day)
                          = (now.table_code, now.gaming_day)
                        AND table_wins.closed_at IS NOT NULL) AS counted ON true
 WHERE (closed_at IS NULL
        OR gaming_day >= least(%(today)s::date,
                               (SELECT min(gaming_day) FROM tables_now WHERE closed_at IS NULL)))
   AND (%(tables)s::text[] IS NULL OR table_code = ANY(%(tables)s))
 ORDER BY closed_at IS NOT NULL, table_code
"""  # noqa: S608
