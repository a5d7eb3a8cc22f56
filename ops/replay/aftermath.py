"""The events that followed a coup: its corrections, its unpaid money, its disputes."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.dispute import Dispute
from domain.aggregates.open_money import OpenMoney
from domain.aggregates.year_books import Docket
from domain.events import commission_account, dispute, docket, open_money
from domain.review.replay import Line, Replay
from domain.rules import addresses
from domain.rules.refusals import BadValue
from ops.ledger.facts import facts_naming
from ops.ledger.streams import line_of_fact, read_lines
from ops.replay.coup_record import stay_streams

if TYPE_CHECKING:
    import psycopg

YEARS = 30  # in which a coup may be disputed; later dockets are not read


def afterwards(
    connection: "psycopg.Connection[Any]",
    replay: Replay,
    address: addresses.Coup,
    until: int,
) -> list[Line]:
    """The events that followed a coup, in order, up to a position."""
    followed = [
        *(*replay.card_corrected, *replay.stakes_corrected, *replay.paid_late, *replay.moved),
        *(*replay.recounted, *replay.ran_out),
        *(*replay.corrected, *replay.returned, *replay.meters, *filter(None, [replay.voided])),
    ]
    paid = (*replay.payments, *replay.paid_late, *replay.corrected)
    stays = {line.event.stay for line in paid if line.event.commission_due}
    moved_to = {line.event.to_stay for line in replay.moved}
    stays |= moved_to
    for stream in stay_streams(CommissionAccount, stays):
        followed += _about(str(address), read_lines(connection, stream, until))
    played = {line.event.stay for line in replay.wagers} | moved_to
    for stream in stay_streams(OpenMoney, played):
        followed += _left_open(str(address), read_lines(connection, stream, until))
    followed += _of_its_cases(connection, address, until)
    return sorted(followed, key=lambda line: line.position)


def _left_open(coup: str, lines: Iterable[Line]) -> Iterator[Line]:
    """What the coup left open with a stay, and what was settled until nothing of it was open."""
    is_open = False
    for line in lines:
        mine = isinstance(line.event, open_money.BetLeftOpen) and line.event.coup == coup
        settled = isinstance(
            line.event, open_money.LeftOpenSettled | open_money.SettlementTakenBack
        )
        if mine or (is_open and settled):
            yield line
            is_open = bool(line.event.balance)


def _of_its_cases(
    connection: "psycopg.Connection[Any]", address: addresses.Coup, until: int | None
) -> Iterator[Line]:
    """The steps of the coup's cases; notes and packs are only in the case."""
    for case in _cases(connection, address):
        steps = (
            *(dispute.Opened, dispute.Decided, dispute.PatronTold),
            *(dispute.RegulatorNotified, dispute.Closed),
        )
        for line in read_lines(connection, Dispute.stream(case), until):
            if isinstance(line.event, steps):
                yield line


def _cases(connection: "psycopg.Connection[Any]", address: addresses.Coup) -> list[addresses.Case]:
    """The cases about the coup, by the dockets: a few short streams, however long the record.

    Two years are read, because a table may open for the first day of a year while the house still
    has the last one.
    """
    year = address.shoe.table_day.day.year
    dockets = [Docket.stream(each) for each in range(year - 1, year + YEARS)]
    cases = []
    for fact in facts_naming(connection, dockets, str(address)):
        entered = line_of_fact(fact).event
        if isinstance(entered, docket.CaseEntered) and entered.coup == str(address):
            with suppress(BadValue):  # the event was altered
                cases.append(addresses.Case.parse(entered.case))
    return cases


def _charge(
    debts: dict[str | None, int],
    event: commission_account.CommissionAccrued | commission_account.CommissionCorrected,
) -> None:
    """Adds a charge to what is owed in its shoe."""
    if event.due != "at-payout":
        debts[event.coup] = debts.get(event.coup, 0) + event.charged
    if debts.get(event.coup, 0) < 0:  # paid, so the refund was added before
        _pay(debts, -debts.pop(event.coup))


def _about(coup: str, account: list[Line]) -> Iterator[Line]:
    """The later events about the commission of a coup; the oldest commission is paid first."""
    open_by_shoe: dict[str, dict[str | None, int]] = {}  # by coup, the commission owed
    for line in account:
        event = line.event
        match event:
            case commission_account.CommissionAccrued() | commission_account.CommissionCorrected():
                _charge(open_by_shoe.setdefault(event.shoe, {}), event)
                corrected = isinstance(event, commission_account.CommissionCorrected)
                mine = corrected and event.coup == coup
            case commission_account.CommissionRefunded() | commission_account.CommissionOwedAgain():
                for shoe, part in event.by_shoe.items() if _is_apart(event) else ():
                    debts = open_by_shoe.setdefault(shoe, {})
                    debts[event.coup] = debts.get(event.coup, 0) + part
                mine = event.coup == coup
            case commission_account.CommissionBroughtForward():
                _owe_again(event.by_shoe, open_by_shoe)
                mine = False
            case (
                commission_account.CommissionCollected()
                | commission_account.CollectionCorrected()
                | commission_account.CommissionWaived()
                | commission_account.CommissionWalked()
                | commission_account.CommissionCarriedForward()
            ):
                _owe_again(getattr(event, "by_shoe_before", {}), open_by_shoe)
                paid = [
                    _pay(open_by_shoe.setdefault(shoe, {}), part)
                    for shoe, part in event.by_shoe.items()
                    if _is_apart(event)
                ]
                mine = any(coup in each for each in paid)
            case _:
                mine = isinstance(event, commission_account.CommissionLeftOpen) and (
                    event.coup == coup
                )
        if mine:
            yield line


def _owe_again(by_shoe: Mapping[str, int], open_by_shoe: dict[str, dict[str | None, int]]) -> None:
    """Adds what was not paid after all, or was brought forward."""
    for shoe, part in by_shoe.items():
        debts = open_by_shoe.setdefault(shoe, {})
        debts[None] = debts.get(None, 0) + part


def _is_apart(event: Any) -> bool:
    """Whether the commission was owed apart; False if withheld at payout, where it shows."""
    return getattr(event, "how", None) != "at-payout"


def _pay(debts: dict[str | None, int], amount: int) -> set[str | None]:
    """Takes an amount off the debts, the oldest first; returns the coups of those debts."""
    reached = set()
    for coup in list(debts):
        part = min(debts[coup], amount)
        amount -= part
        debts[coup] -= part
        if part:
            reached.add(coup)
        if not debts[coup]:
            del debts[coup]
    return reached
