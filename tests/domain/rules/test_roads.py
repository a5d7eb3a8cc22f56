"""The roads: where every mark lies, which colour it has, and that the preview comes true.

Beside the rules as the module states them stands what a player does at the table: the big road
on paper without an end below, and a look at the columns to the left.
"""

import random
from collections import Counter
from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.rules.roads import BACK, ROWS, SIDES, Bead, Place, lay, roads

OUTCOME = {"B": "banker", "P": "player", "T": "tie"}
SHOES = st.text("BPT", max_size=90)
STREAKY = st.lists(  # runs as no shoe has them, so that tails meet
    st.tuples(st.sampled_from("BP"), st.integers(1, 14)), max_size=12
).map(lambda runs: "".join(side * length for side, length in runs))


def beads(letters):
    return [Bead(OUTCOME[letter]) for letter in letters]


def told(letters):
    return roads(beads(letters))


def colours(letters):
    """Every derived road as a word: `RRB`."""
    return [word(marks) for marks in told(letters).derived.values()]


def word(marks):
    return "".join(mark.colour[0].upper() for mark in marks)


def previewed(letters, side):
    """What each road would get next: `BBR`; a dot where nothing."""
    preview = told(letters).preview[side]
    return "".join((preview[road] or ".")[0].upper() for road in BACK)


def drawn(places, letters):
    """A grid as it is seen: six lines, dots for what is empty."""
    at = dict(zip(places, letters, strict=True))
    columns = max((place.column + 1 for place in places), default=0)
    return ["".join(at.get((column, row), ".") for column in range(columns)) for row in range(ROWS)]


def big(letters):
    sides = letters.replace("T", "")
    return drawn([entry.place for entry in told(letters).big_road], sides)


# The worked example, and what a road needs before it begins.
def test_the_worked_example():
    assert colours("BBBPPPBPB") == ["RRRBR", "BB", "B"]
    assert previewed("BBBPPPBPB", "banker") == "BBR"
    assert previewed("BBBPPPBPB", "player") == "RRB"


@pytest.mark.parametrize(("letters", "expected"), [
    ("",          ["", "", ""]),
    ("B",         ["", "", ""]),
    ("BP",        ["", "", ""]),              # nothing to compare the first of column two with
    ("BPP",       ["B", "", ""]),             # its second is where a big eye begins
    ("BBPP",      ["R", "", ""]),
    ("BPB",       ["R", "", ""]),             # or the first of column three
    ("BPPB",      ["BB", "", ""]),
    ("BPBB",      ["RB", "B", ""]),
    ("BPBP",      ["RR", "R", ""]),
    ("BPBPP",     ["RRB", "RB", "B"]),
    ("BPBPB",     ["RRR", "RR", "R"]),
    ("BBPPPP",    ["RBR", "", ""]),           # one longer is blue, longer still is red
    ("BBPBB",     ["BB", "R", ""]),           # no cell, and none above it either, is alike
    ("BPPPPP",    ["BRRR", "", ""]),
    ("BTTPTPT",   ["B", "", ""]),             # ties change nothing
])  # fmt: skip
def test_where_the_roads_begin_and_how_they_go_on(letters, expected):
    assert expected == colours(letters)


# What a player at the table does: look to the left.
def by_looking(letters):
    """The derived roads, read off a big road whose columns have no end."""
    columns = [len(list(run)) for _, run in groupby(letters.replace("T", ""))]
    deepest = max(columns, default=0)
    filled = {(c, r) for c, length in enumerate(columns) for r in range(length)}
    marks = {1: "", 2: "", 3: ""}
    for column, row in sorted(filled):
        for back in marks:
            if row == 0 and column > back:
                one, other = column - 1, column - 1 - back
                even = not any(
                    ((one, r) in filled) != ((other, r) in filled) for r in range(deepest)
                )
                marks[back] += "R" if even else "B"
            elif row > 0 and column >= back:
                left, above_left = (column - back, row), (column - back, row - 1)
                marks[back] += "R" if (left in filled) == (above_left in filled) else "B"
    return list(marks.values())


def test_three_thousand_shoes_read_both_ways():
    chance, met = random.Random(20261121), Counter()
    for _ in range(3000):
        again = chance.choice((0.2, 0.5, 0.7, 0.85))
        letters = "B"
        for _ in range(chance.randint(0, 85)):
            other = "P" if letters.rstrip("T")[-1:] == "B" else "B"
            same = letters.rstrip("T")[-1:] or other
            letters += chance.choices((same, other, "T"), (again, 1 - again, 0.1))[0]
        runs = [len(list(run)) for _, run in groupby(letters.replace("T", ""))]
        met["longer than six"] += max(runs) > ROWS
        for back in BACK.values():
            pairs = zip(runs, runs[back:], strict=False)
            met["longer than its reference by two"] += any(two >= one + 2 for one, two in pairs)

        assert by_looking(letters) == colours(letters), letters
    assert met["longer than six"] > 500
    assert met["longer than its reference by two"] > 500


# Where they lie.
def test_a_run_goes_down_and_then_to_the_right():
    assert big("BBBBBBBBBPP") == [
        "BP..",
        "BP..",
        "B...",
        "B...",
        "B...",
        "BBBB",
    ]


def test_a_run_that_meets_a_tail_turns_above_it():
    assert big("B" * 9 + "P" * 7 + "B") == [
        "BPB.",
        "BP..",
        "BP..",
        "BP..",
        "BPPP",
        "BBBB",
    ]


