"""Every state of the dealer's screen as text, and a handful with their styles.

To write one anew delete its file in tests/golden/terminal and run this: what it writes it fails
for once, to be looked at.
"""

import asyncio
import re

import pytest
from rich.console import Console

from tests.ops.terminal.dealer.states import STATES, State, shown

STYLED = {"refused", *(f"nine-paid{look}" for look in ("", "-light", "-ansi", "-plain"))}
_LOOKS = re.compile("-(light|ansi|plain)$")


async def _drawn(state: State, *, styled: bool) -> str:
    """What stands on the screen, line by line; nothing at the ends of lines."""
    async with shown(state) as app:
        strips = app.screen._compositor.render_strips()
        console = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)
        lines = (strip.render(console) if styled else strip.text.rstrip() for strip in strips)
        return "".join(f"{line}\n" for line in lines)


def _file(name: str) -> str:
    """In any other look a screen has the same text."""
    return f"{name}.ansi" if name in STYLED else f"{_LOOKS.sub('', name)}.txt"


@pytest.mark.parametrize("name", STATES)
def test_the_screen_is_the_stored_one(golden, name):
    shown_now = asyncio.run(_drawn(STATES[name], styled=name in STYLED))
    stored = golden / "terminal" / _file(name)
    if not stored.exists():
        stored.parent.mkdir(exist_ok=True)
        stored.write_text(shown_now)
        pytest.fail(f"{stored.name} is written: look at it, and run this again")

    assert stored.read_text() == shown_now


def test_no_stored_screen_is_left_over(golden):
    assert {_file(name) for name in STATES} == {
        file.name for file in (golden / "terminal").iterdir()
    }
