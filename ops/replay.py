"""Rebuilds a coup from the ledger alone, as one JSON object and as a page for people."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from domain import addresses
from domain.commission import CommissionAccount
from domain.coup import Coup
from domain.refusals import NotFound
from domain.replay import CardLine, Line, Replay, Unreadable
from ops import rule_book
from ops.casino import SENSELESS
from ops.ledger.chain import GENESIS, Recorded, Verification
from ops.ledger.mapper import FactMapper, UnknownFact, told
from ops.ledger.recorder import read_events, read_stream
from ops.ledger.whole import whole

if TYPE_CHECKING:
    import psycopg

_mapper = FactMapper()


@dataclass(frozen=True)
class Found:
    """A coup's replay with its surroundings in the record."""

    address: addresses.Coup
    replay: Replay | None  # None: the beginning of its record is gone
    afterwards: list[Line]
    first_position: int
    last_position: int
    head: bytes  # the chain's hash at the last position
    chain_good: bool


def find(connection: "psycopg.Connection[Any]", address: addresses.Coup) -> Found:
    """Reads a coup back, and the chain along it. Refuses: NotFound."""
    recorded = read_stream(connection, Coup.stream(address))
    if not recorded:
        raise NotFound(what=f"coup {address}")
    replay = Replay.of(_lines(recorded))
    if replay:
        with suppress(*SENSELESS, UnknownFact):  # then the replay itself says that it makes none
            opened = replay.opened.fact
            rule_book.learn(connection, opened.rules, opened.rules_digest)
    chain = _walk(connection, recorded[0].position, recorded[-1].position)
    return Found(
        address=address,
        replay=replay,
        afterwards=_afterwards(connection, replay, address),
        first_position=recorded[0].position,
        last_position=recorded[-1].position,
        head=recorded[-1].hash,
        chain_good=chain.ok,
    )


def _lines(recorded: list[Recorded]) -> list[Line]:
    return [Line(event.position, _fact(event)) for event in recorded]


def _fact(event: Recorded) -> Any:
    """The fact of an event, or what stands for one that somebody made unreadable."""
    try:
        whole(event.topic, event.state)  # or what reads it stumbles over what it lacks
        return _mapper.to_domain_event(event)  # type: ignore[arg-type]
    except (*SENSELESS, UnknownFact) as error:
        return Unreadable(event.recorded_at, event.topic, f"it cannot be read: {error}")


def _walk(connection: "psycopg.Connection[Any]", first: int, last: int) -> Verification:
    """Recomputes the chain from the event before the coup to the one after it."""
    before = read_events(connection, after=first - 2, limit=1, until=first - 1)
    chain = Verification(head=before[0].hash if before else GENESIS, events=first - 1)
    position = first - 1
    while chain.ok and position < last:
        piece = read_events(connection, after=position, limit=5_000, until=last)
        chain.walk(piece)
        position = piece[-1].position if piece else last
    chain.walk(read_events(connection, after=last, limit=1))  # or the coup's end may be cut off
    return chain


def _afterwards(
    connection: "psycopg.Connection[Any]", replay: Replay | None, address: addresses.Coup
) -> list[Line]:
    """What was put right of a coup, and what became of the commission that it left owed."""
    if replay is None:
        return []
    found = [*replay.corrected, *replay.returned, *filter(None, [replay.voided])]
    stays = {
        line.fact.stay
        for line in (*replay.payments, *replay.corrected)
        if getattr(line.fact, "commission_due", None)
    }
    for stay in stays:
        stream = CommissionAccount.stream(stay, address.shoe.table_day)
        found += _about(str(address), _lines(read_stream(connection, stream)))
    return sorted(found, key=lambda line: line.position)


def _about(coup: str, account: list[Line]) -> Iterator[Line]:
    """What became of the commission of a coup; of all that is owed, the oldest is paid first."""
    open_by_shoe: dict[str, dict[str | None, int]] = {}  # coup to what is still owed of it
    for line in account:
        fact = line.fact
        match fact:
            case CommissionAccount.CommissionAccrued() | CommissionAccount.CommissionCorrected():
                debts = open_by_shoe.setdefault(fact.shoe, {})
                debts[fact.coup] = debts.get(fact.coup, 0) + fact.charged
                if debts[fact.coup] < 0:  # it was paid, and what was given back was owed again
                    _pay(debts, -debts.pop(fact.coup))
                mine = fact.coup == coup and isinstance(fact, CommissionAccount.CommissionCorrected)
            case CommissionAccount.CommissionRefunded() | CommissionAccount.CommissionOwedAgain():
                for shoe, part in fact.by_shoe.items():
                    debts = open_by_shoe.setdefault(shoe, {})
                    debts[fact.coup] = debts.get(fact.coup, 0) + part
                mine = fact.coup == coup
            case (
                CommissionAccount.CommissionCollected()
                | CommissionAccount.CommissionWaived()
                | CommissionAccount.CommissionWalked()
            ):
                paid = [
                    _pay(open_by_shoe.setdefault(shoe, {}), part)
                    for shoe, part in fact.by_shoe.items()
                ]
                mine = any(coup in each for each in paid) and _told_apart(fact)
            case _:
                mine = False
        if mine:
            yield line


