"""Table win: what each table day won, and what its wagers should have brought."""

from collections.abc import Callable, Iterator

from domain.events import coup, table_day
from domain.events import shoe as shoe_events
from domain.rules.permissions import OF_MONEY
from projections.model import Fact, Projection, Report, Statement, View, narrowed

_TABLES = """
-- One row a table and gaming day. Sums are numeric, so that nothing runs over; minor units.
CREATE TABLE table_wins (
    table_code     text    NOT NULL,
    gaming_day     date    NOT NULL,
    rules          text    NOT NULL,            -- the rule set that it was dealt under
    opener         bigint  NOT NULL,            -- chips in the tray when it opened
    fills          numeric NOT NULL DEFAULT 0,
    credits        numeric NOT NULL DEFAULT 0,
    cash_out       numeric NOT NULL DEFAULT 0,
    drop_counted   bigint,                      -- NULL: the box was not counted yet
    closer         bigint,                      -- NULL: still open
    first_position bigint  NOT NULL,
    opened_at      timestamptz NOT NULL,
    closed_at      timestamptz,                 -- NULL: still open
    PRIMARY KEY (table_code, gaming_day)
);
-- How many decks each shoe has, on which the odds depend.
CREATE TABLE table_shoes (
    shoe       text NOT NULL PRIMARY KEY,
    table_code text NOT NULL,
    gaming_day date NOT NULL,
    decks      int  NOT NULL
);
CREATE INDEX table_shoes_by_table ON table_shoes (table_code, gaming_day);
-- What was staked and settled, by shoe and spot.
CREATE TABLE handles (
    shoe   text    NOT NULL,
    spot   text    NOT NULL,
    handle numeric NOT NULL,
    PRIMARY KEY (shoe, spot)
);
"""

_OPENED = """
INSERT INTO table_wins (table_code, gaming_day, rules, opener, opened_at, first_position)
VALUES (%(table)s, %(day)s, %(rules)s, %(opener_total)s, %(at)s, %(position)s)
"""

_AT = "WHERE table_code = %(table)s AND gaming_day = %(day)s"
_FILLED = f"UPDATE table_wins SET fills = fills + %(total)s {_AT}"  # noqa: S608
_CREDITED = f"UPDATE table_wins SET credits = credits + %(total)s {_AT}"  # noqa: S608
_CASHED_OUT = f"UPDATE table_wins SET cash_out = cash_out + %(amount)s {_AT}"  # noqa: S608
_COUNTED = f"UPDATE table_wins SET drop_counted = %(amount)s {_AT}"  # noqa: S608
_CLOSED = f"UPDATE table_wins SET closer = %(closer_total)s, closed_at = %(at)s {_AT}"  # noqa: S608

_LOADED = "INSERT INTO table_shoes VALUES (%(shoe)s, %(table)s, %(day)s, %(decks)s)"

_SETTLED = """
INSERT INTO handles VALUES (%(shoe)s, %(spot)s, %(stake)s)
ON CONFLICT (shoe, spot) DO UPDATE SET handle = handles.handle + excluded.handle
"""

# Null until the box was counted and the table closed.
WIN = "(drop_counted + closer + credits - opener - fills - cash_out)"


def _change(sql: str, *names: str) -> Callable[[Fact], Iterator[Statement]]:
    """A change of the table day's row by these fields of the fact."""

    def change(fact: Fact) -> Iterator[Statement]:
        told = {name: fact.told[name] for name in names}
        place = {"table": fact.table, "day": fact.gaming_day, "position": fact.position}
        yield sql, told | place | {"at": fact.at}

    return change


def _settled(fact: Fact) -> Iterator[Statement]:
    shoe = fact.told["coup"].rpartition("/")[0]
    yield _SETTLED, {"shoe": shoe, "spot": fact.told["spot"], "stake": fact.told["stake"]}


def _returned(fact: Fact) -> Iterator[Statement]:
    """What had been settled was never staked; the rest was not counted yet."""
    if fact.told["paid_before"] is not None:
        back = {"spot": fact.told["spot"], "stake": -fact.told["stake"]}
        yield _SETTLED, {"shoe": fact.told["coup"].rpartition("/")[0], **back}


