"""Patrons whose wagers were entered or raised once the coup was decided, and won."""

from collections.abc import Iterator
from typing import Any

from msgspec import field

from domain.events import coup_wagers
from domain.review.protection.late import decides
from domain.review.protection.late_wins import LateWins
from domain.rules.protection_levels import LATE_WINS
from projections.attention.questions.answers import About, answer
from projections.attention.questions.beside import COLUMNS, BesidePatron
from projections.attention.questions.bets import SettledCoup
from projections.attention.questions.cards import SHOES
from projections.attention.questions.question import Question
from projections.model import Event
from projections.rows import Page, Row, Rows, Table, Value

SQL = f"""
-- One row a coup in which something was won, or entered once it was decided. It stays: a wager is
-- entered, moved or paid late for as long as the coup is on record, and then all who won are asked.
CREATE TABLE protected_coups (
    coup    text  NOT NULL PRIMARY KEY,
    won     jsonb NOT NULL,  -- whose the wagers are that won, by seat and spot
    late    jsonb NOT NULL,  -- seat and spot of each that was entered then, and by whom
    settled bool  NOT NULL,
    asked   bool  NOT NULL   -- whose the first of them is
);

-- One row a patron, under the name that they had at the table: who bets that it is theirs.
CREATE TABLE protected_late_winners (
    accepted jsonb NOT NULL,  -- how many of theirs by whom{COLUMNS});
"""


class WonCoup(Row):
    """Whose the wagers are that won in a coup, and which of them were entered when they had."""

    coup: str
    won: dict[str, str]
    late: list[list[str]]
    settled: bool = False
    asked: bool = False


class LateWinner(BesidePatron):
    """A patron who won beside others, and who bets beside them after that coup."""

    accepted: dict[str, int]
    before: LateWins = field(default_factory=LateWins)
    after: LateWins = field(default_factory=LateWins)


COUPS = Table("protected_coups", WonCoup, "coup")
WINNERS = Table("protected_late_winners", LateWinner, "patron")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """The coup and its shoe; those who won are few, and loaded when they are asked about."""
    coup = event.fields["coup"]
    yield COUPS.by_key, (coup,)
    yield SHOES.by_key, (coup.rpartition("/")[0],)


def _place(event: Event, seat: str = "seat") -> str:
    return f"{event.fields[seat]} {event.fields['spot']}"


def _coup(event: Event, rows: Rows) -> WonCoup:
    coup = event.fields["coup"]
    known = rows.change(COUPS, coup)
    if known is None:
        known = WonCoup(coup=coup, won={}, late=[])
        rows.put(COUPS, known)
    return known


def _entered(event: Event, rows: Rows) -> None:
    _late(event, rows, _place(event))


def _stake_corrected(event: Event, rows: Rows) -> None:
    if event.fields["stake"] > event.fields["stake_before"]:
        _late(event, rows, _place(event))


def _moved(event: Event, rows: Rows) -> None:
    """It is another's, with what it won."""
    before, after = _place(event), _place(event, "to_seat")
    coup = rows.get(COUPS, event.fields["coup"])
    won = coup is not None and before in coup.won
    if won:
        coup = _coup(event, rows)
        others = {place: patron for place, patron in coup.won.items() if place != before}
        coup.won = {**others, after: event.fields["to_patron"]}
    _late(event, rows, after)
    if won:
        _ask(event, rows)


def _late(event: Event, rows: Rows, place: str) -> None:
    """A wager became larger: was the coup decided?"""
    address, _, number = event.fields["coup"].rpartition("/")
    shoe = rows.get(SHOES, address)
    if shoe and decides(shoe.cards_of(number)):
        coup = _coup(event, rows)
        coup.late = [*coup.late, [place, f"{event.actor}, {event.fields['approved_by']}"]]


def _payment_corrected(event: Event, rows: Rows) -> None:
    _stake_corrected(event, rows)
    _ask(event, rows)


def _settled(coup: SettledCoup, rows: Rows) -> None:
    """Wagers were settled, some of which won. Of most coups nothing is known before that."""
    won = {bet.place: bet.patron for bet in coup.bets if bet.result == "win"}
    known = rows.change(COUPS, coup.coup) if coup.late or coup.first else None
    if known is None:
        if won:
            rows.put(COUPS, WonCoup(coup=coup.coup, won=won, late=[], settled=not coup.late))
        return
    known.won = {**known.won, **won}
    known.settled = known.settled or not coup.late
    _ask(coup.event, rows)


def _ask(event: Event, rows: Rows) -> None:
    """Whose is the first that won and was late, of those who won?"""
    coup = rows.get(COUPS, event.fields["coup"])
    if coup is None or coup.asked or not coup.settled:
        return
    first = next((each for each in coup.late if each[0] in coup.won), None)
    if first is None:
        return
    late, accepted = first
    _coup(event, rows).asked = True
    winners = sorted(set(coup.won.values()))
    for each in winners if len(winners) > 1 else ():
        theirs = each == coup.won[late]
        patron = _winner(each, event, rows)
        patron.go_on(coup.coup, event.gaming_day)
        patron.after = patron.before.after(len(winners) - 1, theirs=theirs)
        if theirs:
            _answer(event, rows, patron, accepted)


def _winner(name: str, event: Event, rows: Rows) -> LateWinner:
    patron = rows.change(WINNERS, name)
    if patron is None:
        patron = LateWinner(
            patron=name,
            coup=event.fields["coup"],
            accepted={},
            gaming_day=event.gaming_day,
        )
        rows.put(WINNERS, patron)
    return patron


def _answer(event: Event, rows: Rows, patron: LateWinner, accepted: str) -> None:
    now = patron.after
    patron.accepted = {**patron.accepted, accepted: patron.accepted.get(accepted, 0) + 1}
    times, by = max((times, by) for by, times in patron.accepted.items())
    detail = {
        "patron": patron.patron,
        "right": now.right,
        "coups": now.right + now.wrong,
        "by": by,
        "times": times,
    }
    answer(
        event,
        rows,
        LATE_WINS,
        max(patron.most, now.held),
        detail,
        About(shoe=patron.coup.rpartition("/")[0], coup=patron.coup, patron=patron.patron),
    )


QUESTION = Question(
    sql=SQL,
    changes={
        coup_wagers.WagerFound.TOPIC: _entered,
        coup_wagers.StakeCorrected.TOPIC: _stake_corrected,
        coup_wagers.WagerMoved.TOPIC: _moved,
        coup_wagers.PaymentCorrected.TOPIC: _payment_corrected,
    },
    loads=_loads,
    settled=_settled,
)
