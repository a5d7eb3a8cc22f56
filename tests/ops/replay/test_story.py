"""The replay: a coup told from the ledger alone, and what was tampered with named line by line."""

import pytest

from domain.rules.addresses import Coup
from domain.rules.refusals import NotFound
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from ops.replay.story import find
from tests.acceptance.channels import shell
from tests.stories import as_dict
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, GamingTable

FIRST, SECOND = "B01/2026-11-21/1/1", "B01/2026-11-21/1/2"
BANKER_WINS_PAID = {
    "seat": 3,
    "patron": "P-10417",
    "spot": "banker",
    "stake": 100_00,
    "result": "win",
    "odds": "1:1",
    "winnings": 100_00,
    "commission_exact": "500",
    "commission_charged": 5_00,
    "commission_due": "deferred",
    "paid": 200_00,
    "paid_up": 0,
    "rules": ("R-PAY-1", "R-COM-1"),
}


@pytest.fixture
def replay(database):
    """What the auditor reads of a coup."""

    def told(coup=FIRST):
        with database.connect("sabot_auditor") as connection:
            return as_dict(find(connection, Coup.parse(coup)))

    return told


def test_a_coup_that_takes_bets(pit, replay):
    placed = pit.bet(3, "banker", 100_00).body["position"]
    told = replay()
    (wager,) = told["wagers"]

    assert (told["coup"], told["rules"], told["phase"]) == (FIRST, "dragon-bonus@1", "betting")
    assert (told["dealer"], told["supervisor"]) == ("D-204", "S-11")
    assert told["limits"]["main"] == [25_00, 10_000_00]
    assert wager == {
        "seat": 3,
        "patron": "P-10417",
        "stay": "B01/2026-11-21/stay-2",
        "spot": "banker",
        "stake": 100_00,
        "at": pit.moment.isoformat(),
        "position": placed,
    }
    assert (told["cards"], told["steps"], told["payments"]) == ([], [], [])
    assert (told["outcome"], told["player_total"], told["banker_total"]) == (None, None, None)
    assert (told["agrees"], told["proof"]["chain_good"]) == (True, True)


def test_a_wager_replaced_or_taken_back_does_not_lie_any_more(pit, replay):
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", 50_00)
    pit.bet(3, "banker", 200_00)
    pit.bet(1, "player", 25_00)
    pit.bet(1, "dragon-player", 5_00)
    pit.say("withdraw", seat=1, spot="player")
    pit.say("withdraw", seat=5, spot="player")
    lying = [(each["seat"], each["spot"], each["stake"]) for each in replay()["wagers"]]

    assert lying == [(1, "dragon-player", 5_00), (3, "banker", 200_00)]
    pit.deal(BANKER_WINS, settle=True)
    assert lying == [(each["seat"], each["spot"], each["stake"]) for each in replay()["payments"]]
    assert replay()["agrees"]


def test_a_bet_that_was_replaced_or_taken_back_is_told_beside_what_lay(pit, replay):
    pit.bet(3, "banker", 100_00)
    pit.bet(3, "banker", 200_00)
    pit.bet(5, "player", 50_00)
    pit.say("withdraw", seat=5, spot="player")
    earlier = [(e["event"], e["seat"], e["spot"], e["amount"]) for e in replay()["earlier"]]

    assert earlier == [
        ("WagerPlaced", 3, "banker", 100_00),
        ("WagerPlaced", 5, "player", 50_00),
        ("WagerWithdrawn", 5, "player", 50_00),
    ]


def test_what_two_people_decided_is_told_beside_what_the_cards_say(pit, replay):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    assert replay()["decided"] == []
    decided = {"coup": FIRST, "seat": 3, "spot": "banker", "reason": "goodwill", "with": "S-11"}
    at = pit.say("correct", **decided, to=205_00).body["position"]
    (told,) = replay()["decided"]

    assert (told["paid"], told["by_the_cards"], told["position"] <= at) == (205_00, 200_00, True)
    assert replay()["agrees"]
    pit.say("correct", **decided)
    assert replay()["decided"] == []


def test_a_coup_in_the_middle_of_its_cards(pit, replay):
    pit.bet(3, "banker", 100_00)
    pit.deal("9C 5S 7C")
    told = replay()
    shown = [(c["n"], c["card"], c["player_total"], c["banker_total"]) for c in told["cards"]]

    assert shown == [(1, "9C", 9, None), (2, "5S", 9, 5), (3, "7C", 6, 5)]
    assert told["cards"][-1]["due"] == {"hand": "banker", "rule": "R-DEAL-1"}
    assert (told["phase"], told["outcome"]) == ("dealing", None)
    assert (told["player_total"], told["banker_total"]) == (6, 5)
    assert (told["agrees"], told["payments"]) == (True, [])