def test_a_run_that_turned_does_not_go_down_again():
    assert big("B" * 7 + "P" * 8 + "BB") == [
        "BPB..",
        "BPB..",
        "BP...",
        "BP...",
        "BPPPP",
        "BB...",
    ]


def test_a_run_begins_where_the_top_is_free():
    long = "B" * 12 + "P" * 11 + "B" * 10 + "P" * 9 + "B" * 8 + "P" * 4

    assert big(long + "BP") == [
        "BPBPBPPPPBP",
        "BPBPBBBBBBB",
        "BPBPPPPPPP.",
        "BPBBBBBBB..",
        "BPPPPPPP...",
        "BBBBBBB....",
    ]


def test_derived_roads_have_tails_too():
    marks = told("BP" * 12).derived["big_eye_boy"]

    assert word(marks) == "R" * 22
    assert marks[6].place == Place(1, 5)
    assert marks[-1].place == Place(16, 5)


def test_a_derived_road_begins_a_column_with_each_change_of_colour():
    marks = told("BBBPPPBPB").derived["big_eye_boy"]

    assert drawn([mark.place for mark in marks], word(marks))[:3] == ["RBR", "R..", "R.."]


def test_the_bead_plate_is_filled_column_by_column():
    letters = "BPTBPTPPB"

    assert drawn(told(letters).bead_plate, letters) == ["BP", "PP", "TB", "B.", "P.", "T."]


# Ties, pairs, naturals.
def entries(letters):
    return [(entry.side, entry.ties) for entry in told(letters).big_road]


def test_a_tie_is_counted_on_the_entry_before_it():
    assert entries("BTTPBT") == [("banker", 2), ("player", 0), ("banker", 1)]


def test_ties_before_the_first_side_are_counted_on_it():
    assert entries("TTPTB") == [("player", 3), ("banker", 0)]


def test_a_shoe_of_nothing_but_ties():
    (entry,) = told("TTT").big_road

    assert (entry.place, entry.side, entry.ties) == (Place(0, 0), None, 3)
    assert colours("TTT") == ["", "", ""]
    assert len(told("TTT").bead_plate) == 3


def test_an_empty_shoe():
    nothing = told("")

    assert (nothing.beads, nothing.bead_plate, nothing.big_road) == ((), (), ())
    assert set(nothing.counts().values()) == {0}
    assert [previewed("", side) for side in SIDES] == ["...", "..."]


def test_pairs_and_naturals_are_told_where_they_came():
    shoe = [
        Bead("banker", player_pair=True, natural=True),
        Bead("tie", banker_pair=True, natural=True),
        Bead("player", banker_pair=True),
    ]
    first, second = roads(shoe).big_road

    assert (first.player_pair, first.banker_pair, first.natural) == (True, False, True)
    assert (second.player_pair, second.banker_pair, second.natural) == (False, True, False)
    assert roads(shoe).counts() == {
        "player": 1,
        "banker": 1,
        "tie": 1,
        "player_pair": 1,
        "banker_pair": 2,
        "natural": 2,
    }


# Whatever the shoe.
@given(SHOES | STREAKY)
def test_no_two_marks_lie_in_one_cell(letters):
    shoe = told(letters)
    for placed in (shoe.big_road, *shoe.derived.values()):
        places = [each.place for each in placed]

        assert len(set(places)) == len(places)
        assert all(0 <= place.row < ROWS and place.column >= 0 for place in places)


@given(SHOES | STREAKY)
def test_every_entry_from_where_a_road_begins_has_its_mark(letters):
    runs = [len(list(run)) for _, run in groupby(letters.replace("T", ""))]
    for back, marks in zip(BACK.values(), told(letters).derived.values(), strict=True):
        without = sum(runs[:back]) + (len(runs) > back)  # the first of the next has none either

        assert len(marks) == sum(runs) - without


@given(SHOES | STREAKY, st.sampled_from("BP"), st.integers(0, 3))
def test_the_preview_is_what_comes(letters, side, ties):
    before, after = colours(letters), colours(letters + "T" * ties + side)
    came = [new.removeprefix(old) for old, new in zip(before, after, strict=True)]

    assert [each or "." for each in came] == list(previewed(letters, OUTCOME[side]))


@given(SHOES)
def test_ties_change_no_road_but_their_own(letters):
    assert colours(letters) == colours(letters.replace("T", ""))


@given(SHOES | STREAKY)
def test_a_run_lies_together_and_begins_at_the_top(letters):
    sides = letters.replace("T", "")
    places = iter(lay(sides))
    begun = -1
    for _, run in groupby(sides):
        mine = [next(places) for _ in run]

        assert mine[0].row == 0
        assert mine[0].column > begun
        for one, next_one in pairwise(mine):
            step = (next_one.column - one.column, next_one.row - one.row)

            assert step in ((0, 1), (1, 0))
            assert step == (1, 0) or next_one.column == mine[0].column
        begun = mine[0].column


@given(SHOES)
def test_a_longer_shoe_moves_nothing(letters):
    """What was shown stays where it is: a display only ever adds."""
    if letters[:-1].strip("T"):
        shorter, longer = told(letters[:-1]), told(letters)

        assert [e.place for e in longer.big_road[: len(shorter.big_road)]] == [
            entry.place for entry in shorter.big_road
        ]
        for road, marks in shorter.derived.items():
            assert longer.derived[road][: len(marks)] == marks
