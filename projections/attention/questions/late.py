"""Patrons whose wagers win when they were entered or changed after the first card."""

from collections.abc import Iterator
from typing import Any

from msgspec import convert, field, to_builtins

from domain.events import coup_wagers
from domain.review.protection.beside import Staked
from domain.review.protection.counting import rules_of
from domain.review.protection.late import SPOTS, Late, is_open, share_of
from domain.rules.protection_levels import LATE_BETS
from projections.attention.questions.answers import answer
from projections.attention.questions.beside import COLUMNS, BesidePatron
from projections.attention.questions.bets import SettledCoup
from projections.attention.questions.cards import SHOES, ProtectedShoe
from projections.attention.questions.question import Question
from projections.model import Event
from projections.rows import Page, Row, Rows, Table, Value

SQL = f"""
-- One row a wager that was entered or changed after the first card, until it is settled.
CREATE TABLE protected_late_wagers (
    coup     text  NOT NULL,
    seat     int   NOT NULL,
    spot     text  NOT NULL,
    patron   text  NOT NULL,
    changes  jsonb NOT NULL,  -- by how much, minor units, and how many cards were out
    accepted text  NOT NULL,  -- who entered it, and who agreed
    PRIMARY KEY (coup, seat, spot)
);

-- One row a patron, under the name that they had at the table: who copies what they bet late.
CREATE TABLE protected_late_patrons (
    staked   jsonb NOT NULL,  -- late in that coup
    accepted jsonb NOT NULL,  -- how many of the wagers by whom{COLUMNS});
"""


class LateWager(Row):
    """A wager that was entered or changed late; of each change, by how much and the cards out."""

    coup: str
    seat: int
    spot: str
    patron: str
    changes: list[list[int]]
    accepted: str


class LatePatron(BesidePatron):
    """A patron's last coup with a late wager, and who copies them as he was before it."""

    staked: list[dict[str, Any]]
    accepted: dict[str, int]
    before: Late = field(default_factory=Late)
    after: Late = field(default_factory=Late)

    def add(self, accepted: str, staked: list[Staked]) -> None:
        """Another late wager of that coup."""
        self.staked = [*self.staked, *to_builtins(staked)]
        times = self.accepted.get(accepted, 0) + len(staked)
        self.accepted = {**self.accepted, accepted: times}
        self.after = self.before.paid_together(convert(self.staked, list[Staked]))


WAGERS = Table("protected_late_wagers", LateWager, "coup", "seat", "spot")
PATRONS = Table("protected_late_patrons", LatePatron, "patron")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """The rows that a late wager needs; when it is settled others are loaded, which is seldom."""
    fields = event.fields
    yield SHOES.by_key, (fields["coup"].rpartition("/")[0],)
    yield WAGERS.by_key, (fields["coup"], fields["seat"], fields["spot"])
    if "to_seat" in fields:
        yield WAGERS.by_key, (fields["coup"], fields["to_seat"], fields["spot"])


def _entered(event: Event, rows: Rows) -> None:
    fields = event.fields
    by = fields["amount"] - fields["amount_before"]
    _change(event, rows, fields["seat"], fields["patron"], by)


def _stake_corrected(event: Event, rows: Rows) -> None:
    fields = event.fields
    by = fields["stake"] - fields["stake_before"]
    _change(event, rows, fields["seat"], fields["patron"], by)


def _moved(event: Event, rows: Rows) -> None:
    """It is another's: for them it is entered now."""
    fields = event.fields
    if known := rows.get(WAGERS, fields["coup"], fields["seat"], fields["spot"]):
        rows.drop(WAGERS, known)
    _change(event, rows, fields["to_seat"], fields["to_patron"], fields["stake"])


def _change(event: Event, rows: Rows, seat: int, patron: str, by: int) -> None:
    """A patron's wager became larger or smaller: were cards out that did not decide the coup?"""
    coup, spot = event.fields["coup"], event.fields["spot"]
    address, _, number = coup.rpartition("/")
    shoe = rows.get(SHOES, address)
    cards = shoe.cards_of(number) if shoe else []
    if spot not in SPOTS or not is_open(cards):
        return
    accepted = f"{event.actor}, {event.fields['approved_by']}"
    change = [by, len(cards)]
    if known := rows.change(WAGERS, coup, seat, spot):
        known.changes = [*known.changes, change] if known.patron == patron else [change]
        known.patron, known.accepted = patron, accepted
        return
    wager = LateWager(
        coup=coup, seat=seat, spot=spot, patron=patron, changes=[change], accepted=accepted
    )
    rows.put(WAGERS, wager)


def _settled(coup: SettledCoup, rows: Rows) -> None:
    """Wagers were settled: if one was late, is what it did still chance?"""
    for bet in coup.bets if coup.late or coup.first else ():
        if coup.late or bet.place in coup.first:
            late = rows.get(WAGERS, coup.coup, bet.seat, bet.spot)
            if late:
                rows.drop(WAGERS, late)
                _ask(coup, rows, late, _staked(late, bet.result, coup.shoe))


def _ask(coup: SettledCoup, rows: Rows, late: LateWager, staked: list[Staked]) -> None:
    if not staked:
        return
    patron = _patron(late, coup.event, rows)
    patron.add(late.accepted, staked)
    now = patron.after
    times, by = max((times, by) for by, times in patron.accepted.items())
    detail = {
        "patron": patron.patron,
        "right": now.right,
        "wagers": now.right + now.wrong,
        "by": by,
        "times": times,
    }
    most = max(patron.most, now.held)
    answer(coup.event, rows, LATE_BETS, most, detail, coup.about(patron=patron.patron))


def _patron(late: LateWager, event: Event, rows: Rows) -> LatePatron:
    """Their row, in that coup."""
    known = rows.change(PATRONS, late.patron)
    if known is None:
        known = LatePatron(
            patron=late.patron,
            coup=late.coup,
            staked=[],
            accepted={},
            gaming_day=event.gaming_day,
        )
        rows.put(PATRONS, known)
    if known.coup != late.coup:
        known.go_on(late.coup, event.gaming_day)
        known.staked = []
    return known


def _staked(late: LateWager, result: str, shoe: ProtectedShoe | None) -> list[Staked]:
    """What was changed of a late wager, as a stake of its own for each change."""
    first = shoe.first_of(late.coup.rpartition("/")[2]) if shoe else None
    if result == "push" or shoe is None or first is None or not shoe.terms:
        return []
    rules, before, staked = rules_of(shoe.terms), shoe.cards[:first], []
    for by, out in late.changes:
        share = share_of(rules, shoe.decks, before, late.spot, out, wins=by > 0)
        if share:
            staked.append(Staked(abs(by), share, (result == "win") == (by > 0)))
    return staked


QUESTION = Question(
    sql=SQL,
    changes={
        coup_wagers.WagerFound.TOPIC: _entered,
        coup_wagers.StakeCorrected.TOPIC: _stake_corrected,
        coup_wagers.WagerMoved.TOPIC: _moved,
    },
    loads=_loads,
    settled=_settled,
)
