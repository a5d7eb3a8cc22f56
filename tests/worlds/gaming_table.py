"""A table in open house, line by line, and the evenings that are played at it.

A `GamingTable` says a line a second, in the name of its dealer; what is said of no table, as of a
patron or a case, in a supervisor's.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta

from msgspec.structs import fields as fields_of

from ops.commands.casino import Casino
from ops.commands.vocabulary import COMMANDS
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger

BEGINS = datetime(2026, 11, 21, 20, tzinfo=UTC)
DAY = "2026-11-21"
PATRONS = {1: "P-10411", 3: "P-10417", 5: "grey-jacket"}
# Coups by how they end, cards in deal order.
PLAYER_WINS = "9C 5S 7C QD 9S"  # 6 to 4, Banker drew
BANKER_WINS = "KC 9S 2C QD"  # a natural 9 to 2
TIE = "KH KS 7C 7D"


@contextmanager
def mouth_on(database: Database) -> Iterator[Dispatcher]:
    """Lines in, answers out, on this ledger."""
    with closing(Casino(Ledger(database))) as casino:
        yield Dispatcher(casino, "test")


# A line of these takes no table.
OF_NO_TABLE = {
    name
    for name, kind in COMMANDS.items()
    if "table" not in {field.encode_name for field in fields_of(kind)}
}


# A line of these asks once, where a night would be lost.
ASKS_ONCE = {
    name
    for name, kind in COMMANDS.items()
    if "confirmed" in {field.encode_name for field in fields_of(kind)}
}


def sure(command: str) -> dict[str, bool]:
    """The field by which a line is sure at once, if it is one that asks."""
    return {"confirmed": True} if command in ASKS_ONCE else {}


class GamingTable:
    """One table in open house, and the moment at which it last said something."""

    def __init__(self, dispatcher: Dispatcher, table: str = "B01") -> None:
        self.dispatcher = dispatcher
        self.table = table
        self.moment = BEGINS

    def ask(self, command: str, **fields: object) -> Answer:
        """What a line is answered, accepted or not."""
        self.moment += timedelta(seconds=1)
        named = {"by": "S-11"} if command in OF_NO_TABLE else {"table": self.table, "by": "D-204"}
        line = {"command": command, **named, **sure(command)}
        return self.dispatcher.dispatch({**line, "at": self.moment.isoformat(), **fields})

    def say(self, command: str, **fields: object) -> Answer:
        """A line that must be accepted."""
        answer = self.ask(command, **fields)
        assert answer.ok, str(answer)
        return answer

    def open(self, rules: str = "dragon-bonus@1", day: str = DAY) -> "GamingTable":
        """The table opens, and three patrons sit down."""
        self.say("table.open", rules=rules, opener={"10000": 200}, day=day, **{"with": "S-11"})
        for seat, patron in PATRONS.items():
            self.say("table.seat", seat=seat, patron=patron)
        return self

    def prepare(self, cut_card: int = 14, *, seat: int = 3, decks: int = 8) -> "GamingTable":
        """A shoe, ready for its first coup: 412 of its 416 cards are left."""
        self.say("shoe.load", decks=decks)
        self.say("shoe.inspect")
        self.say("shoe.shuffle", method="machine", device="SH-2")
        self.say("shoe.cut", seat=seat, cut_card=cut_card)
        self.say("shoe.burn", card="3D")
        return self

    def bet(self, seat: int, spot: str, amount: int) -> Answer:
        """A wager that stands."""
        return self.say("bet", seat=seat, spot=spot, amount=amount)

    def deal(self, cards: str, *, settle: bool = False) -> Answer:
        """The cards, one by one; with `settle` the last one ends the coup."""
        *early, last = cards.split()
        for card in early:
            self.say("draw", card=card)
        return self.say("draw", card=last, settle=settle)

    def play(self, cards: str, *bets: tuple[int, str, int]) -> Answer:
        """A whole coup, paid."""
        for seat, spot, amount in bets:
            self.bet(seat, spot, amount)
        return self.deal(cards, settle=True)

    def end_shoe(self) -> Answer:
        """The shoe ends before its cut card shows, as a supervisor may have it."""
        return self.say("shoe.end", reason="end of the evening", **{"with": "S-11"})


def evening(dispatcher: Dispatcher) -> None:
    """Three tables, two shoes, collections, and everything that is an exception."""
    deferred = GamingTable(dispatcher).open().prepare(cut_card=411)
    deferred.bet(3, "banker", 100_00)
    deferred.bet(5, "banker", 500_00)
    deferred.bet(5, "dragon-banker", 50_00)
    deferred.say("draw", card="KC")
    deferred.ask("bet", seat=1, spot="player", amount=25_00)  # late
    deferred.deal("9S 2C QD")
    deferred.ask("settle", paid={"3": 200_05, "5": 1_100_00})  # 5 cents too much
    deferred.say("settle")
    deferred.ask("draw", card="4H")  # when no coup is open
    deferred.say("commission.collect", seat=5, amount=10_00)
    deferred.play(BANKER_WINS, (3, "banker", 50_00))  # past the cut card
    deferred.bet(1, "tie", 5_00)  # alone, and under the table's minimum
    deferred.deal(TIE, settle=True)
    deferred.say("commission.collect", seat=3, amount=7_50)
    deferred.say("commission.collect", patron="grey-jacket", amount=15_00)
    deferred.end_shoe()
    counted = deferred.say("shoe.reconcile", remaining=[]).body["position"]  # as if none was left
    deferred.prepare()
    deferred.play(BANKER_WINS, (1, "banker", 25_00))
    deferred.say("commission.collect", seat=1, amount=1_25)
    deferred.say("table.leave", seat=1)
    deferred.play(BANKER_WINS, (3, "banker", 100_00))
    deferred.bet(3, "player", 100_00)
    deferred.say("withdraw", seat=3, spot="player")

    at_payout = GamingTable(dispatcher, "B02").open("classic@1").prepare()
    at_payout.play(BANKER_WINS, (1, "banker", 33_00), (3, "player", 10_00))
    at_payout.play(PLAYER_WINS, (1, "banker", 10_00))
    at_payout.say("void", coup=f"B02/{DAY}/1/2", reason="a card fell", **{"with": "S-11"})
    at_payout.end_shoe()

    big = GamingTable(dispatcher, "B03").open("big-table@1").prepare()
    big.bet(1, "player", 50_000_00)
    big.bet(3, "player", 50_000_00)  # a gap of twice the differential
    big.deal("9C 5S")
    big.say("table.buy-in", seat=1, amount=100_000_00)
    people = {"requested_by": "S-11", "cashier": "C-1", "runner": "R-1", "with": "S-11"}
    big.say("table.fill", chips={"10000": 5}, **people)
    alias = {"command": "patron.identify", "patron": "blue-hat", "is": "P-10411"}
    assert dispatcher.dispatch({**alias, "at": big.moment.isoformat()}).ok
    seen = {"command": "alert.acknowledge", "alert": f"shoe-not-reconciled/{counted}"}
    assert dispatcher.dispatch({**seen, "at": big.moment.isoformat(), "by": "S-11"}).ok


def trouble(pit: GamingTable) -> GamingTable:
    """Three coups at which much goes wrong, and what was done about it."""
    two = {"with": "S-11"}
    first, second = (f"{pit.table}/{DAY}/1/{number}" for number in (1, 2))
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "banker", 300_00))
    pit.say("correct", coup=first, seat=5, spot="banker", to=300_00, reason="misread", **two)
    pit.bet(3, "banker", 200_00)
    before = pit.moment.isoformat()
    pit.say("draw", card="KC")
    pit.ask("bet", seat=1, spot="player", amount=25_00)
    pit.say("bet", seat=1, spot="player", amount=50_00, late=True, at=before, **two)
    pit.deal("9S 2C QD")
    pit.ask("settle", paid={"1": 0, "3": 200_05})
    pit.say("settle")
    pit.ask("draw", card="4H")
    pit.say("void", coup=second, reason="a card fell", **two)
    pit.say("commission.waive", seat=3, amount=2_00, reason="a good patron", **two)
    pit.say("commission.walked", seat=3, reason="went home", **two)
    pit.bet(5, "tie", 5_00)
    return pit


def generate(pit: GamingTable) -> GamingTable:
    """A generated shoe, whose commitment the table then has."""
    pit.say("shoe.load", decks=8)
    pit.commitment = pit.say("shoe.shuffle", method="generated").body["events"][1]["commitment"]
    return pit


def disputed(pit: GamingTable) -> GamingTable:
    """Two patrons dispute the first coup; one case is settled, the other holds the table."""
    coup = f"{pit.table}/{DAY}/1/1"
    first = {"case": "C-2026-0001"}
    pit.say("property.set", name="regulator", value="singapore")
    pit.say("dispute.open", coup=coup, patron="P-10417", complaint="I was not paid", amount=500_00)
    seen = {"camera": "CAM-14", "at": BEGINS.isoformat(), "ahead": 1_500}
    pit.say("dispute.note", **first, text="the chips lay on Player", evidence=[seen])
    right = {"seat": 3, "spot": "banker", "to": 150_00}
    why = {"reason": "the camera", "with": "PB-2"}
    pit.say("dispute.decide", **first, decision="correct", **right, **why)
    pit.say("dispute.tell", **first, in_words="You are paid by what the camera shows.")
    pit.say("dispute.notify", **first, reference="2026/1182")
    pit.say("dispute.close", **first)
    pit.say("dispute.open", coup=coup, patron="grey-jacket", complaint="it was mine", hold=True)
    return pit
