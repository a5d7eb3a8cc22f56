"""A short story that writes and reads most kinds of rows, and all that it was told."""

import re

from ops.ledger.database import Database
from tests.acceptance.channels import feed, shell
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable, mouth_on

_LINE = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 100_00}
_READ = (
    ("report", "wagers", "--json"),
    ("report", "commission", "--json"),
    ("report", "ratings", "--csv"),
    ("report", "coup", "--json"),
    ("board", "--once", "--json"),
    ("audit", "verify", "--json"),
    ("audit", "adjudicate", "--all", "--look"),
    ("replay", f"B01/{DAY}/1/1", "--json"),
    ("projections", "rebuild", "coups"),
    ("projections", "check", "coups"),
)
_OF_THE_MOMENT = (  # the server's clock, what is computed from it, and what takes how long
    (re.compile(r"\b[0-9a-f]{64}\b"), "HASH"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:\d\d)"), "MOMENT"),
    (re.compile(r"[\d,]+ coups and [\d,]+ events a second"), "SPEED"),
)


def short_story(database: Database) -> str:
    """Every answer, less what the server's clock decides."""
    told = []
    with mouth_on(database) as mouth:
        table = GamingTable(mouth)
        table.open().prepare()
        table.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
        table.play(PLAYER_WINS, (1, "player", 25_00), (3, "dragon-player", 5_00))
        told.append(str(table.ask("commission.collect", seat=3, amount=5_00).body))
        told.append(str(table.ask("bet", seat=3, spot="nowhere", amount=5_00).body))
    told.append(str(feed(database, [{**_LINE, "id": "x'\\\"é", "by": "D-204", "at": _at(5)}])))
    for words in _READ:
        result = shell(database, *words)
        told.append(f"{words} [{result.exit_code}]\n{result.stdout}{result.stderr}")
    said = "\n".join(told)
    for what, instead in _OF_THE_MOMENT:
        said = what.sub(instead, said)
    return said


def _at(minutes: int) -> str:
    return f"{DAY}T20:{minutes:02}:00+00:00"
