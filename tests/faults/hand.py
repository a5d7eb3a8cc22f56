"""One of several hands at one table, each doing what it likes."""

import json
from pathlib import Path
from random import Random
from typing import Any

from domain.rules.cards import DECK
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.recorder import Ledger

SEATS = (1, 2, 3)


def any_act(random: Random) -> dict[str, Any]:
    """A command that may or may not be right just now."""
    seat = random.choice(SEATS)
    spot = random.choice(("player", "banker", "banker", "tie", "dragon-player"))
    return random.choice(
        (
            {"command": "bet", "seat": seat, "spot": spot, "amount": random.choice((500, 2500))},
            {"command": "bet", "seat": seat, "spot": "banker", "amount": 100_00},
            {"command": "withdraw", "seat": seat, "spot": spot},
            {"command": "no-more-bets"},
            {"command": "draw", "card": random.choice(DECK)},
            {"command": "settle"},
            {"command": "commission.collect", "seat": seat, "amount": random.choice((125, 500))},
            {"command": "table.leave", "seat": seat},
            {"command": "table.move", "seat": seat, "to": random.choice(SEATS)},
            {"command": "table.limits", "minimum": random.choice((2500, 5000))},
            {"command": "table.buy-in", "seat": seat, "amount": 100_00},
            {"command": "table.seat", "seat": seat, "patron": f"P-{random.randrange(4)}"},
            {"command": "shoe.cut-card"},
            {"command": "shoe.end", "reason": "trial", "with": "S-11", "by": "D-1"},
        )
    )


def due_act(due: dict[str, Any] | None, random: Random) -> dict[str, Any]:
    """What the last answer said the table must do next."""
    if due is None:
        return any_act(random)
    fields = {
        "draw": {"card": random.choice(DECK)},
        "bet": {"seat": random.choice(SEATS), "spot": "banker", "amount": 2500},
        "shoe.load": {"decks": 8},
        "shoe.shuffle": {"method": "hand"},
        "shoe.burn": {"card": random.choice(DECK)},
        "commission.collect": {"seat": random.choice(SEATS), "amount": 125},
    }
    return {"command": due["action"], **fields.get(due["action"], {})}


def act(home: Path, number: int, seed: int, count: int, told: Path) -> None:
    """Says so many random commands at B01, half of the time what the last answer said was due.

    Each line is noted with its answer.
    """
    random = Random(f"{seed}/{number}")
    dispatcher = Dispatcher(Casino(Ledger(Database(home=Embedded(home)))), "faults")
    due: dict[str, Any] | None = None
    with told.open("w") as out:
        for n in range(count):
            said = due_act(due, random) if random.random() < 0.5 else any_act(random)
            line = {**said, "table": "B01", "id": f"{number}-{n}"}
            answer = dispatcher.dispatch(line).body
            due = answer.get("due", due)
            out.write(json.dumps({"line": line, "answer": answer}) + "\n")
