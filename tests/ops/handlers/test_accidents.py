"""R-IRR-1 to 4 at the table: cards that should not have come, from the dealer's line to the replay.

The last test makes up whole shoes with accidents anywhere: every card that left is accounted for
exactly once, and the tableau is right on the next coup.
"""

from itertools import count
from random import Random

import pytest
from hypothesis import Phase, settings
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.rules import addresses
from domain.rules.hands import play
from ops.cli.session import dispatcher_on
from ops.replay.shoe_audit import audited
from ops.replay.story import find
from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import rows_of, shell
from tests.faults import times
from tests.stories import as_dict
from tests.strategies import shoes
from tests.worlds.gaming_table import BANKER_WINS, GamingTable, sure
from tests.worlds.held_sessions import sessions_held

NEXT_COUP = "B01/2026-11-21/1/2"


@pytest.fixture
def replay(database):
    """What the auditor reads of a coup."""

    def told(coup=NEXT_COUP):
        with database.connect("sabot_auditor") as connection:
            return as_dict(find(connection, addresses.Coup.parse(coup)))

    return told


@pytest.fixture
def paid(pit):
    """B01 after its first coup."""
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    return pit


def types(answer):
    return [event["type"] for event in answer.body["events"]]


def cards(told):
    return [(card["card"], card["hand"], card["carried"]) for card in told["cards"]]


def test_r_irr_1_an_undue_card_is_entered_as_a_misdraw_and_carried_into_the_next_coup(paid, replay):
    refused = paid.ask("draw", card="4H").body
    assert (refused["error"], "`shoe misdraw`" in refused["message"]) == ("CardNotDue", True)
    entered = paid.say("shoe.misdraw", card="4H").body
    paid.bet(3, "player", 50_00)
    closed = paid.say("no-more-bets")
    paid.deal("9H 4D KD", settle=True)
    told = replay()

    assert entered["events"][0]["disposition"] == entered["events"][0]["rules_say"] == "carry"
    assert types(closed) == ["BettingClosed", "CarriedCardDealt", "CardDealt"]
    assert closed.body["due"] == {"action": "draw", "hand": "banker", "rule": "R-DEAL-1"}
    assert cards(told) == [
        ("4H", "player", True),
        ("9H", "banker", False),
        ("4D", "player", False),
        ("KD", "banker", False),
    ]
    assert (told["agrees"], told["outcome"], told["phase"]) == (True, "banker", "settled")


def test_r_irr_1_the_carried_card_is_dealt_before_the_first_draw(paid, replay):
    paid.say("shoe.misdraw", card="4H", disposition="carry")
    paid.bet(3, "player", 50_00)
    first = paid.say("draw", card="9H")

    assert types(first) == [
        *("BettingClosed", "CarriedCardDealt", "CardDealt", "CardDrawn", "CardDealt"),
    ]
    assert cards(replay()) == [("4H", "player", True), ("9H", "banker", False)]


def test_r_irr_1_the_tableau_is_right_when_the_carried_cards_are_a_whole_coup(paid, replay):
    """Five came: the coup is a natural, takes four, and the fifth waits for the one after."""
    for card in ("4H", "9H", "4D", "KD", "2C"):
        paid.say("shoe.misdraw", card=card)
    paid.bet(3, "player", 50_00)
    undue = paid.ask("draw", card="3C").body

    assert undue["error"] == "CardNotDue"
    assert [event["type"] for event in undue["events"]][-2:] == ["Resulted", "UndueCardRefused"]
    paid.say("settle")
    paid.say("open")
    paid.say("no-more-bets")
    assert cards(replay()) == [
        (card, hand, True)
        for card, hand in zip(("4H", "9H", "4D", "KD"), ("player", "banker") * 2, strict=True)
    ]
    assert cards(replay("B01/2026-11-21/1/3")) == [("2C", "player", True)]


def test_r_irr_1_a_dummy_begins_the_next_coup_at_once_without_bets(paid, replay):
    begun = paid.say("shoe.misdraw", card="4H", disposition="dummy").body
    late = paid.ask("bet", seat=3, spot="player", amount=50_00).body
    paid.deal("9H 4D KD", settle=True)
    told = replay()

    assert begun["due"] == {"action": "draw", "hand": "banker", "rule": "R-DEAL-1"}
    assert begun["coup"] == NEXT_COUP
    assert late["error"] == "BettingClosed"
    assert cards(told)[0] == ("4H", "player", True)
    assert (told["agrees"], told["wagers"], told["payments"]) == (True, [], [])
    assert told["phase"] == "settled"
    assert paid.play(BANKER_WINS, (3, "banker", 100_00)).ok


