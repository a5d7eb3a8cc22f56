"""Every rule set is sensible, and is the same again when it is read from the record."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from threading import Barrier
from time import sleep

import pytest
from hypothesis import given as whatever
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.aggregates.shoe import Shoe
from domain.rules import house_rules
from domain.rules.conditions import condition
from domain.rules.house_rules import (
    RULE_SETS,
    Clock,
    Commission,
    Limit,
    Offer,
    Pace,
    learn,
    named,
    of,
)
from domain.rules.house_rules.sensible import require_sensible
from domain.rules.money import Rounding
from domain.rules.refusals import BadValue, UnknownRules
from domain.rules.wagers import (
    BANKER,
    BANKER_19_TO_20,
    PLAYER,
    PUSH,
    TIE_8_TO_1,
    PayLine,
    dragon_bonus,
    judge,
    pair,
)
from tests.domain.floor import EVENING, open_table, result_of
from tests.scenario import given
from tests.strategies import RULES

CLASSIC = named("classic@1")
ALL = pytest.mark.parametrize("name", sorted(RULE_SETS))


def with_spot(spot, *lines, limit=None):
    """The classic rules with one spot more, or another."""
    return {"spots": {**CLASSIC.spots, spot: Offer(pays=lines, limit=limit)}}


def with_commission(**terms):
    return {"commission": Commission(**terms)}


SENSELESS = [
    # what differs from classic@1, the field, why
    ({"name": "riverside"}, "name", "version"),
    ({"name": "Riverside@1"}, "name", "version"),
    ({"name": "riverside@0"}, "name", "version"),
    ({"name": "river side@1"}, "name", "version"),
    ({"source": " "}, "source", "from"),
    ({"source": "two\nlines"}, "source", "in one line"),
    ({"source": "\x1b[31mred"}, "source", "in one line"),
    ({"source": "x" * 501}, "source", "500 characters"),
    ({"currency": "Dollar"}, "currency", "ISO 4217"),
    ({"spots": {}}, "spots", "at least one"),
    (with_spot("lucky-7", *PLAYER), "spots", "lucky-6"),
    (with_spot("tie", PayLine("tie on to", (8, 1))), "spots.tie.pays", "not 'to'"),
    (with_spot("tie", PayLine("tie", (0, 2))), "spots.tie.pays", "8:1"),
    (with_spot("tie", PayLine("tie", (8, 0))), "spots.tie.pays", "8:1"),
    (with_spot("tie", PayLine("tie", (-8, 1))), "spots.tie.pays", "8:1"),
    (with_spot("tie", PayLine("tie", PUSH)), "spots.tie.pays", "condition that pays"),
    (with_spot("tie"), "spots.tie.pays", "condition that pays"),
    (with_spot("tie", PayLine("tie and player wins", (8, 1))), "spots.tie", "no coup can end so"),
    (with_spot("tie", PayLine("tie or not tie", (1, 99))), "spots.tie", "every coup ends so"),
    (with_spot("tie", *TIE_8_TO_1, PayLine("natural tie", (9, 1))), "spots.tie.pays", "above"),
    (with_spot("tie", *TIE_8_TO_1, *TIE_8_TO_1), "spots.tie.pays", "once"),
    (with_spot("tie", *TIE_8_TO_1, limit=Limit(5_00, 1_00)), "limits.tie", "under the minimum"),
    (with_spot("tie", *TIE_8_TO_1, limit=Limit(50, 1_00)), "limits.tie", "multiple of 1.00"),
    ({"main": Limit(10_00, 5_00)}, "limits.main", "under the minimum"),
    ({"main": Limit(0, 5_00)}, "limits.main", "multiple"),
    ({"main": Limit(10_00, 5_000_50)}, "limits.main", "multiple of 1.00"),
    ({"main": Limit(10_00, 2**53 + 8)}, "limits.main", "multiple"),
    ({"increment": 0}, "increment", "cannot make it"),
    ({"increment": 7}, "increment", "0.05 cannot make it"),
    ({"chips": ()}, "chips", "above 0"),
    ({"chips": (0, 1_00)}, "chips", "above 0"),
    ({"chips": (1_00, 1_00)}, "chips", "different"),
    ({"chips": (25, 1_00, 1_10)}, "chips", "the smallest, 0.25"),
    ({"decks": 6}, "decks", "allowed: 8"),
    ({"decks": 0, "decks_allowed": (0,)}, "decks_allowed", "from 1 to 12"),
    ({"decks": 13, "decks_allowed": (13,)}, "decks_allowed", "from 1 to 12"),
    ({"decks_allowed": (8, 8)}, "decks_allowed", "different"),
    ({"seats": (1, 2, 2)}, "seats", "different"),
    ({"seats": ()}, "seats", "different"),
    ({"seats": (0, 1)}, "seats", "from 1"),
    ({"cut_card": 0}, "cut_card", "416 cards"),
    ({"cut_card": 416}, "cut_card", "416 cards"),
    ({"cut_card": 312, "decks_allowed": (6, 8)}, "cut_card", "312 cards"),
    ({"burn_face_down": 3}, "burn_face_down", "fixed"),
    ({"burn": "fixed", "burn_face_down": 415}, "burn_face_down", "416 cards"),
    ({"differential": 50}, "differential", "multiple of 1.00"),
    ({"differential": 5_00}, "differential", "main minimum"),
    (with_commission(rate=(101, 100)), "commission.rate", "100%"),
    (with_commission(rate=(-1, 100)), "commission.rate", "0%"),
    (with_commission(rate=(1, 0)), "commission.rate", "0%"),
    (with_commission(rate=(1, 3)), "commission.rate", "with an end"),
    (with_commission(rounding=Rounding(unit=5)), "rounding.unit", "exact"),
    (with_commission(rounding=Rounding(mode="up", unit=0)), "rounding", "whole"),
    (
        with_commission(timing="deferred", rounding=Rounding(minimum=25, moment="on-collection")),
        "rounding.minimum",
        "per-win",
    ),
    (with_commission(rounding=Rounding(moment="on-collection")), "rounding.moment", "deferred"),
    (with_commission(timing="in-the-odds"), "commission.rate", "in the odds"),
    (
        with_commission(rate=(0, 1), timing="in-the-odds", rounding=Rounding(mode="up", unit=5)),
        "rounding",
        "leave rounding out",
    ),
    ({"accounts": True}, "accounts", "in the odds"),
    ({"pace": Pace(slowest=0, fastest=80)}, "pace.slowest", "1 to 3600"),
    ({"pace": Pace(slowest=1, fastest=3_601)}, "pace.fastest", "1 to 3600"),
    ({"pace": Pace(slowest=80, fastest=40)}, "pace.fastest", "the slowest is 80"),
    ({"clock": Clock(), "pace": Pace(slowest=91, fastest=95)}, "pace.slowest", "at most 90"),
]


@ALL
def test_every_rule_set_of_the_program_is_sensible(name):
    require_sensible(named(name))


@pytest.mark.parametrize(("differing", "field", "why"), SENSELESS)
def test_a_rule_set_that_makes_no_sense_is_refused_and_says_where(differing, field, why):
    with pytest.raises(BadValue) as refused:
        require_sensible(replace(CLASSIC, **differing))
    said, _, because = str(refused.value).partition(" cannot be ")

    assert field in said
    assert why in because


@pytest.mark.parametrize(
    "differing",
    [
        {"burn": "fixed", "burn_face_down": 0},
        {"burn": "fixed", "burn_face_down": 10},
        {"squeeze": "both-bettors", "dealing": "squeeze"},
        {"decks": 6, "decks_allowed": (6, 8), "cut_card": 311},
        with_spot("banker", *BANKER_19_TO_20) | with_commission(timing="in-the-odds"),
        with_commission(rate=(0, 100), timing="in-the-odds"),
        with_commission(rounding=Rounding(mode="nearest", unit=25, minimum=50)),
        with_spot("dragon-player", *dragon_bonus("player", natural_tie=(2, 1))),
        with_spot("pair-player", *pair("player"), *pair("banker")),
    ],
)
def test_what_a_house_may_well_say_is_sensible_and_is_read_back_as_it_was(differing):
    rules = replace(CLASSIC, **differing)
    require_sensible(rules)
    learned = learn(rules.stated)

    assert (rules, rules.digest) == (learned, learned.digest)


@ALL
def test_a_rule_set_read_back_from_what_it_states_is_the_same(name):
    rules = named(name)
    learned = learn(rules.stated)

    assert rules == learned
    assert rules.digest == learned.digest
    assert list(rules.spots) == list(learned.spots)
    assert rules == of(name, rules.digest)


@whatever(
    RULES,
    st.fixed_dictionaries(
        {},
        optional={
            "source": st.text(min_size=1),
            "decks_allowed": st.lists(st.integers(1, 12)).map(tuple),
            "dealing": st.sampled_from(["face-up", "face-down", "squeeze"]),
            "squeeze": st.sampled_from(["player-bettor", "both-bettors"]),
            "burn": st.sampled_from(["first-card", "first-card-ace-11", "fixed", "none"]),
            "burn_face_down": st.integers(0, 51),
            "differential": st.none() | st.integers(1, 2**53),
            "main": st.builds(Limit, st.integers(1), st.integers(1)),
            "chips": st.lists(st.integers(1, 2**53)).map(tuple),
            "commission": st.builds(
                Commission,
                rate=st.tuples(st.integers(0, 100), st.integers(1, 10_000)),
                rounding=st.builds(Rounding, unit=st.integers(1), minimum=st.integers(0)),
            ),
        },
    ),
)
def test_whatever_a_rule_set_states_is_read_back_to_the_same_digest(rules, differing):
    stated = replace(rules, **differing)

    assert stated == learn(stated.stated)
    assert stated.digest == of(stated.name, stated.digest).digest


def test_what_was_learned_is_found_by_its_digest_and_by_no_other():
    rules = replace(CLASSIC, name="riverside@1", increment=5_00)
    with pytest.raises(UnknownRules):
        of("riverside@1", rules.digest)
    learn(rules.stated)

    assert rules == of("riverside@1", rules.digest)
    with pytest.raises(
        UnknownRules, match=f"riverside@1 is not the one on record .{CLASSIC.digest[:12]}"
    ):
        of("riverside@1", CLASSIC.digest)
    with pytest.raises(UnknownRules):
        named("riverside@1")


def test_what_a_newer_program_stated_is_refused_and_not_half_read():
    more = CLASSIC.stated.replace('"seats"', '"shoe_colour":"red","seats"')
    other = CLASSIC.stated.replace('"seats"', '"seats" ')
    condition = CLASSIC.stated.replace('"when":"tie"', '"when":"tie on a Sunday"')
    for stated in (more, other, condition, "{}"):
        with pytest.raises(UnknownRules):
            learn(stated)


def test_a_record_with_other_content_under_a_name_of_the_program_is_dealt_as_it_was_recorded(
    monkeypatch,
):
    before = replace(CLASSIC, increment=2_00)
    monkeypatch.setitem(RULE_SETS, "classic@1", before)
    table = open_table("classic@1")
    learn(before.stated)
    monkeypatch.undo()

    assert before == table.rules
    assert before != named("classic@1")


def test_a_rule_set_is_imported_when_it_is_first_asked_for():
    shelf = house_rules._Shelf()

    assert set(shelf) == set(RULE_SETS)
    assert shelf["ez@1"] is named("ez@1")
    with pytest.raises(KeyError):
        shelf["ez@2"]


@pytest.mark.parametrize(("card", "face_down"), [("AS", 5), ("3D", 5), ("KD", 5)])
def test_r_shoe_2_a_fixed_number_is_burned_whatever_the_first_card_counts(
    monkeypatch, card, face_down
):
    rules = replace(CLASSIC, burn="fixed", burn_face_down=5)
    monkeypatch.setitem(RULE_SETS, "classic@1", rules)
    shoe = Shoe.load(
        open_table("classic@1").bring_shoe(), rules, at=EVENING, decks=8, serials=["K-1"]
    )
    shoe.inspect()
    shoe.shuffle("machine")
    shoe.cut("seat 3")

    given(shoe).when(lambda shoe: shoe.burn(card)).then(
        ("Burned", {"card": card, "face_down": face_down})
    )


# fmt: off
ON_A_TOTAL = [
    # winner's hand, the other's   wins on     with cards  (a point is a third card)
    ("player", "8.", "7",          8,          "three"),
    ("player", "8",  "7",          8,          "two"),
    ("player", "6.", "5.",         6,          "three"),
    ("banker", "6",  "5",          6,          "two"),
    ("banker", "6.", "5",          6,          "three"),
    ("banker", "7.", "0.",         7,          "three"),
    ("banker", "7",  "6",          7,          "two"),
]
# fmt: on


@pytest.mark.parametrize(("side", "own", "other", "total", "cards"), ON_A_TOTAL)
def test_r_pay_4_a_win_on_a_total_is_that_total_with_so_many_cards(side, own, other, total, cards):
    ended = result_of(own, other) if side == "player" else result_of(other, own)
    expected = {f"{side} wins on {total}", f"{side} wins on {total} with {cards} cards"}
    on_a_total = {
        f"{each} wins on {n}{with_cards}"
        for each in ("player", "banker")
        for n in range(10)
        for with_cards in ("", " with two cards", " with three cards")
    }

    assert expected == {each for each in on_a_total if condition(each).holds(ended)}


@pytest.mark.parametrize("ended", [result_of("6", "6"), result_of("7", "6"), result_of("6.", "7")])
def test_r_pay_4_a_6_that_did_not_win_is_no_win_on_6(ended):
    for cards in ("", " with two cards", " with three cards"):
        assert not condition(f"banker wins on 6{cards}").holds(ended)


# fmt: off
PAYS = [
    # rule set            spot       Player's, Banker's      pays
    ("no-commission@1",   "banker",  "5",  "6",              (1, 2)),
    ("no-commission@1",   "banker",  "5.", "6.",             (1, 2)),
    ("no-commission@1",   "banker",  "5",  "7",              (1, 1)),
    ("no-commission@1",   "banker",  "6",  "6",              PUSH),
    ("ez@1",              "banker",  "5.", "7.",             PUSH),
    ("ez@1",              "banker",  "5.", "7",              (1, 1)),
    ("ez@1",              "banker",  "5.", "6.",             (1, 1)),
    ("ez@1",              "dragon-7", "5.", "7.",            (40, 1)),
    ("ez@1",              "dragon-7", "5.", "7",             None),
    ("ez@1",              "panda-8", "8.", "7",              (25, 1)),
    ("ez@1",              "panda-8", "8",  "7",              None),
    ("ez@1",              "panda-8", "8.", "9.",             None),
    ("lucky-6@1",         "lucky-6", "5",  "6",              (12, 1)),
    ("lucky-6@1",         "lucky-6", "5.", "6.",             (20, 1)),
    ("lucky-6@1",         "lucky-6", "7",  "6",              None),
    ("lucky-6@1",         "lucky-6", "6",  "6",              None),
    ("tie-nine@1",        "tie",     "6",  "6",              (9, 1)),
    ("tiger@1",           "small-tiger", "5", "6",           (22, 1)),
    ("tiger@1",           "small-tiger", "5.", "6.",         None),
    ("tiger@1",           "small-tiger", "6", "6",           None),
    ("tiger@1",           "big-tiger", "5.", "6.",           (50, 1)),
    ("tiger@1",           "big-tiger", "5", "6",             None),
    ("tiger@1",           "tiger",   "5",  "6",              (12, 1)),
    ("tiger@1",           "tiger",   "5.", "6.",             (20, 1)),
    ("tiger@1",           "tiger-tie", "6", "6",             (35, 1)),
    ("tiger@1",           "tiger-tie", "6.", "6.",           (35, 1)),
    ("tiger@1",           "tiger-tie", "7", "7",             None),
    ("golden-talons-b@1", "dragon-banker", "9", "9",         (2, 1)),
    ("golden-talons-b@1", "dragon-player", "9.", "0.",       (20, 1)),
    ("golden-talons-c@1", "dragon-player", "8.", "0.",       (12, 1)),
    ("golden-talons-d@1", "dragon-player", "7.", "0.",       (7, 1)),
    ("golden-talons-e@1", "dragon-banker", "0.", "4.",       (2, 1)),
]
# fmt: on


@pytest.mark.parametrize(("name", "spot", "player", "banker", "pays"), PAYS)
def test_r_pay_4_what_the_tables_beyond_the_seeds_pay(name, spot, player, banker, pays):
    line = judge(named(name).spots[spot].pays, result_of(player, banker))

    assert pays == (line and line.pays)


def test_pay_table_a_of_pennsylvania_is_the_dragon_bonus():
    assert dict(named("golden-talons-a@1").spots) == dict(named("dragon-bonus@1").spots)
    assert tuple(BANKER) == named("golden-talons-a@1").spots["banker"].pays


def test_several_threads_ask_for_a_rule_set_at_once(monkeypatch):
    """A house server does, with the first lines of all its tables."""
    together = Barrier(8)

    def slowly(module):
        sleep(0.01)
        return import_module(module)

    def asked(name):
        together.wait()
        return shelf[name].name

    monkeypatch.setattr(house_rules, "import_module", slowly)
    shelf = type(RULE_SETS)()
    names = ["classic@1", "pairs@1"] * 4
    with ThreadPoolExecutor(8) as pool:
        assert names == list(pool.map(asked, names))