def test_a_coup_with_its_result_and_then_settled(pit, replay):
    pit.bet(3, "banker", 100_00)
    pit.deal(PLAYER_WINS)
    told = replay()
    steps = [(step["position"], step["rule"], step["draws"]) for step in told["steps"]]

    assert (told["phase"], told["outcome"], told["natural"]) == ("resulted", "player", False)
    assert (told["player_total"], told["banker_total"]) == (6, 4)
    assert steps == [("player-third", "R-DRAW-2", False), ("banker-third", "R-DRAW-3", True)]
    assert [card["rule"] for card in told["cards"]] == ["R-DEAL-1"] * 4 + ["R-DRAW-3"]
    assert (told["cards"][-1]["due"], told["payments"], told["agrees"]) == (None, [], True)

    pit.say("settle")
    assert replay()["phase"] == "settled"
    assert [(each["paid"], each["result"]) for each in replay()["payments"]] == [(0, "lose")]


def test_every_payment_is_told_as_it_was_made(pit, replay):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00), (5, "dragon-banker", 5_00))
    told = replay()

    assert told["payments"][0] == BANKER_WINS_PAID
    assert [each["paid"] for each in told["payments"]] == [200_00, 0, 10_00]
    assert (told["agrees"], told["disagreements"]) == (True, [])


def test_late_bets_and_wrong_payments_are_told_where_they_happened(pit, replay):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    pit.ask("bet", seat=5, spot="player", amount=25_00)
    pit.ask("withdraw", seat=3, spot="banker")
    pit.deal("9S 2C QD")
    pit.ask("settle", paid={"3": 195_00})
    pit.say("settle", paid={"3": 200_00})
    told = replay()
    noted = [(each["event"], each.get("amount", each.get("stated"))) for each in told["exceptions"]]

    assert noted == [
        ("LateBetRefused", 25_00),
        ("LateBetRefused", 100_00),
        ("PaymentDisagreed", 195_00),
    ]
    assert [each["seat"] for each in told["wagers"]] == [3]
    assert (told["payments"], told["agrees"]) == ([BANKER_WINS_PAID], True)


def afterwards(told):
    return [(each["patron"], each["amount"]) for each in told["afterwards"]]


def test_afterwards_come_the_collections_that_paid_it(pit, replay):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "banker", 200_00), (1, "player", 25_00))
    assert afterwards(replay()) == []

    pit.say("commission.collect", seat=3, amount=2_00)
    pit.say("commission.collect", seat=5, amount=10_00)
    last = pit.say("commission.collect", seat=3, amount=3_00).body["position"]
    pit.play(BANKER_WINS, (3, "banker", 300_00), (5, "banker", 300_00))
    pit.say("commission.collect", seat=3, amount=15_00)

    assert afterwards(replay()) == [("P-10417", 2_00), ("grey-jacket", 10_00), ("P-10417", 3_00)]
    assert afterwards(replay(SECOND)) == [("P-10417", 15_00)]
    assert replay()["afterwards"][-1] == {
        "event": "CommissionCollected",
        "at": replay()["afterwards"][-1]["at"],
        "stay": "B01/2026-11-21/stay-2",
        "patron": "P-10417",
        "amount": 3_00,
        "by_shoe": {"B01/2026-11-21/1": 3_00},
        "how": "patron",
        "receipt": "B01/2026-11-21/stay-2/receipt-2",
        "position": last,
    }


@pytest.fixture
def two_debts(pit):
    """Two coups owe 5.00 each before anything is paid: in parts of 4.00, 4.00 and 2.00."""
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    for amount in (4_00, 4_00, 2_00):
        pit.say("commission.collect", seat=3, amount=amount)


def test_the_oldest_debt_is_paid_first(two_debts, replay):
    assert afterwards(replay()) == [("P-10417", 4_00), ("P-10417", 4_00)]


def test_a_younger_debt_is_paid_by_what_the_older_ones_left(two_debts, replay):
    assert afterwards(replay(SECOND)) == [("P-10417", 4_00), ("P-10417", 2_00)]


def test_commission_taken_at_payout_has_no_afterwards(dispatcher, replay):
    pit = GamingTable(dispatcher, "B02").open("classic@1").prepare()
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    told = replay("B02/2026-11-21/1/1")

    assert told["payments"] == [BANKER_WINS_PAID | {"commission_due": "at-payout", "paid": 195_00}]
    assert (told["afterwards"], told["agrees"]) == ([], True)


@pytest.mark.parametrize(
    "coup", ["B01/2026-11-21/1/2", "B01/2026-11-21/2/1", "B01/2026-11-22/1/1", "B09/2026-11-21/1/1"]
)
def test_a_coup_that_never_was_is_not_found(pit, replay, coup):
    pit.play(BANKER_WINS, (3, "banker", 100_00))

    with pytest.raises(NotFound, match=f"The ledger has no coup {coup}."):
        replay(coup)


