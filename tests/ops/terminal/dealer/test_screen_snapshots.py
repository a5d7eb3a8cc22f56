"""Every state of the dealer's screen, as a terminal shows it: `cat tests/golden/terminal/…`.

To write one anew delete its file and run this: what it writes it fails for once, to be looked at.
"""

import asyncio

import pytest
from rich.console import Console

from tests.ops.terminal.dealer.states import STATES, State, shown


async def _ansi(state: State) -> str:
    """What stands on the screen, line by line with its styles, nothing at the ends of lines."""
    async with shown(state) as app:
        strips = app.screen._compositor.render_strips()
        console = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)
        return "".join(f"{strip.render(console)}\n" for strip in strips)


@pytest.mark.parametrize("name", STATES)
def test_the_screen_is_the_stored_one(golden, name):
    shown_now = asyncio.run(_ansi(STATES[name]))
    stored = golden / "terminal" / f"{name}.txt"
    if not stored.exists():
        stored.parent.mkdir(exist_ok=True)
        stored.write_text(shown_now)
        pytest.fail(f"{stored.name} is written: look at it, and run this again")

    assert stored.read_text() == shown_now


def test_no_stored_screen_is_left_over(golden):
    assert {f"{name}.txt" for name in STATES} >= {
        file.name for file in (golden / "terminal").glob("*.txt")
    }
