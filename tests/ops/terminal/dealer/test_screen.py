"""The dealer's screen by its keys, against a session whose answers are scripted."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from textual import events

from domain.aggregates.due import NextAct
from ops.kit.outcome import Link, Outcome, Second
from ops.ledger.database import LedgerLost
from ops.now.table_now import SeatNow
from ops.terminal.dealer.due import task
from ops.terminal.dealer.screen.app import DealerScreen
from ops.terminal.dealer.screen.dialogs import Help, SecondPerson
from ops.terminal.dealer.screen.hands import middle
from ops.terminal.dealer.screen.keys import KEYS
from ops.terminal.dealer.screen.messages import Message, messages
from ops.terminal.dealer.screen.page import heights
from ops.terminal.dealer.screen.seats import seats
from ops.typed.tokens import seats_typed
from tests.ops.terminal.dealer.states import line
from tests.ops.terminal.dealer.tables import (
    BANKER_DRAWS,
    BET,
    NINE,
    PLAYER_WINS,
    TABLES,
    betting,
    coup,
    drawing,
    over,
    shoe,
    table,
)
from tests.ops.terminal.fakes import FakeSession, FakeTongue, done, refused, screen, settled

Act = Callable[[DealerScreen, object], Awaitable[None]]
LATE = refused("Betting is closed: the first card is out.", "R-DEAL-2", "3 b 500")
TWO = Outcome("second", ("It takes a supervisor.",), "", "void misdeal")


def at_the_table(session: FakeSession, act: Act, size: tuple[int, int] = (80, 24)) -> DealerScreen:
    """What happens there, to the end."""

    async def run() -> DealerScreen:
        app = screen(session)
        async with app.run_test(size=size) as pilot:
            await settled(app, pilot, lambda: app.opened)
            try:
                await act(app, pilot)
            finally:
                session.let_go()
        return app

    return asyncio.run(run())


async def enter(app: DealerScreen, pilot, typed: str, *, answered: bool = True) -> None:
    await pilot.press(*line(typed), "enter")
    await settled(app, pilot, lambda: not (answered and app.busy))


def typed(app: DealerScreen) -> str:
    return app.line.value


def shown(app: DealerScreen, part: str) -> str:
    return getattr(app.page, part).plain


def test_a_whole_coup_by_keys():
    session = FakeSession(table(BET))

    async def act(app, pilot):
        assert "PLACE YOUR BETS" in shown(app, "board")
        await enter(app, pilot, "3 b 100 t 25")
        session.becomes(betting())
        await settled(app, pilot)
        assert "BETS ARE OPEN" in shown(app, "board")
        await pilot.press("f3")
        await settled(app, pilot, lambda: not app.busy)
        await enter(app, pilot, "9c5s7cqd")
        session.becomes(drawing(BANKER_DRAWS))
        await settled(app, pilot)
        assert "BANKER DRAWS" in shown(app, "board")
        assert "R-DRAW-3" in shown(app, "board")
        assert "Banker draws on 5: Player" in shown(app, "board")
        await enter(app, pilot, "9s")
        session.becomes(over(PLAYER_WINS))
        await settled(app, pilot)
        assert "PLAYER WINS 6 to 4" in shown(app, "board")
        assert "s settles" in shown(app, "board")
        assert "✓500" in shown(app, "board")
        await pilot.press("f4")
        await settled(app, pilot, lambda: not app.busy)

    at_the_table(session, act)

    assert ["3 b 100 t 25", "n", "9c5s7cqd", "9s", "s"] == session.lines


def test_what_was_done_is_told_and_the_line_is_free():
    session = FakeSession(betting(), done("Seat 3: Banker 500.00.", "Seat 3: Tie 25.00."))

    async def act(app, pilot):
        await enter(app, pilot, "3 b 500 t 25")
        assert "✓ Seat 3: Banker 500.00." in shown(app, "strip")
        assert "✓ Seat 3: Tie 25.00." in shown(app, "strip")
        assert typed(app) == ""

    at_the_table(session, act)


def burst(app: DealerScreen, *keys: str) -> None:
    """Keys faster than anybody types: all are there before the first is looked at."""
    for key in keys:
        character = " " if key == "space" else key if len(key) == 1 else None
        app.post_message(events.Key(key, character))


def test_keys_of_a_macro_are_done_in_the_order_in_which_they_were_pressed():
    session = FakeSession(betting())

    async def act(app, pilot):
        burst(app, *line("3 b 50x"), "backspace", "0", "enter", *line("5 p 1k"), "enter", "f3")
        burst(app, *line("9c5s"), "enter", "f6", "3", "enter", *line("7c"))
        await settled(app, pilot, lambda: len(session.said) == 5 and not app.busy)
        assert typed(app) == "7c"

    at_the_table(session, act)

    assert ["3 b 500", "5 p 1k", "n", "9c5s", "c 3"] == session.lines


def test_no_digit_of_a_pin_lands_in_the_number_however_fast_it_is_typed():
    session = FakeSession(TABLES["only-to-void"], TWO)

    async def act(app, pilot):
        await enter(app, pilot, "void misdeal")
        burst(app, *"S-11", "enter", *"123456", "enter")
        await settled(app, pilot, lambda: len(session.said) == 2 and not app.busy)

    at_the_table(session, act)

    assert ("void misdeal", Second("S-11", "123456")) == session.said[-1]


def test_a_refusal_stands_in_place_of_the_hint_and_the_line_comes_back_to_be_mended():
    session = FakeSession(drawing("9C"), LATE)

    async def act(app, pilot):
        await enter(app, pilot, "3 b 500")
        assert "✗ Betting is closed: the first card is out (R-DEAL-2)." in shown(app, "hint")
        assert typed(app) == "3 b 500"
        assert app.line.cursor_at_end
        await pilot.press("backspace")
        assert "✗" in shown(app, "hint")  # it stays while the line is mended
        await pilot.press("escape")
        await settled(app, pilot)
        assert "✗" not in shown(app, "hint")
        assert typed(app) == ""

    at_the_table(session, act)


TEN = refused("10.00 is under the minimum of 25.00.", "R-BET-3", "3 b 10")


def refused_line(act: Act, *answers: Outcome, typed_line: str = "3 b 10") -> FakeSession:
    """A line is entered and refused, and then something is pressed."""
    session = FakeSession(betting(), *answers)

    async def refused_first(app, pilot):
        await enter(app, pilot, typed_line)
        await act(app, pilot)

    at_the_table(session, refused_first)
    return session


def test_a_refused_line_is_replaced_by_the_line_that_is_typed_next():
    async def act(app, pilot):
        assert app.line.refused
        assert "Typing replaces it" in shown(app, "hint")
        await enter(app, pilot, "5 t 25")

    session = refused_line(act, TEN)

    assert session.lines == ["3 b 10", "5 t 25"]
    assert session.kept_refused == ["3 b 10"]


def test_of_a_burst_of_keys_behind_a_refusal_not_one_goes_on_from_the_refused_line():
    async def act(app, pilot):
        burst(app, *line("5 t 25"), "enter", *line("9c"))
        await settled(app, pilot, lambda: len(app.session.said) == 2 and not app.busy)
        assert typed(app) == "9c"

    assert refused_line(act, TEN).lines == ["3 b 10", "5 t 25"]


def test_what_is_pasted_replaces_a_refused_line():
    async def act(app, pilot):
        app.post_message(events.Paste("5 t 25"))
        await settled(app, pilot, lambda: typed(app) != "3 b 10")
        assert typed(app) == "5 t 25"

    refused_line(act, TEN)


@pytest.mark.parametrize(
    ("keys", "mended"),
    [
        (["backspace", "x"], "3 b 1x"),
        (["delete", "0"], "3 b 100"),
        (["right", "0"], "3 b 100"),
        (["end", "0"], "3 b 100"),
        (["left", "0"], "3 b 100"),
        (["left", "left", "5"], "3 b 510"),
        (["home", "1"], "13 b 10"),
        (["ctrl+left", "5"], "3 b 510"),
        (["ctrl+w", "9"], "3 b 9"),
        (["ctrl+k", "0"], "3 b 100"),
        (["ctrl+u", "5"], "5"),
        (["escape", "5"], "5"),
        (["space", "5"], " 5"),
        (["up", "0"], "3 b 100"),
        (["f6", "5"], "c 5"),
    ],
)
def test_an_editing_key_mends_a_refused_line(keys, mended):
    async def act(app, pilot):
        await pilot.press(*keys)
        await settled(app, pilot)
        assert typed(app) == mended
        assert not app.line.refused
        assert "Typing replaces it" not in shown(app, "hint")

    session = refused_line(act, TEN)

    kept = {mended, ""} if mended == "5" else {mended}  # which may be the beginning of a PIN
    assert session.kept[-1] in {(each, ()) for each in kept}


def test_history_leads_away_from_a_refused_line_and_back_to_it():
    async def act(app, pilot):
        await enter(app, pilot, "4 b 5")
        assert typed(app) == "4 b 5"
        await pilot.press("up", "up")
        assert typed(app) == "3 b 500"
        await pilot.press("down", "down")
        assert typed(app) == "4 b 5"
        await pilot.press("n")
        assert typed(app) == "n"
        await pilot.press("up")
        assert typed(app) == "4 b 5"  # though another line replaced it

    refused_line(act, done("Done."), replace(TEN, left="4 b 5"), typed_line="3 b 500")


def test_tab_completes_a_refused_line_and_no_ghost_stands_behind_it():
    async def act(app, pilot):
        assert app.line._suggestion == ""
        await pilot.press("tab", "0")
        assert typed(app) == "3 b 5000"

    refused_line(act, replace(TEN, left="3 b"), typed_line="3 b")


def test_enter_says_a_refused_line_once_more():
    async def act(app, pilot):
        await pilot.press("enter")
        await settled(app, pilot, lambda: len(app.session.said) == 2 and not app.busy)
        assert typed(app) == ""

    refused_line(act, TEN)


@pytest.mark.parametrize(
    ("answers", "left"),
    [
        ([Outcome("refused", ("Done.", "Seat 4 is empty."), "", "4 b 5", 1)], "4 b 5"),
        ([Outcome("unsent", ("Nothing was sent.",), left="3 b 10")], "3 b 10"),
        ([Outcome("sign-on", ("D-204 is not signed on.",), left="3 b 10")], "3 b 10"),
        ([TWO, Outcome("refused", ("No coup.",), "", "void misdeal")], "void misdeal"),
        ([TWO], "void misdeal"),
    ],
)
def test_whatever_comes_back_to_the_line_is_replaced_by_the_next_key(answers, left):
    async def act(app, pilot):
        if answers[0] is TWO:
            await settled(app, pilot, lambda: isinstance(app.screen, SecondPerson))
            await pilot.press(*(NUMBER_AND_PIN if len(answers) == 2 else ("escape",)))
        elif answers[0].kind == "sign-on":
            await pilot.press("escape")
        await settled(app, pilot, lambda: typed(app) == left and not app.busy)
        await pilot.press("9")
        assert typed(app) == "9"

    session = refused_line(act, *answers)

    assert session.kept_refused
    assert set(session.kept_refused) == {left}


def test_a_line_that_was_not_sent_is_replaced_by_the_next_key():
    session = FakeSession(betting())

    async def act(app, pilot):
        session.becomes(link=Link(False, "it is away"))
        await enter(app, pilot, "3 b 500")
        await enter(app, pilot, "5 t 25")
        assert typed(app) == "5 t 25"
        await pilot.press("up", "up")
        assert typed(app) == "3 b 500"

    at_the_table(session, act)


def test_a_refused_line_named_without_a_colour():
    async def act(app, pilot):
        style = app.line.get_component_rich_style("input--selection")
        assert style.reverse
        strips = app.line.render_lines(app.line.region.reset_offset)
        seen = [
            part.text for strip in strips for part in strip if part.style and part.style.reverse
        ]
        assert "3 b 10" in "".join(seen)

    refused_line(act, TEN)


def test_lines_that_are_entered_meanwhile_wait_to_be_seen_and_go_one_after_the_other():
    session = FakeSession(betting())

    async def act(app, pilot):
        session.hold()
        for each in ("3 b 500", "5 p 1k", "n"):
            await enter(app, pilot, each, answered=False)
        await pilot.press(*line("9c"))
        await settled(app, pilot)
        assert ["3 b 500"] == session.lines
        assert "› 3 b 500 …" in shown(app, "strip")
        assert "5 p 1k  (waits)" in shown(app, "strip")
        assert typed(app) == "9c"
        session.let_go()
        await settled(app, pilot, lambda: not app.busy)
        assert "waits" not in shown(app, "strip")

    at_the_table(session, act)

    assert ["3 b 500", "5 p 1k", "n"] == session.lines


@pytest.mark.parametrize(
    "failed", [LATE, Outcome("lost", ("The ledger is lost.",))], ids=lambda each: each.kind
)
def test_what_waits_behind_a_line_that_failed_is_not_sent_and_can_be_brought_back(failed):
    session = FakeSession(betting(), failed)

    async def act(app, pilot):
        session.hold()
        for each in ("3 b 500", "5 p 1k", "n"):
            await enter(app, pilot, each, answered=False)
        session.let_go()
        await settled(app, pilot, lambda: not app.busy)
        assert "2 lines were not sent" in " ".join(shown_words(app))
        await pilot.press("escape", "up")
        assert typed(app) == "n"
        await pilot.press("up")
        assert typed(app) == "5 p 1k"

    at_the_table(session, act)

    assert ["3 b 500"] == session.lines


def shown_words(app: DealerScreen) -> list[str]:
    return [message.words for message in app.notes.messages]


def test_a_refused_line_does_not_push_away_what_is_typed_by_then():
    session = FakeSession(drawing("9C"), LATE)

    async def act(app, pilot):
        session.hold()
        await enter(app, pilot, "3 b 500", answered=False)
        await pilot.press(*line("5s"))
        session.let_go()
        await settled(app, pilot, lambda: not app.busy)
        assert typed(app) == "5s"
        assert "Not done, and in the history: 3 b 500" in shown_words(app)
        await pilot.press("up")
        assert typed(app) == "3 b 500"
        await pilot.press("down")
        assert typed(app) == "5s"

    at_the_table(session, act)


def test_a_second_person_signs_in_place():
    session = FakeSession(TABLES["only-to-void"], TWO, done("The coup is void."))

    async def act(app, pilot):
        await enter(app, pilot, "void misdeal")
        assert isinstance(app.screen, SecondPerson)
        await pilot.press("enter", *"S-11", "enter", *"123456", "enter")
        await settled(app, pilot, lambda: len(session.said) == 2 and not app.busy)
        assert "The coup is void." in shown_words(app)
        assert all("123456" not in each for each in (*shown_words(app), *app.line.history.lines))

    at_the_table(session, act)

    assert [("void misdeal", None), ("void misdeal", Second("S-11", "123456"))] == session.said
    assert all("123456" not in draft for draft, _ in session.kept)


def test_what_was_typed_and_answered_before_is_there_again():
    session = FakeSession(drawing("9C"))
    session.past = [("typed", "3 b 500"), ("done", "Seat 3 bets 500.00."), ("note", "A fill came.")]

    async def act(app, pilot):
        assert shown_words(app)[:2] == ["Seat 3 bets 500.00.", "A fill came."]
        await pilot.press("up")
        assert typed(app) == "3 b 500"

    at_the_table(session, act)


def test_nobody_who_is_not_signed_on_reads_what_was_answered_before():
    session = FakeSession(drawing("9C"))
    session.must_sign_on = True
    session.past = [("typed", "3 b 500"), ("done", "Seat 3 P-10417 bets 500.00.")]

    async def act(app, pilot):
        assert "Seat 3 P-10417 bets 500.00." not in shown_words(app)
        await pilot.press(*"D-204", "enter", *"123456", "enter")
        await settled(app, pilot, lambda: "Seat 3 P-10417 bets 500.00." in shown_words(app))

    at_the_table(session, act)


AHEAD = ("void misdeal", "off", "limits 60 1k", "end", "walked 3 gone")
# What is typed by habit, before it is asked for.
NUMBER_AND_PIN = (*"S-12", "enter", *"4444", "enter")


def everything_seen(app: DealerScreen, session: FakeSession) -> str:
    """What stands on the screen, in the history, and in what is kept."""
    shown_now = [strip.text for strip in app.screen._compositor.render_strips()]
    return repr(
        [
            shown_now,
            app.notes.messages,
            app.line.history,
            app.line.value,
            session.kept,
            session.remembered,
        ]
    )


def test_a_pin_that_is_typed_before_it_is_asked_for_is_seen_and_kept_nowhere():
    session = FakeSession(TABLES["only-to-void"], TWO)

    async def act(app, pilot):
        session.hold()
        burst(app, *line("void misdeal"), "enter", *NUMBER_AND_PIN)
        await settled(app, pilot, lambda: bool(session.said))
        assert "4444" not in everything_seen(app, session)
        session.let_go()
        await settled(app, pilot, lambda: len(session.said) == 2 and not app.busy)
        assert "4444" not in everything_seen(app, session)
        assert app.screen is app.screen_stack[0]

    at_the_table(session, act)

    assert [("void misdeal", None), ("void misdeal", Second("S-12", "4444"))] == session.said
    assert "4444" not in repr([session.kept, session.taken])


def test_digits_alone_are_no_line_and_stand_nowhere():
    """Somebody takes the line for the place of the PIN, after a refusal or before a dialog."""
    session = FakeSession(betting(), LATE)

    async def act(app, pilot):
        await enter(app, pilot, "3 b 500")
        for n in range(1, 7):
            await pilot.press("471108"[n - 1])
            lines = [strip.text for strip in app.screen._compositor.render_strips()]
            assert not any(f"› {'471108'[:n]}" in each for each in lines)
            assert all("4711" not in each for each in lines)
            assert all("4711" not in draft for draft, _ in session.kept)
        await pilot.press("enter")
        assert typed(app) == ""
        assert "Digits alone are no line." in everything_seen(app, session)
        await pilot.press("up")
        assert typed(app) == "3 b 500"
        assert "4711" not in everything_seen(app, session)

    at_the_table(session, act)

    assert ["3 b 500"] == session.lines


def test_a_seat_that_is_typed_first_is_shown():
    session = FakeSession(betting())

    async def act(app, pilot):
        await pilot.press("3")
        assert not app.line.password
        await pilot.press(*" b 5000")
        assert not app.line.password

    at_the_table(session, act)


@pytest.mark.parametrize("failed", [LATE, Outcome("lost", ("The ledger is lost.",))])
@pytest.mark.parametrize("typed_line", AHEAD)
def test_what_is_typed_ahead_of_a_question_that_is_never_asked_goes_nowhere(failed, typed_line):
    session = FakeSession(betting(), failed)

    async def act(app, pilot):
        session.hold()
        burst(app, *line(typed_line), "enter", *NUMBER_AND_PIN)
        await settled(app, pilot, lambda: bool(session.said))
        session.let_go()
        await settled(app, pilot, lambda: not app.busy)
        assert "4444" not in everything_seen(app, session)
        assert "The keys typed meanwhile were ignored." in shown_words(app)

    at_the_table(session, act)

    assert [typed_line] == session.lines


def test_what_is_typed_ahead_of_a_line_that_took_nobody_else_is_done_after_it():
    session = FakeSession(betting())

    async def act(app, pilot):
        session.hold()
        burst(app, "9", "escape", *line("end"), "enter", *line("load 8"), "enter", *line("ins"))
        await settled(app, pilot, lambda: bool(session.said))
        assert ["end"] == session.lines
        assert typed(app) == ""
        assert "Your keys are kept." in shown(app, "hint")
        session.let_go()
        await settled(app, pilot, lambda: len(session.said) == 2 and not app.busy)
        assert typed(app) == "ins"

    at_the_table(session, act)

    assert ["end", "load 8"] == session.lines


def test_whoever_leaves_while_keys_wait_leaves():
    session = FakeSession(betting())

    async def act(app, pilot):
        session.hold()
        await enter(app, pilot, "void misdeal", answered=False)
        await pilot.press("f10", "f10")

    assert 0 == at_the_table(session, act).return_code


def test_keys_wait_from_the_line_on_that_may_take_two_though_others_are_before_it():
    session = FakeSession(betting(), done("Closed."), TWO)

    async def act(app, pilot):
        session.hold()
        burst(app, "n", "enter", *line("void misdeal"), "enter", *NUMBER_AND_PIN)
        await settled(app, pilot, lambda: bool(session.said))
        session.let_go()
        await settled(app, pilot, lambda: len(session.said) == 3 and not app.busy)

    at_the_table(session, act)

    assert ("void misdeal", Second("S-12", "4444")) == session.said[-1]
    assert "4444" not in repr(session.kept)


def picture(app):
    """All that is on the screen, line by line."""
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


LONG = Outcome("second", tuple(f"Sentence {n} of many." for n in range(30)), left="void misdeal")


@pytest.mark.parametrize("signer", ["", "S-12"], ids=["number first", "number named"])
@pytest.mark.parametrize("asks_pin", [True, False], ids=["closed house", "open house"])
def test_nobody_signs_before_the_end_of_what_they_sign_was_shown(signer, asks_pin):
    session = FakeSession(TABLES["only-to-void"], replace(LONG, signer=signer))
    session.asks_pin = asks_pin

    async def act(app, pilot):
        await enter(app, pilot, "void misdeal")
        await settled(app, pilot, lambda: isinstance(app.screen, SecondPerson))
        asked, seen = app.screen, [picture(app)]
        if not signer:
            await pilot.press(*"S-12", "enter")
        if asks_pin:
            pin = asked.query_one("#pin")
            await pilot.press(*"4444")
            assert (pin.value, "read to the end" in pin.border_title) == ("", True)
        await settled(app, pilot)
        seen.append(picture(app))
        while "Sentence 29 of" not in seen[-1]:
            assert len(session.said) == 1
            await pilot.press("enter")
            await settled(app, pilot)
            seen.append(picture(app))
        if asks_pin:
            assert pin.border_title == "PIN"
            await pilot.press(*"4444")
        await pilot.press("enter")
        await settled(app, pilot, lambda: len(session.said) == 2 and not app.busy)
        assert all(any(f"Sentence {n} of" in each for each in seen) for n in range(30))

    at_the_table(session, act)

    assert session.said[-1] == ("void misdeal", Second("S-12", "4444" if asks_pin else ""))


def test_after_the_pin_nobody_is_checked_for_whether_they_must_sign():
    session = FakeSession(TABLES["only-to-void"], TWO)
    seen = []

    async def act(app, pilot):
        session.hold()
        await pilot.press(*line("void misdeal"), "enter")
        seen.append(picture(app).splitlines()[-2])
        session.let_go()
        await settled(app, pilot, lambda: isinstance(app.screen, SecondPerson))
        session.hold()
        await pilot.press(*NUMBER_AND_PIN)
        await settled(app, pilot)
        seen.append(picture(app).splitlines()[-2])
        session.let_go()
        await settled(app, pilot, lambda: not app.busy)

    at_the_table(session, act)

    assert [each.strip() for each in seen] == [
        "Checking whether a second person must sign. Your keys are kept.",
        "Signed: waiting for the answer. Your keys are kept.",
    ]


def test_a_pin_in_the_field_of_the_number_is_not_shown():
    session = FakeSession(TABLES["only-to-void"], TWO)

    async def act(app, pilot):
        await enter(app, pilot, "void misdeal")
        await settled(app, pilot, lambda: isinstance(app.screen, SecondPerson))
        number = app.screen.query_one("#staff")
        await pilot.press(*"S-12")
        shown = not number.password
        await pilot.press(*["backspace"] * 4, *"518263")
        assert (shown, number.password) == (True, True)

    at_the_table(session, act)


def test_an_enter_too_many_signs_once():
    session = FakeSession(TABLES["only-to-void"], TWO)

    async def act(app, pilot):
        await enter(app, pilot, "void misdeal")
        await settled(app, pilot, lambda: isinstance(app.screen, SecondPerson))
        burst(app, *NUMBER_AND_PIN, "enter", "enter")
        await settled(app, pilot, lambda: len(session.said) == 2 and not app.busy)
        assert app.return_code is None

    at_the_table(session, act)

    assert 2 == len(session.said)


def test_a_line_that_waits_for_its_second_person_is_kept_as_the_draft():
    session = FakeSession(TABLES["only-to-void"], TWO)

    async def act(app, pilot):
        await enter(app, pilot, "void misdeal")
        await settled(app, pilot, lambda: isinstance(app.screen, SecondPerson))
        assert ("void misdeal", ()) == session.kept[-1]
        await pilot.press(*NUMBER_AND_PIN)
        await settled(app, pilot, lambda: len(session.said) == 2 and not app.busy)
        assert ("", ()) == session.kept[-1]

    at_the_table(session, act)


def test_a_line_by_a_key_that_waits_for_its_second_person_is_kept_beside_what_is_typed():
    two = Outcome("second", ("It takes a second person.",), left="end")
    session = FakeSession(TABLES["end-the-shoe"], two)

    async def act(app, pilot):
        await pilot.press(*line("5 p"), "f7")
        await settled(app, pilot, lambda: isinstance(app.screen, SecondPerson))
        assert ("5 p", ("end",)) == session.kept[-1]
        await pilot.press("escape")
        await settled(app, pilot)
        assert typed(app) == "5 p"
        assert app.line.history.lines[-1] == "end"

    at_the_table(session, act)


class Unsure(FakeSession):
    """At a house of which it cannot be known whether it is closed."""

    @property
    def asks_pin(self) -> bool:
        raise LedgerLost("the server is gone")

    @asks_pin.setter
    def asks_pin(self, asks: bool) -> None:
        """Nobody knows."""


def test_a_house_that_cannot_be_asked_whether_it_asks_for_pins_asks_for_them():
    session = Unsure(TABLES["only-to-void"], TWO)

    async def act(app, pilot):
        await enter(app, pilot, "void misdeal")
        await settled(app, pilot, lambda: isinstance(app.screen, SecondPerson))
        assert app.screen.query("#pin")

    at_the_table(session, act)


def test_in_open_house_no_pin_is_asked():
    session = FakeSession(TABLES["only-to-void"], TWO)
    session.asks_pin = False

    async def act(app, pilot):
        await enter(app, pilot, "void misdeal")
        assert not app.screen.query("#pin")
        await pilot.press(*"S-11", "enter")
        await settled(app, pilot, lambda: len(session.said) == 2 and not app.busy)

    at_the_table(session, act)

    assert ("void misdeal", Second("S-11")) == session.said[-1]


def test_when_nobody_signs_the_line_stays_and_nothing_is_sent():
    session = FakeSession(TABLES["only-to-void"], TWO)

    async def act(app, pilot):
        await enter(app, pilot, "void misdeal")
        await pilot.press(*"S-11", "escape")
        await settled(app, pilot)
        assert typed(app) == "void misdeal"

    at_the_table(session, act)

    assert [("void misdeal", None)] == session.said


def test_while_the_ledger_is_lost_nothing_is_sent_and_nothing_waits():
    session = FakeSession(betting())

    async def act(app, pilot):
        session.becomes(link=Link(False, "it is away", "8 b 1k"))
        await enter(app, pilot, "3 b 500")
        assert "The ledger cannot be reached: it is away." in shown(app, "bar")
        assert "`8 b 1k` has no answer yet" in shown(app, "bar")
        assert "Nothing was sent" in shown(app, "hint")
        assert typed(app) == "3 b 500"
        await pilot.press("f4")
        await settled(app, pilot)
        assert [] == session.lines
        session.becomes(link=Link())
        await settled(app, pilot)
        assert "ledger" not in shown(app, "bar")
        assert "Nothing was sent" not in shown(app, "hint")
        await pilot.press("enter")
        await settled(app, pilot, lambda: bool(session.lines) and not app.busy)

    at_the_table(session, act)

    assert ["3 b 500"] == session.lines


@pytest.mark.parametrize("unanswered", ["", "8 b 1k", "1,3,5,8b100 " * 8])
def test_an_outage_takes_two_lines_whatever_its_cause_and_says_first_what_to_do(unanswered):
    session = FakeSession(betting())
    why = "PostgreSQL did not start. The end of /var/lib/sabot/server.log says why: " + "no " * 200

    async def act(app, pilot):
        session.becomes(link=Link(False, why, unanswered))
        await settled(app, pilot)
        meanwhile, because = shown(app, "bar").splitlines()
        assert "Nothing is sent; what you type is kept. Hold the coup, call the pit boss." in (
            meanwhile
        )
        assert "server.log" not in because
        assert unanswered[:6] in because
        if not unanswered:
            assert "The ledger cannot be reached: PostgreSQL did not start." in because

    at_the_table(session, act)


def test_what_a_killed_terminal_left_is_there_again():
    session = FakeSession(betting())
    session.draft, session.unsent = "3 b 5", ("5 p 1k", "n")

    async def act(app, pilot):
        await settled(app, pilot)
        assert typed(app) == "3 b 5"
        assert any("2 lines were not sent: 5 p 1k; n" in each for each in shown_words(app))
        assert "Half typed before, and on the line: 3 b 5" in shown_words(app)
        await pilot.press("end", "0")
        await settled(app, pilot)
        assert ("3 b 50", ()) == session.kept[-1]
        await pilot.press("up")
        assert typed(app) == "n"

    at_the_table(session, act)


def test_no_bet_goes_on_from_a_line_that_was_half_typed_before_a_kill():
    session = FakeSession(betting())
    session.draft = "3b2"

    async def act(app, pilot):
        await pilot.press(*"5t25")
        assert typed(app) == "5t25"

    at_the_table(session, act)


def test_a_refused_line_that_a_killed_terminal_left_is_selected_again():
    session = FakeSession(betting())
    session.draft, session.draft_refused = "3 b 10", True

    async def act(app, pilot):
        assert typed(app) == "3 b 10"
        await pilot.press("5")
        assert typed(app) == "5"

    at_the_table(session, act)


def test_keys_that_are_pressed_while_the_screen_starts_are_done_when_it_is_there():
    session = FakeSession(betting())
    session.draft = "8 b 1"
    there = threading.Event()
    session.open = lambda: there.wait(20) and None

    async def run():
        app = screen(session)
        async with app.run_test() as pilot:
            burst(app, *line("3 b 500"), "enter", "f3", *line("9c"))
            await settled(app, pilot)
            assert session.lines == []
            assert "Your keys are kept." in shown(app, "hint")
            there.set()
            await settled(app, pilot, lambda: len(session.said) == 2 and not app.busy)
            assert typed(app) == "9c"
            assert "Left from before, and in the history: 8 b 1" in shown_words(app)

    asyncio.run(run())

    assert session.lines == ["3 b 500", "n"]


def test_what_became_of_a_line_whose_answer_was_lost_is_told_and_what_is_left_comes_back():
    session = FakeSession(betting())

    async def act(app, pilot):
        session.on_resolved(done("`8 b 1k` is on record:", "Seat 8: Banker 1,000.00."))
        session.on_resolved(Outcome("refused", ("`n` is not on record.",), left="n"))
        await settled(app, pilot)
        assert "Seat 8: Banker 1,000.00." in shown_words(app)
        assert "✗ `n` is not on record." in shown(app, "hint")
        assert typed(app) == "n"
        assert app.line.refused

    at_the_table(session, act)


def test_what_waits_is_kept_beside_what_is_typed():
    session = FakeSession(betting())

    async def act(app, pilot):
        session.hold()
        for each in ("3 b 500", "5 p 1k", "n"):
            await enter(app, pilot, each, answered=False)
        await pilot.press("9")
        await settled(app, pilot)
        assert ("9", ("5 p 1k", "n")) == session.kept[-1]
        kept = len(session.kept)
        session.becomes(dealer="D-205")
        await settled(app, pilot)
        assert kept == len(session.kept)  # nothing is written for what others do

    at_the_table(session, act)


def test_of_a_line_that_was_refused_half_way_what_was_done_is_told_as_done():
    half = Outcome("refused", ("Seat 3: Banker 500.00.", "Seat 4 is empty."), "R-BET-1", "4 b 5", 1)
    session = FakeSession(betting(), half)

    async def act(app, pilot):
        await enter(app, pilot, "3-4 b 500")
        assert [
            ("done", "Seat 3: Banker 500.00."),
            ("refused", "Done in part. The line shows what is left to do."),
            ("refused", "Seat 4 is empty (R-BET-1)."),
        ] == [(each.kind, each.words) for each in app.notes.messages]
        assert typed(app) == "4 b 5"

    at_the_table(session, act)


def test_a_question_mark_helps_and_sends_nothing():
    session = FakeSession(betting())

    async def act(app, pilot):
        await enter(app, pilot, "? bet")
        assert isinstance(app.screen, Help)

    at_the_table(session, act)

    assert [] == session.lines


def test_what_is_typed_over_the_help_closes_it_and_no_key_is_lost():
    session = FakeSession(betting(), done("Seat 3: Banker 500.00."))

    async def act(app, pilot):
        await enter(app, pilot, "? bet")
        assert isinstance(app.screen, Help)
        await pilot.press("down")
        assert isinstance(app.screen, Help)  # it scrolls
        await enter(app, pilot, "3 b 500")
        assert not isinstance(app.screen, Help)

    at_the_table(session, act)

    assert ["3 b 500"] == session.lines


def test_one_leaves_from_the_help_too():
    session = FakeSession(betting())

    async def act(app, pilot):
        await enter(app, pilot, "? bet")
        await pilot.press("f10")
        await settled(app, pilot, lambda: not app.is_running)

    at_the_table(session, act)


def test_a_mistake_of_the_program_leaves_no_line_waiting_for_ever():
    session = FakeSession(betting())

    def mistaken(typed: str, second: Second | None = None) -> Outcome:
        raise KeyError(typed)

    session.say = mistaken

    async def act(app, pilot):
        await enter(app, pilot, "n", answered=False)
        await settled(app, pilot, lambda: app.return_code is not None)

    assert isinstance(at_the_table(session, act).return_value, KeyError)


def test_of_several_lines_that_are_pasted_the_first_stands_there_and_none_is_said():
    session = FakeSession(betting())

    async def act(app, pilot):
        app.post_message(events.Paste("3 b 500\nvoid everything\n"))
        await settled(app, pilot, lambda: bool(typed(app)))
        assert typed(app) == "3 b 500"
        assert "Only the first of 2 lines was pasted" in shown(app, "hint")

    at_the_table(session, act)

    assert [] == session.lines


def test_what_others_did_is_told():
    session = FakeSession(betting())

    async def act(app, pilot):
        session.on_news("S-11 changes the limits.")
        await settled(app, pilot)
        assert "· S-11 changes the limits." in shown(app, "strip")

    at_the_table(session, act)


def test_the_ghost_tells_how_the_line_may_go_on_and_tab_takes_it_then_the_next():
    session = FakeSession(betting())

    async def act(app, pilot):
        await pilot.press("3")
        await settled(app, pilot, lambda: app.line._suggestion == "3 b 500")
        await pilot.press("tab")
        assert typed(app) == "3 b 500"
        await pilot.press("tab")
        assert typed(app) == "3 p 100"
        await pilot.press("tab")
        assert typed(app) == "3 b 500"
        await pilot.press("ctrl+u")
        assert typed(app) == ""
        assert app.focused is app.line

    at_the_table(session, act)


@pytest.mark.parametrize(
    ("now", "key", "said", "begun"),
    [
        (betting(), "f2", ["="], ""),
        (betting(), "f3", ["n"], ""),
        (over(PLAYER_WINS), "f4", ["s"], ""),
        (betting(), "f5", ["u"], ""),
        (betting(), "f6", [], "c "),
        (TABLES["inspect"], "f7", ["inspect"], ""),
        (TABLES["shuffle"], "f7", [], "shuffle "),
        (TABLES["burn"], "f7", [], "burn "),
        (TABLES["end-the-shoe"], "f7", ["end"], ""),
        (betting(), "f7", [], "cut-card "),
        (TABLES["closed"], "f7", [], ""),
        (betting(), "f8", [], "void "),
    ],
)
def test_keys_say_a_line_or_begin_it(now, key, said, begun):
    session = FakeSession(now)

    async def act(app, pilot):
        await pilot.press(key)
        await settled(app, pilot, lambda: not app.busy)
        assert begun == typed(app)

    at_the_table(session, act)

    assert said == session.lines


def test_f8_goes_through_what_a_supervisor_does():
    session = FakeSession(betting())

    async def act(app, pilot):
        told = []
        for _ in range(5):
            await pilot.press("f8")
            told.append(typed(app))
        assert ["void ", "correct ", "waive ", "limits ", "void "] == told

    at_the_table(session, act)


def test_f9_goes_through_the_roads_and_f1_helps():
    session = FakeSession(betting())

    async def act(app, pilot):
        titles = []
        for _ in range(4):
            titles.append(shown(app, "below").split("  ")[0].strip("─ ").removeprefix("F9 "))
            await pilot.press("f9")
            await settled(app, pilot)
        assert ["big road", "bead plate", "derived roads", "big road"] == titles
        await pilot.press("f1")
        await settled(app, pilot)
        assert isinstance(app.screen, Help)
        await pilot.press("escape")
        await settled(app, pilot)
        assert app.focused is app.line

    at_the_table(session, act)


def test_leaving_asks_only_while_a_line_has_no_answer():
    session = FakeSession(betting())

    async def act(app, pilot):
        session.hold()
        await enter(app, pilot, "3 b 500", answered=False)
        await pilot.press("f10")
        await settled(app, pilot)
        assert app.return_code is None
        assert "`3 b 500` has no answer yet" in shown(app, "hint")
        await pilot.press("f10")

    assert 0 == at_the_table(session, act).return_code


def test_leaving_asks_nothing_else():
    session = FakeSession(betting())

    async def act(app, pilot):
        await pilot.press("ctrl+c")
        await settled(app, pilot)
        assert app.return_code is None
        await pilot.press("ctrl+q")

    assert 0 == at_the_table(session, act).return_code


def test_training_stands_on_the_head_and_on_every_line_of_message():
    session = FakeSession(drawing("9C"), done("A long message " * 6), LATE, training=True)

    async def act(app, pilot):
        await enter(app, pilot, "x")
        await enter(app, pilot, "3 b 500")
        said = [each.strip() for each in shown(app, "strip").splitlines()]
        for each in (shown(app, "head").splitlines()[0], *filter(None, said)):
            assert each.strip().startswith("TRAINING")
        assert 60 < max(map(len, said))  # there are no roads beside it
        assert all(each.strip().startswith("TRAINING") for each in shown(app, "hint").splitlines())

    at_the_table(session, act)


def test_what_a_session_has_to_tell_first_is_told():
    session = FakeSession(drawing("9C"), training=True)
    session.open = lambda: done("Coup 1 of 10.")

    async def act(app, pilot):
        await settled(app, pilot)
        assert "Coup 1 of 10." in shown(app, "strip")

    at_the_table(session, act)


def test_on_a_small_terminal_lines_are_taken_all_the_same():
    session = FakeSession(betting())

    async def act(app, pilot):
        assert "Too small" in shown(app, "head")
        await enter(app, pilot, "3 b 500")
        await pilot.resize_terminal(80, 24)
        await settled(app, pilot)
        assert "BETS ARE OPEN" in shown(app, "board")
        assert "Too small" not in shown(app, "head")

    at_the_table(session, act, (50, 12))

    assert ["3 b 500"] == session.lines


def test_only_lines_that_changed_are_painted_again():
    session = FakeSession(betting(NINE))

    async def act(app, pilot):
        painted = []
        board = app.page.board
        refresh = board.refresh
        board.refresh = lambda *regions, **more: (
            painted.extend(regions) or refresh(*regions, **more)
        )
        await pilot.press("7")
        await settled(app, pilot)
        assert [7] == sorted({region.y for region in painted})  # the titles are 0
        painted.clear()
        session.becomes()  # as it was
        await settled(app, pilot)
        assert [] == painted

    at_the_table(session, act)


def test_a_thousand_changes_are_drawn_as_the_last_of_them():
    session = FakeSession(betting())

    async def act(app, pilot):
        for number in range(1, 1001):
            session.becomes(coup=coup("betting", number=number))
        await settled(app, pilot)
        assert "coup 1000" in shown(app, "head")

    at_the_table(session, act)


@pytest.mark.parametrize(
    ("begun", "meant"),
    [
        ("3", {3}),
        ("3 b 500", {3}),
        ("12 p", {12}),
        ("3b500", {3}),
        ("1-4b100", {1, 2, 3, 4}),
        ("1,3 b 5", {1, 3}),
        ("1, 3 b 5", {1, 3}),
        ("1-3,3 b 5", set()),
        ("\u0663 b 5", set()),
        ("3 -", {3}),
        ("3=", {3}),
        ("c 3 100", {3}),
        ("waive 3", {3}),
        ("", set()),
        ("9h", set()),
        ("9c5s", set()),
        ("10h", set()),
        ("500", {500}),
        ("n", set()),
    ],
)
def test_the_seat_that_is_typed_is_known_and_a_card_is_none(begun, meant):
    assert meant == seats_typed(begun)


@pytest.mark.parametrize("width", [46, 60, 92])
def test_every_line_of_the_seats_is_as_wide_as_its_room(width):
    for name, now in TABLES.items():
        for each in seats(now, width, 11, frozenset({3})):
            assert width == each.cell_len == cell_len(each.plain), name


def test_no_wager_is_lost_where_room_is_scarce():
    said = "\n".join(each.plain for each in seats(TABLES["nine-seats"], 46, 11, frozenset()))

    for amount in ("500", "10,000", "9,995", "75", "DPDB 30", "DP 50", "DB 500", "1,012.50"):
        assert amount in said
    for seat in NINE:
        assert f"\n {seat:>2} " in f"\n{said}"


def test_of_a_void_coup_nothing_lies_and_nobody_won():
    now = TABLES["void-after-settled"]
    said = "\n".join(
        each.plain for each in (*seats(now, 46, 11, frozenset()), *middle(now, 33, 11))
    )

    assert "Coup 17 is void: 1,625.00 is" in said
    assert "-450" in said
    assert "✓" not in said
    assert "paid" not in said.splitlines()[0]
    assert "★" not in said


def test_seats_that_there_is_no_room_for_are_named():
    said = [each.plain for each in seats(TABLES["nine-seats"], 46, 8, frozenset())]

    assert " … and seats 6, 7, 8, 9" == said[-2].rstrip()


def test_every_due_act_has_words():
    acts = {each.due.action for each in TABLES.values() if each.due}

    assert {"shoe.load", "bet", "draw", "settle", "void", "dispute.decide", "open"} <= acts
    assert all(task(each).headline for each in TABLES.values())


def test_a_held_table_that_finishes_its_coup_says_by_what():
    now = replace(drawing(BANKER_DRAWS), held_by=("C-1",))

    assert ("C-1 holds the table (R-IRR-5).",) == task(now).notes


@pytest.mark.parametrize(
    ("phase", "this"), [("betting", True), ("resulted", False), ("settled", False)]
)
def test_a_card_that_came_when_none_was_due_is_the_first_of_the_coup_that_it_begins(phase, this):
    cards = "" if phase == "betting" else BANKER_DRAWS
    now = table(BET, coup=coup(phase, cards), shoe=shoe(waiting=("9S",)))
    words = (
        "9♠ is this coup's first card; do not type it again."
        if this
        else "Put 9♠ aside for the next coup; do not type it again."
    )

    assert words in task(now).notes


def test_a_tie_alone_is_not_called_too_far_apart():
    now = table(NextAct("bet", "R-BET-3"), coup=coup("betting"))

    assert "CHANGE THE BETS" == task(now).headline


@pytest.mark.parametrize("seated", [0, 9, 12])
@pytest.mark.parametrize(("hint", "bar"), [(1, 0), (3, 0), (1, 3), (3, 3)])
def test_the_parts_fill_the_screen_exactly(seated, hint, bar):
    for height in range(24, 60):
        lie = heights(seated, height, hint, bar)

        assert height == 5 + lie.board + lie.strip + lie.bar + lie.hint
        assert lie.strip >= 2, height
        assert lie.board >= 11 or height < 30, height


def test_a_message_is_shown_whole_or_not_at_all_unless_it_is_the_newest():
    said = [Message("note", "one two three four five six"), Message("done", "seven")]
    lines = messages(said, None, (), 16, 2, training=False)

    assert ["", " ✓ seven"] == [each.plain for each in lines]


def test_a_mistake_of_the_program_is_told_without_what_anybody_typed(capfd):
    class Mistaken(FakeTongue):
        def hint(self, now):
            pin = "4444"
            raise KeyError(len(pin))

    app = DealerScreen(FakeSession(betting()), Mistaken())
    asyncio.run(app.run_async(headless=True))
    told = capfd.readouterr().err

    assert "Traceback" in told
    assert "KeyError: 4" in told
    assert "4444" not in told.replace('pin = "4444"', "")
    assert app.return_code == 1


@pytest.mark.parametrize("in_last_coup", [True, False])
def test_same_bets_is_lit_where_it_does_something(in_last_coup):
    seat = SeatNow(3, "P-3", last=(("banker", 100_00),), in_last_coup=in_last_coup)
    now = replace(table(BET), seats=(seat,))
    (same,) = [sensible(now) for key, _, _, sensible in KEYS if key == "F2"]

    assert same is in_last_coup


# 80 columns.
LEFT = 46  # columns of the seats at 80


@pytest.mark.parametrize("name", [name for name, now in TABLES.items() if now.owed])
def test_what_is_owed_is_shown_beside_whoever_owes_it(name):
    """With nine seats and every spot bet on, what is paid goes first, until it is to collect."""
    now = TABLES[name]
    due = NextAct("commission.collect", "R-COM-4")
    for each in (now, replace(now, due=due)) if len(now.seats) < 9 else (replace(now, due=due),):
        title, *rows = (line.plain for line in seats(each, LEFT, 11, frozenset()))

        assert " owes " in f"{title} ", title
        assert all(any(f" {seat.owed / 100:,.2f}" in row for row in rows) for seat in each.owing)


def test_a_long_refusal_is_shown_whole_and_breaks_no_word():
    words = " ".join(f"word-{n}-of-a-refusal" for n in range(17))
    session = FakeSession(betting(), refused(words, "R-BET-3", "3 b 7"))

    async def act(app, pilot):
        await enter(app, pilot, "3 b 7")
        await settled(app, pilot, lambda: not app.busy)
        shown_words = picture(app).rpartition("✗")[2].split()
        assert words.split() == shown_words[:17]

    at_the_table(session, act)


def test_a_refusal_that_has_no_room_says_where_it_is_whole():
    session = FakeSession(betting(), refused("a-word-of-it " * 60, "R-BET-3", "3 b 7"))

    async def act(app, pilot):
        await enter(app, pilot, "3 b 7")
        await settled(app, pilot, lambda: not app.busy)
        assert "PageUp shows all of it" in picture(app).splitlines()[-2]

    at_the_table(session, act)


def test_a_message_that_has_no_room_says_where_it_is_whole():
    words = " ".join(f"word-{n}-of-a-message" for n in range(40))
    lines = [
        line.plain for line in messages([Message("note", words)], None, (), 48, 6, training=False)
    ]

    assert len(lines) == 6
    assert "PageUp shows all of it" in lines[-1]


@pytest.mark.parametrize(("rows", "scrolls"), [(24, True), (50, False)])
def test_a_sheet_has_the_rows_of_the_screen_and_says_read_on_where_something_follows(rows, scrolls):
    session = FakeSession(TABLES["only-to-void"], LONG)

    async def act(app, pilot):
        await enter(app, pilot, "void misdeal")
        await settled(app, pilot, lambda: isinstance(app.screen, SecondPerson))
        await settled(app, pilot)
        assert ("Sentence 29 of" not in picture(app), "PgDn" in picture(app)) == (scrolls, scrolls)
        await pilot.press(*["pagedown"] * 3)
        await settled(app, pilot)
        assert "PgDn" not in picture(app)

    at_the_table(session, act, (80, rows))
