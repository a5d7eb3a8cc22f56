"""Every rule set of the program at a table of its own: dealt, settled, told again, reckoned."""

import pytest

from domain.rules.addresses import Coup
from domain.rules.house_rules import RULE_SETS
from ops.handlers.dispatcher import Dispatcher
from ops.replay.story import find
from ops.reports.ask import ask
from projections import REPORTS
from tests.stories import as_dict
from tests.worlds.gaming_table import DAY, GamingTable

NAMES = sorted(RULE_SETS)
COUPS = [
    "2C 3C 3D KC KD 3H",  # Banker wins on 6 with three cards
    "2C 3S 3D KC KD 4H",  # Banker wins on 7 with three cards
    "2H 3C 3D KS 3S KH",  # Player wins on 8 with three cards
    "9S 9D KC QD",  # a natural tie
    "KC 9S 2C QD",  # Banker wins with a natural
]


def bets(rules):
    """Player, Banker, and everything else, each from a seat of its own."""
    for spot in rules.spots:
        limit = rules.limit(spot)
        alone = max(limit.minimum, rules.main.minimum) if spot == "tie" else limit.minimum
        yield {"player": 1, "banker": 3}.get(spot, 5), spot, alone


@pytest.fixture(scope="module")
def dealt(tables):
    """One ledger, and a table for every rule set."""
    for number, name in enumerate(NAMES, 1):
        rules = RULE_SETS[name]
        pit = GamingTable(Dispatcher(tables.dispatcher.casino, "test"), f"R{number:02}").open(name)
        pit.say("shoe.load", decks=8)
        pit.say("shoe.inspect")
        pit.say("shoe.shuffle", method="machine")
        pit.say("shoe.cut", seat=3)
        if rules.burn != "none":
            pit.say("shoe.burn", card="3D")
        for cards in COUPS:
            pit.play(cards, *bets(rules))
    return tables.database


@pytest.mark.parametrize("name", NAMES)
def test_its_coups_agree_when_adjudicated_from_the_record(dealt, name):
    table = f"R{NAMES.index(name) + 1:02}"
    with dealt.session("sabot_auditor") as connection:
        for number in range(1, len(COUPS) + 1):
            told = as_dict(find(connection, Coup.parse(f"{table}/{DAY}/1/{number}")))

            assert (name, True) == (told["rules"], told["agrees"])
            assert set(RULE_SETS[name].spots) == {each["spot"] for each in told["payments"]}


# fmt: off
PAID = [
    # rule set           coup  spot       odds    result
    ("no-commission@1",  1,    "banker",  "1:2",  "win"),
    ("no-commission@1",  5,    "banker",  "1:1",  "win"),
    ("ez@1",             2,    "banker",  "1:1",  "push"),
    ("ez@1",             2,    "dragon-7", "40:1", "win"),
    ("ez@1",             3,    "panda-8", "25:1", "win"),
    ("ez@1",             1,    "dragon-7", "40:1", "lose"),
    ("lucky-6@1",        1,    "lucky-6", "20:1", "win"),
    ("tiger@1",          1,    "big-tiger", "50:1", "win"),
    ("tiger@1",          1,    "small-tiger", "22:1", "lose"),
    ("tie-nine@1",       4,    "tie",     "9:1",  "win"),
    ("golden-talons-b@1", 4,   "dragon-banker", "2:1", "win"),
    ("golden-talons-a@1", 4,   "dragon-banker", None, "push"),
]
# fmt: on


@pytest.mark.parametrize(("name", "coup", "spot", "odds", "result"), PAID)
def test_every_rule_set_pays_as_its_sheet_says(dealt, name, coup, spot, odds, result):
    table = f"R{NAMES.index(name) + 1:02}"
    with dealt.session("sabot_auditor") as connection:
        told = as_dict(find(connection, Coup.parse(f"{table}/{DAY}/1/{coup}")))
    (payment,) = [each for each in told["payments"] if each["spot"] == spot]

    assert (odds, result) == (payment["odds"], payment["result"])


def test_every_table_has_its_theoretical_win(dealt):
    rows = ask(dealt, REPORTS["table-win"]).rows

    assert len(NAMES) == len(rows)
    assert all(row["theoretical_win"] > 0 for row in rows)