def _told_apart(fact: Any) -> bool:
    """What was kept back at payout is told with the payment."""
    return getattr(fact, "how", None) != "at-payout"


def _pay(debts: dict[str | None, int], amount: int) -> set[str | None]:
    """Takes an amount off, the oldest first; the coups whose debts it reached."""
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


def as_dict(found: Found) -> dict[str, Any]:
    """As `--json` prints it; a record that makes no sense any more says only that."""
    if found.replay is None:
        return _senseless(found, "begins with the coup's opening")
    try:
        return _story(found, found.replay)
    except SENSELESS as error:
        return _senseless(found, f"makes sense: {error!r} does not")


def _story(found: Found, replay: Replay) -> dict[str, Any]:
    result = replay.resulted.fact if replay.resulted else None
    differing = replay.adjudicate()
    return {
        "coup": str(found.address),
        "rules": replay.rules.name,
        "phase": replay.phase,
        "dealer": replay.opened.fact.dealer,
        "supervisor": replay.opened.fact.supervisor,
        "limits": replay.opened.fact.limits,
        "wagers": [_wager(line) for line in replay.wagers],
        "cards": [_card(shown) for shown in replay.cards],
        "steps": [
            {"position": step.position, "rule": step.rule, "draws": step.draws, "why": step.why}
            for step in replay.steps
        ],
        "outcome": result.outcome if result else None,
        "natural": result.natural if result else None,
        "player_total": result.player_total if result else _total(replay.cards, "player"),
        "banker_total": result.banker_total if result else _total(replay.cards, "banker"),
        "payments": [_payment(line) for line in replay.payments],
        "hands_given": _with_moment(replay.given) if replay.given else None,
        "turned": [_with_moment(line) for line in replay.turned],
        "exceptions": [_with_moment(line) for line in replay.exceptions],
        "agrees": not differing,
        "disagreements": [
            {"what": each.what, "recorded": each.recorded, "adjudicated": each.adjudicated}
            for each in differing
        ],
        "afterwards": [_with_moment(line) for line in found.afterwards],
        "proof": _proof(found),
    }


def _senseless(found: Found, expected: str) -> dict[str, Any]:
    """All that can be said of a coup whose facts somebody made unreadable."""
    gone = {"what": "the record", "recorded": None, "adjudicated": expected}
    nothing: dict[str, Any] = dict.fromkeys(
        ("rules", "phase", "dealer", "supervisor", "limits", "outcome", "natural", "hands_given")
    )
    empty: dict[str, Any] = {
        name: []
        for name in (
            *("wagers", "cards", "steps", "payments", "turned", "exceptions", "afterwards"),
        )
    }
    return {
        "coup": str(found.address),
        **nothing,
        "player_total": None,
        "banker_total": None,
        **empty,
        "agrees": False,
        "disagreements": [gone],
        "proof": _proof(found),
    }


def _proof(found: Found) -> dict[str, Any]:
    return {
        "first_position": found.first_position,
        "last_position": found.last_position,
        "head": found.head.hex(),
        "chain_good": found.chain_good,
    }


def _wager(line: Line) -> dict[str, Any]:
    fact = line.fact
    return {
        "seat": fact.seat,
        "patron": fact.patron,
        "stay": fact.stay,
        "spot": fact.spot,
        "stake": fact.amount,
        "at": line.at.isoformat(),
        "position": line.position,
    }


def _card(shown: CardLine) -> dict[str, Any]:
    fact = shown.line.fact
    return {
        "n": fact.n,
        "card": fact.card,
        "hand": fact.hand,
        "carried": fact.carried,
        "position": shown.line.position,
        "at": shown.line.at.isoformat(),
        "rule": fact.rule,
        "player_total": shown.player_total,
        "banker_total": shown.banker_total,
        "due": {"hand": shown.due.hand, "rule": shown.due.rule} if shown.due else None,
    }


def _payment(line: Line) -> dict[str, Any]:
    names = (
        *("seat", "patron", "spot", "stake", "result", "odds", "winnings", "commission_exact"),
        *("commission_charged", "commission_due", "paid", "paid_up"),
    )
    return {name: getattr(line.fact, name) for name in names}


def _with_moment(line: Line) -> dict[str, Any]:
    kind = type(line.fact).__name__
    return {"event": kind, "at": line.at.isoformat(), "position": line.position, **told(line.fact)}


def _total(cards: list[CardLine], hand: str) -> int | None:
    total: int | None = getattr(cards[-1], f"{hand}_total") if cards else None
    return total