def test_the_proof_names_the_coups_place_in_the_chain(pit, replay, superuser):
    pit.bet(3, "banker", 100_00)
    GamingTable(pit.dispatcher, "B02").open()  # between the coup's own events
    last = pit.deal(BANKER_WINS, settle=True).body["position"] - 1  # the account's is behind it
    proof = replay()["proof"]
    head = superuser.execute("SELECT hash FROM ledger.events WHERE position = %s", (last,))

    assert proof == {
        "first_position": 19,
        "last_position": last,
        "head": head.fetchone()[0].hex(),
        "chain_good": True,
    }


class Tampered:
    """A settled coup of which somebody with every right changes a word."""

    def __init__(self, database, connection):
        self.database, self.run = database, connection.execute

    def change(self, topic, old, new):
        done = self.run(
            "UPDATE ledger.events SET state = "
            "convert_to(replace(convert_from(state, 'UTF8'), %s, %s), 'UTF8') "
            "WHERE topic = %s AND convert_from(state, 'UTF8') LIKE '%%' || %s || '%%'",
            (old, new, topic, old),
        )
        assert done.rowcount == 1

    def told(self):
        with self.database.connect("sabot_auditor") as connection:
            return as_dict(find(connection, Coup.parse(FIRST)))


@pytest.fixture(scope="module")
def settled(server):
    """The coup, a copy of it, and no triggers."""
    with server.database() as database, database.connect_as_is() as connection:
        casino = Casino(Ledger(database))
        pit = GamingTable(Dispatcher(casino, "test")).open().prepare()
        pit.bet(3, "banker", 100_00)
        GamingTable(pit.dispatcher, "B02").open()  # between the coup's own events
        pit.deal(BANKER_WINS, settle=True)
        casino.close()
        connection.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
        connection.execute("CREATE TABLE public.kept AS TABLE ledger.events")
        yield Tampered(database, connection)


@pytest.fixture
def tampered(settled):
    yield settled
    settled.run("TRUNCATE ledger.event_rows; INSERT INTO ledger.events TABLE public.kept")


def test_as_long_as_nobody_touched_it_the_record_agrees(tampered):
    told = tampered.told()

    assert (told["agrees"], told["proof"]["chain_good"]) == (True, True)


@pytest.mark.parametrize(
    ("topic", "old", "new", "differing"),
    [
        (
            "coup.wager-settled",
            '"paid":20000',
            '"paid":30000',
            [("seat 3 banker: paid", 300_00)],
        ),
        (
            "coup.settled",
            '"paid":20000',
            '"paid":30000',
            [("staked and paid", [100_00, 300_00])],
        ),
        (
            "coup.wager-settled",
            '"commission_charged":500',
            '"commission_charged":0',
            [
                ("seat 3 banker: commission_charged", 0),
                ("seat 3: commission accrued in B01/2026-11-21/stay-2: charged", 5_00),
            ],
        ),
        ("coup.wager-settled", '"win"', '"lose"', [("seat 3 banker: result", "lose")]),
        (
            "coup.card-dealt",
            '"QD"',
            '"9D"',
            [("Banker's total", 9), ("card 4 out of the shoe", "QD")],
        ),
        (
            "coup.card-dealt",
            '"2C","hand":"player"',
            '"2C","hand":"banker"',
            [("card 3, 2C", "banker (R-DEAL-1)")],
        ),
        ("coup.resulted", '"outcome":"banker"', '"outcome":"tie"', [("outcome", "tie")]),
        ("coup.resulted", '"natural":true', '"natural":false', [("natural", False)]),
        (
            "coup.opened",
            '"rules_digest":"',
            '"rules_digest":"0',
            [("digest of dragon-bonus@1", ...)],
        ),
        (
            "coup.wager-placed",
            '"spot":"banker"',
            '"spot":"player"',
            [
                ("staked and paid", [100_00, 200_00]),
                ("seat 3 banker", "settled"),
                ("seat 3 player", "not settled"),
            ],
        ),
    ],
    ids=[
        "paid",
        "sum",
        "commission",
        "result",
        "card",
        "hand",
        "outcome",
        "natural",
        "digest",
        "spot",
    ],
)
def test_the_line_that_was_tampered_with_is_told_and_the_chain_is_not_good(
    tampered, topic, old, new, differing
):
    tampered.change(topic, old, new)
    told = tampered.told()
    found = [(each["what"], each["recorded"]) for each in told["disagreements"]]

    assert [what for what, _ in differing] == [what for what, _ in found]
    assert all(
        said in (recorded, ...) for (_, said), (_, recorded) in zip(differing, found, strict=True)
    )
    assert (told["agrees"], told["proof"]["chain_good"]) == (False, False)