_VIEWS = (
    View(
        name="table_days",
        what="One table for one gaming day, from its opener to its closer. One row a table day.",
        sql="""
SELECT wins.table_code, wins.gaming_day, wins.rules, wins.opener, wins.fills::bigint AS fills,
       wins.credits::bigint AS credits, wins.closer, wins.drop_counted,
       wins.cash_out::bigint AS cash_out,
       (wins.drop_counted + wins.closer + wins.credits - wins.opener - wins.fills
           - wins.cash_out)::bigint AS win,
       coalesce((SELECT sum(handles.handle) FROM projections.table_shoes AS shoes
                   JOIN projections.handles USING (shoe)
                  WHERE shoes.table_code = wins.table_code
                    AND shoes.gaming_day = wins.gaming_day), 0)::bigint AS handle,
       wins.first_position AS position
  FROM projections.table_wins AS wins
""",
        columns={
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "rules": "The rule set that it was dealt under.",
            "opener": "Chips in the tray when it opened, in minor units.",
            "fills": "Chips that came from the cage, in minor units.",
            "credits": "Chips that went to the cage, in minor units.",
            "closer": "Chips in the tray when it closed, in minor units; null while it is open.",
            "drop_counted": "The drop, in minor units; null until the box was counted.",
            "cash_out": "Cash paid out at the table, in minor units.",
            "win": (
                "drop + closer + credits - opener - fills - cash out, in minor units; null until "
                "all are known."
            ),
            "handle": "What was staked and settled, in minor units.",
            "position": "Where in the ledger it begins.",
        },
    ),
    View(
        name="handles",
        what="What was staked and settled. One row a shoe and spot.",
        sql="""
SELECT handles.shoe, handles.spot, handles.handle::bigint AS handle, shoes.decks,
       shoes.table_code, shoes.gaming_day
  FROM projections.handles
  JOIN projections.table_shoes AS shoes USING (shoe)
""",
        columns={
            "shoe": "The shoe.",
            "spot": "What was bet on.",
            "handle": "What was staked and settled, in minor units.",
            "decks": "How many decks the shoe has, on which the odds depend.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
        },
    ),
)

PROJECTION = Projection(
    name="table_win",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        table_day.Opened.TOPIC: _change(_OPENED, "rules", "opener_total"),
        table_day.Filled.TOPIC: _change(_FILLED, "total"),
        table_day.Credited.TOPIC: _change(_CREDITED, "total"),
        table_day.CashedOut.TOPIC: _change(_CASHED_OUT, "amount"),
        table_day.DropCounted.TOPIC: _change(_COUNTED, "amount"),
        table_day.TableClosed.TOPIC: _change(_CLOSED, "closer_total"),
        shoe_events.Loaded.TOPIC: _change(_LOADED, "shoe", "decks"),
        coup.WagerSettled.TOPIC: _settled,
        coup.WagerReturned.TOPIC: _returned,
    },
)

REPORT = Report(
    name="table-win",
    title="Table win",
    read_by=OF_MONEY,
    projections=("table_win",),
    columns=(
        *("table", "day", "opener", "fills", "credits", "closer", "drop", "cash_out"),
        *("win", "hold", "theoretical_win"),
    ),
    # The last column is what `ops.reports.ask` makes the theoretical win of, by the odds' edges.
    sql=f"""
SELECT table_code AS "table", gaming_day AS day, opener, fills, credits, closer,
       drop_counted AS "drop", cash_out, {WIN} AS win,
       round({WIN} / nullif(drop_counted, 0), 4)::text AS hold,
       (SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'rules', rules, 'decks', decks, 'spot', spot, 'handle', handle)), '[]')
          FROM table_shoes JOIN handles USING (shoe)
         WHERE (table_shoes.table_code, table_shoes.gaming_day)
             = (wins.table_code, wins.gaming_day)) AS theoretical_win
  FROM table_wins AS wins
 WHERE {narrowed()}
 ORDER BY first_position
""",  # noqa: S608
    money=(
        *("opener", "fills", "credits", "closer", "drop", "cash_out", "win"),
        "theoretical_win",
    ),
    narrowings=("table", "day"),
    shown=("table", "day", "drop", "win", "hold", "theoretical_win"),
    summands=("opener", "fills", "credits", "closer", "cash_out"),
)
