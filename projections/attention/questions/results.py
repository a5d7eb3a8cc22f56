"""Dealers at whose coups patrons win more than theory says, and patrons who do so with a dealer."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from msgspec import field

from domain.events import coup, coup_wagers
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

-- One row a patron with a dealer, and one a dealer: who bets on their results.
CREATE TABLE protected_results (
    patron     text   NOT NULL,  -- under the name that they had at the table; '': all together
    dealer     text   NOT NULL,
    gaming_day date   NOT NULL,  -- of the last coup
    beside     jsonb  NOT NULL,  -- who bets on them, after it
    most       double precision NOT NULL,  -- that was held on that day
    PRIMARY KEY (patron, dealer)
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
    """A patron with a dealer, or a dealer, and who bets on their results."""

    patron: str
    dealer: str
    gaming_day: date
    beside: AgainstTheory = field(default_factory=AgainstTheory)
    most: float = 0.0

    def add(self, result: Result, gaming_day: date) -> None:
        """Another coup."""
        self.beside.add(result)
        held = self.beside.held
        self.most = max(self.most, held) if gaming_day == self.gaming_day else held
        self.gaming_day = gaming_day


BETS = Table("protected_bets", ProtectedBets, "table_code")
RESULTS = Table("protected_results", ProtectedResult, "patron", "dealer")
OF_A_PATRON = RESULTS.page("patron")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """The rows of its table, and those of its patron with every dealer."""
    table, fields = event.table, event.fields
    yield BETS.by_key, (table,)
    if event.topic == shoe_events.CoupBegun.TOPIC:
        yield TRAYS.by_key, (table,)
    elif event.topic == coup.Settled.TOPIC:
        yield SHOES.by_key, (fields["coup"].rpartition("/")[0],)
        yield OF_A_PATRON, ("",)
    else:
        yield OF_A_PATRON, (fields["patron"],)


def _begun(event: Event, rows: Rows) -> None:
    """Another coup, of whoever deals at the table now."""
    address = f"{event.fields['shoe']}/{event.fields['coup']}"
    tray = rows.get(TRAYS, event.table)
    dealer = tray.dealer if tray else ""
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
    known = (each for each in rows.find(OF_A_PATRON, patron) if each.dealer == bets.dealer)
    row = next(known, None)
    if row is None:
        row = ProtectedResult(patron=patron, dealer=bets.dealer, gaming_day=event.gaming_day)
        rows.put(RESULTS, row)
    rows.mark(RESULTS, row).add(result, event.gaming_day)
    if row.most < LEAST:  # no house has so low a level
        return
    detail = {
        "dealer": bets.dealer,
        "coups": row.beside.coups,
        "deviations": f"{row.beside.deviations:z.1f}",
        **({"patron": patron} if patron else {}),
    }
    about = About(shoe=shoe.shoe, coup=bets.coup, patron=patron or None, dealer=bets.dealer)
    answer(event, rows, WINS_WITH if patron else DEALER_LOSES, row.most, detail, about)


QUESTION = Question(
    sql=SQL,
    changes={
        shoe_events.CoupBegun.TOPIC: _begun,
        coup_wagers.WagerFound.TOPIC: _put_right,
        coup_wagers.StakeCorrected.TOPIC: _put_right,
        coup_wagers.WagerMoved.TOPIC: _moved,
        coup_wagers.WagerSettled.TOPIC: _paid,
        coup.Settled.TOPIC: _settled,
    },
    loads=_loads,
)
