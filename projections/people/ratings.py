"""Ratings: what each stay bet, coup by coup, and its theoretical win for the house.

Computed from settled wagers, as last corrected. Wagers of a void coup do not count.
"""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from domain.events import table_day, table_money
from domain.rules.permissions import OF_THE_PIT
from projections import no_total
from projections.model import Event, Projection, Report, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

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
CREATE INDEX stays_in_order ON stays (first_position);

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


class Stay(Row):
    """A patron's time at one table."""

    stay: str
    patron: str
    table_code: str
    gaming_day: date
    seated_at: datetime
    left_at: datetime | None = None
    buy_in: int = 0
    first_position: int


class Chair(Row):
    """A chair that a stay had."""

    stay: str
    seat: int
    table_code: str
    gaming_day: date
    taken_at: datetime
    given_up_at: datetime | None = None
    first_position: int


STAYS = Table("stays", Stay, "stay")
CHAIRS = Table("chairs", Chair, "first_position")
CHAIRS_OF_A_STAY = CHAIRS.page("stay")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield STAYS.by_key, (event.fields["stay"],)
    if "stay_before" in event.fields:
        yield STAYS.by_key, (event.fields["stay_before"],)
    if event.topic in _STAND_UP:
        yield CHAIRS_OF_A_STAY, (event.fields["stay"],)


def _seated(event: Event, rows: Rows) -> None:
    """Adds a stay, or another chair to a stay."""
    fields = event.fields
    if not rows.get(STAYS, fields["stay"]):
        stay = Stay(
            stay=fields["stay"],
            patron=fields["patron"],
            table_code=event.table,
            gaming_day=event.gaming_day,
            seated_at=event.at,
            first_position=event.position,
        )
        rows.put(STAYS, stay)
    _taken(event, fields["seat"], rows)


def _taken(event: Event, seat: int, rows: Rows) -> None:
    chair = Chair(
        stay=event.fields["stay"],
        seat=seat,
        table_code=event.table,
        gaming_day=event.gaming_day,
        taken_at=event.at,
        first_position=event.position,
    )
    rows.put(CHAIRS, chair)


def _given_up(event: Event, rows: Rows) -> None:
    for each in rows.find(CHAIRS_OF_A_STAY, event.fields["stay"]):
        if each.seat == event.fields["seat"] and each.given_up_at is None:
            rows.mark(CHAIRS, each).given_up_at = event.at


def _moved(event: Event, rows: Rows) -> None:
    _given_up(event, rows)
    _taken(event, event.fields["to"], rows)


def _left(event: Event, rows: Rows) -> None:
    _given_up(event, rows)
    if stay := rows.change(STAYS, event.fields["stay"]):
        stay.left_at = event.at


def _bought_in(event: Event, rows: Rows) -> None:
    if stay := rows.change(STAYS, event.fields["stay"]):
        stay.buy_in += event.fields["amount"]


def _cash_corrected(event: Event, rows: Rows) -> None:
    """Takes a buy-in off the stay that it was not, and adds it to the one that it was."""
    fields = event.fields
    if fields["kind"] != "buy-in":
        return
    if before := rows.change(STAYS, fields["stay_before"]):
        before.buy_in -= fields["amount_before"]
    if stay := rows.change(STAYS, fields["stay"]):
        stay.buy_in += fields["amount"]


_STAND_UP = {
    table_day.PatronMoved.TOPIC,
    table_day.ChairGivenUp.TOPIC,
    table_day.PatronLeft.TOPIC,
}


PROJECTION = Projection(
    name="ratings",
    schema=_TABLES,
    changes={
        table_day.PatronSeated.TOPIC: _seated,
        table_day.PatronMoved.TOPIC: _moved,
        table_day.ChairGivenUp.TOPIC: _given_up,
        table_day.PatronLeft.TOPIC: _left,
        table_money.BoughtIn.TOPIC: _bought_in,
        table_money.CashCorrected.TOPIC: _cash_corrected,
    },
    loads=_loads,
)

_STAYS = f"""
      FROM stays {KNOWN.format("stays")}
     WHERE {narrowed(during=("seated_at", "left_at"))}
       AND {ASKED.format(IDENTITY.format("stays"))}
"""

# The stays asked for, the wagers made in them, and the patron's result of each. Commission taken at
# payout is already in what was paid. Deferred commission is lost when it is charged, collected or
# not, unless it is waived. If it is rounded on collection, only the account knows the amount.
RESULTS = f"""
asked AS (
    SELECT stays.*, {IDENTITY.format("stays")} AS identity {_STAYS}
), made AS (
    SELECT stay, coup, shoe, gaming_day, spot, stake, paid, commission_due = 'deferred' AS deferred
      FROM wagers
     WHERE {narrowed()}
       AND stay IN (SELECT stay FROM asked)
       AND result <> 'void'
), by_stay AS (
    SELECT stay, count(DISTINCT coup) AS coups, sum(stake) AS handle,
           sum(paid - stake) AS won, bool_or(deferred) AS deferred
      FROM made GROUP BY stay
), charged AS (
    SELECT stay, sum(charged + corrections) AS commission, sum(waived) AS waived
      FROM commission_owed WHERE stay IN (SELECT stay FROM asked) GROUP BY stay
), results AS (
    SELECT stay, coalesce(won, 0)
               - CASE WHEN deferred THEN coalesce(commission, 0) ELSE 0 END
               + coalesce(waived, 0) AS win_loss
      FROM asked LEFT JOIN by_stay USING (stay) LEFT JOIN charged USING (stay)
)"""  # noqa: S608

