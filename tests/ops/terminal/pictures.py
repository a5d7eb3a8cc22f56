"""Draws every state of the dealer's screen: `python -m tests.ops.terminal.pictures DIR [NAME …]`.

As SVG; PNG too, where rsvg-convert is installed. `scripts/picture` draws one for the README.
"""

import asyncio
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.ops.terminal.states import STATES, State, shown


async def _draw(name: str, state: State, place: Path) -> None:
    async with shown(state) as app:
        picture = app.export_screenshot(title=name)
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)  # fetches nothing
    picture = picture.replace("<svg ", '<svg xml:space="preserve" ', 1)
    file = place / f"{name}.svg"
    file.write_text(picture.replace("Fira Code", "DejaVu Sans Mono"))
    if convert := shutil.which("rsvg-convert"):
        subprocess.run([convert, "-o", str(file.with_suffix(".png")), str(file)], check=True)


async def _draw_all(place: Path, names: list[str]) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for name, state in STATES.items():
        if not names or name in names:
            await _draw(name, state, place)


if __name__ == "__main__":
    asyncio.run(_draw_all(Path(sys.argv[1]), sys.argv[2:]))
