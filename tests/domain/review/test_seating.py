"""Which table to open, close or raise: beside sums of its own, on random floors."""

from fractions import Fraction
from random import Random

import pytest

from domain.review.seating import Advice, Floor, advised


def floor(table, minimum=25_00, seats=7, *, wagered=(), maximum=5_000_00, rules="classic@1"):
    return Floor(table, rules, minimum, maximum, seats, tuple(wagered))


def test_a_quiet_table_closes_if_its_patrons_find_seats_that_are_no_dearer():
    quiet, busy = floor("B02", wagered=[30_00, 40_00]), floor("B01", wagered=[30_00] * 4)
    dear = floor("B03", 100_00, wagered=[])

    assert advised(quiet, [quiet, busy]) == Advice("close", 2, 7, 3, ("B01",))
    assert advised(busy, [quiet, busy]) is None
    assert advised(quiet, [quiet, dear]) is None


@pytest.mark.parametrize(
    "other",
    [
        floor("B01", maximum=39_00, wagered=[30_00] * 3),
        floor("B01", rules="ez@1", wagered=[30_00] * 3),
        floor("B01", wagered=[30_00] * 7),
        floor("B01", wagered=[30_00] * 5),  # another one would have to be opened
    ],
    ids=["takes less", "another game", "full", "full then"],
)
def test_it_stays_open_if_its_patrons_could_not_play_on_there(other):
    quiet = floor("B02", wagered=[30_00, 40_00])

    assert advised(quiet, [quiet, other]) is None


def test_an_empty_table_stays_open_while_the_others_are_full():
    empty, full = floor("B02"), floor("B01", wagered=[30_00] * 7)

    assert advised(empty, [empty, full]) is None
    assert advised(full, [empty, full]) is None


def test_who_did_not_play_yet_is_not_counted_as_leaving():
    full = floor("B01", seats=4, wagered=[100_00, 100_00, None, None])

    assert advised(full, [full]) == Advice("open", 4, 4)


def test_the_last_table_stays_open():
    alone = floor("B01")

    assert advised(alone, [alone]) is None


def test_of_tables_without_patrons_one_stays_open():
    tables = [floor("B01"), floor("B02"), floor("B03")]
    acts = [advice and advice.act for advice in (advised(each, tables) for each in tables)]

    assert acts == ["close", "close", None]


def test_a_full_table_where_nearly_all_is_wagered_by_a_few_is_raised():
    full = floor("B01", seats=3, wagered=[500_00, 400_00, 25_00])

    assert advised(full, [full]) == Advice("raise", 2, 3, to=50_00, share=Fraction(900, 925))


@pytest.mark.parametrize("wagered", [[100_00, 30_00, 30_00], [0, 0, 0]])
def test_it_is_not_raised_for_patrons_who_would_leave_with_much(wagered):
    full = floor("B01", seats=3, wagered=wagered)

    assert advised(full, [full]) == Advice("open", 3, 3)


def test_nothing_is_raised_above_the_maximum():
    full = floor("B01", seats=2, wagered=[40_00, 40_00], maximum=40_00)

    assert advised(full, [full]).act == "open"


def test_no_other_is_opened_while_there_are_seats_that_are_no_dearer():
    full, other = floor("B01", wagered=[30_00] * 7), floor("B02", wagered=[30_00] * 4)

    assert advised(full, [full, other]) is None


@pytest.mark.parametrize("seed", range(60))
def test_all_who_have_to_move_find_a_seat_at_a_table_that_stays(seed):
    random = Random(seed)
    tables = [
        floor(
            f"B{n:02}",
            random.choice((25_00, 50_00, 100_00)),
            wagered=[random.randrange(0, 300_00) for _ in range(random.randint(0, 7))],
        )
        for n in range(random.randint(1, 9))
    ]
    advice = {each.table: advised(each, tables) for each in tables}
    closed = [each for each in tables if advice[each.table] and advice[each.table].act == "close"]
    stay = [each for each in tables if each not in closed]

    assert stay
    for dearest in {each.minimum for each in tables}:  # Hall: whoever pays at most so much
        moved = sum(len(each.wagered) for each in closed if each.minimum <= dearest)
        assert moved <= sum(each.free for each in stay if each.minimum <= dearest)
    for each in stay:
        what = advice[each.table]
        assert what is None or not each.free
