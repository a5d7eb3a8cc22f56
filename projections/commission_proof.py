"""The proof: commission computed again from the wagers, against what became of it (R-COM-4).

Accrued and rounding come from the payments and the terms of each stay. What was withheld at payout
comes from the chips that were paid; what was collected, waived or walked, from the accounts; what
is outstanding, from the open accruals. A minor unit too much in any of them is a difference.
"""

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from domain.events import commission_account, coup_wagers
from domain.rules.permissions import OF_MONEY
from projections.model import Event, Projection, Report, View, narrowed
from projections.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- How each stay's commission is computed, since it sat down. Amounts are minor units.
CREATE TABLE commission_terms (
    stay       text    NOT NULL PRIMARY KEY,
    patron     text    NOT NULL,  -- under the name that they had at the table
    table_code text    NOT NULL,
    gaming_day date    NOT NULL,
    rate       numeric NOT NULL,  -- 0 where the odds include it
    mode       text    NOT NULL,  -- how it is rounded: nearest, up, or to the next whole unit
    unit       bigint  NOT NULL,  -- to multiples of which
    minimum    bigint  NOT NULL,
    per_win    boolean NOT NULL   -- whether each win is rounded, or their sum on collection
);

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

-- What was collected in chips, waived or walked, from the accounts. A sum ends when nothing is
-- owed.
CREATE TABLE commission_paid (
    stay      text    NOT NULL,
    shoe      text    NOT NULL,
    owed      bigint  NOT NULL DEFAULT 0,
    period    int     NOT NULL DEFAULT 0,  -- how many sums have ended
    used      boolean NOT NULL DEFAULT true,  -- whether the sum that goes on has a win
    collected numeric NOT NULL DEFAULT 0,
    waived    numeric NOT NULL DEFAULT 0,
    walked    numeric NOT NULL DEFAULT 0,
    forward   numeric NOT NULL DEFAULT 0,  -- crossed a roll-over; to the next stay: below 0
    PRIMARY KEY (stay, shoe)
);
"""

SEATS = 1_000  # more than any table has


class Terms(Row):
    """The terms by which a stay's commission is computed."""

    stay: str
    patron: str
    table_code: str
    gaming_day: date
    rate: Decimal
    mode: str
    unit: int
    minimum: int
    per_win: bool


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


class Paid(Row):
    """What was collected, waived or walked of a stay's commission in a shoe."""

    stay: str
    shoe: str
    owed: int = 0
    period: int = 0
    used: bool = True
    collected: int = 0
    waived: int = 0
    walked: int = 0
    forward: int = 0


TERMS = Table("commission_terms", Terms, "stay")
BANKER_WINS = Table("banker_wins", BankerWin, "coup", "seat", "stay")
PAID = Table("commission_paid", Paid, "stay", "shoe")
OF_A_STAY = PAID.page("stay")


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


def _opened(event: Event, rows: Rows) -> None:
    fields = event.fields
    of, out_of = (0, 1) if fields["timing"] == "in-the-odds" else fields["rate"]
    terms = Terms(
        stay=fields["stay"],
        patron=fields["patron"],
        table_code=event.table,
        gaming_day=event.gaming_day,
        rate=Decimal(of) / Decimal(out_of),
        mode=fields["rounding"],
        unit=fields["unit"],
        minimum=fields["minimum"],
        per_win=fields["moment"] == "per-win",
    )
    rows.put(TERMS, terms)


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


def _owes(event: Event, rows: Rows) -> None:
    fields = event.fields
    if paid := rows.change(PAID, fields["stay"], fields["shoe"]):
        paid.owed += fields["charged"]
    else:
        rows.put(PAID, Paid(stay=fields["stay"], shoe=fields["shoe"], owed=fields["charged"]))


def _cleared(what: str) -> Callable[[Event, Rows], None]:
    """Returns a change that reduces what is owed; a sum ends when nothing is owed."""

    def change(event: Event, rows: Rows) -> None:
        for paid, part, chips in _by_shoe(event, rows):
            _pay(paid, part)
            setattr(paid, what, getattr(paid, what) + chips)

    return change


def _pay(paid: Paid, part: int) -> None:
    if paid.owed == part > 0:
        paid.period, paid.used = paid.period + 1, False
    paid.owed -= part


def _take_back(paid: Paid, part: int) -> None:
    """Owes a part again that was not paid after all; a sum that it ended goes on.

    A part below 0, which the house owes, begins and ends no sum.
    """
    if part > 0 and paid.owed == 0 and paid.period and not paid.used:
        paid.period, paid.used = paid.period - 1, True
    paid.owed += part


def _collection_corrected(event: Event, rows: Rows) -> None:
    """Enters what was paid for each shoe, in place of what was typed."""
    fields = event.fields
    for shoe, part in fields["by_shoe_before"].items():
        if paid := rows.change(PAID, fields["stay"], shoe):
            _take_back(paid, part)
            paid.collected -= part
    for shoe, part in fields["by_shoe"].items():
        if paid := rows.change(PAID, fields["stay"], shoe):
            _pay(paid, part)
            paid.collected += part


