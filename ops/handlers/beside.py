"""What whoever signs a decided command must know beside what its events say.

What an alert says that is acknowledged; a bet that a corrected card leaves alone, because two
people set what it is paid; that a bet was refused, which is entered late now; whether
a patron with whom something is settled is here again; whom a case of money laundering is about, and
why; and of which table and gaming day a tray, a
shift or a drop was counted.
"""

from collections.abc import Iterator

from domain.aggregates.coup import Coup
from domain.aggregates.table_day import TableDay
from domain.events import coup as coup_events
from domain.events import coup_wagers, open_money, table_counts
from domain.events.alert import Acknowledged
from domain.events.aml_case import AmlDecided
from domain.events.base import Event, OfStay
from domain.rules import addresses
from domain.rules.wording import Amount, Words
from ops.commands.aml import AmlDecide
from ops.commands.command import Command
from ops.handlers import aml_to_sign
from ops.handlers.desk import Desk
from ops.ledger.mapper import as_answer, event_of
from ops.ledger.reading import read_events
from ops.words.alerts import KINDS
from ops.words.events import sentence
from ops.words.terms import spot_called
from projections.attention.passing import PASSING

_COUNTS = (
    *(table_counts.TableClosed, table_counts.CloserRecounted),
    *(table_counts.ShiftCounted, table_counts.DropCounted),
)


def beside(desk: Desk, command: Command) -> tuple[Words, ...]:
    """The sentences about the command that was just decided, and is not recorded."""
    events = desk.casino.act.events
    cards = {each.coup for each in events if isinstance(each, coup_events.CardCorrected)}
    late = [each for each in events if isinstance(each, coup_wagers.WagerFound)]
    settled = [
        each
        for each in events
        if isinstance(each, open_money.LeftOpenSettled | open_money.SettlementTakenBack)
    ]
    return (
        *dict.fromkeys(words for each in settled for words in _is_here(desk, each)),
        *dict.fromkeys(_table_day(desk, each) for each in events if isinstance(each, _COUNTS)),
        *(
            words
            for each in events
            if isinstance(each, Acknowledged)
            for words in _alert(desk, each)
        ),
        *(
            words
            for each in events
            if isinstance(each, AmlDecided) and isinstance(command, AmlDecide)
            for words in aml_to_sign.words_to_sign(desk, each, command.text)
        ),
        *(words for wager in late for words in _refused_before(desk, wager)),
        *(words for coup in sorted(cards) for words in _set_by_hand(desk, _coup(desk, coup))),
    )


def _is_here(desk: Desk, settled: OfStay) -> Iterator[Words]:
    """That the patron with whom is settled sits at the table again."""
    if desk.account_now(desk.stays.account(settled.stay)) is not None:
        yield Words("{patron} sits at the table now.", patron=settled.patron)


def _table_day(desk: Desk, count: Event) -> Words:
    """The table and the gaming day of a count, whose sentence is read at its table."""
    day = desk.casino.find(TableDay, count.originator_id)
    assert day is not None
    at = day.address
    return Words("Counted for table {table}, gaming day {day}.", table=at.table, day=at.day)


def _alert(desk: Desk, acknowledged: Acknowledged) -> Iterator[Words]:
    """What the alert says that is acknowledged: the sentence of the event that raised it.

    One that holds only for a while is called by its kind, and by its table.
    """
    if acknowledged.kind in PASSING:
        kind = Words(KINDS[acknowledged.kind])
        yield Words("{table}: {kind}", table=acknowledged.table, kind=kind)
        return
    position = addresses.Alert.parse(acknowledged.alert).position
    with desk.casino.ledger.connection() as connection:
        recorded = read_events(connection, position - 1, 1, position)
    for each in recorded:
        event = as_answer(event_of(each))
        if words := sentence(event, desk.house().currency, marked=False):
            yield words


def _coup(desk: Desk, address: str) -> Coup:
    return desk.coup_at(addresses.Coup.parse(address))


def _refused_before(desk: Desk, wager: coup_wagers.WagerFound) -> Iterator[Words]:
    """That the same bet, entered late now, was refused as too late before."""
    refused = _coup(desk, wager.coup).late.get((wager.seat, wager.spot, "bet"))
    if refused is not None:
        yield Words(
            "A bet of {amount} of seat {seat} on {spot} was refused before, as too late.",
            amount=Amount(refused, desk.house().currency),
            seat=wager.seat,
            spot=spot_called(wager.spot),
        )


def _set_by_hand(desk: Desk, coup: Coup) -> Iterator[Words]:
    """The bets that are not paid by the cards, which two people set."""
    for wager, payment in coup.set_by_hand():
        yield Words(
            "Seat {seat}'s bet on {spot} keeps {paid}: it was set by hand.",
            seat=wager.seat,
            spot=spot_called(wager.spot),
            paid=Amount(payment.paid, desk.house().currency),
        )
