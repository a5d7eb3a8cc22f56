"""Draws every state of the dealer's screen.

`python -m tests.ops.terminal.dealer.pictures DIR [NAME …]`.

As SVG; PNG too, where rsvg-convert is installed. With a file instead of DIR it is one state.
"""

import asyncio
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.ops.terminal.dealer.states import STATES, State, shown


async def _draw(title: str, state: State, file: Path) -> None:
    async with shown(state) as app:
        picture = app.export_screenshot(title=title)
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)  # fetches nothing
    picture = picture.replace("<svg ", '<svg xml:space="preserve" ', 1)
    file.write_text(picture.replace("Fira Code", "DejaVu Sans Mono"))


def _convert(file: Path) -> None:
    if convert := shutil.which("rsvg-convert"):
        subprocess.run([convert, "-o", str(file.with_suffix(".png")), str(file)], check=True)


async def _draw_all(place: Path, names: list[str]) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for name, state in STATES.items():
        if not names or name in names:
            await _draw(name, state, place / f"{name}.svg")
            _convert(place / f"{name}.svg")


if __name__ == "__main__":
    where, *names = sys.argv[1:]
    if where.endswith(".svg"):
        asyncio.run(_draw("sabot dealer B01", STATES[names[0]], Path(where)))
    else:
        asyncio.run(_draw_all(Path(where), names))