# `ops.reports.ask` computes the theoretical win from `theoretical_win`.
REPORT = Report(
    name="ratings",
    title="Ratings",
    about="each patron's play: average wager, handle, result",
    read_by=OF_THE_PIT,
    projections=("ratings", "wagers", "commission_owed", "table_win", "patrons"),
    columns=(
        *("patron", "table", "seat", "seated_at", "left_at", "buy_in", "coups"),
        *("average_wager", "handle", "win_loss", "theoretical_win", "day", "stay"),
        *("likely_low", "likely_high", "luck"),
    ),
    sql=f"""
WITH {RESULTS}
, by_shoe AS (
    SELECT stay, spot, shoe, gaming_day, sum(stake) AS handle
      FROM made GROUP BY stay, spot, shoe, gaming_day
), by_decks AS (
    SELECT stay, spot, decks, rules, sum(handle) AS handle
      FROM by_shoe
      JOIN table_shoes USING (shoe, gaming_day)
      JOIN table_wins USING (table_code, gaming_day)
     GROUP BY stay, spot, decks, rules
), by_spot AS (
    SELECT stay, spot, sum(handle) AS handle,
           jsonb_agg(jsonb_build_object(
               'rules', rules, 'decks', decks, 'spot', spot, 'handle', handle)
               ORDER BY rules, decks) AS makings
      FROM by_decks GROUP BY stay, spot
), spots AS (
    SELECT stay, json_object_agg(spot, handle ORDER BY spot COLLATE "C") AS handle,
           json_object_agg(spot, makings ORDER BY spot COLLATE "C") AS makings,
           jsonb_path_query_array(
               jsonb_agg(makings ORDER BY spot COLLATE "C"), '$[*][*]') AS handles
      FROM by_spot GROUP BY stay
), by_coup AS (
    SELECT stay, coup, shoe, gaming_day, spot, sum(stake) AS stake
      FROM made GROUP BY stay, coup, shoe, gaming_day, spot
), on_coups AS (
    SELECT stay, shoe, gaming_day, array_agg(spot) AS those, array_agg(stake) AS stakes
      FROM by_coup GROUP BY stay, coup, shoe, gaming_day
), by_pair AS (
    SELECT stay, shoe, gaming_day, one.spot, two.spot AS other,
           sum(one.stake * two.stake) AS product
      FROM on_coups, unnest(those, stakes) AS one (spot, stake),
           unnest(those, stakes) AS two (spot, stake)
     WHERE one.spot COLLATE "C" <= two.spot COLLATE "C"
     GROUP BY stay, shoe, gaming_day, one.spot, two.spot
), products AS (
    SELECT stay, json_agg(json_build_object('rules', rules, 'decks', decks, 'spot', spot,
                                            'other', other, 'product', product)
                            ORDER BY rules, decks, spot, other) AS products
      FROM (SELECT stay, rules, decks, spot, other, sum(product) AS product
              FROM by_pair
              JOIN table_shoes USING (shoe, gaming_day)
              JOIN table_wins USING (table_code, gaming_day)
             GROUP BY stay, rules, decks, spot, other) AS each
     GROUP BY stay
), against AS (
    SELECT stay, jsonb_build_object(
               'win', -win_loss, 'handles', handles, 'products', products) AS against
      FROM results JOIN spots USING (stay) JOIN products USING (stay)
)
SELECT identity AS patron, table_code AS "table",
       (SELECT seat FROM chairs WHERE chairs.stay = asked.stay
         ORDER BY given_up_at DESC NULLS FIRST, first_position DESC LIMIT 1) AS seat,
       seated_at, left_at, buy_in, coalesce(coups, 0) AS coups,
       round(by_stay.handle / coups) AS average_wager,
       coalesce(spots.handle, '{{}}') AS handle,
       win_loss, coalesce(makings, '{{}}') AS theoretical_win, gaming_day AS day, stay,
       against AS likely_low, against AS likely_high, against AS luck
  FROM asked
  JOIN results USING (stay)
  LEFT JOIN by_stay USING (stay)
  LEFT JOIN spots USING (stay)
  LEFT JOIN against USING (stay)
 ORDER BY first_position
""",  # noqa: S608
    rows=_STAYS,
    money=("buy_in", "average_wager", "win_loss", "likely_low", "likely_high"),
    by_spot=("handle", "theoretical_win"),
    narrowings=("table", "day", "patron", "span"),
    shown=(
        *("patron", "day", "table", "coups", "average_wager", "handle", "win_loss"),
        *("theoretical_win", "luck"),
    ),
    no_total=no_total.AVERAGES,
    words={
        "seated_at": ("seated at", "when the patron sat down"),
        "left_at": ("left at", "when the patron left"),
        "buy_in": ("buy in", "chips bought with cash during the stay"),
        "average_wager": ("average wager", "handle per coup with a wager, all spots together"),
        "likely_low": ("likely low", "95% of patrons with these wagers end at least so"),
        "likely_high": ("likely high", "95% of patrons with these wagers end at most so"),
        "luck": (
            "luck",
            "the result above the expected one, in standard deviations; 95% are between −2 and 2",
        ),
        "win_loss": ("win/loss", "the patron's result after commission: + the patron won"),
    },
)
