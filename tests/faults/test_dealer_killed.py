"""kill -9 of the dealer's terminal: what was typed is on record once, or on the line again."""

from pathlib import Path
from random import Random

from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from tests.faults import SEED, times
from tests.ops.terminal import typed
from tests.worlds.killed_dealer import Dealer


def test_a_killed_terminal_loses_and_duplicates_nothing(tmp_path: Path) -> None:
    lines = [*typed.preparation(), *typed.coups(times(5, 80)), *typed.ending()]
    kills = times(6, 30)
    found = []
    for name, many in (("undisturbed", 0), ("killed", kills)):
        home = Embedded(tmp_path / name)
        try:
            dealer = Dealer(tmp_path / name)
            dealer.deal(lines, Random(SEED), many)
            found.append(typed.recorded(Database(home=home)))
        finally:
            home.destroy()

    print(f"seed {SEED}: {dealer.kills} kills, {dict(dealer.came_to)}")

    assert dealer.kills == kills
    undisturbed, killed = map(typed.without_starts, found)
    assert undisturbed == killed
    assert len(found[1]) > len(killed)
