"""The proof: commission computed again from the wagers, against what became of it (R-COM-4).

Accrued and rounding come from the payments and the terms of each stay. What was withheld at payout
comes from the chips that were paid; what was collected, waived or walked, from the accounts; what
is outstanding, from the open accruals. A minor unit too much in any of them is a difference.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from domain.events import commission_account, coup_wagers
from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.commission.paid import (
    OF_A_STAY,
    PAID,
    PAID_TABLE,
    brought_forward,
    carried_forward,
    cleared,
    collection_corrected,
    owed_again,
    owes,
    refunded,
)
from projections.commission.terms import STAYS_VIEW, TERMS_TABLE, opened
from projections.model import Event, Projection, Report, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- Every Banker wager that won, as it was paid first and as it is now.
CREATE TABLE banker_wins (
    coup      text   NOT NULL,
    seat      int    NOT NULL,
    stay      text   NOT NULL,
    shoe      text   NOT NULL,
    period    int    NOT NULL,  -- the sum with which it is rounded on collection
    won_first bigint NOT NULL,
    won       bigint NOT NULL,
    withheld bigint NOT NULL,  -- at payout, from stake and winnings
    charged   bigint NOT NULL,  -- as recorded with the payment
    spot      text   NOT NULL,  -- the spot of the wager
    PRIMARY KEY (coup, seat, stay)
);
CREATE INDEX banker_wins_by_stay ON banker_wins (stay, shoe);
"""

SEATS = 1_000  # more than any table has


class BankerWin(Row):
    """A Banker wager that has won."""

    coup: str
    seat: int
    stay: str
    shoe: str
    period: int
    won_first: int
    won: int
    withheld: int
    charged: int
    spot: str


BANKER_WINS = Table("banker_wins", BankerWin, "coup", "seat", "stay")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    fields = event.fields
    if "seat" not in fields:
        if event.topic != commission_account.Opened.TOPIC:
            yield OF_A_STAY, (fields["stay"],)
    elif event.topic != coup_wagers.WagerSettled.TOPIC:
        yield BANKER_WINS.by_key, (fields["coup"], fields["seat"], fields["stay"])
        if "to_stay" in fields:
            yield BANKER_WINS.by_key, (fields["coup"], fields["to_seat"], fields["to_stay"])
            yield OF_A_STAY, (fields["to_stay"],)
        yield OF_A_STAY, (fields["stay"],)
    elif fields["spot"] == "banker":
        yield OF_A_STAY, (fields["stay"],)


def _settled(event: Event, rows: Rows) -> None:
    """Adds a Banker wager that won, or that was paid although it lost.

    In the second case `withheld` is below 0.
    """
    if event.fields["spot"] == "banker":
        winnings = _by_the_odds(event)
        withheld = _withheld(event, winnings)
        if winnings or withheld:
            rows.put(BANKER_WINS, _win(event, rows, winnings, winnings, withheld))


def _corrected(event: Event, rows: Rows) -> None:
    """Applies a correction: winnings by the odds again, or as two people decided.

    They may give back a part of a lost stake. A wager paid as on another spot counts as a Banker
    win if that spot is Banker, and only then.
    """
    fields = event.fields
    if (fields["as_spot"] or fields["spot"]) != "banker":
        _returned(event, rows)
        return
    winnings = _by_the_odds(event) if fields["odds"] else fields["winnings"]
    withheld = 0 if fields["result"] == "lose" else _withheld(event, winnings)
    if win := rows.change(BANKER_WINS, fields["coup"], fields["seat"], fields["stay"]):
        win.won, win.withheld, win.charged = winnings, withheld, fields["commission_charged"]
    else:
        rows.put(BANKER_WINS, _win(event, rows, 0, winnings, withheld))


def _returned(event: Event, rows: Rows) -> None:
    fields = event.fields
    win = rows.change(BANKER_WINS, fields["coup"], fields["seat"], fields["stay"])
    if win and win.spot == fields["spot"]:
        win.won = win.withheld = win.charged = 0


def _settled_late(event: Event, rows: Rows) -> None:
    """Adds a Banker win of a wager that was entered after its coup was settled."""
    if event.fields["spot"] == "banker":
        winnings = _by_the_odds(event)
        withheld = _withheld(event, winnings)
        if winnings or withheld:
            rows.put(BANKER_WINS, _win(event, rows, 0, winnings, withheld))


