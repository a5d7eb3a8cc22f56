"""What a table that deals by itself does next, and when (R-DEAL-6)."""

from datetime import datetime, timedelta

from msgspec import Struct

from domain.rules.pace import card_at, closes_at, opens_at
from ops.commands.read import Line
from ops.now.table_now import CoupNow, TableNow


def is_too_late(now: TableNow, moment: datetime) -> bool:
    """Whether a coup in play has waited for its step longer than a fault may last (R-IRR-6)."""
    coup, pace = now.coup, now.rules.clock if now.rules else None
    if now.locked_up or coup is None or coup.over or not pace or not coup.changed_at:
        return False
    due = card_at(pace, coup.changed_at)
    if coup.phase == "betting":
        closes = closes_at(pace, coup.first_bet_at)
        if closes is None:
            return False  # it waits for a bet
        due = max(due, closes)
    return moment - due > timedelta(seconds=pace.fault_seconds)


class Step(Struct, frozen=True):
    """A line to send; `at`: not before this moment, None for at once."""

    line: Line
    at: datetime | None = None


def next_step(now: TableNow, since: datetime) -> Step | None:
    """The next step, or None where somebody else must act first.

    `since`: when the table came to where it is, which is when the last card fell.
    """
    if now.due is None or now.rules is None or now.due.action == "table.unlock":
        return None
    if now.due.action.startswith("shoe."):
        return _for_the_shoe(now, since)
    if now.coup is None or now.coup.over:
        return _before_a_coup(now, since)
    return _in_a_coup(now, now.coup, since)


def _for_the_shoe(now: TableNow, since: datetime) -> Step | None:
    """Prepares a generated shoe, or ends one, which makes its order known.

    The result of its last coup is shown as long as any other before that.
    """
    assert now.rules is not None
    assert now.due is not None
    action = now.due.action
    fields: dict[str, dict[str, object]] = {
        "shoe.load": {"decks": now.rules.decks},
        "shoe.inspect": {},
        "shoe.shuffle": {"method": "generated"},
        "shoe.cut": {"cut_card": now.rules.cut_card},
        "shoe.burn": {},
        "shoe.end": {},
    }
    if action not in fields or (action != "shoe.load" and not _deals_itself(now)):
        return None
    number = now.shoes + (action == "shoe.load")
    at = _next_coup_at(now, since) if action == "shoe.end" else None
    return Step(_line(now, action, f"{now.day}/{number}", action, **fields[action]), at)


def _deals_itself(now: TableNow) -> bool:
    """Whether the shoe was shuffled here, or may be yet."""
    return now.shoe is not None and (now.shoe.generated or now.shoe.step in ("loaded", "inspected"))


def _before_a_coup(now: TableNow, since: datetime) -> Step | None:
    """Opens the next coup, where anybody sits."""
    assert now.rules is not None
    assert now.due is not None
    shoe, coup = now.shoe, now.coup
    if now.due.action not in ("bet", "open") or not now.seats or not shoe or not now.rules.clock:
        return None
    number = coup.number + 1 if coup else 1
    line = _line(now, "open", f"{_place(shoe.address)}/{number}", "open")
    return Step(line, _next_coup_at(now, since))


def _next_coup_at(now: TableNow, since: datetime) -> datetime | None:
    """Not before this moment a coup follows the last one of this shoe; None: there was none."""
    coup, pace = now.coup, now.rules.clock if now.rules else None
    return opens_at(pace, coup.opened_at, since) if pace and coup and coup.opened_at else None


def _in_a_coup(now: TableNow, coup: CoupNow, since: datetime) -> Step | None:
    assert now.rules is not None
    assert now.due is not None
    pace, action = now.rules.clock, now.due.action
    if pace is None or not _deals_itself(now):
        return None
    place = _place(coup.address)
    dealt = len(coup.player.cards) + len(coup.banker.cards)
    match action:
        case "no-more-bets":
            closes = closes_at(pace, coup.first_bet_at)
            return Step(_line(now, action, place, action), closes) if closes else None
        case "draw":
            return Step(_line(now, action, place, f"card-{dealt + 1}"), card_at(pace, since))
        case "reveal":
            hand = {"hand": now.due.hand}
            return Step(_line(now, action, place, f"turn-{dealt}-{now.due.hand}", **hand))
        case "settle":
            return Step(_line(now, action, place, action), card_at(pace, since))
    return None


def lock_up(now: TableNow) -> Step:
    """Locks the table up, because its dealing stood still."""
    assert now.coup is not None
    place = _place(now.coup.address)
    step = f"lock-up-{now.position}"
    return Step(_line(now, "table.lock-up", place, step, why="gap", reason="the dealing stopped"))


def _place(address: object) -> str:
    """The address of a shoe or a coup without its table."""
    return str(address).partition("/")[2]


def _line(now: TableNow, command: str, place: str, step: str, **fields: object) -> Line:
    """A line whose id is the same whoever sends it."""
    return {"command": command, "table": now.table, "id": f"run:{now.table}/{place}:{step}"} | {
        name: value for name, value in fields.items() if value is not None
    }