def _taken_back(what: str, event: Event, rows: Rows) -> None:
    """Adds to what is owed again."""
    for paid, part, chips in _by_shoe(event, rows):
        paid.owed += part
        setattr(paid, what, getattr(paid, what) - chips)


def _carried_forward(event: Event, rows: Rows) -> None:
    for paid, part, _ in _by_shoe(event, rows):
        _pay(paid, part)
        paid.forward -= part


def _brought_forward(event: Event, rows: Rows) -> None:
    for shoe, part in event.fields["by_shoe"].items():
        paid = rows.change(PAID, event.fields["stay"], shoe)
        if paid:
            _take_back(paid, part)
            paid.forward += part
        else:
            stay = event.fields["stay"]
            rows.put(PAID, Paid(stay=stay, shoe=shoe, owed=part, forward=part))


def _refunded(event: Event, rows: Rows) -> None:
    _taken_back("collected", event, rows)


def _owed_again(event: Event, rows: Rows) -> None:
    _taken_back(event.fields["was"], event, rows)


def _by_shoe(event: Event, rows: Rows) -> Iterator[tuple[Paid, int, int]]:
    """Each shoe's row, its part of the amount, and what of that was paid in chips.

    The parts should add up to the amount; if not, the first shoe takes the difference. What was
    withheld at payout is counted with the payment, so not again here.
    """
    fields = event.fields
    over = fields["amount"] - sum(fields["by_shoe"].values())
    for shoe, part in fields["by_shoe"].items():
        chips = over if fields.get("how") == "at-payout" else part + over
        if paid := rows.change(PAID, fields["stay"], shoe):
            yield paid, part, chips
        over = 0


_VIEWS = (
    View(
        name="stays",
        what="A patron's time at one table, whichever chair. One row a stay.",
        sql="""
SELECT terms.stay, coalesce(known.patron, terms.patron) AS patron,
       terms.patron AS patron_at_table, terms.table_code, terms.gaming_day,
       terms.rate AS commission_rate, coalesce(owed.charged, 0)::bigint AS commission_charged,
       coalesce(owed.outstanding, 0)::bigint AS commission_outstanding,
       coalesce(played.wagers, 0) AS wagers, coalesce(played.staked, 0)::bigint AS staked,
       coalesce(played.paid, 0)::bigint AS paid
  FROM projections.commission_terms AS terms
  LEFT JOIN projections.patron_identities AS known ON known.alias = terms.patron
  LEFT JOIN (SELECT stay, sum(charged + corrections) AS charged,
                    sum(brought_forward + charged + corrections - collected - waived - walked)
                        AS outstanding
               FROM projections.commission_owed GROUP BY stay) AS owed USING (stay)
  LEFT JOIN (SELECT stay, count(*) AS wagers, sum(stake) AS staked, sum(paid) AS paid
               FROM projections.wagers WHERE result <> 'void' GROUP BY stay) AS played
       USING (stay)
""",
        columns={
            "stay": "Its address: table, gaming day, number.",
            "patron": "Whose it is, under the name known today.",
            "patron_at_table": "The name used at the table.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "commission_rate": "The rate of commission, as in 0.05; 0 where the odds have it.",
            "commission_charged": "Commission charged, corrections in it, in minor units.",
            "commission_outstanding": "What is still owed of it, in minor units.",
            "wagers": "How many wagers of it were settled.",
            "staked": "What was staked on those, in minor units.",
            "paid": "What was paid for those in chips, the stakes in it, in minor units.",
        },
    ),
)

PROJECTION = Projection(
    name="commission_proof",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        commission_account.Opened.TOPIC: _opened,
        coup_wagers.WagerSettled.TOPIC: _settled,
        coup_wagers.PaymentCorrected.TOPIC: _corrected,
        coup_wagers.WagerSettledLate.TOPIC: _settled_late,
        coup_wagers.WagerMoved.TOPIC: _moved,
        coup_wagers.WagerReturned.TOPIC: _returned,
        commission_account.CommissionAccrued.TOPIC: _owes,
        commission_account.CommissionCorrected.TOPIC: _owes,
        commission_account.CommissionCollected.TOPIC: _cleared("collected"),
        commission_account.CollectionCorrected.TOPIC: _collection_corrected,
        commission_account.CommissionRefunded.TOPIC: _refunded,
        commission_account.CommissionOwedAgain.TOPIC: _owed_again,
        commission_account.CommissionWaived.TOPIC: _cleared("waived"),
        commission_account.CommissionWalked.TOPIC: _cleared("walked"),
        commission_account.CommissionCarriedForward.TOPIC: _carried_forward,
        commission_account.CommissionBroughtForward.TOPIC: _brought_forward,
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
    has_total=False,
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
