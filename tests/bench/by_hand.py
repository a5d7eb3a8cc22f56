"""Two projections made by hand-written SQL, straight from the ledger's JSON.

One statement for each table over all events at once: what an expert would write who needs no
batches, no position and no single events. It makes the same rows as Sabot's projections, for
evenings without corrections; void coups are not covered.
"""

_EVENTS = """
    SELECT position, topic, table_code, gaming_day, convert_from(state, 'UTF8')::jsonb AS fields
      FROM ledger.events
     WHERE position <= %(until)s AND topic
"""

# The JSON of each event is read once, into the columns that are needed.
_WAGER = """
    SELECT position, topic, table_code, gaming_day, fields.*
      FROM ledger.events CROSS JOIN LATERAL json_to_record(convert_from(state, 'UTF8')::json)
        AS fields (coup text, seat int, spot text, patron text, stay text, amount bigint, odds text,
                 result text, paid bigint, commission_exact text, commission_charged bigint,
                 commission_due text, at timestamptz)
     WHERE position <= %(until)s AND topic
"""

WAGERS = f"""
INSERT INTO wagers (coup, seat, spot, patron, stay, table_code, gaming_day, shoe, stake, odds,
                    result, paid, commission_exact, commission_charged, commission_due, placed_at,
                    first_position)
WITH back AS (
    SELECT coup, seat, spot, max(position) AS until
      FROM ({_WAGER} IN ('coup.wager-withdrawn', 'coup.wager-reduced')) AS back
     WHERE topic = 'coup.wager-withdrawn' OR amount = 0 GROUP BY coup, seat, spot
), placed AS (
    SELECT placed.* FROM ({_WAGER} IN ('coup.wager-placed', 'coup.wager-found')) AS placed
      LEFT JOIN back USING (coup, seat, spot) WHERE position > coalesce(until, 0)
), first AS (
    SELECT coup, seat, spot, min(position) AS first, max(position) AS last
      FROM placed GROUP BY coup, seat, spot
), reduced AS (
    SELECT DISTINCT ON (coup, seat, spot) coup, seat, spot, position, amount
      FROM ({_WAGER} = 'coup.wager-reduced') AS reduced
     ORDER BY coup, seat, spot, position DESC
), paid AS (
    SELECT * FROM ({_WAGER} = 'coup.wager-settled') AS paid
)
SELECT coup, seat, spot, placed.patron, placed.stay, placed.table_code, placed.gaming_day,
       regexp_replace(coup, '/[^/]*$', ''),
       CASE WHEN reduced.position > first THEN reduced.amount ELSE placed.amount END,
       paid.odds, paid.result, paid.paid, paid.commission_exact, paid.commission_charged,
       paid.commission_due, placed.at, first
  FROM first JOIN placed USING (coup, seat, spot)
  LEFT JOIN paid USING (coup, seat, spot)
  LEFT JOIN reduced USING (coup, seat, spot)
 WHERE placed.position = last
"""

STAKE_PRODUCTS = f"""
INSERT INTO stake_products (shoe, gaming_day, spot, other, product)
WITH settled AS (
    SELECT fields ->> 'coup' AS coup FROM ({_EVENTS} = 'coup.settled') AS fields
), staked AS (
    SELECT coup, shoe, gaming_day, spot COLLATE "C" AS spot, sum(stake) AS stake
      FROM wagers JOIN settled USING (coup) GROUP BY coup, shoe, gaming_day, spot
)
SELECT one.shoe, one.gaming_day, one.spot, other.spot, sum(one.stake * other.stake)
  FROM staked AS one JOIN staked AS other ON one.coup = other.coup AND one.spot <= other.spot
 GROUP BY one.shoe, one.gaming_day, one.spot, other.spot
"""

COMMISSION_OWED = f"""
INSERT INTO commission_owed (stay, shoe, patron, table_code, gaming_day, brought_forward, accrued,
                             charged, corrections, collected, waived, walked, due_at,
                             first_position)
WITH fields AS (
    {_EVENTS} LIKE ANY('{{commission-account.%%,shoe.ended,table-day.patron-left}}')
), accrued AS (
    SELECT fields ->> 'stay' AS stay, fields ->> 'shoe' AS shoe, min(fields ->> 'patron') AS patron,
           min(table_code) AS table_code, min(gaming_day) AS gaming_day,
           sum((fields ->> 'exact')::numeric) AS exact,
           sum((fields ->> 'charged')::bigint) AS charged, min(position) AS first
      FROM fields WHERE topic = 'commission-account.commission-accrued' GROUP BY 1, 2
), parts AS (
    SELECT fields ->> 'stay' AS stay, shoe,
           sum(part::bigint) FILTER (WHERE topic LIKE '%%collected') AS collected,
           sum(part::bigint) FILTER (WHERE topic LIKE '%%waived') AS waived,
           sum(part::bigint) FILTER (WHERE topic LIKE '%%walked') AS walked
      FROM fields CROSS JOIN LATERAL jsonb_each_text(fields -> 'by_shoe') AS each (shoe, part)
     WHERE fields ? 'by_shoe' GROUP BY 1, 2
), due AS (
    SELECT fields ->> 'shoe' AS shoe, fields ->> 'stay' AS stay, position,
           (fields ->> 'at')::timestamptz AS at
      FROM fields WHERE topic IN ('shoe.ended', 'table-day.patron-left')
    UNION ALL
    SELECT shoe, fields ->> 'stay', position, (fields ->> 'at')::timestamptz
      FROM fields CROSS JOIN LATERAL jsonb_object_keys(fields -> 'by_shoe') AS shoe
     WHERE fields ->> 'how' = 'at-payout' AND topic LIKE '%%collected'
)
SELECT stay, shoe, patron, table_code, gaming_day, 0, exact, charged, 0, coalesce(collected, 0),
       coalesce(waived, 0), coalesce(walked, 0),
       (SELECT min(at) FROM due
         WHERE position > first AND coalesce(due.shoe = accrued.shoe, due.stay = accrued.stay)
           AND coalesce(due.stay = accrued.stay, true)),
       first
  FROM accrued LEFT JOIN parts USING (stay, shoe)
"""

OPEN_ACCRUALS = f"""
INSERT INTO open_accruals (position, stay, shoe, at, owed, coup)
WITH accrued AS (
    SELECT position, fields ->> 'stay' AS stay, fields ->> 'shoe' AS shoe, fields,
           sum((fields ->> 'charged')::bigint) OVER
               (PARTITION BY fields ->> 'stay', fields ->> 'shoe' ORDER BY position) AS so_far
      FROM ({_EVENTS} = 'commission-account.commission-accrued') AS fields
)
SELECT position, stay, shoe, (fields ->> 'at')::timestamptz,
       least((fields ->> 'charged')::bigint, so_far - collected - waived - walked),
       fields ->> 'coup'
  FROM accrued JOIN commission_owed USING (stay, shoe)
 WHERE so_far > collected + waived + walked AND fields ->> 'charged' <> '0'
"""

STATEMENTS = (WAGERS, STAKE_PRODUCTS, COMMISSION_OWED, OPEN_ACCRUALS)
