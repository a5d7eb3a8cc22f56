"""`sabot odds`: the contract's integers, from one deck to twelve."""

import json
from fractions import Fraction

import pytest
from click.testing import CliRunner

from domain.rules.house_rules import RULE_SETS
from ops.cli import cli
from ops.ledger.embedded import Embedded
from tests.data import published

FAVOUR = ("favours_patron", "favours_patron_at_minimum")
EXAMPLE = {
    "rules": "dragon-bonus@1",
    "decks": 8,
    "deals": 4998398275503360,
    "outcomes": {
        "banker": 2292252566437888,
        "player": 2230518282592256,
        "tie": 475627426473216,
    },
    "cards": {"4": 1893735611458560, "5": 1516734808780800, "6": 1587927855264000},
}
BANKER = {
    "spot": "banker",
    "edge": "-114753351728/10847218479825",
    "edge_percent": 1.0579,
    "wins": 2292252566437888,
    "pushes": 475627426473216,
    "loses": 2230518282592256,
}
SPOTS = {
    "classic@1": ["player", "banker"],
    "big-table@1": ["player", "banker", "tie"],
    "tie-eight@1": ["player", "banker", "tie"],
    "tie-eight-5@1": ["player", "banker", "tie"],
    "dragon-bonus@1": ["player", "banker", "tie", "dragon-player", "dragon-banker"],
    "electronic@1": ["player", "banker", "tie"],
}
FAVOURS = {"tie-eight@1": ["banker"]}
# What every book prints for eight decks, in percent.
BOOKS = {
    "player": 1.2351,
    "banker": 1.0579,
    "tie": 14.3596,
    "dragon-player": 2.6517,
    "dragon-banker": 9.3731,
}


def odds(*words):
    return CliRunner().invoke(cli, ["odds", *words])


def counted(*words):
    result = odds(*words, "--json")

    assert (0, "") == (result.exit_code, result.stderr)
    return json.loads(result.stdout)


def test_the_contract_s_example_to_the_last_digit():
    told = counted("--rules", "dragon-bonus@1", "--decks", "8")
    (banker,) = [spot for spot in told["spots"] if spot["spot"] == "banker"]

    assert EXAMPLE == {name: told[name] for name in EXAMPLE}
    assert BANKER == {name: banker[name] for name in BANKER}
    assert [*EXAMPLE, "spots", "stake", *FAVOUR] == list(told)
    assert told["stake"] is None
    assert list(BANKER) == list(banker)[: len(BANKER)]


def test_without_a_word_it_is_dragon_bonus_with_its_own_decks():
    assert counted() == counted("--rules", "dragon-bonus@1", "--decks", "8")


def test_the_house_edges_are_those_of_the_books():
    told = counted()

    assert BOOKS == {spot["spot"]: spot["edge_percent"] for spot in told["spots"]}


@pytest.mark.parametrize("rules", SPOTS)
def test_every_spot_that_a_rule_set_offers_is_told(rules):
    told = counted("--rules", rules)

    assert SPOTS[rules] == [spot["spot"] for spot in told["spots"]]
    assert rules == told["rules"]


def test_banker_at_19_to_20_is_banker_less_5_percent():
    edges = {
        rules: {spot["spot"]: spot["edge"] for spot in counted("--rules", rules)["spots"]}["banker"]
        for rules in SPOTS
        if rules != "tie-eight@1"
    }

    assert {BANKER["edge"]} == set(edges.values())


@pytest.mark.parametrize("decks", range(1, 13))
def test_from_one_deck_to_twelve_all_deals_are_counted(decks):
    told = counted("--decks", str(decks))
    cards = 52 * decks
    deals = cards * (cards - 1) * (cards - 2) * (cards - 3) * (cards - 4) * (cards - 5)

    assert (decks, deals) == (told["decks"], told["deals"])
    assert deals == sum(told["outcomes"].values()) == sum(told["cards"].values())
    for spot in told["spots"]:
        edge = Fraction(spot["edge"])

        assert deals == spot["wins"] + spot["pushes"] + spot["loses"]
        assert spot["edge"] == f"{edge.numerator}/{edge.denominator}"
        assert -1 < edge < 0
        assert spot["edge_percent"] == round(float(-edge * 100), 4)


