"""An evening at one table that is made up as it goes, with every accident; proved at each line."""

from collections import Counter
from datetime import timedelta
from itertools import count

from hypothesis import strategies as st

from domain.rules.addresses import Coup as CoupAddress
from domain.rules.cards import DECK
from domain.rules.spots import THE_TRADES
from ops.replay.story import find
from ops.reports.ask import ask_on
from projections import REPORTS
from tests.stories import as_dict
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, sure

PROOF = REPORTS["commission-proof"]
BOTH = {"by": "D-204", "with": "S-11"}
CARDS = st.sampled_from(DECK)
BANKER_WINS_ON_6 = "5C 6S KC TD KS"
GONE = ("drawn", "burned", "discarded")
TURNS = 7 + 4  # six cards and the end of betting; two hands and two third cards turned
# What the floor may well say no to, when an evening is made up as it goes.
NO = {
    *("BettingClosed", "BothSides", "CardNotDue", "CoupNotFinished", "CoupOver", "CommissionOwed"),
    *("BadValue", "CutCardOut", "DifferentialExceeded", "NotFound", "OverCollected", "SeatEmpty"),
    *("SeatTaken", "ShoeNotReady", "ShoeStepOutOfOrder", "UnderMinimum", "PaymentDisagrees"),
    *("NoWager", "AlreadyOpen", "CardNotInShoe", "OverMaximum", "UnknownSeat"),
    *("SpotNotOffered", "MissingField"),
}


