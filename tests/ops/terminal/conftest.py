"""What the tests of the terminal share."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

from ops.ledger.database import Database
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from tests.ops.terminal import typed


async def at_rest(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Until nothing more is to be run but what a thread or a timer brings.

    Textual's own waits until the process has been idle for 20 ms, twice for each key.
    """
    loop = asyncio.get_running_loop()
    await asyncio.sleep(0.001)  # a thread has its turn
    while loop._ready:
        await asyncio.sleep(0)


@pytest.fixture(scope="package", autouse=True)
def keys_are_quick() -> Iterator[None]:
    """A key is pressed when what the last one brought about is done, and no later."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("app", "pilot"):
            patch.setattr(f"textual.{module}.wait_for_idle", at_rest)
        yield


@pytest.fixture(scope="package", autouse=True)
def styles_are_parsed_once() -> Iterator[None]:
    """The style sheets of hundreds of screens are the same, and each screen would parse its own."""
    parse, parsed = Stylesheet._parse_rules, {}

    def once(sheet: Stylesheet, *what: object, **how: object) -> list[RuleSet]:
        key = (what, *how.items(), *sheet._variables.items())
        if key not in parsed:
            parsed[key] = parse(sheet, *what, **how)
        return parsed[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", once)
        yield


@pytest.fixture(scope="package", autouse=True)
def ends_are_quick() -> Iterator[None]:
    """Whoever ends is not waited for as long as a listener is quiet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ops.now.listener.QUIET", 0.05)
        patch.setattr("ops.now.listener.AGAIN", 0.1)
        yield


@pytest.fixture(autouse=True)
def nobodys_terminal(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds what a terminal of whoever runs it left behind."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path))


@pytest.fixture
def terminal(database: Database) -> Iterator[Callable[..., Session]]:
    """As many terminals at B01 as a test wants, open, in open house."""
    with ExitStack() as open_ones:

        def open_one(**how: object) -> Session:
            session = Session(HouseHere(database), "B01", **{"by": "D-204", **how})
            open_ones.enter_context(closing(session))
            session.open()
            return session

        yield open_one


@pytest.fixture
def session(terminal: Callable[..., Session]) -> Session:
    """A terminal at B01, whose shoe is ready for its first coup."""
    session = terminal()
    for line in typed.preparation():
        assert session.say(line).kind == "done", line
    return session
