"""What the terminal says one may type: its hint, its help, and whole lines to take."""

import re
from inspect import getsource

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from domain.aggregates import due
from domain.aggregates.due import NextAct
from domain.aggregates.shoe_steps import NEXT
from domain.rules.addresses import Shoe
from domain.rules.house_rules import named
from domain.rules.rulebook import RULEBOOK
from ops.kit.lines import explained
from ops.now.shoe_now import ShoeNow
from ops.now.table_now import CoupNow, SeatNow, TableNow
from ops.terminal.dealer.completions import MOST_COMPLETIONS, completions
from ops.terminal.dealer.due import task
from ops.terminal.dealer.help_topics import TOPICS
from ops.terminal.dealer.phases import phase_of
from ops.terminal.dealer.prompts import help_lines, hint
from ops.terminal.dealer.screen.dialogs import SHEET
from ops.terminal.dealer.screen.hands import middle
from ops.typed.acts import NotUnderstood
from ops.typed.grammar import parse
from ops.typed.spoken import OWN_WORDS, SHORTEST
from tests.ops.terminal.dealer.tables import TABLES

SHOE_1 = Shoe.parse("B01/2026-11-21/1")
SHOE = ShoeNow(SHOE_1, "burned", True, 8, 300, 280, "dealer", "", None)
GENERATED = ShoeNow(SHOE_1, "burned", True, 8, 300, 280, "dealer", "c0ffee", None)
ACTIONS = {
    None: "closed",
    "shoe.load": "no shoe",
    "shoe.inspect": "preparing",
    "shoe.shuffle": "preparing",
    "shoe.cut": "preparing",
    "shoe.burn": "preparing",
    "bet": "betting",
    "open": "betting",
    "no-more-bets": "betting",
    "draw": "dealing",
    "reveal": "turning",
    "settle": "resulted",
    "void": "to void",
    "commission.collect": "over",
    "shoe.end": "over",
    "dispute.decide": "held",
    "table.unlock": "locked up",
}


def table(action, shoe=SHOE):
    """Three seats of nine, at a table that must do this next."""
    return TableNow(
        table="B01",
        position=9,
        day="2026-11-21",
        closed=action is None,
        rules=named("dragon-bonus@1"),
        limits={"main": [25_00, 10_000_00], "tie": [5_00, 1_000_00]},
        seats=(
            SeatNow(1, "P-10411", last=(("banker", 750_00),)),
            SeatNow(3, "P-10417", owed=12_50, owes_at=3),
            SeatNow(5, "Mr. O’Hara", owed=5, owes_at=5),
            SeatNow(6, "7", owed=5, owes_at=6),
        ),
        shoe=shoe,
        coup=CoupNow("B01/2026-11-21/1/4", 4, "dealing", face_down=("player", "banker")),
        due=NextAct(action, "R-BET-1") if action else None,
    )


EACH = pytest.mark.parametrize("action", ACTIONS)


@EACH
def test_a_phase_is_what_the_table_must_do_next(action):
    assert ACTIONS[action] == phase_of(table(action))


def test_everything_that_can_be_due_has_its_phase():
    """`domain.aggregates.due` names each of them in a NextAct of its own, or takes it from NEXT."""
    named_there = set(re.findall(r'NextAct\(\s*"([a-z.-]+)"', getsource(due)))

    assert {*named_there, *NEXT.values()} == ACTIONS.keys() - {None}


@EACH
@pytest.mark.parametrize("shoe", [SHOE, GENERATED, None])
def test_a_hint_is_one_line_that_fits_the_foot_of_a_small_screen(action, shoe):
    told = hint(table(action, shoe))

    assert cell_len(told) <= 78
    assert told.endswith("? help")


@EACH
@pytest.mark.parametrize("topic", ["", *TOPICS])
def test_help_fits_a_small_screen(action, topic):
    lines = help_lines(table(action), topic)
    typed = max(cell_len(keys) for keys, _ in lines)

    assert 2 <= len(lines) <= 14
    assert len(list(explained(lines, typed + 2, SHEET))) <= 20


@pytest.mark.parametrize("name", TABLES)
def test_what_is_due_stands_whole_and_apart_from_its_rule(name):
    """In the middle of the smallest screen."""
    now, due = TABLES[name], task(TABLES[name])
    mark = "" if due.tone == "quiet" else "▶ "
    lines = [line.plain for line in middle(now, 33, 11)]

    assert any(
        line.startswith(f"  {mark}{due.headline} ") and line.endswith(f" {due.rule}  ")
        for line in lines
    )


def test_the_cut_card_is_never_said_to_be_no_coups_away():
    near = {
        cards: task(table("bet", replace(SHOE, to_cut_card=cards))).near for cards in (30, 12, 6, 2)
    }

    assert {
        30: (),
        12: ("Cut card in about 2 coups.",),
        6: ("Cut card in about 1 coup.",),
        2: ("The cut card is due now.",),
    } == near


