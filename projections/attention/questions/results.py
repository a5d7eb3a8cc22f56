"""Dealers at whose coups patrons win more than theory says, and patrons who do so with a dealer."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from msgspec import field

from domain.events import coup, coup_wagers, table_day
from domain.events import shoe as shoe_events
from domain.review.protection.counting import rules_of
from domain.review.protection.results import AgainstTheory, Bet, Result, result_of
from domain.rules.protection_levels import DEALER_LOSES, LEAST, WINS_WITH
from projections.attention.questions.answers import About, answer
from projections.attention.questions.cards import SHOES, ProtectedShoe
from projections.attention.questions.question import Question
from projections.attention.questions.tray_short import TRAYS
from projections.model import Event
from projections.rows import Page, Row, Rows, Table, Value

SQL = """
-- One row a table: its last coup, who dealt it, and its bets as they were when the cards came.
CREATE TABLE protected_bets (
    table_code text   NOT NULL PRIMARY KEY,
    coup       text   NOT NULL,
    dealer     text   NOT NULL,
    first      jsonb  NOT NULL,  -- patron and stake of each that was put right later, by seat, spot
    bets       jsonb  NOT NULL   -- of each that was settled: patron, spot, stake, what it won
);

-- One row a dealer, and one each patron with them: who bets on their results.
CREATE TABLE protected_results (
    dealer     text   NOT NULL,
    patron     text   NOT NULL,  -- under the name that they had at the table; '': all together
    gaming_day date   NOT NULL,  -- of the last coup
    free       double precision NOT NULL,  -- after it, as are guesses to variance
    guesses    jsonb  NOT NULL,
    largest    double precision NOT NULL,  -- minor units, as is more
    coups      int    NOT NULL,
    more       double precision NOT NULL,
    variance   double precision NOT NULL,
    most       double precision NOT NULL,  -- that was held on that day
    PRIMARY KEY (dealer, patron)
);
"""


class ProtectedBets(Row):
    """A table's last coup."""

    table_code: str
    coup: str
    dealer: str
    first: dict[str, tuple[str, int]] = field(default_factory=dict)
    bets: list[tuple[str, str, int, float]] = field(default_factory=list)


class ProtectedResult(Row):
    """A dealer, or a patron with a dealer, and who bets on their results."""

    dealer: str
    patron: str
    gaming_day: date
    free: float = field(default_factory=lambda: AgainstTheory().free)
    guesses: list[float] = field(default_factory=lambda: AgainstTheory().guesses)
    largest: float = 0.0
    coups: int = 0
    more: float = 0.0
    variance: float = 0.0
    most: float = 0.0

    def add(self, result: Result, gaming_day: date) -> AgainstTheory:
        """Another coup; returns who bets on them, after it."""
        now = AgainstTheory(
            self.free, self.guesses, self.largest, self.coups, self.more, self.variance
        )
        now.add(result)
        self.free, self.guesses, self.largest = now.free, now.guesses, now.largest
        self.coups, self.more, self.variance = now.coups, now.more, now.variance
        self.most = max(self.most, now.held) if gaming_day == self.gaming_day else now.held
        self.gaming_day = gaming_day
        return now


BETS = Table("protected_bets", ProtectedBets, "table_code")
RESULTS = Table("protected_results", ProtectedResult, "dealer", "patron")


# Who deals at each table, and whose bets were settled, as far as this process has read. Only for
# what is loaded ahead: the events of a coup do not name its dealer.
_DEALING: dict[str, str] = {}
_SETTLED: dict[str, set[str]] = {}
_NAMES_DEALER = {
    table_day.Opened.TOPIC: "dealer",
    table_day.Reopened.TOPIC: "dealer",
    table_day.DealerRelieved.TOPIC: "staff",
}


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """The rows of its table, of who deals there, and of the patrons with them."""
    table, fields = event.table, event.fields
    if event.topic in _NAMES_DEALER:
        _DEALING[table] = fields[_NAMES_DEALER[event.topic]]
        return
    yield BETS.by_key, (table,)
    if event.topic == shoe_events.CoupBegun.TOPIC:
        yield TRAYS.by_key, (table,)
    elif event.topic != coup.Settled.TOPIC:
        _SETTLED.setdefault(table, set()).add(fields["patron"])
    else:
        yield SHOES.by_key, (fields["coup"].rpartition("/")[0],)
        for patron in (*_SETTLED.pop(table, ()), ""):
            yield RESULTS.by_key, (_DEALING.get(table, event.actor), patron)


def _dealer_came(_: Event, __: Rows) -> None:
    """Nothing changes before the next coup."""


