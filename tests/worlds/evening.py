"""An evening at one table, of which parts are told."""

import json

from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, GamingTable, mouth_on

FIRST = "B01/2026-11-21/1/1"


class Evening:
    """Two coups that are settled, one of them corrected later, and one that takes bets."""

    def __init__(self, database):
        self.database = database
        with mouth_on(database) as dispatcher:
            self._play(GamingTable(dispatcher).open().prepare())

    def _play(self, pit):
        pit.play(PLAYER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
        self.settled_at = pit.moment
        pit.play(BANKER_WINS, (3, "banker", 100_00))
        self.until_here = self._clock()
        pit.say("correct", coup=FIRST, seat=3, spot="banker", to=100_00, reason="goodwill",
                **{"with": "S-11"})  # fmt: skip
        pit.bet(1, "player", 25_00)

    def _clock(self):
        with self.database.connect("sabot_auditor") as connection:
            return connection.execute("SELECT max(recorded_at) FROM ledger.events").fetchone()[0]

    def told(self, coup, *words):
        """As JSON."""
        return json.loads(shell(self.database, "replay", coup, *words, "--json").stdout)

    def page(self, coup, *words):
        """As people read it."""
        return shell(self.database, "replay", coup, *words)
