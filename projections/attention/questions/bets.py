"""The bets of each table's coup: once it is settled, all questions about patrons are asked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from domain.events import coup, coup_wagers
from domain.events import shoe as shoe_events
from projections.attention.questions.answers import About
from projections.attention.questions.cards import SHOES, ProtectedShoe
from projections.attention.questions.tray_short import TRAYS
from projections.model import Change, Event
from projections.rows import Page, Row, Rows, Table, Value

SQL = """
-- One row a table: its last coup, who dealt it, and its bets.
CREATE TABLE protected_bets (
    table_code text   NOT NULL PRIMARY KEY,
    coup       text   NOT NULL,
    dealer     text   NOT NULL,
    first      jsonb  NOT NULL,  -- patron and stake of each that was put right later, by seat, spot
    bets       jsonb  NOT NULL   -- each that was paid or taken; none once it was settled
);
"""


class Bet(Struct, frozen=True, array_like=True):
    """A wager that was paid or taken; `won`: after commission, less what it lost, minor units."""

    seat: int
    spot: str
    patron: str
    stake: int
    result: str
    won: float

    @property
    def place(self) -> str:
        """Where it lay."""
        return f"{self.seat} {self.spot}"


class ProtectedBets(Row):
    """A table's last coup."""

    table_code: str
    coup: str
    dealer: str
    first: dict[str, tuple[str, int]] = field(default_factory=dict)
    bets: list[Bet] = field(default_factory=list)


class SettledCoup(Struct, frozen=True, kw_only=True):
    """A coup of which all wagers were settled, or the one that was settled `late`.

    `by_patron`: the bets of each; `first`: the patron and the stake, when the first card came, of
    each bet that was put right later, by its place.
    """

    event: Event
    coup: str
    shoe: ProtectedShoe | None
    bets: Sequence[Bet]
    by_patron: Mapping[str, Sequence[Bet]]
    late: bool = False
    dealer: str = ""
    first: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def number(self) -> str:
        """Its number in the shoe."""
        return self.coup.rpartition("/")[2]

    def about(self, patron: str) -> About:
        """What a row about a patron is about."""
        return About(shoe=self.coup.rpartition("/")[0], coup=self.coup, patron=patron)


BETS = Table("protected_bets", ProtectedBets, "table_code")


def loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """The rows of its table, and of its shoe."""
    yield BETS.by_key, (event.table,)
    if event.topic == shoe_events.CoupBegun.TOPIC:
        yield TRAYS.by_key, (event.table,)
    elif event.topic in ASKED:
        yield SHOES.by_key, (event.fields["coup"].rpartition("/")[0],)


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
    """A wager was settled, and the others of the coup will be."""
    if bets := _of(event, rows):
        bets.bets.append(_bet(event.fields))


def _bet(fields: Mapping[str, Any]) -> Bet:
    stake, result = fields["stake"], fields["result"]
    won = 0.0 if result == "push" else -float(stake)
    if result == "win":
        won = float(fields["winnings"]) - float(fields["commission_exact"])
    return Bet(fields["seat"], fields["spot"], fields["patron"], stake, result, won)


def settled(event: Event, rows: Rows) -> SettledCoup | None:
    """The coup of which all wagers are settled now, or one that was late."""
    coup = event.fields["coup"]
    shoe = rows.get(SHOES, coup.rpartition("/")[0])
    if event.topic == coup_wagers.WagerSettledLate.TOPIC:
        bet = _bet(event.fields)
        by_patron = {bet.patron: [bet]}
        return SettledCoup(
            event=event, coup=coup, shoe=shoe, bets=[bet], by_patron=by_patron, late=True
        )
    known = _of(event, rows)
    if known is None:
        return None
    bets, known.bets = known.bets, []
    return SettledCoup(
        event=event,
        coup=coup,
        shoe=shoe,
        bets=bets,
        by_patron=_by_patron(bets),
        dealer=known.dealer,
        first=known.first,
    )


def _by_patron(bets: Sequence[Bet]) -> Mapping[str, Sequence[Bet]]:
    each: dict[str, list[Bet]] = {}
    for bet in bets:
        each.setdefault(bet.patron, []).append(bet)
    return each


CHANGES: dict[str, Change] = {
    shoe_events.CoupBegun.TOPIC: _begun,
    coup_wagers.WagerFound.TOPIC: _put_right,
    coup_wagers.StakeCorrected.TOPIC: _put_right,
    coup_wagers.WagerMoved.TOPIC: _moved,
    coup_wagers.WagerSettled.TOPIC: _paid,
}
ASKED = (coup.Settled.TOPIC, coup_wagers.WagerSettledLate.TOPIC)  # then they are asked