def test_what_is_done_with_the_shoe_is_not_offered_again():
    hints = {action: hint(table(action)) for action in ("shoe.inspect", "shoe.cut", "shoe.burn")}

    assert {
        "shoe.inspect": "inspect  shuffle machine --device SH-2  cut 3  burn 3d  ? help",
        "shoe.cut": "cut 3  burn 3d  ? help",
        "shoe.burn": "burn 3d  ? help",
    } == hints
    assert ["burn 3d", "? topics"] == [keys for keys, _ in help_lines(table("shoe.burn"))]


def test_a_shoe_that_ended_is_to_be_counted():
    ended = table("shoe.load", replace(SHOE, step="ended"))
    counted = table("shoe.load", replace(SHOE, step="reconciled"))

    assert hint(ended).startswith("reconcile 30  load 8")
    assert cell_len(hint(ended)) <= 78
    assert "reconcile" not in hint(counted)
    assert help_lines(ended)[0][0] == "reconcile 30"


def test_help_begins_with_what_one_would_do_first():
    first = {action: help_lines(table(action))[0][0] for action in ACTIONS}

    assert "table open dragon-bonus@1 --opener 100=200" == first[None]
    assert "load 8 --serials K-1" == first["shoe.load"]
    assert "3 b 500 t 25" == first["bet"]
    assert "9h" == first["draw"]
    assert "s" == first["settle"]
    assert "c" == first["commission.collect"]
    assert "d" == help_lines(table("draw", GENERATED))[0][0]


def test_a_table_that_is_not_open_tells_the_line_that_opens_it():
    """By the rule set that it had last; one that had none, by the first that the README names."""
    never = TableNow("B01", position=5)
    closed = replace(table(None), rules=named("classic@1"))
    opens = "table open dragon-bonus@1 --opener 100=200"

    assert f"{opens}  rules: sabot rules list  ? help" == hint(never) == hint(None)
    assert (f"Type `{opens}`.", "For other rule sets see `sabot rules list`.") == task(never).why
    assert hint(closed).startswith("table open classic@1 --opener 100=200  ")


def test_a_word_that_is_no_topic_is_told_so_with_those_there_are():
    topics = help_lines(None, "topics")

    assert [*(f"? {topic}" for topic in TOPICS), "? R-BET-1"] == [keys for keys, _ in topics]
    assert [("? poker", "is no topic; these are:"), *topics] == help_lines(None, "poker")
    assert "? xxxxxxxxxxxxxxx…" == help_lines(None, "x" * 99)[0][0]
    assert help_lines(None, "bets") == help_lines(None, "bet") == TOPICS["bet"]


def test_a_rule_that_a_refusal_cites_is_shown_with_what_it_is_about():
    rule = RULEBOOK["R-COM-4"]

    expected = [("? R-COM-4", rule.sentence), ("about", "Commission")]
    assert expected == help_lines(None, "r-com-4")


def test_of_a_number_that_is_no_rule_the_nearest_are_shown():
    first, *near = help_lines(None, "r-com-99")

    assert ("? r-com-99", "is no rule; the nearest are:") == first
    assert ["? R-COM-5", "? R-COM-4", "? R-COM-3"] == [keys for keys, _ in near]


def test_the_rules_are_listed_by_what_they_are_about():
    assert ("R-DEAL-1–6", "Dealing") in help_lines(None, "rules") == help_lines(None, "rule")


@pytest.mark.parametrize("asked", ["mistake", "mistakes", "wrong", "undo"])
def test_what_can_be_done_about_a_mistake_is_told(asked):
    told = [keys for keys, _ in help_lines(None, asked)]

    for way in ("void REASON", "move-card 4 banker", "misdraw 9h", "correct 3 b 500 REASON"):
        assert way in told
    assert "? mistake" in [keys for keys, _ in TOPICS["card"]]
    assert "? mistake" in [keys for keys, _ in help_lines(table("draw"))]


EXAMPLES = [
    "3 b 500 t 25", "1-4b100 5p1.5k", "=", "= 3b1k", "3 -", "3 b -", "u", "9h", "9c5s7cqd s", "d",
    "r p", "misdraw 9h", "s", "s 3=195 5=1000", "c", "c 3", "c 3 100", "waive 3 REASON", "n",
    "void REASON", "correct 3 b as p REASON", "dispute open P-3 REASON", "inspect", "cut 3",
    "seat 3 P-10417", "buy-in 3 500", "limits b 25 10000", "close --closer 100=199",
]  # fmt: skip


NO_LINES = (
    "p b t dp db",
    "pp pb d7 p8 l6",
    "ts tb tg tt",
    "look",
)  # keys of spots, and `--plain`'s own word


def test_all_that_help_tells_of_is_understood():
    told = {each for lines in TOPICS.values() for each, _ in lines}
    told |= {each for action in ACTIONS for each, _ in help_lines(table(action))}

    assert set(NO_LINES) <= told
    for keys in sorted(told - set(NO_LINES)):
        parse(keys)


