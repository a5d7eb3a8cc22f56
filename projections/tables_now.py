"""Tables now: how every table stands, one row each, with its seats and what its stays owe.

A row is the gaming day that was opened last at the table. What is recorded of an earlier day
changes nothing here, so every statement names the day, or a shoe or stay of it.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from domain.events import commission_account, coup, shoe, table_day
from projections.model import Fact, Projection, Statement

_TABLES = """
-- One row a table: the gaming day that was opened last at it. Changed by every card, so with
-- room on its pages for the next version of a row. Amounts are minor units.
CREATE TABLE tables_now (
    table_code        text   NOT NULL PRIMARY KEY,
    gaming_day        date   NOT NULL,
    opened_at         timestamptz NOT NULL,
    closed_at         timestamptz,
    rules             text   NOT NULL,
    rules_digest      text   NOT NULL,
    limits            jsonb  NOT NULL,
    differential      bigint,
    dealer            text   NOT NULL,
    supervisor        text   NOT NULL,
    shoe              text,                         -- in play; NULL: none
    cards_left        int,
    cut_card          int,                          -- cards from the back
    cut_card_position bigint,                       -- at which it showed; NULL: it has not
    cut_card_at       timestamptz,
    last_coup         int,                          -- that it allows
    coup              text,                         -- of that shoe, the last one opened
    phase             text,
    last_coup_at      timestamptz,                  -- begun or settled
    idle_position     bigint NOT NULL,              -- the last coup went on, or the table opened
    idle_at           timestamptz NOT NULL,
    cash_in           numeric NOT NULL DEFAULT 0,
    drop_counted      bigint,                       -- NULL: the box was not counted yet
    wagers_won        numeric NOT NULL DEFAULT 0,   -- by the house
    commission_kept   numeric NOT NULL DEFAULT 0,
    held_by           text[]  NOT NULL DEFAULT '{}' -- the cases that hold it, the first one first
) WITH (fillfactor = 50);

CREATE TABLE seats_now (
    table_code text NOT NULL,
    seat       int  NOT NULL,
    patron     text NOT NULL,
    stay       text NOT NULL,
    PRIMARY KEY (table_code, seat)
);

-- What every stay of that day owes, here or gone.
CREATE TABLE stays_now (
    stay       text    NOT NULL PRIMARY KEY,
    table_code text    NOT NULL,
    patron     text    NOT NULL,
    owed       numeric NOT NULL
);
CREATE INDEX stays_now_by_table ON stays_now (table_code);

-- The coups that were settled in the last hour of play.
CREATE TABLE coups_now (
    position   bigint NOT NULL PRIMARY KEY,
    table_code text   NOT NULL,
    settled_at timestamptz NOT NULL
);
CREATE INDEX coups_now_by_table ON coups_now (table_code, settled_at);
"""

# A table on which none of these happens for long needs a person.
COUP_GOES_ON = (table_day.Opened.TOPIC, shoe.CoupBegun.TOPIC, coup.Settled.TOPIC)

_FORGOTTEN = tuple(
    f"DELETE FROM {rows} WHERE table_code = %(table)s"  # noqa: S608
    for rows in ("tables_now", "seats_now", "stays_now", "coups_now")
)
_OPENED = """
INSERT INTO tables_now
    (table_code, gaming_day, opened_at, rules, rules_digest, limits, differential, dealer,
     supervisor, idle_position, idle_at)
VALUES (%(table)s, %(day)s, %(at)s, %(rules)s, %(rules_digest)s, %(limits)s::jsonb,
        %(differential)s, %(dealer)s, %(supervisor)s, %(position)s, %(at)s)
