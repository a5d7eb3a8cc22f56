"""The shelf: each sheet is counted as published, means what it says, is dealt and paid.

In one file, so that each bet is counted once.
"""

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
from ops.manual.shelf import SHEETS, sheet, shelf
from ops.pack.pack import pack
from ops.replay import what_if
from ops.replay.story import find
from ops.replay.what_if_answer import answer_of
from ops.reports.ask import ask
from projections import REPORTS
from tests.faults import FULL, times
from tests.ops.manual.edges import EDGES
from tests.stories import as_dict
from tests.worlds.gaming_table import GamingTable
from tests.worlds.random_coups import STRANGER, random_coup
from tests.worlds.sheet_evening import SLIPS, SheetEvening

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
COUPS = times(2, 30)  # of an evening
TERMS = ("stake", "result", "odds", "paid", "commission_charged")  # of a wager in the end
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
    of_one_coup = [spot for spot in sheet(name).bets if spot not in rules(name).over_coups]
    over = [each.wins for each in rules(name).over_coups.values()]
    lines = {line.when for spot in of_one_coup for line in rules(name).spots[spot].pays}
    for when in {*over, *lines}:
        here = condition(when).holds
        fitting = [each for each in coups() if here(each[0])][:8]

        for result, theirs in (*fitting, *coups()[:24]):
            assert here(result) == STRANGER.holds(when, theirs), (when, result.hands)


# An evening at a table of each sheet.
@cache
def evenings():
    """The evenings that were played, by the sheet's name."""
    return {}


@pytest.fixture(scope="module")
def house(agreeing):
    """One ledger with every sheet's evening; in the end its reports agree."""
    for number, name in enumerate(NAMES, 1):
        approve = {"command": "rules.approve", "file": name, "by": "A-1", "with": "S-11"}
        assert agreeing.dispatcher.dispatch(approve | {"confirmed": True}).ok
        pit = GamingTable(agreeing.dispatcher, f"R{number:02}")
        evenings()[name] = SheetEvening(pit, rules(name)).play(COUPS)
    return agreeing.database


@pytest.mark.parametrize("name", NAMES)
def test_each_bet_of_an_evening_is_paid_and_put_right_as_its_sheet_says(house, name):
    evening = evenings()[name]
    paid = {}
    for row in ask(house, REPORTS["wagers"], table=evening.pit.table).rows:
        where = row["seat"], row["spot"]
        paid.setdefault(row["coup"], {})[where] = {term: row[term] for term in TERMS}

    assert paid == {
        coup: {where: {term: pay[term] for term in TERMS} for where, pay in expected.items()}
        for coup, expected in evening.expected.items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_a_stranger_judges_an_evening_s_pack_alone_with_what_if_another_card_had_come(
    house, name, capsys, monkeypatch
):
    monkeypatch.setattr("ops.pack.pack.pdf", lambda *_: b"not looked at")
    evening = evenings()[name]
    with house.session("sabot_auditor") as connection:
        for address, expected in evening.expected.items():
            record = find(connection, Coup.parse(address))
            replayed = as_dict(record)
            cards = [each["card"] for each in replayed["cards"]]
            at, typed = evening.misread(cards)
            asked = what_if.ask(connection, record, [f"card {at} = {typed[at - 1]}"])
            answer = answer_of(asked)
            file = pack(connection, record, what_if=[answer]).json
            bets = evening.of_one_coup({where: pay["stake"] for where, pay in expected.items()})
            paid = evening.of_one_coup(
                {(each.seat, each.spot): each.paid for each in answer.payments}
            )

            assert paid == {where: pay["paid"] for where, pay in evening.paid(bets, typed).items()}
            assert (name, True) == (replayed["rules"], replayed["agrees"])
            assert STRANGER.verify(STRANGER.loads(file.decode()), ("", None)) == 0, (
                capsys.readouterr().out
            )


def test_the_reports_add_up_to_what_the_sheets_pay(house):
    wins = ask(house, REPORTS["table-win"]).rows

    assert {row["table"]: row["win_by_wagers"] for row in wins} == {
        evening.pit.table: evening.won_by_wagers for evening in evenings().values()
    }
    assert {row["unreconciled"] for row in wins} == {0}


@pytest.mark.usefixtures("house")
def test_a_third_of_the_shelf_s_bets_are_won_and_everything_is_put_right_somewhere():
    """Or a wrong payment would not show; many exclude one another, such as ten égalités."""
    won = {
        (name, spot)
        for name, evening in evenings().items()
        for coup in evening.expected.values()
        for (_, spot), pay in coup.items()
        if pay["result"] == "win" and spot in sheet(name).bets
    }

    assert len(won) > sum(len(sheet(name).bets) for name in NAMES) / 3
    assert {evening.slip for evening in evenings().values()} == {*SLIPS}