def test_r_irr_1_a_dummy_waits_until_the_coup_in_play_is_settled(pit, replay):
    pit.bet(3, "banker", 100_00)
    pit.deal(BANKER_WINS)
    waits = pit.say("shoe.misdraw", card="4H", disposition="dummy").body
    settled = pit.say("settle").body

    assert waits["due"]["action"] == "settle"
    assert settled["coup"] == NEXT_COUP
    assert settled["due"] == {"action": "draw", "hand": "banker", "rule": "R-DEAL-1"}
    assert cards(replay()) == [("4H", "player", True)]


def test_r_irr_1_the_replay_page_shows_carried_cards_and_a_coup_without_bets(paid, database):
    paid.say("shoe.misdraw", card="4H", disposition="dummy")
    paid.deal("9H 4D KD", settle=True)
    page = shell(database, "replay", NEXT_COUP).stdout

    assert "A dummy coup takes no bets" in page
    assert "    carried: it came when none was due                R-IRR-1" in page
    assert page.count("carried") == 1
    assert "agrees, line by line" in page


def test_r_card_3_a_ninth_card_of_a_kind_is_on_record_and_bets_go_on(pit, database):
    """Typed as the first card of a coup, it may be a slip: the bets are not closed by it."""
    for _ in range(7):
        pit.say("shoe.misdraw", card="9S", disposition="burn")
    pit.play("9S 4D KD 3C", (3, "player", 100_00))
    pit.bet(3, "player", 50_00)
    refused = pit.ask("draw", card="9S").body

    assert refused["error"] == "CardNotInShoe"
    assert [(each["type"], each["why"]) for each in refused["events"]] == [
        ("UndueCardRefused", "all-out")
    ]
    assert pit.bet(5, "banker", 50_00).ok
    pit.deal("KC 9H 4C KD", settle=True)
    page = shell(database, "replay", NEXT_COUP).stdout
    assert "9♠ was refused: all of them were out of the shoe." in page


def test_the_coups_report_has_every_undue_card(paid, database):
    paid.ask("draw", card="4H")
    paid.say("shoe.misdraw", card="4H")
    paid.say("shoe.discard", card="5H", reason="face-up")
    ((found,),) = rows_of(database, "exceptions", report=REPORTS["coup"])

    assert [(each["kind"], each["card"]) for each in found] == [
        ("undue card", "4H"),
        ("undue card", "4H"),
        ("exposed or foreign card", "5H"),
    ]


def test_r_irr_1_carried_cards_are_dealt_before_the_dummy_coup_s_own(paid, replay):
    paid.say("shoe.misdraw", card="4H", disposition="carry")
    paid.say("shoe.misdraw", card="9H", disposition="dummy")

    assert cards(replay()) == [("4H", "player", True), ("9H", "banker", True)]


def test_r_irr_1_a_card_that_is_due_is_no_misdraw(pit):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    refused = pit.ask("shoe.misdraw", card="4H").body

    assert refused["error"] == "CoupNotFinished"
    assert "Banker's card is due (R-DEAL-1). Draw it." in refused["message"]


def test_r_irr_3_a_card_exposed_in_the_shoe_does_not_change_what_is_due(pit):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    found = pit.say("shoe.discard", card="5H", reason="face-up").body

    assert found["due"] == {"action": "draw", "hand": "banker", "rule": "R-DEAL-1"}
    assert pit.deal("9S 2C QD", settle=True).ok


def test_r_irr_4_after_a_foreign_card_the_coup_can_only_be_voided(pit, replay):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    found = pit.say("shoe.discard", card="5H", reason="foreign").body
    refused = [pit.ask("draw", card="9S").body, pit.ask("settle").body, pit.ask("shoe.end").body]

    assert found["due"] == {"action": "void", "rule": "R-IRR-4"}
    assert {answer["error"] for answer in refused} == {"CoupNotFinished"}
    assert all("so void the coup" in answer["message"] for answer in refused)
    assert [each["event"] for each in replay("B01/2026-11-21/1/1")["exceptions"]] == [
        "CardDiscarded",
        "FoundIrregular",
    ]