class RandomEvening:
    """One table for one evening: what it says, and what its tray should have."""

    tables = count(1)

    def __init__(self, dispatcher, connection, rules):
        self.dispatcher = dispatcher
        self.connection = connection
        self.rules = rules
        number = next(self.tables)
        self.table = f"T{number}"
        own = {"command": "property.set", "name": "chips", "value": "0.01", "by": "A-1"}
        dispatcher.dispatch(own)  # once for the house: commission is paid to the cent here
        self.patrons = {seat: f"P-{number}-{seat}" for seat in (1, 2, 3)}
        self.moment = BEGINS
        self.tray = 100_000_00
        self.opened = BEGINS
        self.known = False
        self.due = None
        self.coups = []
        self.wagers = {}  # by coup, seat and spot: how often it ended
        self.owed = {}
        self.lines = []

    def ask(self, command, **fields):
        self.moment += timedelta(seconds=1)
        table = {} if {"coup", "is"} & fields.keys() else {"table": self.table}
        line = {"command": command, **table, **BOTH, **sure(command)}
        line |= {"at": self.moment.isoformat(), **fields}
        self.lines.append(line)
        answer = self.dispatcher.dispatch(line).body

        assert answer["ok"] or answer["error"] in NO, (answer, self.lines)
        if answer["ok"] and "is" not in fields:  # who a patron is says nothing of a table
            self.due = answer["due"]
        for event in answer.get("events", ()):
            self.count(event)
        self.prove()
        return answer

    def count(self, event):
        """The tray, who owes, and how each wager ended, by what the events say changed hands."""
        match event["type"]:
            case "CommissionAccrued" | "CommissionCorrected":
                self.owe(event["patron"], event["charged"])
            case "CommissionRefunded" | "CommissionOwedAgain":
                self.owe(event["patron"], event["amount"])
            case "CommissionCollected" | "CommissionWaived" | "CommissionWalked":
                self.owe(event["patron"], -event["amount"])
        match event["type"]:
            case "CoupOpened":
                self.coups.append(event["coup"])
                self.opened = self.moment
            case "Settled":
                self.tray += event["stakes"] - event["paid"]
            case "Voided" | "PaymentCorrected":
                self.tray -= event["changes_hands"]
            case "CommissionCollected" if event["how"] == "patron":
                self.tray += event["amount"]
            case "CommissionRefunded" if event["how"] == "patron":
                self.tray -= event["amount"]
            case "WagerSettled" | "WagerReturned":
                ended = self.wagers.setdefault((event["coup"], event["seat"], event["spot"]), [])
                ended.append(event["type"])

    def owe(self, patron, more):
        self.owed[patron] = self.owed.get(patron, 0) + more

    def owing(self):
        return sorted(patron for patron, owed in self.owed.items() if owed)

    def prove(self):
        told = ask_on(self.connection, PROOF, {"table": self.table})
        off = [row for row in told.rows if row["difference"] != 0]

        assert off == [], self.lines

    def prepare(self):
        self.ask("shoe.load", decks=self.rules.decks)
        self.ask("shoe.inspect")
        self.ask("shoe.shuffle", method="machine")
        self.ask("shoe.cut", seat=1, cut_card=14)
        if self.rules.burn != "none":
            self.ask("shoe.burn", card="3D")

    def play(self, data):
        """A coup from its bets to its payment, with something in between now and then."""
        for seat in data.draw(st.sets(st.sampled_from([1, 2, 3]), min_size=1)):
            self.bet(data, seat)
        if data.draw(st.booleans()):
            self.ask("no-more-bets")
        before = len(self.coups)
        plan = data.draw(st.sampled_from([BANKER_WINS, BANKER_WINS, BANKER_WINS_ON_6, None]))
        cards = iter(plan.split() if plan else ())
        for _ in range(TURNS):
            accident = data.draw(st.sampled_from([None] * 12 + DEALING))
            if accident:
                accident(self, data)
            match self.due and self.due["action"]:
                case "draw" | "no-more-bets":
                    self.ask("draw", card=next(cards, None) or data.draw(CARDS))
                case "reveal":  # face-down dealing: the hand whose turn it is (R-DEAL-5)
                    self.ask("reveal", hand=self.due["hand"])
                case _:
                    break
        if self.due and self.due["action"] == "settle" and len(self.coups) == before:
            self.ask("settle")

    def bet(self, data, seat, **more):
        spot = data.draw(st.sampled_from([*self.rules.spots, *["banker"] * 5]))
        least = max(self.rules.limit(spot).minimum, self.rules.main.minimum)
        steps = data.draw(st.sampled_from([0, 1, 3, 7]))
        amount = min(least + steps * self.rules.increment, self.rules.limit(spot).maximum)
        self.ask("bet", seat=seat, spot=spot, amount=amount, **more)

    def after(self, data):
        """The day is closed, and something is put right all the same."""
        for accident in data.draw(st.lists(st.sampled_from([_void, _correct]), max_size=2)):
            accident(self, data)

    def _in_play(self, due):
        """A coup that is not finished; nor is one whose two sides lie too far apart to close."""
        acts = ("draw", "no-more-bets", "reveal", "void")
        return due["action"] in acts or due["rule"] == "R-BET-4"

    def end(self, data):
        """Everything is finished, paid and counted."""
        if self.due and self.due["action"] == "settle":
            self.ask("settle")
        while self.due and self._in_play(self.due):
            self.ask("void", coup=self.coups[-1], reason="the evening is over")  # or a dummy begins
        for patron in self.owing():
            self.ask("commission.collect", patron=patron, amount=1)
        while owing := self.owing():  # once for each stay that owes: a patron may have several
            let_go = self.ask("commission.waive", patron=owing[0], reason="closing")
            assert let_go["ok"], (let_go, self.lines)
        ended = self.ask("shoe.end", reason="the evening is over")
        assert ended["ok"], (ended, self.lines)
        answer = self.ask("table.close", closer={"1": self.tray} if self.tray > 0 else {})
        assert answer["ok"], (answer, self.lines)
        closed = next(event for event in answer["events"] if event["type"] == "TableClosed")

        assert closed["variance"] == max(-self.tray, 0), self.lines
        self.after(data)
        for coup in self.coups:
            found = find(self.connection, CoupAddress.parse(coup))
            told = as_dict(found)
            lay = {(coup, wager["seat"], wager["spot"]) for wager in told["wagers"]}
            ends = {"settled": [["WagerSettled"]], "voided": RETURNED}[told["phase"]]

            assert told["agrees"], told["disagreements"]
            assert all(self.wagers[wager] in ends for wager in lay)
        self.add_up()

    def add_up(self):
        """Two reports that count the same things come to the same sums."""
        coups = self.rows("coup")
        lie = Counter(
            (each["coup"].rpartition("/")[0], dealt["card"])
            for each in coups
            for dealt in each["cards"]
        )
        cards = self.rows("cards")
        for shoe in self.rows("shoe-log"):
            of_shoe = [each for each in cards if each["shoe"] == shoe["shoe"]]
            sums = {name: sum(each[name] for each in of_shoe) for name in GONE}
            hidden = self.rules.face_down("3D") if self.rules.burn != "none" else 0
            gone = sum(sums.values()) + hidden

            assert all(each[name] >= 0 for each in of_shoe for name in GONE), self.lines
            assert sums["drawn"] == shoe["drawn"], self.lines
            assert sums["burned"] + hidden == shoe["burned"], self.lines
            assert sums["discarded"] == shoe["discarded"], self.lines
            assert gone + shoe["remaining"] == 52 * shoe["decks"], self.lines
        for each in cards:
            waited = each["drawn"] - lie[each["shoe"], each["card"]]

            assert waited >= 0, self.lines  # carried to a coup that never came
        void = {each["coup"] for each in coups if each["phase"] == "voided"}
        staked = Counter()
        for wager in self.rows("wagers"):
            if wager["coup"] not in void:
                staked[wager["stay"]] += wager["stake"]
        handles = {each["stay"]: sum(each["handle"].values()) for each in self.rows("ratings")}

        assert +staked == +Counter(handles), self.lines

    def rows(self, report):
        """A report's rows of this table."""
        return ask_on(self.connection, REPORTS[report], {"table": self.table}).rows


