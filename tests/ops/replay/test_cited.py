"""The rules by which a replay says that a wager was paid, and that a stranger cites the same."""

import json

import pytest

from domain.rules.addresses import Coup
from domain.rules.spots import SPOT
from ops.pack.pack import pack
from ops.replay.coup_story import story_of
from ops.replay.story import find
from ops.web.pages.coup import read
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, TIE, GamingTable

FIRST = f"B01/{DAY}/1/1"
TWO = {"with": "S-11"}
BANKER_6 = "2C 3S 2D 3H KC"  # 4 to 6, each hand with what the tableau gives it
BANKER_7_OF_THREE = "2C 2S 3D KH KC 5S"


def cited(database):
    """Of each wager of the coup, by its spot."""
    with database.session("sabot_auditor") as connection:
        story = story_of(find(connection, Coup.parse(FIRST)))
    return {each.spot: each.rules for each in story.payments}


@pytest.mark.parametrize(
    ("rules", "cards", "spots", "expected"),
    [
        ("classic@1", PLAYER_WINS, ("player", "banker"), [("R-PAY-1",)] * 2),
        ("classic@1", BANKER_WINS, ("banker",), [("R-PAY-1", "R-COM-1")]),
        ("dragon-bonus@1", BANKER_WINS, ("banker",), [("R-PAY-1", "R-COM-1")]),
        (
            "dragon-bonus@1",
            BANKER_WINS,
            ("player", "dragon-banker"),
            [("R-PAY-1",), ("R-PAY-2",)],
        ),
        ("dollar-up@1", BANKER_WINS, ("banker",), [("R-PAY-1", "R-COM-1", "R-COM-3")]),
        ("no-commission@1", BANKER_WINS, ("banker",), [("R-PAY-1",)]),
        ("no-commission@1", BANKER_6, ("banker", "tie"), [("R-PAY-4", "R-PAY-5"), ("R-PAY-1",)]),
        ("no-commission@1", PLAYER_WINS, ("banker",), [("R-PAY-1",)]),
        ("ez@1", TIE, ("banker", "dragon-7"), [("R-PAY-1",), ("R-PAY-4",)]),
        ("ez@1", BANKER_7_OF_THREE, ("banker", "panda-8"), [("R-PAY-4",), ("R-PAY-4",)]),
    ],
)
def test_each_payment_cites_what_it_was_paid_by(
    dispatcher, database, rules, cards, spots, expected
):
    table = GamingTable(dispatcher).open(rules).prepare()
    table.play(cards, *((n, spot, 25_00) for n, spot in zip((3, 5), spots, strict=False)))

    assert cited(database) == dict(zip(spots, expected, strict=True))


def test_what_was_settled_stays_cited_when_a_card_or_a_payment_is_put_right(dispatcher, database):
    table = GamingTable(dispatcher).open("ez@1").prepare()
    table.play(BANKER_7_OF_THREE, (3, "banker", 25_00))
    table.say("coup.correct-card", coup=FIRST, n=6, card="6S", reason="misread", **TWO)
    [row] = read(database, FIRST, None, None).rows

    assert cited(database) == {"banker": ("R-PAY-4",)}
    assert (row.computation, row.rules) == ("wins 1 to 1 = 25.00", ("R-PAY-1",))
    table.say("correct", coup=FIRST, seat=3, spot="banker", to=30_00, reason="goodwill", **TWO)
    [row] = read(database, FIRST, None, None).rows
    assert row.rules == ("R-IRR-5",)
    assert cited(database) == {"banker": ("R-PAY-4",)}


def test_every_spot_of_the_trade_has_a_rule_of_payment(stranger):
    assert {name: spot.rule for name, spot in SPOT.items()} == stranger.PAID_BY


def test_a_stranger_sees_a_rule_that_is_not_the_one(dispatcher, database, stranger, capsys):
    table = GamingTable(dispatcher).open("ez@1").prepare()
    table.play(BANKER_7_OF_THREE, (3, "banker", 25_00))
    with database.session("sabot_auditor") as connection:
        made = pack(connection, find(connection, Coup.parse(FIRST)))
    content, paper = json.loads(made.json), ("paper.pdf", made.pdf)
    assert not stranger.verify(content, paper)
    content["replay"]["payments"][0]["rules"] = ["R-PAY-1"]

    assert stranger.verify(content, paper)
    assert "WRONG  the story follows from the events" in capsys.readouterr().out
