"""Every state of the screen: which table, what is typed and said, how large, in which colours."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from unittest import mock

from msgspec import Struct
from msgspec.structs import replace

from ops.kit.outcome import Link, Outcome
from ops.now.table_now import Asked, TableNow
from ops.terminal.dealer.entering import TAKES_TWO
from ops.terminal.dealer.screen.app import DealerScreen
from ops.terminal.dealer.screen.dialogs import SecondPerson
from ops.terminal.training.course import CARD
from ops.terminal.training.moments import Dealing
from tests.ops.terminal.dealer.tables import NINE, TABLES, betting, drawing
from tests.ops.terminal.fakes import FakeSession, done, refused, screen, settled

SMALL, LARGE = (80, 24), (160, 48)
Happen = Callable[[DealerScreen, FakeSession, object], Awaitable[None]]


async def _nothing(app: DealerScreen, session: FakeSession, pilot: object) -> None:
    """It is looked at as it is."""


class State(Struct, frozen=True):
    now: TableNow
    happens: Happen = _nothing
    answers: tuple[Outcome, ...] = ()
    size: tuple[int, int] = SMALL
    theme: str = "dark"
    colour: bool = True
    training: bool = False
    alone: bool = False  # nobody is signed on


@asynccontextmanager
async def shown(state: State) -> AsyncIterator[DealerScreen]:
    """The screen in that state."""
    session = FakeSession(state.now, *state.answers, training=state.training)
    session.must_sign_on = state.alone
    session.codes = {"D-206"}
    without = {"NO_COLOR": "1"} if not state.colour else {}
    surroundings = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    with mock.patch.dict(os.environ, surroundings | without, clear=True):
        app = screen(session, state.theme)
    app.sending.queue.clock = lambda: 0.0
    async with app.run_test(size=state.size) as pilot:
        await settled(app, pilot, lambda: app.opened)
        await state.happens(app, session, pilot)
        await settled(app, pilot)
        yield app
        session.let_go()


def typing(*keys: str) -> Happen:
    async def happens(app, session, pilot) -> None:
        await pilot.press(*keys)

    return happens


def line(typed: str) -> tuple[str, ...]:
    """The keys of a line, without Enter."""
    return tuple("space" if key == " " else key for key in typed)


def saying(*lines: str) -> Happen:
    """Lines that are all answered."""

    async def happens(app, session, pilot) -> None:
        for n, each in enumerate(lines, 1):
            await pilot.press(*line(each), "enter")
            await settled(app, pilot, lambda n=n: len(session.said) == n and not app.busy)

    return happens


async def queued(app, session, pilot) -> None:
    session.hold()
    for each in ("3 b 500", "5 p 1k", "n"):
        await pilot.press(*line(each), "enter")
    await pilot.press(*line("9c"))


async def lost(app, session, pilot) -> None:
    await pilot.press(*line("3 b 500"))
    session.becomes(link=Link(False, "the server closed the connection", "8 b 1k"))


async def second(app, session, pilot) -> None:
    await saying("void misdeal")(app, session, pilot)


async def second_typed(app, session, pilot) -> None:
    await second(app, session, pilot)
    await pilot.press(*"S-11", "enter", *"123456")


async def second_again(app, session, pilot) -> None:
    await second_typed(app, session, pilot)
    asked = app.screen
    await pilot.press("enter")
    await settled(app, pilot, lambda: isinstance(app.screen, SecondPerson) and not app.busy)
    assert app.screen is not asked


async def no_answer(app, session, pilot) -> None:
    session.hold()
    await pilot.press(*line("9h"), "enter")
    app.sending.queue.clock = lambda: 12.0
    app.draw()


async def looked_back(app, session, pilot) -> None:
    await saying("9c5s7cqd", "9h")(app, session, pilot)
    await pilot.press("pageup")


async def code_taken(app, session, pilot) -> None:
    await pilot.press(*"D-206", "enter", *"K7QX4M2PAB", "enter")
    await settled(app, pilot, lambda: bool(app.screen.query("#pin:focus")))
    await pilot.press(*"471108", "enter", *"47")


async def signing_refused(app, session, pilot) -> None:
    session.signing.append(WRONG)
    await pilot.press(*"D-204", "enter", *"081599", "enter")
    await settled(app, pilot, lambda: len(session.typed) == 1)


async def signing_lost(app, session, pilot) -> None:
    session.signing.append(UNSURE)
    await pilot.press(*"D-204", "enter", *"471108", "enter")
    await settled(app, pilot, lambda: len(session.typed) == 1)


async def heard(app, session, pilot) -> None:
    session.on_news("The reading shoe: 9♣ to Player (R-DEAL-1).")
    session.on_news("S-11 changes the limits, from the next coup on.")
    await saying("8 b 1k", "3 b 100 t 25")(app, session, pilot)


def roads(times: int) -> Happen:
    return typing(*["f9"] * times)


CARDS = done(
    "No more bets.",
    *("9♣ to Player (R-DEAL-1).", "5♠ to Banker (R-DEAL-1)."),
    *("7♣ to Player (R-DEAL-1).", "Q♦ to Banker (R-DEAL-1)."),
)
BETS = (
    done("Seat 8 P-10502: Banker 1,000.00."),
    done("Seat 3 P-10417: Banker 100.00.", "Seat 3 P-10417: Tie 25.00."),
)
LATE = refused(
    "Betting is closed on B01/2026-11-21/1/17: the first card is out. The chips go back",
    "R-DEAL-2",
    "3 b 500",
)
LONG = refused(
    "7.00 on Banker for seat 3 is under its minimum of 25.00: raise it or take it back; nothing"
    " that stood behind it on the line was done either, so mend the line and say it again.",
    "R-BET-3",
    "3 b 7 t 25 db 50",
)
WRONG = Outcome(
    "refused", ("That is not the PIN of D-204: look at the number, and type both again.",)
)
UNSURE = Outcome(
    "lost",
    (
        "The ledger cannot be reached: the server closed the connection. Nobody knows whether D-204"
        " is signed on.",
    ),
)
AWAY = Outcome(
    "sign-on",
    ("D-204 is not signed on: say `sabot staff sign-on D-204` first.",),
    left="3 b 500",
)
MISTYPED = Outcome(
    "second",
    ("That is not the PIN of S-11: look at the number, and type both again.",),
    left="void misdeal",
)
TWO = Outcome(
    "second",
    ("Coup 17: 2,175.00 lies there. It would be void, and that goes back.", TAKES_TWO),
)

CALL = "The shoe gives 9♠, laid on Banker. The caller: “9. Player 6, Banker 4. Player wins.”"
JUDGING = replace(
    drawing("9C 5S 7C QD"),
    due=CARD,
    asked=Asked(Dealing.headline, Dealing.short, (CALL,)),
)
PLACED = done("Seat 5 grey-jacket: Player 500.00.", CALL)
COURSE_OVER = replace(betting(), due=None, asked=Asked("THE COURSE IS OVER", "F10 leaves"))
SCORE = done(
    "Settled: 525.00 wagered, 0.00 paid.",
    "The course is over.",
    "dragon-bonus@1, seed 7: 10 of 10 coups.",
    "Speed: 31 seconds and 44 keystrokes a coup.",
    "Your own errors: 0.",
)

TALKS: Mapping[str, State] = {
    "seat-typed": State(betting(), typing(*line("3 b 500"))),
    "ghost": State(betting(), typing(*line("3 b"))),
    "said": State(betting(), heard, BETS),
    "cards-said": State(TABLES["banker-draws"], saying("9c5s7cqd"), (CARDS,)),
    "refused": State(drawing("9C"), saying("3 b 500"), (LATE,)),
    "refused-long": State(betting(), saying("3 b 7 t 25 db 50"), (LONG,)),
    "queue": State(betting(), queued),
    "second": State(TABLES["only-to-void"], second, (TWO,)),
    "second-typed": State(TABLES["only-to-void"], second_typed, (TWO,)),
    "second-again": State(TABLES["only-to-void"], second_again, (TWO, MISTYPED)),
    "no-answer": State(TABLES["banker-draws"], no_answer),
    "looked-back": State(TABLES["banker-draws"], looked_back, (CARDS, LATE)),
    "sign-on": State(betting(), alone=True),
    "sign-on-pin": State(betting(), typing(*"D-204", "enter", *"471108"), alone=True),
    "sign-on-code": State(betting(), code_taken, alone=True),
    "sign-on-refused": State(betting(), signing_refused, alone=True),
    "sign-on-lost": State(betting(), signing_lost, alone=True),
    "sign-on-looking": State(betting(), typing("escape"), alone=True),
    "signed-on-elsewhere": State(betting(), saying("3 b 500"), (AWAY,)),
    "signed-off": State(betting(), saying("off"), (Outcome("sign-on", ("D-204 signs off.",)),)),
    "help": State(betting(), typing("f1")),
    "lost": State(betting(), lost),
    "training": State(drawing("9C"), saying("3 b 500"), (LATE,), training=True),
    "training-long": State(betting(), heard, BETS, training=True),
    "training-judging": State(JUDGING, saying("5 p 500"), (PLACED,), training=True),
    "training-judging-160": State(JUDGING, size=LARGE, training=True),
    "training-over": State(COURSE_OVER, saying("s"), (SCORE,), training=True),
    "bead-plate": State(TABLES["near-the-cut-card"], roads(1)),
    "derived": State(TABLES["near-the-cut-card"], roads(2)),
    "too-small": State(betting(), heard, BETS, size=(60, 16)),
}
_MAIN = ("betting", "banker-draws", "nine-paid-end", "commission-due", "no-shoe", "face-down")
_LOOKS = ("banker-draws", "nine-paid", "too-far-apart")


def _states() -> dict[str, State]:
    states = {name: State(now) for name, now in TABLES.items()} | TALKS
    states |= {f"{name}-160": State(TABLES[name], size=LARGE) for name in _MAIN}
    states |= {
        f"{name}-160": State(betting(NINE), TALKS[name].happens, TALKS[name].answers, LARGE)
        for name in ("said", "lost", "queue")
    }
    states["nine-seats-120"] = State(TABLES["nine-seats"], size=(120, 36))
    for look, how in (("light", {"theme": "light"}), ("ansi", {"theme": "ansi"}),
                      ("plain", {"colour": False})):  # fmt: skip
        states |= {f"{name}-{look}": State(TABLES[name], **how) for name in _LOOKS}
        for name in ("refused", "lost", "second", "sign-on-code"):
            states[f"{name}-{look}"] = replace(TALKS[name], **how)
        states[f"nine-paid-end-160-{look}"] = State(TABLES["nine-paid-end"], size=LARGE, **how)
    return states


STATES = _states()