"""

_IT = "WHERE table_code = %(table)s AND gaming_day = %(day)s"
_SHOE = "WHERE table_code = %(table)s AND shoe = %(shoe)s"
_COUP = "WHERE table_code = %(table)s AND coup = %(coup)s"

_LIMITS = f"""
UPDATE tables_now SET limits = %(limits)s::jsonb, differential = %(differential)s {_IT}
"""  # noqa: S608
_DEALER = f"UPDATE tables_now SET dealer = %(staff)s {_IT}"  # noqa: S608
_SUPERVISOR = f"UPDATE tables_now SET supervisor = %(staff)s {_IT}"  # noqa: S608
_BOUGHT_IN = f"UPDATE tables_now SET cash_in = cash_in + %(amount)s {_IT}"  # noqa: S608
_DROP = f"UPDATE tables_now SET drop_counted = %(amount)s {_IT}"  # noqa: S608
_WON = f"UPDATE tables_now SET wagers_won = wagers_won + %(won)s {_IT}"  # noqa: S608
_KEPT = f"UPDATE tables_now SET commission_kept = commission_kept + %(part)s {_IT}"  # noqa: S608
_CLOSED = f"UPDATE tables_now SET closed_at = %(at)s {_IT}"  # noqa: S608
_HELD = f"UPDATE tables_now SET held_by = held_by || %(case)s::text {_IT}"  # noqa: S608
_RELEASED = f"UPDATE tables_now SET held_by = array_remove(held_by, %(case)s) {_IT}"  # noqa: S608

_LOADED = f"""
UPDATE tables_now SET
    shoe = %(shoe)s, cards_left = 52 * %(decks)s, cut_card = %(cut_card)s, last_coup = NULL,
    cut_card_position = NULL, cut_card_at = NULL, coup = NULL, phase = NULL
{_IT}
"""  # noqa: S608
_TAKEN_OFF = f"""
UPDATE tables_now SET
    shoe = NULL, cards_left = NULL, cut_card = NULL, last_coup = NULL, cut_card_position = NULL,
    cut_card_at = NULL, coup = NULL, phase = NULL
{_SHOE}
"""  # noqa: S608
_CUT = f"UPDATE tables_now SET cut_card = %(cut_card)s {_SHOE}"  # noqa: S608
_GONE = f"UPDATE tables_now SET cards_left = cards_left - %(cards)s {_SHOE}"  # noqa: S608
_CUT_CARD_SHOWN = f"""
UPDATE tables_now SET
    cut_card_position = %(position)s, cut_card_at = %(at)s, last_coup = %(last_coup)s
{_SHOE}
"""  # noqa: S608
_NOT_DEALT = f"UPDATE tables_now SET last_coup = %(last_coup)s {_SHOE}"  # noqa: S608

_COUP_BEGUN = f"""
UPDATE tables_now SET
    coup = %(coup)s, phase = 'betting', last_coup_at = %(at)s, idle_position = %(position)s,
    idle_at = %(at)s
{_SHOE}
"""  # noqa: S608
_PHASE = f"UPDATE tables_now SET phase = %(phase)s {_COUP}"  # noqa: S608
_SETTLED = f"""
UPDATE tables_now SET
    phase = 'settled', wagers_won = wagers_won + %(stakes)s - %(paid)s, last_coup_at = %(at)s,
    idle_position = %(position)s, idle_at = %(at)s
{_IT}
"""  # noqa: S608
_OF_THE_HOUR = "INSERT INTO coups_now VALUES (%(position)s, %(table)s, %(at)s)"
_BEFORE_THE_HOUR = """
DELETE FROM coups_now
 WHERE table_code = %(table)s AND settled_at <= %(at)s::timestamptz - interval '1 hour'
"""

_SEATED = "INSERT INTO seats_now VALUES (%(table)s, %(seat)s, %(patron)s, %(stay)s)"
_MOVED = "UPDATE seats_now SET seat = %(to)s WHERE table_code = %(table)s AND seat = %(seat)s"
_STOOD_UP = "DELETE FROM seats_now WHERE table_code = %(table)s AND seat = %(seat)s"

_STAY = "INSERT INTO stays_now VALUES (%(stay)s, %(table)s, %(patron)s, 0)"
_OWES = "UPDATE stays_now SET owed = owed + %(part)s WHERE stay = %(stay)s"

_Change = Callable[[Fact], Iterator[Statement]]


def _told(fact: Fact, **more: Any) -> dict[str, Any]:
    """What the fact tells, with where and when."""
    place = {"table": fact.table, "day": fact.gaming_day}
    return {**fact.told, **place, "at": fact.at, "position": fact.position, **more}


def _change(*statements: str, **more: Any) -> _Change:
    """A change by what the fact itself tells."""

    def change(fact: Fact) -> Iterator[Statement]:
        for sql in statements:
            yield sql, _told(fact, **more)

    return change


def _opened(fact: Fact) -> Iterator[Statement]:
    for sql in _FORGOTTEN:
        yield sql, {"table": fact.table}
    yield _OPENED, _told(fact, limits=json.dumps(fact.told["limits"]))


def _limits(fact: Fact) -> Iterator[Statement]:
    yield _LIMITS, _told(fact, limits=json.dumps(fact.told["limits"]))


def _burned(fact: Fact) -> Iterator[Statement]:
    yield _GONE, _told(fact, cards=1 + fact.told["face_down"])


def _begun(fact: Fact) -> Iterator[Statement]:
    """A shoe only counts its coups."""
    yield _COUP_BEGUN, _told(fact, coup=f"{fact.told['shoe']}/{fact.told['coup']}")


def _discarded(fact: Fact) -> Iterator[Statement]:
    """A foreign card was never the shoe's."""
    if fact.told["reason"] != "foreign":
        yield _GONE, _told(fact, cards=1)


def _voided(fact: Fact) -> Iterator[Statement]:
    """What the coup had won goes back; one that is not in play any more is in no phase here."""
    yield _PHASE, _told(fact, phase="voided")
    yield _WON, _told(fact, won=-fact.told["changes_hands"])


