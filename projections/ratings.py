"""Ratings: what each stay bet, coup by coup, and what it should have brought the house.

Measured from the wagers that were settled, as they were corrected last; those of a coup that is
void were never made.
"""

from collections.abc import Callable, Iterator

from domain.events import table_day
from domain.rules.permissions import OF_THE_PIT
from projections.model import Fact, Projection, Report, Statement, narrowed
from projections.patrons import ASKED, IDENTITY, KNOWN

_TABLES = """
-- One row a stay: a patron's time at one table.
CREATE TABLE stays (
    stay           text    NOT NULL PRIMARY KEY,
    patron         text    NOT NULL,             -- under the name that they had at the table
    table_code     text    NOT NULL,
    gaming_day     date    NOT NULL,
    seated_at      timestamptz NOT NULL,
    left_at        timestamptz,                  -- NULL: still there
    buy_in         numeric NOT NULL DEFAULT 0,   -- minor units
    first_position bigint  NOT NULL
);
CREATE INDEX stays_by_day ON stays (gaming_day, table_code);
CREATE INDEX stays_by_patron ON stays (patron);

-- Who had which chair, from when until when; one patron may have up to three.
CREATE TABLE chairs (
    stay           text   NOT NULL,
    seat           int    NOT NULL,
    table_code     text   NOT NULL,
    gaming_day     date   NOT NULL,
    taken_at       timestamptz NOT NULL,
    given_up_at    timestamptz,                  -- NULL: still theirs
    first_position bigint NOT NULL PRIMARY KEY
);
CREATE INDEX chairs_by_stay ON chairs (stay);
CREATE INDEX chairs_by_day ON chairs (gaming_day, table_code);
"""

# A second chair is the same stay.
_SEATED = """
INSERT INTO stays (stay, patron, table_code, gaming_day, seated_at, first_position)
VALUES (%(stay)s, %(patron)s, %(table)s, %(day)s, %(at)s, %(position)s)
ON CONFLICT (stay) DO NOTHING
"""

_TAKEN = """
INSERT INTO chairs VALUES
    (%(stay)s, %(seat)s, %(table)s, %(day)s, %(at)s, NULL, %(position)s)
"""

_GIVEN_UP = """
UPDATE chairs SET given_up_at = %(at)s
WHERE stay = %(stay)s AND seat = %(seat)s AND given_up_at IS NULL
"""

_LEFT = "UPDATE stays SET left_at = %(at)s WHERE stay = %(stay)s"
_BOUGHT_IN = "UPDATE stays SET buy_in = buy_in + %(amount)s WHERE stay = %(stay)s"


def _change(*statements: str) -> Callable[[Fact], Iterator[Statement]]:
    """Changes by what the fact itself tells."""

    def change(fact: Fact) -> Iterator[Statement]:
        for sql in statements:
            yield sql, _told(fact)

    return change


def _told(fact: Fact) -> dict[str, object]:
    place = {"table": fact.table, "day": fact.gaming_day, "position": fact.position}
    return {**fact.told, **place, "at": fact.at}


def _moved(fact: Fact) -> Iterator[Statement]:
    yield _GIVEN_UP, _told(fact)
    yield _TAKEN, {**_told(fact), "seat": fact.told["to"]}


PROJECTION = Projection(
    name="ratings",
    schema=_TABLES,
    changes={
        table_day.PatronSeated.TOPIC: _change(_SEATED, _TAKEN),
        table_day.PatronMoved.TOPIC: _moved,
        table_day.ChairGivenUp.TOPIC: _change(_GIVEN_UP),
        table_day.PatronLeft.TOPIC: _change(_GIVEN_UP, _LEFT),
        table_day.BoughtIn.TOPIC: _change(_BOUGHT_IN),
    },
)

# What was taken at payout is in what was paid. Deferred commission is lost when it is charged,
# collected or not, and what is waived is not lost after all; the account alone knows what it
# comes to when it is rounded on collection. `theoretical_win` is what
# `ops.reports.ask` makes it of.
REPORT = Report(
    name="ratings",
    title="Ratings",
    read_by=OF_THE_PIT,
    projections=("ratings", "wagers", "commission_owed", "table_win", "patrons"),
    columns=(
        *("patron", "table", "seat", "seated_at", "left_at", "buy_in", "coups"),
        *("average_wager", "handle", "win_loss", "theoretical_win", "day", "stay"),
    ),
    sql=f"""
WITH asked AS (
    SELECT stays.*, {IDENTITY.format("stays")} AS identity
      FROM stays {KNOWN.format("stays")}
     WHERE {narrowed()}
       AND {ASKED.format(IDENTITY.format("stays"))}
), made AS (
    SELECT stay, coup, shoe, spot, stake, paid, commission_due = 'deferred' AS deferred
      FROM wagers
     WHERE {narrowed()}
       AND stay IN (SELECT stay FROM asked)
       AND result <> 'void'
), by_stay AS (
    SELECT stay, count(DISTINCT coup) AS coups, sum(stake) AS handle,
           sum(paid - stake) AS won, bool_or(deferred) AS deferred
      FROM made GROUP BY stay
), by_shoe AS (
    SELECT stay, spot, shoe, sum(stake) AS handle FROM made GROUP BY stay, spot, shoe
), by_decks AS (
    SELECT stay, spot, decks, rules, sum(handle) AS handle
      FROM by_shoe
      JOIN table_shoes USING (shoe)
      JOIN table_wins USING (table_code, gaming_day)
     GROUP BY stay, spot, decks, rules
), by_spot AS (
    SELECT stay, spot, sum(handle) AS handle,
           json_agg(json_build_object(
               'rules', rules, 'decks', decks, 'spot', spot, 'handle', handle)) AS makings
      FROM by_decks GROUP BY stay, spot
), spots AS (
    SELECT stay, json_object_agg(spot, handle ORDER BY spot COLLATE "C") AS handle,
           json_object_agg(spot, makings ORDER BY spot COLLATE "C") AS makings
      FROM by_spot GROUP BY stay
), charged AS (
    SELECT stay, sum(charged + corrections - waived) AS commission
      FROM commission_owed WHERE stay IN (SELECT stay FROM asked) GROUP BY stay
)
SELECT identity AS patron, table_code AS "table",
       (SELECT seat FROM chairs WHERE chairs.stay = asked.stay
         ORDER BY given_up_at DESC NULLS FIRST, first_position DESC LIMIT 1) AS seat,
       seated_at, left_at, buy_in, coalesce(coups, 0) AS coups,
       round(by_stay.handle / coups) AS average_wager,
       coalesce(spots.handle, '{{}}') AS handle,
       coalesce(won, 0)
           - CASE WHEN deferred THEN coalesce(commission, 0) ELSE 0 END AS win_loss,
       coalesce(makings, '{{}}') AS theoretical_win, gaming_day AS day, stay
  FROM asked
  LEFT JOIN by_stay USING (stay)
  LEFT JOIN spots USING (stay)
  LEFT JOIN charged USING (stay)
 ORDER BY first_position
""",  # noqa: S608
    money=("buy_in", "average_wager", "win_loss"),
    by_spot=("handle", "theoretical_win"),
    narrowings=("table", "day", "patron"),
    shown=(
        *("patron", "day", "table", "coups", "average_wager", "handle", "win_loss"),
        "theoretical_win",
    ),
    adds_up=False,
)
