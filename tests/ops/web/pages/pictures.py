"""Draws three pages of a made-up evening as a browser shows them, for the README.

`python -m tests.ops.web.pages.pictures DIR`: `pit.png`, `coup.png` and `display.png`. Needs
Chromium.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import ROOT
from tests.worlds.browsers import chromium, evening_of

SABOT = [sys.executable, "-m", "ops.cli"]
TABLES, COUPS = 6, 60
SIZE = {"width": 1440, "height": 810}
OPEN_AT = re.compile(r'"address": "(\S+?)"')


def _evening() -> str:
    """The lines of an evening until a little before its first table closes."""
    lines = list(evening_of(TABLES, COUPS))
    ends = next(n for n, line in enumerate(lines) if line["command"] == "table.close")
    return "\n".join(json.dumps(line) for line in lines[: ends * 4 // 5])


def _draw(place: Path, env: dict[str, str]) -> None:
    lines = _evening()  # some are refused, as in any evening, and then the feed's status is 1
    feed = [*SABOT, "feed"]
    subprocess.run(
        feed, input=lines, text=True, env=env, cwd=ROOT, check=False, capture_output=True
    )
    board = subprocess.run(
        [*SABOT, "board", "--json"], text=True, env=env, cwd=ROOT, capture_output=True, check=True
    )
    first = next(each for each in json.loads(board.stdout)["tables"] if each["coup"])
    coup = first["coup"].rpartition("/")[0] + "/5"
    server = subprocess.Popen(
        [*SABOT, "serve", "--port", "0"], env=env, cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert server.stderr
    address = next(found[1] for line in server.stderr if (found := OPEN_AT.search(line)))
    try:
        with chromium() as browser:
            page = browser.new_page(viewport=SIZE)
            for name, path in (
                ("pit", "/"),
                ("coup", f"/coups/{coup}"),
                ("display", f"/wall/{first['table']}"),
            ):
                page.goto(f"{address}{path}")
                page.wait_for_load_state("load")
                page.wait_for_timeout(1_000)
                page.screenshot(path=place / f"{name}.png")
    finally:
        server.terminate()
        server.wait()
        subprocess.run([*SABOT, "db", "down"], env=env, cwd=ROOT, check=True, capture_output=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        _draw(Path(sys.argv[1]), {**os.environ, "SABOT_HOME": home})