def _moved(event: Event, rows: Rows) -> None:
    """Takes a Banker win off the stay that it was not, and adds it to the one that it was."""
    fields = event.fields
    win = rows.change(BANKER_WINS, fields["coup"], fields["seat"], fields["stay"])
    if not win or win.spot != fields["spot"]:
        return
    now = {"won": win.won, "withheld": win.withheld, "charged": win.charged}
    win.won = win.withheld = win.charged = 0
    whose = fields["coup"], fields["to_seat"], fields["to_stay"]
    if back := rows.change(BANKER_WINS, *whose):  # it was moved from there before
        back.won, back.withheld, back.charged = now["won"], now["withheld"], now["charged"]
        return
    seat, stay = fields["to_seat"], fields["to_stay"]
    period = _period(fields["coup"], seat, stay, rows, alone=win.period < 0)
    rows.put(BANKER_WINS, replace(win, seat=seat, stay=stay, period=period, won_first=0, **now))


def _by_the_odds(event: Event) -> int:
    """The winnings computed from the recorded odds, not the recorded winnings."""
    fields = event.fields
    if fields["result"] != "win":
        return 0
    if fields["odds"] and ":" not in fields["odds"]:  # a meter paid it (R-PROG-3)
        return int(fields["winnings"])
    to, each = map(int, fields["odds"].split(":"))
    return int(fields["stake"] * to // each)


def _withheld(event: Event, winnings: int) -> int:
    """What a payment withheld: stake and winnings, less the chips paid.

    Recorded winnings that differ from those of the odds also show here.
    """
    fields = event.fields
    owed = 0 if fields["result"] == "lose" else fields["stake"] + winnings
    return int(owed + fields["paid_up"] - fields["paid"] + winnings - fields["winnings"])


def _win(event: Event, rows: Rows, won_first: int, won: int, withheld: int) -> BankerWin:
    fields = event.fields
    alone = fields["commission_due"] == "at-payout"
    period = _period(fields["coup"], fields["seat"], fields["stay"], rows, alone=alone)
    return BankerWin(
        coup=fields["coup"],
        seat=fields["seat"],
        stay=fields["stay"],
        shoe=fields["coup"].rpartition("/")[0],
        period=period,
        won_first=won_first,
        won=won,
        withheld=withheld,
        charged=fields["commission_charged"],
        spot=fields["spot"],
    )


def _period(coup: str, seat: int, stay: str, rows: Rows, *, alone: bool) -> int:
    """The sum that a win is rounded with; `alone`: at payout, in no sum with others."""
    shoe, _, number = coup.rpartition("/")
    if alone:
        return -(int(number) * SEATS + seat + 1)  # below 0, where no sum's number is
    paid = rows.change(PAID, stay, shoe)
    if paid:
        paid.used = True
    return paid.period if paid else 0


PROJECTION = Projection(
    name="commission_proof",
    schema=TERMS_TABLE + _TABLES + PAID_TABLE,
    views=(STAYS_VIEW,),
    changes={
        commission_account.Opened.TOPIC: opened,
        coup_wagers.WagerSettled.TOPIC: _settled,
        coup_wagers.PaymentCorrected.TOPIC: _corrected,
        coup_wagers.WagerSettledLate.TOPIC: _settled_late,
        coup_wagers.WagerMoved.TOPIC: _moved,
        coup_wagers.WagerReturned.TOPIC: _returned,
        commission_account.CommissionAccrued.TOPIC: owes,
        commission_account.CommissionCorrected.TOPIC: owes,
        commission_account.CommissionCollected.TOPIC: cleared("collected"),
        commission_account.CollectionCorrected.TOPIC: collection_corrected,
        commission_account.CommissionRefunded.TOPIC: refunded,
        commission_account.CommissionOwedAgain.TOPIC: owed_again,
        commission_account.CommissionWaived.TOPIC: cleared("waived"),
        commission_account.CommissionWalked.TOPIC: cleared("walked"),
        commission_account.CommissionCarriedForward.TOPIC: carried_forward,
        commission_account.CommissionBroughtForward.TOPIC: brought_forward,
    },
    loads=_loads,
)

# The stays that the report is asked about, with their patrons' present names.
_ASKED = f"""
SELECT terms.*, {IDENTITY.format("terms")} AS known_as
  FROM commission_terms AS terms {KNOWN.format("terms")}
 WHERE {narrowed(table="terms.table_code", day="terms.gaming_day")}
   AND (%(shoe)s::text IS NULL OR stay IN (
           SELECT stay FROM banker_wins WHERE shoe = %(shoe)s
            UNION SELECT stay FROM commission_paid WHERE shoe = %(shoe)s
            UNION SELECT stay FROM commission_owed WHERE shoe = %(shoe)s))
   AND {ASKED.format(IDENTITY.format("terms"))}
"""  # noqa: S608

# What each sum should come to, by the wagers: one win, or all wins up to a collection.
_SUMS = """
SELECT stay, shoe, sum(won_first) AS won_first, sum(withheld) AS withheld,
       sum(won_first) * rate AS exact,
       projections.charge(sum(won_first) * rate, mode, unit, minimum) AS charge_first,
       projections.charge(sum(won) * rate, mode, unit, minimum) AS charge,
       CASE WHEN per_win THEN sum(charged) END AS charged_per_win
  FROM banker_wins JOIN asked USING (stay)
 GROUP BY stay, shoe, CASE WHEN per_win THEN coup || ' ' || seat ELSE period::text END,
          rate, mode, unit, minimum, per_win
"""

_EACH = f"""
SELECT terms.stay, shoe, known_as AS patron, terms.table_code, terms.gaming_day, rate,
       coalesce(won_first, 0) AS won_first, coalesce(exact, 0) AS exact,
       coalesce(charge_first, 0) AS charge_first, coalesce(charge, 0) AS charge,
       coalesce(withheld, 0) + coalesce(paid.collected, 0) AS collected,
       coalesce(paid.waived, 0) AS waived, coalesce(paid.walked, 0) AS walked,
       coalesce(paid.forward, 0) AS forward,
       (SELECT coalesce(sum(open.owed), 0) FROM open_accruals AS open
         WHERE open.stay = terms.stay AND open.shoe = shoes.shoe) AS outstanding,
       charged_per_win, owed.charged + owed.corrections AS account, owed.accrued AS account_exact
  FROM asked AS terms
  JOIN (SELECT stay, shoe FROM banker_wins JOIN asked USING (stay)
         UNION SELECT stay, shoe FROM commission_paid JOIN asked USING (stay)
         UNION SELECT stay, shoe FROM commission_owed JOIN asked USING (stay))
       AS shoes USING (stay)
  LEFT JOIN (SELECT stay, shoe, sum(won_first) AS won_first, sum(withheld) AS withheld,
                    sum(exact) AS exact, sum(charge_first) AS charge_first,
                    sum(charge) AS charge, sum(charged_per_win) AS charged_per_win
               FROM ({_SUMS}) AS sums GROUP BY stay, shoe) AS wins USING (stay, shoe)
  LEFT JOIN commission_paid AS paid USING (stay, shoe)
  LEFT JOIN commission_owed AS owed USING (stay, shoe)
 WHERE (rate > 0 OR withheld <> 0 OR paid.stay IS NOT NULL OR owed.stay IS NOT NULL)
   AND (%(shoe)s::text IS NULL OR shoe = %(shoe)s)
"""  # noqa: S608

REPORT = Report(
    name="commission-proof",
    title="Commission proof",
    about="proof that wagers and commission accounts agree",
    read_by=OF_MONEY,
    projections=("commission_proof", "commission_owed", "patrons"),
    columns=(
        *("scope", "key", "banker_winnings", "rate", "brought_forward", "accrued", "rounding"),
        *("corrections", "collected", "waived", "walked", "outstanding", "difference"),
    ),
    # If the equation has a difference, that is the one shown. If it has none, the wagers are
    # compared with what the accounts were charged, with the payments, and with the exact accrual.
    # Differences of different stays never cancel out.
    sql=f"""
WITH asked AS MATERIALIZED ({_ASKED})
SELECT scope, key, sum(won_first) AS banker_winnings,
       string_agg(DISTINCT trim_scale(rate)::text, ' ') AS rate,
       sum(forward) AS brought_forward,
       sum(exact) AS accrued, sum(charge_first - exact) AS rounding,
       sum(charge - charge_first) AS corrections, sum(collected) AS collected,
       sum(waived) AS waived, sum(walked) AS walked, sum(outstanding) AS outstanding,
       sum(abs(coalesce(
           nullif(forward + charge - collected - waived - walked - outstanding, 0),
           nullif(charge - coalesce(account, 0), 0),
           nullif(charge - charged_per_win, 0),
           nullif(exact - coalesce(account_exact, 0), 0),
           0))) AS difference
  FROM ({_EACH}) AS each
 CROSS JOIN LATERAL (VALUES (1, 'patron', patron), (2, 'shoe', shoe), (3, 'table', table_code),
                            (4, 'day', gaming_day::text)) AS scopes (n, scope, key)
 GROUP BY n, scope, key
 ORDER BY n DESC, key
""",  # noqa: S608
    money=(
        *("banker_winnings", "brought_forward", "accrued", "rounding", "corrections"),
        *("collected", "waived", "walked", "outstanding", "difference"),
    ),
    narrowings=("table", "day", "shoe", "patron"),
    shown=("scope", "key", "accrued", "collected", "outstanding", "difference"),
    summands=("brought_forward", "rounding", "corrections", "waived", "walked"),
    no_total=no_total.AGAIN,
    words={
        "scope": ("scope", "patron, shoe, table or day"),
        "key": ("key", "which patron, shoe, table or day"),
        "banker_winnings": (
            "banker winnings",
            "winnings on Banker, from which commission is taken",
        ),
        "rate": ("rate", "commission as a share of winnings"),
    },
)