RETURNED = [["WagerReturned"], ["WagerSettled", "WagerReturned"]]


def _found_late(night, data):
    night.bet(data, data.draw(st.sampled_from([1, 2, 3])), late=True, at=night.opened.isoformat())


def _discard(night, data):
    reason = data.draw(st.sampled_from(["face-up", "damaged", "foreign"]))
    night.ask("shoe.discard", card=data.draw(CARDS), reason=reason)


def _void(night, data):
    if night.coups:
        night.ask("void", coup=data.draw(st.sampled_from(night.coups)), reason="an accident")


def _correct(night, data):
    if night.wagers:
        coup, seat, spot = data.draw(st.sampled_from(sorted(night.wagers)))
        stake = night.rules.main.minimum
        to = data.draw(st.sampled_from([None, 0, stake, 2 * stake, 195 * stake // 100]))
        paid = {} if to is None else {"to": to}
        if as_spot := data.draw(st.sampled_from([None, None, *THE_TRADES])):
            paid["as"] = as_spot
        night.ask("correct", coup=coup, seat=seat, spot=spot, reason="the replay", **paid)


def _pay(night, data):
    for patron in night.owing()[:1]:
        amount = data.draw(st.sampled_from([1, 50, 1_25, night.owed[patron]]))
        night.ask("commission.collect", patron=patron, amount=amount)


def _timing(night, data):
    """A patron pays as it wins from now on, or later again (R-COM-2)."""
    seat = data.draw(st.sampled_from([1, 2, 3]))
    timing = data.draw(st.sampled_from(["as-it-wins", "as-it-wins", "deferred"]))
    night.ask("commission.timing", seat=seat, timing=timing)


def _let_go(night, data):
    how = data.draw(st.sampled_from(["commission.waive", "commission.walked"]))
    part = data.draw(st.sampled_from([{}, {"amount": 25}]))
    for patron in night.owing()[:1]:
        night.ask(how, patron=patron, reason="gone, or forgiven", **part)


def _chairs(night, data):
    seat = data.draw(st.sampled_from([1, 2, 3]))
    act = data.draw(st.sampled_from(["move", "leave", "seat"]))
    if act == "move":
        night.ask("table.move", seat=seat, to=6)
        night.ask("table.move", seat=6, to=seat)
    elif act == "leave":
        night.ask("table.leave", seat=seat)
    night.ask("table.seat", seat=seat, patron=night.patrons[seat])


def _misdraw(night, data):
    disposition = data.draw(st.sampled_from(["carry", "burn", "dummy"]))
    night.ask("shoe.misdraw", card=data.draw(CARDS), disposition=disposition)


def _known_as(night, data):
    """The patron of a seat has been known by another name."""
    if not night.known:
        night.known = True
        patron = night.patrons[3]
        night.ask("patron.identify", patron=patron, **{"is": f"{patron}3"})


def _new_shoe(night, data):
    ended = night.ask("shoe.end", reason="a torn card")
    if ended["ok"]:
        night.prepare()


def _stated(night, data):
    if night.due and night.due["action"] == "settle":
        night.ask("settle", paid={"1": 1})


def _turn(night, data):
    night.ask("reveal", hand=data.draw(st.sampled_from(["player", "banker"])))


_WHAT_FOLLOWED = [
    *({}, {"after": "stay"}, {"after": "untyped"}),
    *({"then": ["3H"]}, {"then": ["TS"]}, {"then": ["3H", "KD"]}),
]


def _correct_card(night, data):
    """A card of any coup was another one, while it is dealt or long after."""
    if night.coups:
        night.ask(
            "coup.correct-card",
            coup=data.draw(st.sampled_from(night.coups[-2:])),
            n=data.draw(st.integers(1, 6)),
            card=data.draw(CARDS),
            reason="misread",
            **data.draw(st.sampled_from(_WHAT_FOLLOWED)),
        )


DEALING = [
    _found_late,
    _correct_card,
    _correct_card,
    _discard,
    _void,
    _stated,
    _turn,
    _chairs,
    _pay,
    _timing,
]


BETWEEN = [
    *(_void, _correct, _correct, _correct, _pay, _pay, _let_go, _let_go, _timing, _timing),
    *(_chairs, _misdraw, _discard, _new_shoe, _known_as, _correct_card),
]
