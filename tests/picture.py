"""Draws the demo as an SVG: what a terminal shows, less most of the coups that go by."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ops.ledger.embedded import Embedded

WIDTH = 88
COUP = re.compile(r" *\d+  .*\bowed\b")
SHOWN = 6  # coups at the beginning, and as many at the end


def shown() -> list[Text]:
    """The demo's lines, in colour; it runs twice, so that the database is there already."""
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "demo"
        asked = [sys.executable, "-m", "ops.cli", "demo", "--home", str(home)]
        surroundings = os.environ | {
            "FORCE_COLOR": "1",
            "TTY_INTERACTIVE": "0",
            "COLUMNS": str(WIDTH),
            "TERM": "xterm",
        }
        try:
            for _ in range(2):
                told = subprocess.run(
                    asked, env=surroundings, capture_output=True, text=True, check=True
                )
        finally:
            Embedded(home).destroy()
    text = re.sub(r"\x1b\[[0-9?;]*[A-HJKSThl]|\r", "", told.stdout).replace(place, "~")
    text = text.replace(str(Path(sys.executable).with_name("sabot")), "sabot")
    return [Text.from_ansi(line) for line in text.splitlines()]


def draw(file: Path) -> None:
    """The whole picture."""
    lines = shown()
    coups = [n for n, line in enumerate(lines) if COUP.match(line.plain)]
    left_out = set(coups[SHOWN:-SHOWN])
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w"))  # noqa: SIM115
    for n, line in enumerate(lines):
        if n not in left_out:
            console.print(line, soft_wrap=False)
        elif n == coups[SHOWN]:
            console.print(f"     … {len(left_out)} more coups …", style="dim")
    picture = console.export_svg(title="scripts/demo")
    picture = re.sub(r"@font-face \{.*?\}", "", picture, flags=re.DOTALL)  # fetches nothing
    file.write_text(picture.replace("<svg ", '<svg xml:space="preserve" ', 1))


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