def test_what_somebody_changed_at_another_table_meanwhile_breaks_the_chain_only(tampered):
    tampered.change("table-day.opened", '"table":"B02"', '"table":"B03"')
    told = tampered.told()

    assert (told["agrees"], told["proof"]["chain_good"]) == (True, False)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM ledger.events WHERE topic = 'coup.wager-settled'",
        "DELETE FROM ledger.events WHERE topic = 'coup.resulted'",
        "DELETE FROM ledger.events WHERE position = 18",
        "UPDATE ledger.events SET hash = sha256('') WHERE topic = 'coup.settled'",
    ],
    ids=["a payment", "the result", "the event before the coup", "a hash"],
)
def test_what_was_taken_out_or_resealed_breaks_the_chain(tampered, sql):
    tampered.run(sql)

    assert not tampered.told()["proof"]["chain_good"]


def test_the_last_event_of_a_coup_is_not_taken_out_unnoticed(tampered):
    tampered.run("DELETE FROM ledger.events WHERE topic = 'coup.settled'")

    assert not tampered.told()["proof"]["chain_good"]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM ledger.events WHERE topic = 'coup.resulted'",
        "DELETE FROM ledger.events WHERE topic = 'coup.betting-closed'",
        "UPDATE ledger.events SET state = convert_to(replace(convert_from(state, 'UTF8'), "
        "'\"paid\":20000', '\"paid\":30000'), 'UTF8') WHERE topic = 'coup.settled'",
    ],
    ids=["no result", "never closed", "sum"],
)
def test_a_settled_coup_that_lacks_a_line_does_not_agree(tampered, sql):
    tampered.run(sql)

    assert not tampered.told()["agrees"]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM ledger.events WHERE topic = 'coup.opened'",
        "UPDATE ledger.events SET topic = 'coup.paid' WHERE topic = 'coup.settled'",
        "UPDATE ledger.events SET state = '{' WHERE topic = 'coup.settled'",
        "UPDATE ledger.events SET state = '{}' WHERE topic = 'coup.settled'",
    ],
    ids=["no beginning", "unknown topic", "no JSON", "no fields"],
)
def test_a_record_that_cannot_be_read_any_more_is_told_too(tampered, sql):
    tampered.run(sql)
    told = tampered.told()

    assert (told["agrees"], told["proof"]["chain_good"]) == (False, False)


@pytest.mark.parametrize(
    ("topic", "old", "new"),
    [
        ("coup.card-dealt", '"QD"', '"ZZ"'),
        ("coup.card-dealt", '"QD"', "null"),
        ("coup.card-dealt", '"card":"QD",', ""),
        ("coup.wager-placed", '"spot":"banker"', '"spot":"dragon-7"'),
        ("coup.wager-placed", '"spot":"banker"', '"spot":"elsewhere"'),
        ("coup.wager-placed", '"seat":3', '"seat":"3"'),
        ("coup.wager-placed", '"amount":10000', '"amount":"10000"'),
        ("coup.wager-settled", '"seat":3,', ""),
        ("coup.wager-settled", '"paid":20000', '"payed":20000'),
        ("coup.opened", '"rules":"dragon-bonus@1"', '"rules":"dragon@9"'),
    ],
)
def test_a_event_whose_fields_make_no_sense_is_told_too(tampered, topic, old, new):
    tampered.change(topic, old, new)
    told = tampered.told()

    assert (told["agrees"], told["proof"]["chain_good"]) == (False, False)


ZONE, NAME = '"zone":"UTC"', '"name":"Sabot"'


# fmt: off
ALTERED = [
    ("property.founded",         ZONE,    '"zone":"Europe/Nowhere"'),
    ("property.founded",         ZONE,    '"zone":"../../etc/passwd"'),
    ("property.founded",         ZONE,    '"zone":""'),
    ("property.founded",         ZONE,    '"zone":7'),
    ("property.founded",         NAME,    '"named":"Sabot"'),
    ("property.founded",         "{",     "["),
]
# fmt: on


@pytest.mark.parametrize(("topic", "old", "new"), ALTERED)
def test_a_house_whose_settings_make_no_sense_is_told_by_what_can_be_read(
    tampered, topic, old, new
):
    tampered.change(topic, old, new)
    told = shell(tampered.database, "replay", FIRST)

    assert (told.exit_code, told.stderr) == (0, "")
    assert "Banker wins" in told.stdout


def test_a_payment_to_somebody_else_does_not_agree(tampered):
    tampered.change("coup.wager-settled", '"patron":"P-10417"', '"patron":"P-10411"')

    assert not tampered.told()["agrees"]