def _begun(event: Event, rows: Rows) -> None:
    """Another coup, of whoever deals at the table now."""
    address = f"{event.fields['shoe']}/{event.fields['coup']}"
    tray = rows.get(TRAYS, event.table)
    dealer = _DEALING[event.table] = tray.dealer if tray else ""
    if bets := rows.change(BETS, event.table):
        bets.coup, bets.dealer, bets.first, bets.bets = address, dealer, {}, []
    else:
        rows.put(BETS, ProtectedBets(table_code=event.table, coup=address, dealer=dealer))


def _of(event: Event, rows: Rows) -> ProtectedBets | None:
    """The table's last coup, if the event is about it."""
    bets = rows.change(BETS, event.table)
    return bets if bets and bets.coup == event.fields["coup"] else None


def _place(event: Event, seat: str = "seat") -> str:
    return f"{event.fields[seat]} {event.fields['spot']}"


def _put_right(event: Event, rows: Rows) -> None:
    """A wager was entered, or made another one, once the first card was out."""
    if bets := _of(event, rows):
        fields = event.fields
        before = fields.get("amount_before", fields.get("stake_before"))
        bets.first.setdefault(_place(event), (fields["patron"], before))


def _moved(event: Event, rows: Rows) -> None:
    """It goes on elsewhere, and stays the bet of who had it when the cards came."""
    if bets := _of(event, rows):
        had = event.fields["patron"], event.fields["stake"]
        bets.first[_place(event, "to_seat")] = bets.first.pop(_place(event), had)


def _paid(event: Event, rows: Rows) -> None:
    """A wager was settled."""
    if bets := _of(event, rows):
        fields = event.fields
        patron, stake = bets.first.get(_place(event), (fields["patron"], fields["stake"]))
        if stake:
            won = stake * _won(event) / fields["stake"]
            bets.bets.append((patron, fields["spot"], stake, won))


def _won(event: Event) -> float:
    """What a wager won for the patron after commission, less what it lost."""
    fields = event.fields
    if fields["result"] == "win":
        return float(fields["winnings"]) - float(fields["commission_exact"])
    return 0.0 if fields["result"] == "push" else -float(fields["stake"])


def _settled(event: Event, rows: Rows) -> None:
    """All wagers of a coup were settled: is what they won with this dealer still chance?"""
    bets = _of(event, rows)
    shoe = rows.get(SHOES, bets.coup.rpartition("/")[0]) if bets and bets.bets else None
    if not bets or not shoe or not shoe.terms or not bets.dealer:
        return
    every = [Bet(spot, stake, won) for _, spot, stake, won in bets.bets]
    _add(event, rows, bets, shoe, "", every)
    for patron in sorted({patron for patron, *_ in bets.bets}):
        theirs = [bet for bet, (name, *_) in zip(every, bets.bets, strict=True) if name == patron]
        _add(event, rows, bets, shoe, patron, theirs)


def _add(
    event: Event,
    rows: Rows,
    bets: ProtectedBets,
    shoe: ProtectedShoe,
    patron: str,
    theirs: list[Bet],
) -> None:
    """What a patron, or all of them, won in the coup."""
    result = result_of(rules_of(shoe.terms), shoe.decks, theirs)
    if not result.worst:
        return
    row = rows.change(RESULTS, bets.dealer, patron)
    if row is None:
        row = ProtectedResult(dealer=bets.dealer, patron=patron, gaming_day=event.gaming_day)
        rows.put(RESULTS, row)
    now = row.add(result, event.gaming_day)
    if row.most < LEAST:  # no house has so low a level
        return
    detail = {
        "dealer": bets.dealer,
        "coups": now.coups,
        "deviations": f"{now.deviations:.1f}",
        **({"patron": patron} if patron else {}),
    }
    about = About(shoe=shoe.shoe, coup=bets.coup, patron=patron or None, dealer=bets.dealer)
    answer(event, rows, WINS_WITH if patron else DEALER_LOSES, row.most, detail, about)


QUESTION = Question(
    sql=SQL,
    changes={
        **dict.fromkeys(_NAMES_DEALER, _dealer_came),
        shoe_events.CoupBegun.TOPIC: _begun,
        coup_wagers.WagerFound.TOPIC: _put_right,
        coup_wagers.StakeCorrected.TOPIC: _put_right,
        coup_wagers.WagerMoved.TOPIC: _moved,
        coup_wagers.WagerSettled.TOPIC: _paid,
        coup.Settled.TOPIC: _settled,
    },
    loads=_loads,
)
