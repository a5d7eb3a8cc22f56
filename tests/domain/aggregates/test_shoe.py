"""R-SHOE-1 and 2: the steps of a shoe's life, and what it burns."""

import pytest
from msgspec.structs import replace

from domain.aggregates.shoe import Shoe
from domain.rules.house_rules import RULE_SETS, named
from domain.rules.refusals import (
    BadValue,
    CutCardOut,
    MissingField,
    ShoeNotReady,
    ShoeStepOutOfOrder,
)
from tests.domain.floor import EVENING, SHOE, loaded_shoe, open_table
from tests.scenario import given, replayed

INSPECT = ("inspect", lambda shoe: shoe.inspect("S-11"))
SHUFFLE = ("shuffle", lambda shoe: shoe.shuffle("machine", "SH-2"))
CUT = ("cut", lambda shoe: shoe.cut("seat 3"))
BURN = ("burn", lambda shoe: shoe.burn("3D"))
COUP = ("begin coup", lambda shoe: shoe.begin_coup())
PASS = ("pass", lambda shoe: shoe.pass_to("seat 3"))
SHOW = ("cut card", lambda shoe: shoe.show_cut_card())
END = ("end", lambda shoe: shoe.end(reason="torn card", second="S-11"))
COUNT = ("reconcile", lambda shoe: shoe.reconcile(52, []))
COMMANDS = (INSPECT, SHUFFLE, CUT, BURN, COUP, PASS, SHOW, END, COUNT)
REFUSED = {"O": ShoeStepOutOfOrder, "R": ShoeNotReady, "C": CutCardOut}

# Steps taken, then each command in the order of COMMANDS: + is allowed, O out of order,
# R not ready, C the cut card is out.
# fmt: off
LIFE = [
    # taken                                                  ISCBBPSEC
    ("classic@1",    [],                                    "+OOORRR+O"),
    ("classic@1",    [INSPECT],                             "O+OORRR+O"),
    ("classic@1",    [INSPECT, SHUFFLE],                    "OO+ORRR+O"),
    ("classic@1",    [INSPECT, SHUFFLE, CUT],               "OOO+RRR+O"),
    ("classic@1",    [INSPECT, SHUFFLE, CUT, BURN],         "OOOO++++O"),
    ("classic@1",    [INSPECT, SHUFFLE, CUT, BURN, COUP],   "OOOO++++O"),
    ("classic@1",    [INSPECT, SHUFFLE, CUT, BURN, SHOW],   "OOOO++O+O"),
    ("classic@1",    [INSPECT, SHUFFLE, CUT, BURN, SHOW, COUP], "OOOOC+O+O"),
    ("classic@1",    [INSPECT, END],                        "OOOORRRO+"),
    ("classic@1",    [INSPECT, SHUFFLE, CUT, BURN, END],    "OOOORRRO+"),
    ("classic@1",    [INSPECT, SHUFFLE, CUT, BURN, END, COUNT], "OOOORRROO"),
    ("electronic@1", [],                                    "+OOORRR+O"),
    ("electronic@1", [INSPECT, SHUFFLE],                    "OO+ORRR+O"),
    ("electronic@1", [INSPECT, SHUFFLE, CUT],               "OOOO++++O"),
    ("electronic@1", [INSPECT, SHUFFLE, CUT, END],          "OOOORRRO+"),
]
# fmt: on
PAIRS = [
    pytest.param(
        rules, taken, act, answer, id=f"{rules} {' '.join(step[0] for step in taken)} > {name}"
    )
    for rules, taken, answers in LIFE
    for (name, act), answer in zip(COMMANDS, answers, strict=True)
]


@pytest.mark.parametrize(("rules", "taken", "act", "answer"), PAIRS)
def test_r_shoe_1_no_step_is_skipped_repeated_or_reordered(rules, taken, act, answer):
    shoe = loaded_shoe(rules)
    for _, step in taken:
        step(shoe)
    before = shoe.version

    if answer == "+":
        act(shoe)

        assert shoe.version == before + 1
        assert replayed(shoe) == shoe
    else:
        given(shoe).when(act).then_refused(REFUSED[answer])


@pytest.mark.parametrize("taken", [[], [INSPECT]])
def test_r_shoe_1_a_shoe_whose_shuffle_was_not_recorded_deals_no_coup(taken):
    refusal = (
        given(loaded_shoe(), *[act for _, act in taken])
        .when(lambda shoe: shoe.begin_coup())
        .then_refused(ShoeNotReady)
    )
    following = "shoe shuffle" if taken else "shoe inspect"
    expected = f"Shoe {SHOE} is not ready to deal. Next comes `{following}`."

    assert expected == str(refusal)