def test_every_command_of_a_table_is_told_of_under_some_topic():
    """What has a form of its own is told of by that."""
    words = {
        word
        for lines in TOPICS.values()
        for line in lines
        for word in re.findall(r"[\w-]+", " ".join(line))
    }
    own = {"bet", "bets", "withdraw", "no-more-bets", "draw", "reveal", "collect", "readjudicate"}
    own |= {"correct-card", "colour-change", "deal"}  # a patron's own button
    spoken = {typed.rpartition(" ")[2] for typed in SHORTEST.values()} - own

    assert spoken <= words
    assert set(OWN_WORDS) <= words


@pytest.mark.parametrize("keys", EXAMPLES)
def test_what_help_tells_of_is_understood(keys):
    told = {each for lines in TOPICS.values() for each, _ in lines}
    told |= {each for action in ACTIONS for each, _ in help_lines(table(action))}

    assert keys in told
    parse(keys)


# fmt: off
COMPLETED = [
    # typed       the first lines that it could become
    ("",          ["=", "n"]),
    ("3",         ["3 =", "3 -", "3 p", "3 b", "3 t", "3 dp", "3 db"]),
    ("3 ",        ["3 =", "3 -", "3 p", "3 b", "3 t", "3 dp", "3 db"]),
    ("3 d",       ["3 dp", "3 db"]),
    ("1 b",       ["1 b 750", "1 b 25", "1 b 10k"]),
    ("1b100 3t ", ["1b100 3t 5", "1b100 3t 1k"]),
    ("3b1,000 5 ", ["3b1,000 5 =", "3b1,000 5 -"]),
    ("5 z 100", []),
    ("5 b 100", []),
    ("1-3 ",      ["1-3 =", "1-3 -", "1-3 p"]),
    ("c",         ["c 3", "c 5", "c 6", "c P-10417", 'c "Mr. O’Hara"', 'c "7"', "cut"]),
    ("c P",       ["c P-10417"]),
    ("lea",       ["leave"]),
    ("LEA",       ["leave"]),
    ("leave ",    ["leave 1", "leave 3", "leave 5", "leave 6"]),
    ("seat ",     ["seat 2", "seat 4", "seat 7"]),
    ("v",         ["void"]),
    ("shoe r",    ["shoe recount", "shoe reconcile"]),
    ("r ",        ["r p", "r b"]),
    ("? b",       ["? bet", "? back"]),
    ("9h",        []),
    ("xyz",       []),
    ("4-1 ",      []),
]
# fmt: on


@pytest.mark.parametrize(("typed", "first"), COMPLETED)
def test_a_line_is_completed_from_what_is_at_the_table(typed, first):
    found = completions(typed, table("bet"))

    assert first == found[: len(first)]
    assert first or not found


def test_before_a_table_is_known_words_are_completed_all_the_same():
    assert ["leave"] == completions("leav")
    assert [] == completions("3 ")


@pytest.mark.parametrize(
    ("action", "shoe", "lines"),
    [
        ("shoe.shuffle", SHOE, ["shuffle machine"]),
        ("draw", SHOE, []),
        ("draw", GENERATED, ["d"]),
        ("settle", SHOE, ["s"]),
        ("shoe.end", SHOE, ["c", "end"]),
        (None, SHOE, []),
    ],
)
def test_an_empty_line_is_completed_by_what_is_due(action, shoe, lines):
    assert lines == completions("", table(action, shoe))


@given(
    st.text("0123456789bptdc=-, ksxle?'", max_size=8), st.sampled_from(sorted(map(str, ACTIONS)))
)
def test_a_completion_only_ever_adds_to_what_was_typed(typed, action):
    now = table(None if action == "None" else action)
    found = completions(typed, now)

    assert len(found) == len(set(found)) <= MOST_COMPLETIONS
    assert all(each.lower().startswith(typed.lstrip().lower()) for each in found)
    assert typed.lstrip() not in found


def test_a_completed_wager_is_understood():
    for begun in ("3 b ", "1,3t", "5dp "):
        for line in completions(begun, table("bet")):
            try:
                parse(line)
            except NotUnderstood:
                assert line.rstrip()[-1].isalpha()  # a longer spot, which has no amount yet


@pytest.mark.parametrize("word", ["fill", "credit", "colour", "relief"])
def test_what_a_dealer_asks_about_is_a_topic(word):
    lines = help_lines(None, word)

    assert not any("is no topic" in str(said) for _, said in lines)


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("stake", "correct 3 b stake 400 REASON"),
        ("correct", "correct 3 b stake 400 REASON"),
        ("money", "money correct last REASON --amount 500"),
        ("buy-in", "money correct last REASON --amount 500"),
        ("mistake", "correct 3 b stake 400 REASON"),
        ("mistake", "money correct last REASON --amount 500"),
        ("mistake", "coup move-wager 3 b REASON --to-seat 4"),
        ("mistake", "correct 3 b as p REASON"),
        ("mistake", "? late"),
    ],
)
def test_whatever_was_typed_wrong_has_its_line_where_one_looks_for_it(word, line):
    assert line in dict(help_lines(None, word))