def test_a_spot_s_lines_add_up_to_what_it_wins_and_returns():
    for spot in counted()["spots"]:
        pays = spot["pays"]

        assert spot["wins"] == sum(line["deals"] for line in pays if line["pays"] != "push")
        assert spot["pushes"] == sum(line["deals"] for line in pays if line["pays"] == "push")


def test_the_published_dragon_bonus_is_its_dragon_bonus():
    known = published("eight_deck_counts.json")
    for spot in counted()["spots"][3:]:
        figures = known[spot["spot"].replace("dragon-", "dragon_bonus_")]
        by_line = [line["deals"] for line in spot["pays"]]

        assert figures["ev_exact"] == spot["edge"]
        assert figures["loss"] == spot["loses"]
        assert [figures[name] for name in ("natural_win", "natural_tie_push")] == by_line[:2]
        assert [figures[f"win_by_{by}"] for by in range(9, 3, -1)] == by_line[2:]


@pytest.mark.parametrize("decks", ["0", "13", "-1", "8.5", "eight"])
def test_other_numbers_of_decks_are_wrong_usage(decks):
    result = odds("--decks", decks)

    assert (2, "") == (result.exit_code, result.stdout)
    assert "--decks" in result.stderr


def test_an_unknown_rule_set_is_refused_with_the_nearest(monkeypatch, tmp_path):
    """And no ledger is made for the asking."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    result = odds("--rules", "dragon@9", "--json")

    answer = json.loads(result.stdout)
    assert (1, "odds", "UnknownRules") == (result.exit_code, answer["command"], answer["error"])
    assert result.stderr.startswith("UnknownRules: There is no rule set 'dragon@9'. The nearest ")
    assert "dragon-bonus@1" in result.stderr
    assert not Embedded().data.exists()


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_every_spot_of_every_rule_set_has_its_edge_and_its_lines(rules):
    offered = RULE_SETS[rules].spots
    for spot in counted("--rules", rules)["spots"]:
        assert len(offered[spot["spot"]].pays) == len(spot["pays"])
        assert 0 < spot["edge_percent"] < 31 or spot["spot"] in FAVOURS.get(rules, ())


@pytest.mark.parametrize("rules", ["tie-eight@1", "tie-eight-5@1", "dragon-bonus@1"])
def test_a_spot_that_favours_the_patron_is_told_as_one(rules):
    told, shown = counted("--rules", rules), odds("--rules", rules).stdout
    edges = {spot["spot"]: spot["edge_percent"] for spot in told["spots"]}
    words = "Banker favours the patron: the house loses 1.2351% of all wagers."

    assert FAVOURS.get(rules, []) == told["favours_patron"]
    assert ("tie-eight@1" == rules) == (edges["banker"] == -1.2351) == (words in shown)


def test_r_com_3_with_a_stake_the_edge_is_that_of_a_wager_of_its_size():
    told = counted("--rules", "dollar-up@1", "--stake", "25")
    edges = {spot["spot"]: spot["edge_percent"] for spot in told["spots"]}

    assert (told["stake"], edges["banker"], edges["player"]) == (25_00, 2.4337, 1.2351)
    assert "wagers of 25.00" in odds("--rules", "dollar-up@1", "--stake", "25.00").stdout


@pytest.mark.parametrize("stake", ["0", "-5", "much", "1.234", "nan", "99999999999999999"])
def test_a_stake_that_is_no_amount_is_refused(stake):
    result = odds("--stake", stake)

    assert (1, "") == (result.exit_code, result.stdout)
    assert result.stderr.startswith("BadValue: --stake cannot be ")


def test_for_people_it_is_a_table_of_percentages():
    result = odds()
    lines = {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines()}

    assert ["45.8597%", "9.5156%", "44.6247%", "1.0579%"] == lines["banker"]
    assert ["9.5156%", "0.0000%", "90.4844%", "14.3596%"] == lines["tie"]
    assert "\x1b" not in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80