def test_r_shoe_1_a_shoe_is_loaded_with_its_decks_serials_and_rules():
    rules = named("big-table@1")
    shoe = Shoe.load(
        open_table().bring_shoe(), rules, at=EVENING, decks=6, serials=["K-1"], colour="red"
    )
    event = shoe.pending_events[0]
    expected = (6, ["K-1"], "red", "", 14, "big-table@1", rules.digest)

    assert expected == (
        event.decks,
        event.serials,
        event.colour,
        event.batch,
        event.cut_card,
        event.rules,
        event.rules_digest,
    )
    assert shoe.cards_left == 312


@pytest.mark.parametrize(("rules", "decks"), [("classic@1", 6), ("big-table@1", 5)])
def test_r_shoe_1_no_other_decks_than_the_rule_set_allows(rules, decks):
    with pytest.raises(BadValue, match=f"decks cannot be {decks}: {rules} is dealt from"):
        loaded_shoe(rules, decks=decks)


@pytest.mark.parametrize("method", ["hand", "machine", "pre-shuffled", "generated"])
def test_r_shoe_1_a_shoe_is_shuffled_in_one_of_four_ways(method):
    shoe = loaded_shoe(batch="B-77" if method == "pre-shuffled" else "")
    shoe.inspect("S-11")
    shoe.shuffle(method)

    assert shoe.step == ("cut" if method == "generated" else "shuffled")


@pytest.mark.parametrize("method", ["riffle", "", "pre-shuffled"])
def test_r_shoe_1_no_other_way_and_no_pre_shuffled_shoe_without_a_batch(method):
    given(loaded_shoe(), INSPECT[1]).when(lambda shoe: shoe.shuffle(method)).then_refused(BadValue)


def test_r_shoe_1_a_sealed_batch_is_not_generated():
    given(loaded_shoe(batch="B-77")).when(lambda shoe: shoe.shuffle("generated")).then_refused(
        BadValue
    )


def test_r_shoe_1_a_sealed_batch_takes_two_people():
    given(loaded_shoe(batch="B-77")).when(lambda shoe: shoe.inspect()).then_refused(MissingField)
    given(loaded_shoe(batch="B-77")).when(lambda shoe: shoe.inspect("S-11")).then(
        ("Inspected", {"verified_by": "S-11"})
    )


def test_r_shoe_1_who_inspects_a_sealed_batch_is_not_the_second_person_too():
    given(loaded_shoe(batch="B-77")).when(
        lambda shoe: shoe.inspect("S-11", by="S-11")
    ).then_refused(BadValue)
    given(loaded_shoe(batch="B-77")).when(lambda shoe: shoe.inspect("S-11", by="D-204")).then(
        "Inspected"
    )
    given(loaded_shoe()).when(lambda shoe: shoe.inspect("S-11", by="S-11")).then("Inspected")


def test_r_shoe_1_a_generated_shoe_is_inspected_shuffled_and_cut_in_one_act():
    given(loaded_shoe("electronic@1")).when(lambda shoe: shoe.shuffle("generated", "RNG-1")).then(
        ("Inspected", {"verified_by": ""}),
        (
            "Shuffled",
            {
                "method": "generated",
                "device": "RNG-1",
                "commitment": "",
                "scheme": "",
                "digest": "",
            },
        ),
        ("Cut", {"cut_by": "generator", "cut_card": 14}),
    )


def test_r_shoe_2_an_electronic_shoe_burns_nothing():
    shoe = loaded_shoe("electronic@1")
    shoe.shuffle("generated")

    refusal = given(shoe).when(lambda shoe: shoe.burn("3D")).then_refused(ShoeStepOutOfOrder)
    expected = "electronic@1 burns no card. Bets are next."

    assert expected == str(refusal)
    assert (shoe.ready, shoe.cards_left) == (True, 416)


@pytest.mark.parametrize(
    ("burn", "card", "face_down"),
    [
        ("first-card", "3D", 3),
        ("first-card", "AS", 1),
        ("first-card", "TH", 10),
        ("first-card", "KD", 10),
        ("first-card-ace-11", "AS", 11),
        ("first-card-ace-11", "KD", 10),
    ],
)
def test_r_shoe_2_the_first_card_burns_as_many_as_it_counts(monkeypatch, burn, card, face_down):
    monkeypatch.setitem(RULE_SETS, "classic@1", replace(named("classic@1"), burn=burn))
    shoe = loaded_shoe()
    for _, act in (INSPECT, SHUFFLE, CUT):
        act(shoe)

    given(shoe).when(lambda shoe: shoe.burn(card)).then(
        ("Burned", {"card": card, "face_down": face_down})
    )

    assert shoe.cards_left == 416 - 1 - face_down