def test_r_irr_4_once_the_coup_is_void_the_next_one_is_dealt(pit):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    pit.say("shoe.discard", card="5H", reason="foreign")
    pit.say("void", coup="B01/2026-11-21/1/1", reason="foreign card", **{"with": "S-11"})

    assert pit.play(BANKER_WINS, (3, "banker", 100_00)).body["coup"] == NEXT_COUP


def test_r_irr_1_a_waiting_dummy_coup_begins_when_the_coup_in_play_is_voided(pit, replay):
    pit.bet(3, "banker", 100_00)
    pit.deal(BANKER_WINS)
    pit.say("shoe.misdraw", card="4H", disposition="dummy")
    voided = pit.say("void", coup="B01/2026-11-21/1/1", reason="torn card", **{"with": "S-11"}).body

    assert voided["due"] == {"action": "draw", "hand": "banker", "rule": "R-DEAL-1"}
    assert cards(replay()) == [("4H", "player", True)]


def test_r_irr_4_a_foreign_card_before_the_first_one_stops_no_coup(pit):
    pit.bet(3, "banker", 100_00)
    pit.say("shoe.discard", card="5H", reason="foreign")

    assert pit.deal(BANKER_WINS, settle=True).ok


@pytest.mark.parametrize("batch", [False, True])
def test_r_shoe_1_a_serial_that_was_loaded_before_is_refused_and_recorded(pit, batch):
    used = {"batch": "77"} if batch else {"serials": ["K-1", "K-2"]}
    pit.end_shoe()
    pit.say("shoe.load", decks=8, **used)
    pit.end_shoe()
    refused = pit.ask("shoe.load", decks=8, serials=["K-3", *used.get("serials", [])][:2],
                      batch=used.get("batch", "78")).body  # fmt: skip

    assert (refused["error"], refused["rule"]) == ("SerialReused", "R-SHOE-1")
    assert "was already used in shoe B01/2026-11-21/2" in refused["message"]
    assert [event["type"] for event in refused["events"]] == ["ReuseRefused"]
    assert pit.say("shoe.load", decks=8, serials=["K-3"]).body["events"][0] == {
        "type": "ShoeBrought",
        "shoe": "B01/2026-11-21/3",
    }


def test_r_shoe_1_two_tables_at_once_do_not_load_one_deck(pit, another):
    other = GamingTable(another(), "B02").open()
    pit.end_shoe()
    loaded = [each.ask("shoe.load", decks=8, serials=["K-1"]).ok for each in (pit, other)]

    assert loaded == [True, False]


# Whole shoes with accidents anywhere.
_tables = count(1)


