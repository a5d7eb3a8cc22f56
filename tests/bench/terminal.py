"""From the key to the screen: `sabot dealer` in a real terminal, line by line.

One run, each line in turn with the same command said without a terminal, and with an echo of one
key, so that what the ledger takes and what drawing takes are told apart. What is on the screen is
on disk by then.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.recorder import Ledger
from ops.terminal.dealer.session import Session
from tests.ops.terminal import typed
from tests.ops.terminal.real import Terminal

LINES = 200
SEAT = "8"


def say(times: dict[str, list[float]]) -> None:
    """A line with its least, median and worst times, in milliseconds."""
    for what, seconds in times.items():
        ordered = sorted(1000 * each for each in seconds)
        worst = ordered[int(len(ordered) * 0.99)]
        print(f"{what:<44} {statistics.median(ordered):6.1f} {worst:6.1f}")


def measure(home: Path, lines: int, size: tuple[int, int]) -> dict[str, list[float]]:
    """Bets that replace one another, so that the table stays as it is."""
    database = Database(home=Embedded(home))
    with closing(Session(database, "B01", by="D-204")) as session:
        session.open(60)
        for line in typed.preparation():
            assert session.say(line).kind == "done"
    dispatcher = Dispatcher(Casino(Ledger(database)), "bench")
    bet = {"command": "bet", "table": "B01", "seat": 1, "spot": "banker", "by": "D-204"}
    times: dict[str, list[float]] = {"key to echo": [], "Enter to screen": [], "said alone": []}
    here = {"SABOT_HOME": str(home)}
    with (
        Terminal("dealer", "B01", "--by", "D-204", surroundings=here, size=size) as first,
        Terminal("dealer", "B01", "--by", "D-205", surroundings=here, size=size) as second,
    ):
        times["Enter to another terminal's screen"] = []
        for each in (first, second):
            each.wait_for("seat, spot, amount")
        for n in range(lines):
            amount = 105 + 5 * n
            line = f"{SEAT} b {amount}"
            pressed = first.type(line)
            times["key to echo"].append(first.wait_for(f"› {line}") - pressed)
            seen = _shows(f" {amount:,} ")
            pressed = first.type("\r")
            times["Enter to screen"].append(first.wait_for(seen) - pressed)
            times["Enter to another terminal's screen"].append(second.wait_for(seen) - pressed)
            began = time.monotonic()
            assert dispatcher.dispatch({**bet, "amount": amount * 100}).ok
            times["said alone"].append(time.monotonic() - began)
    dispatcher.casino.close()
    return times


def _shows(told: str) -> Callable[[list[str]], bool]:
    return lambda rows: any("王小明" in row and told in row for row in rows[:8])


def main() -> None:
    """`scripts/bench terminal [--lines N]`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=LINES)
    asked = parser.parse_args()
    for size in ((80, 24), (160, 48)):
        with tempfile.TemporaryDirectory(prefix="sabot-bench-") as place:
            home = Path(place) / "home"
            try:
                times = measure(home, asked.lines, size)
            finally:
                Embedded(home).destroy()
        print(f"{size[0]}x{size[1]}, {asked.lines} lines{'':<19} median   p99 ms")
        say(times)
        ratio = statistics.median(times["Enter to screen"]) / statistics.median(times["said alone"])
        print(f"{'a line on the screen, in lines said alone':<44} {ratio:6.1f}")


if __name__ == "__main__":
    main()
