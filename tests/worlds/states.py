"""The states that a table can be in, each grown from another by the lines that lead to it."""

import json

from ops.cli.feed import answers_to
from ops.cli.session import dispatcher_on

DRAGON = "dragon-bonus@1"
OPENING = {"opener": {"10000": 200, "500": 100}, "day": "2026-11-21"}
BET = {"seat": 3, "spot": "banker", "amount": 100_00}
BANKER_WINS = [("draw", {"card": card}) for card in ("KC", "9S", "2C", "QD")]
TIES = [("draw", {"card": card}) for card in ("9S", "9S", "KC", "QD")]
ENDS = {"reason": "device failure", "by": "D-204", "with": "S-11"}

# Each state: the one it grows from, by which lines, and the next good line in it.
STATES = {
    "nothing": (None, [], ("table.open", {**OPENING, "rules": DRAGON})),
    "open": ("nothing", [("table.seat", {"seat": seat, "patron": f"P-{seat}"}) for seat in (3, 5)],
             ("shoe.load", {"decks": 8})),
    "loaded": ("open", [("shoe.load", {"decks": 8})], ("shoe.inspect", {})),
    "inspected": ("loaded", [("shoe.inspect", {})], ("shoe.shuffle", {"method": "hand"})),
    "shuffled": ("inspected", [("shoe.shuffle", {"method": "hand"})], ("shoe.cut", {"seat": 3})),
    "cut": ("shuffled", [("shoe.cut", {"seat": 3})], ("shoe.burn", {"card": "3D"})),
    "unburned": ("shuffled", [("shoe.cut", {"seat": 3})], ("bet", BET)),
    "ready": ("cut", [("shoe.burn", {"card": "3D"})], ("bet", BET)),
    "last coup": ("ready", [("shoe.cut-card", {"confirmed": True})], ("bet", BET)),
    "betting": ("ready", [("bet", BET)], ("bet", {**BET, "seat": 5, "spot": "player"})),
    "tie alone": ("ready", [("bet", {**BET, "spot": "tie", "amount": 5_00})], ("bet", BET)),
    "gap": ("ready", [("bet", {**BET, "seat": 3, "amount": 50_000_00}),
                      ("bet", {**BET, "seat": 5, "amount": 100_00})],
            ("bet", {**BET, "seat": 3, "amount": 49_900_00})),
    "closed": ("betting", [("no-more-bets", {})], ("draw", {"card": "KC"})),
    "dealing": ("betting", BANKER_WINS[:1], BANKER_WINS[1]),
    "eight nines": ("ready", 4 * [("open", {}), *TIES, ("settle", {})] + [("open", {})],
                    ("draw", {"card": "9H"})),
    "resulted": ("betting", BANKER_WINS, ("settle", {})),
    "settled": ("resulted", [("settle", {})], ("commission.collect", {"seat": 3, "amount": 5_00})),
    "clear": ("settled", [("commission.collect", {"seat": 3, "amount": 5_00})], ("bet", BET)),
    "dealt out": ("last coup", [("bet", BET), *BANKER_WINS, ("settle", {}),
                                ("commission.collect", {"seat": 3, "amount": 5_00})],
                  ("shoe.end", {})),
    "ended": ("clear", [("shoe.end", ENDS)], ("shoe.reconcile", {"remaining": 408})),
    "reconciled": ("ended", [("shoe.reconcile", {"remaining": 408})], ("shoe.load", {"decks": 8})),
}  # fmt: skip


class TablesInStates:
    """One ledger, and as many tables as are brought to a state."""

    def __init__(self, database):
        self.database = database
        self.dispatcher = dispatcher_on(database, "feed")
        self.connection = database.connect("sabot_auditor")

    def send(self, raw):
        """The answer to whatever bytes."""
        [answer] = answers_to(self.dispatcher, [[raw]])
        return json.loads(str(answer))

    def ask(self, table, command, fields):
        """The answer to a line, as the feed gives it; a field that is `...` is left out."""
        line = {"command": command, "table": table, **fields}
        return self.send(json.dumps({k: v for k, v in line.items() if v is not ...}).encode())

    def bring(self, table, state):
        """Says all that leads to a state; answers the next good line."""
        name, _, rules = state.partition(" ") if "@" in state else (state, "", DRAGON)
        before, lines, good = STATES[name]
        if before is None:
            return good if rules == DRAGON else ("table.open", {**OPENING, "rules": rules})
        opening = self.bring(table, f"{before} {rules}" if rules != DRAGON else before)
        for command, fields in [opening] * (before == "nothing") + lines:
            answer = self.ask(table, command, fields)

            assert answer["ok"], answer
        return good

    def counted(self):
        """How many events there are, how many answers were kept, and the last event's topic."""
        return self.connection.execute(
            "SELECT (SELECT count(*) FROM ledger.events), (SELECT count(*) FROM ledger.commands),"
            " (SELECT topic FROM ledger.events ORDER BY position DESC LIMIT 1)"
        ).fetchone()

    def close(self):
        """The ledger stays, for whoever else reads it."""
        self.connection.close()
        self.dispatcher.casino.close()
