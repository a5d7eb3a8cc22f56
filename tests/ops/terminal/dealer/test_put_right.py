"""What was typed wrong is put right at the terminal, where two people are."""

import pytest

from ops.kit.outcome import Second
from ops.typed.acts import NotUnderstood
from ops.typed.grammar import parse

S_11 = Second("S-11", "")


@pytest.fixture
def dealing(session):
    for line in ("3 b 100", "5 p 500", "9c5s7cqd", "2s s"):
        assert session.say(line).kind == "done", line
    return session


def both(session, line):
    """A line that two people sign: what is asked, and what came of it."""
    asked = session.say(line)
    assert asked.kind == "second", asked
    return asked, session.say(asked.left, S_11)


def test_a_card_that_was_typed_wrong_is_named_by_its_number(dealing):
    asked, done = both(dealing, "card 5 = 4s it was a four")

    assert asked.words[1] == "Card 5 was 4♠, not 2♠: it was a four."
    assert asked.words[2] == "It was: Banker wins, 7 to 6."
    assert asked.words[3] == "It is then: Banker wins, 9 to 6."
    assert done.kind == "done"
    assert done.words[0] == "Card 5 was 4♠, not 2♠: it was a four."
    assert dealing.now.coup.outcome == "banker"


def test_a_wager_and_the_last_cash_are_put_right(dealing):
    assert dealing.say("buy-in 3 5000").kind == "done"
    _, money = both(dealing, "money correct last 'typed 5,000 for 500' --amount 500")
    _, moved = both(dealing, "coup move-wager 5 p 'seat 8 had it' --to-seat 8")

    (words,) = money.words
    assert words.startswith("Entry #")
    assert words.endswith(
        ": P-10417 bought chips for 500.00, not 5,000.00. Reason: typed 5,000 for 500"
    )
    assert moved.words[0].startswith("Player 500.00 of seat 5 ")


def test_a_line_that_would_lose_a_night_is_asked_about_once(dealing):
    asked = dealing.say("cut-card")
    assert asked.kind == "refused"
    assert asked.words[-1].endswith("Type `y` if that is right.")
    done = dealing.say("y")

    assert done.kind == "done"
    assert done.words[0].startswith("The cut card shows")
    again = dealing.say("y")
    assert (again.kind, again.words[-1]) == (
        "refused",
        "`y`: Nothing is asked. Type `?` for help.",
    )


def test_what_was_asked_is_forgotten_when_another_line_is_typed(dealing):
    assert dealing.say("cut-card").kind == "refused"
    assert dealing.say("3 b 100").kind == "done"

    assert dealing.say("y").words[-1] == "`y`: Nothing is asked. Type `?` for help."


def test_who_signs_is_asked_after_what_is_asked(dealing):
    """Nobody signs for a count that is counted once more."""
    assert dealing.say("c 3").kind == "done"
    _, ended = both(dealing, "end it is late")
    assert ended.kind == "done"
    asked = dealing.say("close --closer 100=1 --with S-11")
    assert (asked.kind, asked.words[-1].endswith("Type `y` if that is right.")) == ("refused", True)
    asked = dealing.say("y")
    assert (asked.kind, asked.signer) in (("second", "S-11"), ("done", ""))


def test_what_is_repeated_is_what_was_put_right(dealing):
    for line in ("correct 3 b as tie on Tie", "correct 5 p stake 200 two of them"):
        both(dealing, line)

    assert dealing.say("=").kind == "done"
    laid = {
        seat.seat: [(each.spot, each.stake) for each in seat.wagers] for seat in dealing.now.seats
    }
    assert (laid[3], laid[5]) == ([("tie", 100_00)], [("player", 200_00)])


def test_two_seats_whose_wagers_were_each_other_s_are_told_how_that_is_put_right(dealing):
    for seat, spot, other in ((3, "b", 5), (5, "p", 3)):
        refused = dealing.say(f"coup move-wager {seat} {spot} swapped --to-seat {other}")
        assert refused.kind == "refused"
        assert "put each right where it is, with `correct`" in refused.words[-1]
    both(dealing, "correct 3 b as p swapped")
    both(dealing, "correct 5 p as b swapped")

    assert dealing.say("=").kind == "done"


def test_what_somebody_owes_who_has_left_is_shown_and_collected_by_name(dealing):
    patron = dealing.now.seat(3).patron
    assert dealing.say("c 3").kind == "done"
    assert dealing.say("leave 3").kind == "done"
    both(dealing, "correct 3 b stake 200 two chips")
    owed = dealing.now.owed

    assert owed > 0
    assert dealing.now.left_owing == {patron: owed}
    assert any("who has left" in each for each in dealing.say("c").words)
    assert dealing.say(f"c {patron}").kind == "done"
    assert (dealing.now.owed, dealing.now.left_owing) == (0, {})


@pytest.mark.parametrize("typed", ["card", "card 6", "card 7 = 5h misread", "card 6 = 5h"])
def test_a_card_needs_its_number_the_card_and_a_reason(typed):
    with pytest.raises(NotUnderstood):
        parse(typed)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("card 6=5h misread", "card 6 = 5h misread"),
        ("card 3 9c untyped two were typed", "card 3 = 9c untyped two were typed"),
        ("card 4 = ad then 3h kd misread", "card 4 = ad then 3h kd misread"),
        ("card 4 ad then 3h,KD misread", "card 4 = ad then 3h kd misread"),
        ("card 4 = ad then he said so", "card 4 = ad then he said so"),
        ("CARD 3 = 10C STAY one fell", "card 3 = tc stay one fell"),
        ("card B01/2026-11-21/1/5 6 = 5h misread", "card B01/2026-11-21/1/5 6 = 5h misread"),
    ],
)
def test_a_card_is_typed_in_several_ways(typed, written):
    assert parse(typed).words == written
