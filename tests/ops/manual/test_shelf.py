"""The shelf: each sheet is counted as published, means what it says, is dealt and paid.

In one file, so that each bet is counted once.
"""

import json
from collections import defaultdict
from functools import cache
from random import Random

import pytest

from domain.rules.addresses import Coup
from domain.rules.conditions import condition
from domain.rules.hands import play
from domain.rules.house_rules import named
from domain.rules.odds import spot_odds
from domain.rules.spots import SPOT, THE_TRADES
from ops.commands import rule_files
from ops.handlers.dispatcher import Dispatcher
from ops.manual.shelf import SHEETS, sheet, shelf
from ops.replay.story import find
from tests.faults import FULL
from tests.ops.manual.edges import EDGES
from tests.stories import as_dict
from tests.worlds.gaming_table import DAY, GamingTable
from tests.worlds.random_coups import STRANGER, random_coup

# They look at ranks or suits, or are another sheet's bets from other decks: each costs up to 2 s.
DEAR = {
    "all-red-all-black@1",
    "dragon-bonus-six-decks@1",
    "lucky-nines@1",
    "lucky-nines-binions@1",
    "macau-matching-dragon@1",
    "perfect-pair-26@1",
    "perfect-pair-26-six-decks@1",
    "perfect-pair-six-decks@1",
    "philippines-perfect-9@1",
    "uk-three-giving-8@1",
}
NAMES = sorted(name for name in shelf() if FULL or name not in DEAR)
TO_CHOOSE_FROM = 40  # random coups, of which one is dealt at which most bets are won
ROWS = defaultdict(dict)
for name, spot, *figures in EDGES:
    ROWS[name][spot] = figures


@cache
def rules(name):
    return rule_files.read(sheet(name).text.encode(), named)


@cache
def coups():
    """Cards of random coups, each with its result here and its result to the stranger."""
    random = Random(43)
    dealt = [random_coup(random) for _ in range(1_500)]
    return [(play(cards).result, STRANGER.result_of(cards)) for cards in dealt]


def percent(edge, digits):
    return f"{float(-edge * 100):.{digits}f}"


def test_there_are_forty_sheets_and_sixty_bets_at_least():
    bets = {(spot, edge) for _, spot, edge, *_ in EDGES}

    assert len(shelf()) >= 40
    assert len(bets) >= 60


def test_every_sheet_and_every_bet_of_it_has_a_row_in_the_table_of_edges():
    assert {name: {*each.bets} for name, each in shelf().items()} == {
        name: {*spots} for name, spots in ROWS.items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_is_a_rule_set_of_the_name_of_its_file(name):
    assert f"{name.removesuffix('@1')}.toml" in {file.name for file in SHEETS.iterdir()}
    assert (name, sheet(name).source) == (rules(name).name, rules(name).source)


@pytest.mark.parametrize("name", NAMES)
def test_its_bets_have_exactly_these_edges(name):
    counted = {
        spot: percent(spot_odds(rules(name), spot, rules(name).decks).edge, 4)
        for spot in sheet(name).bets
    }

    assert {spot: edge for spot, (edge, *_) in ROWS[name].items()} == counted


@pytest.mark.parametrize("name", NAMES)
def test_an_edge_is_as_published_and_stands_in_the_sheet_or_the_difference_is_explained(name):
    for spot, (_, published, why) in ROWS[name].items():
        digits = len(published.partition(".")[2])
        edge = spot_odds(rules(name), spot, rules(name).decks).edge
        agrees = published in ("", percent(edge, digits))

        assert agrees is not bool(why), (spot, percent(edge, digits), published)
        assert not published or f"{spot} {published}%" in " ".join(
            sheet(name).text.replace("\n#", " ").split()
        )


def test_on_the_whole_shelf_a_name_and_a_key_mean_one_bet():
    keys = {SPOT[spot].key for spot in THE_TRADES}
    own = {}
    for name in NAMES:
        for spot, stated in rules(name).own_spots.items():
            assert own.setdefault(spot, stated.key) == stated.key

    assert len({*own.values()}) == len(own)
    assert keys.isdisjoint(own.values())


@pytest.mark.parametrize("name", NAMES)
def test_each_condition_means_the_same_to_the_stranger_s_script(name):
    """Of some coups that it fits, as far as chance dealt any, and of some others."""
    for when in {line.when for spot in sheet(name).bets for line in rules(name).spots[spot].pays}:
        here = condition(when).holds
        fitting = [each for each in coups() if here(each[0])][:8]

        for result, theirs in (*fitting, *coups()[:24]):
            assert here(result) == STRANGER.holds(when, theirs), (when, result.hands)


# Every sheet at a table of its own.
def seat_of(spot):
    """Nobody bets on both sides."""
    return {"player": 1, "banker": 3}.get(spot, 5)


def stakes(name):
    """The smallest wager on everything; of a Tie that lies alone, the table's minimum."""
    terms = rules(name)
    return {
        spot: terms.main.minimum if spot == "tie" else terms.limit(spot).minimum
        for spot in terms.spots
    }


def paid(name, cards):
    """What the stranger's script pays for each bet by these cards."""
    terms, result = json.loads(rules(name).stated), STRANGER.result_of(cards)
    return {spot: STRANGER.pay(terms, spot, stake, result) for spot, stake in stakes(name).items()}


def won(name, cards):
    """The sheet's own bets that win by these cards."""
    return {spot for spot, pay in paid(name, cards).items() if pay["result"] == "win"} & {
        *sheet(name).bets
    }


@cache
def coups_of(name):
    """A random coup, and one of many at which most of the sheet's bets are won."""
    random = Random(name)
    some = [random_coup(random, rules(name).decks) for _ in range(TO_CHOOSE_FROM)]
    return [some[0], max(some, key=lambda cards: len(won(name, cards)))]


@pytest.fixture(scope="module")
def dealt(tables):
    """One ledger with every sheet's coups."""
    for number, name in enumerate(NAMES, 1):
        dispatcher = Dispatcher(tables.dispatcher.casino, "test")
        approve = {"command": "rules.approve", "file": name, "by": "A-1", "with": "S-11"}
        assert dispatcher.dispatch(approve | {"confirmed": True}).ok
        pit = GamingTable(dispatcher, f"R{number:02}").open(name)
        pit.prepare(decks=rules(name).decks)
        for cards in coups_of(name):
            bets = ((seat_of(spot), spot, stake) for spot, stake in stakes(name).items())
            pit.play(" ".join(cards), *bets)
    return tables.database


@pytest.mark.parametrize("name", NAMES)
def test_each_bet_is_dealt_and_paid_as_the_stranger_s_script_pays_it(dealt, name):
    table = f"R{NAMES.index(name) + 1:02}"
    for number, cards in enumerate(coups_of(name), 1):
        with dealt.session("sabot_auditor") as connection:
            coup = as_dict(find(connection, Coup.parse(f"{table}/{DAY}/1/{number}")))
        terms = ("result", "odds", "paid")

        assert (name, True) == (coup["rules"], coup["agrees"])
        assert {spot: [pay[term] for term in terms] for spot, pay in paid(name, cards).items()} == {
            each["spot"]: [each[term] for term in terms] for each in coup["payments"]
        }


def test_a_third_of_the_shelf_s_bets_are_won_at_the_coups_that_are_dealt():
    """Or a wrong payment would not show; many exclude one another, such as ten égalités."""
    won_once = [{*won(name, coups_of(name)[0]), *won(name, coups_of(name)[1])} for name in NAMES]

    assert sum(map(len, won_once)) > len(EDGES) / 3
