"""A stake that was typed wrong is put right by two people, whether the wager won or lost."""

import pytest

from domain.rules.addresses import Coup
from ops.replay.story import find
from tests.stories import as_dict
from tests.worlds.gaming_table import BANKER_WINS, TIE
from tests.worlds.twin_tables import TwinTable, ends

AT_ONCE, AFTER_CLOSING = "at once", "after closing"
TWO = {"by": "D-204", "with": "S-11"}


@pytest.fixture
def tables(shared):
    return tuple(shared.bring(TwinTable).begin() for _ in ("right", "wrong"))


# After closing the commission of a Banker win was collected, and goes back: not the same evening.
@pytest.mark.parametrize(
    ("spot", "when"),
    [("player", AT_ONCE), ("player", AFTER_CLOSING), ("banker", AT_ONCE)],
)
@pytest.mark.parametrize("typed", [1_000_00, 25_00])
@pytest.mark.parametrize("cards", [BANKER_WINS, TIE], ids=["banker", "tie"])
def test_the_evening_is_the_one_with_the_right_stake(tables, shared, spot, typed, cards, when):
    right, wrong = tables
    others = (3, "banker", 200_00), (5, "player", 75_00)
    right.play(cards, (1, spot, 100_00), *others)
    wrong.play(cards, (1, spot, typed), *others)
    fields = {"coup": wrong.coup(1), "seat": 1, "spot": spot, "stake": 100_00}
    if when == AT_ONCE:
        wrong.fix("correct", **fields)
    for table in tables:
        table.finish(closer={"10000": 200})
    if when == AFTER_CLOSING:
        wrong.fix("correct", **fields)
    expected, actual = (ends(shared.database, table.table) for table in tables)

    for name, rows in expected.items():
        assert actual[name] == rows, name
    with shared.database.session("sabot_auditor") as connection:
        story = as_dict(find(connection, Coup.parse(wrong.coup(1))))
    assert story["disagreements"] == []
    assert next(each["stake"] for each in story["wagers"]) == 100_00


@pytest.mark.parametrize("typed", [1_000_00, 25_00])
def test_before_the_payment_it_is_paid_rightly_at_once(tables, shared, typed):
    right, wrong = tables
    right.play(BANKER_WINS, (1, "banker", 100_00))
    wrong.bet(1, "banker", typed)
    refused = wrong.ask(
        "correct", coup=wrong.coup(1), seat=1, spot="banker", reason="x", stake=100_00, **TWO
    )
    wrong.deal("KC")
    wrong.fix("correct", coup=wrong.coup(1), seat=1, spot="banker", stake=100_00)
    wrong.deal(" ".join(BANKER_WINS.split()[1:]), settle=True)
    for table in tables:
        table.finish()

    assert refused.body["error"] == "BadValue"  # bet again
    expected, actual = (ends(shared.database, table.table) for table in tables)
    assert actual == expected


@pytest.mark.parametrize(
    ("stake", "error"), [(100_00, "BadValue"), (100_01, "NotAnIncrement"), (0, "BadValue")]
)
def test_a_stake_that_cannot_be_is_refused(tables, stake, error):
    _, wrong = tables
    wrong.play(BANKER_WINS, (1, "banker", 100_00))
    fields = {"coup": wrong.coup(1), "seat": 1, "spot": "banker", "reason": "x", **TWO}

    assert wrong.ask("correct", stake=stake, **fields).body["error"] == error


def test_no_chips_change_hands_for_it(tables):
    _, wrong = tables
    wrong.play(BANKER_WINS, (1, "player", 1_000_00))
    fixed = wrong.fix("correct", coup=wrong.coup(1), seat=1, spot="player", stake=100_00)
    event = fixed.body["events"][0]

    assert (event["stake_before"], event["stake"], event["paid"]) == (1_000_00, 100_00, 0)
    assert event["changes_hands"] == 900_00  # the win on record