def _corrected(fact: Fact) -> Iterator[Statement]:
    yield _WON, _told(fact, won=-fact.told["changes_hands"])


def _put_right(fact: Fact) -> Iterator[Statement]:
    """For a coup of a day that is closed, with chips of this one."""
    if fact.told["place"] == "tray":
        yield from _corrected(fact)


def _owes(name: str, sign: int = 1, *, kept: bool = False) -> _Change:
    """By so much more, or less, is owed; `kept`: paid in chips, or given back in chips."""

    def change(fact: Fact) -> Iterator[Statement]:
        part = sign * fact.told[name]
        yield _OWES, _told(fact, part=part)
        if kept and fact.told["how"] == "patron":
            yield _KEPT, _told(fact, part=-part)

    return change


PROJECTION = Projection(
    name="tables_now",
    schema=_TABLES,
    changes={
        table_day.Opened.TOPIC: _opened,
        table_day.LimitsChanged.TOPIC: _limits,
        table_day.DealerRelieved.TOPIC: _change(_DEALER),
        table_day.SupervisorRelieved.TOPIC: _change(_SUPERVISOR),
        table_day.PatronSeated.TOPIC: _change(_SEATED),
        table_day.PatronMoved.TOPIC: _change(_MOVED),
        table_day.ChairGivenUp.TOPIC: _change(_STOOD_UP),
        table_day.PatronLeft.TOPIC: _change(_STOOD_UP),
        table_day.BoughtIn.TOPIC: _change(_BOUGHT_IN),
        table_day.DropCounted.TOPIC: _change(_DROP),
        table_day.EarlierCoupPutRight.TOPIC: _put_right,
        table_day.Held.TOPIC: _change(_HELD),
        table_day.Released.TOPIC: _change(_RELEASED),
        table_day.TableClosed.TOPIC: _change(_CLOSED),
        table_day.ShoeTakenOff.TOPIC: _change(_TAKEN_OFF),
        shoe.Loaded.TOPIC: _change(_LOADED),
        shoe.Cut.TOPIC: _change(_CUT),
        shoe.Burned.TOPIC: _burned,
        shoe.CoupBegun.TOPIC: _begun,
        shoe.CardDrawn.TOPIC: _change(_GONE, cards=1),
        shoe.CardMisdrawn.TOPIC: _change(_GONE, cards=1),
        shoe.CardDiscarded.TOPIC: _discarded,
        shoe.CutCardShown.TOPIC: _change(_CUT_CARD_SHOWN),
        shoe.CoupNotDealt.TOPIC: _change(_NOT_DEALT),
        coup.BettingClosed.TOPIC: _change(_PHASE, phase="dealing"),
        coup.Resulted.TOPIC: _change(_PHASE, phase="resulted"),
        coup.Settled.TOPIC: _change(_SETTLED, _OF_THE_HOUR, _BEFORE_THE_HOUR),
        coup.Voided.TOPIC: _voided,
        coup.PaymentCorrected.TOPIC: _corrected,
        commission_account.Opened.TOPIC: _change(_STAY),
        commission_account.CommissionAccrued.TOPIC: _owes("charged"),
        commission_account.CommissionCollected.TOPIC: _owes("amount", -1, kept=True),
        commission_account.CommissionRefunded.TOPIC: _owes("amount", kept=True),
        commission_account.CommissionOwedAgain.TOPIC: _owes("amount"),
        commission_account.CommissionCorrected.TOPIC: _owes("charged"),
        commission_account.CommissionWaived.TOPIC: _owes("amount", -1),
        commission_account.CommissionWalked.TOPIC: _owes("amount", -1),
    },
)

# Hands an hour: of the hour that ends now, so that it falls while a table stands; since the table
# opened, when that is less. Neither it nor how long the table has been idle is known where the
# ledger's times lie ahead of now. The win is an estimate: what the wagers brought, and the
# commission that was paid in chips; the closer will tell.
OPEN_TABLES = """
SELECT now.*,
       (SELECT coalesce(jsonb_object_agg(seat, patron ORDER BY seat), '{}') FROM seats_now
         WHERE seats_now.table_code = now.table_code) AS seats,
       (SELECT count(DISTINCT stay) FROM seats_now
         WHERE seats_now.table_code = now.table_code) AS patrons,
       (SELECT coalesce(sum(owed), 0)::bigint FROM stays_now
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
       CASE WHEN idle_at <= %(now)s::timestamptz
            THEN floor(extract(epoch FROM %(now)s::timestamptz - idle_at) / 60)::int
       END AS idle_minutes,
       coalesce(drop_counted, cash_in)::bigint AS "drop",
       (wagers_won + commission_kept)::bigint AS win
  FROM tables_now AS now
 WHERE closed_at IS NULL
 ORDER BY table_code
"""