class Accidents:
    """One made-up shoe at a table of its own; `random` says what goes wrong next."""

    def __init__(self, dispatcher, order, random):
        self.dispatcher, self.order, self.random = dispatcher, order, random
        self.table = f"T{next(_tables)}"
        self.at, self.coup = 0, 0
        self.waiting, self.dealt = [], {}
        self.left = {"drawn": [], "burned": [], "discarded": []}

    def say(self, command, **fields):
        line = {"command": command, "table": self.table, "by": "D-204", **sure(command), **fields}
        answer = self.dispatcher.dispatch(line).body

        assert answer["ok"], answer
        return answer

    def next_card(self, how):
        card = self.order[self.at]
        self.at += 1
        self.left[how].append(card)
        return card

    def chance(self, one_in):
        return self.random.randrange(one_in) == 0

    def run(self):
        self.prepare()
        shown = self.random.randint(200, 420)  # or never
        while self.at < 380 and not self.last_is_done():
            due = self.say("open")["due"]
            assert due["action"] == "no-more-bets"
            self.begin(bets=True)
            self.finish(shown)
        self.say("shoe.end", reason="the test is over", **{"with": "S-11"})
        rest = self.order[self.at :]
        self.say("shoe.reconcile", remaining=rest, burned=self.face_down)

    def prepare(self):
        opening = {"opener": {"10000": 200}, "day": "2026-11-21", "with": "S-11"}
        self.say("table.open", rules="dragon-bonus@1", **opening)
        self.say("table.seat", seat=3, patron=f"P-{self.table}")
        self.say("shoe.load", decks=8)
        self.say("shoe.inspect")
        self.say("shoe.shuffle", method="hand")
        self.say("shoe.cut", seat=3)
        burned = self.say("shoe.burn", card=self.next_card("burned"))
        self.last = None
        face_down = burned["events"][0]["face_down"]
        self.face_down = [self.next_card("burned") for _ in range(face_down)]

    def last_is_done(self):
        return self.last is not None and self.coup >= self.last

    def begin(self, *, bets):
        """A coup begins with the cards that wait."""
        self.coup += 1
        self.dealt[self.coup] = []
        if bets and self.chance(2):
            self.say("bet", seat=3, spot="player", amount=25_00)
        if bets and self.chance(2):
            self.say("no-more-bets")
            self.take_waiting()

    def take_waiting(self):
        """Those that a coup takes, which is over when it has its result."""
        while self.waiting and play(self.dealt[self.coup]).due:
            self.dealt[self.coup].append(self.waiting.pop(0))

    def finish(self, shown):
        """To the end, with whatever goes wrong; a dummy that was begun is finished like it."""
        dummy = True
        while dummy:
            while play(self.dealt[self.coup]).due:
                self.discard()
                self.draw_one(shown)
            dummy = self.after()

    def draw_one(self, shown):
        if not self.dealt[self.coup] and self.waiting:
            if len(self.waiting) >= 4:  # which may be a whole coup
                self.say("no-more-bets")
                self.take_waiting()
                return
            self.take_waiting()
        if self.last is None and self.at >= shown:
            self.last = self.say("shoe.cut-card")["events"][0]["last_coup"]
        card = self.next_card("drawn")
        self.dealt[self.coup].append(card)
        self.say("draw", card=card)

    def discard(self):
        if self.chance(15):
            reason = self.random.choice(("face-up", "damaged"))
            self.say("shoe.discard", card=self.next_card("discarded"), reason=reason)

    def after(self):
        """Cards come when none is due, before or after the coup is paid; whether one is a dummy."""
        dummy = self.misdraw()
        self.say("settle")
        if not dummy:
            if self.chance(20):
                self.say("shoe.discard", card="9C", reason="foreign")
            dummy = self.misdraw()
        if dummy:
            self.begin(bets=False)
            self.take_waiting()
        return dummy

    def misdraw(self):
        while self.chance(4) and len(self.waiting) < 5 and self.at < 400:
            dispositions = ("burn",) if self.last_is_done() else ("carry", "burn", "dummy")
            disposition = self.random.choice(dispositions)
            burned = disposition == "burn"
            card = self.next_card("burned" if burned else "drawn")
            self.say("shoe.misdraw", card=card, disposition=disposition)
            if not burned:
                self.waiting.append(card)
            if disposition == "dummy":
                return True
        return False


@pytest.fixture(scope="module")
def ledger(server):
    with server.database() as database, sessions_held():
        dispatcher = dispatcher_on(database, "test")
        yield database, dispatcher
        dispatcher.casino.close()


@settings(max_examples=times(2, 6), phases=(Phase.explicit, Phase.generate))
@for_all(shoes(), st.integers(0, 2**64 - 1).map(Random))
def test_every_card_is_accounted_for_once_and_every_coup_follows_the_tableau(ledger, order, random):
    database, dispatcher = ledger
    evening = Accidents(dispatcher, order, random)
    evening.run()
    shoe = f"{evening.table}/2026-11-21/1"
    rows = ask(database, REPORTS["cards"], shoe=shoe).rows
    (log,) = ask(database, REPORTS["shoe-log"], shoe=shoe).rows

    for row in rows:
        assert row["difference"] == 0
        for how, left in evening.left.items():
            assert row[how] == left.count(row["card"])
    assert {how: log[how] for how in evening.left} == {
        how: len(left) for how, left in evening.left.items()
    }
    assert log["drawn"] + log["burned"] + log["discarded"] + log["remaining"] == 416
    with database.connect("sabot_auditor") as connection:
        assert audited(connection, addresses.Shoe.parse(shoe)).ok
        for number, expected in evening.dealt.items():
            told = as_dict(find(connection, addresses.Coup.parse(f"{shoe}/{number}")))

            assert told["agrees"], told["disagreements"]
            assert [card["card"] for card in told["cards"]] == expected
            assert told["outcome"] == play(expected).result.outcome
