"""Beside requests that are cheap to send and dear to serve, a table is dealt and loses nothing."""

from collections import Counter

import pytest

from tests.bench.figures import percentile
from tests.faults import FULL
from tests.worlds.attacked_house import attacked_house
from tests.worlds.dear_requests import KINDS

GROWS = 200_000_000  # bytes of the server's memory


def recorded(database, name):
    """How often each line of the dealer is on record."""
    with database.connect("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT command_id FROM ledger.commands WHERE command_id LIKE %s", (f"dealt-{name}-%",)
        ).fetchall()
    return Counter(row[0] for row in rows)


def test_there_are_a_hundred_kinds_each_with_a_name():
    assert len({each.name for each in KINDS}) == len(KINDS) >= 100


@pytest.mark.skipif(not FULL, reason="minutes long; `scripts/faults` runs it")
@pytest.mark.parametrize("senders", [1, 3])
def test_a_table_beside_dear_requests_loses_and_doubles_nothing(database, tmp_path, senders):
    with attacked_house(database, tmp_path / "house") as house:
        dealt = house.dealt(KINDS, senders, seconds=0)
    waits = dealt.waits
    print(
        f"{len(KINDS)} kinds, {senders} at once: {len(waits)} lines dealt; waited"
        f" {percentile(waits, 50):.1f} ms (p50), {percentile(waits, 99):.1f} ms (p99),"
        f" {max(waits):.1f} ms at most; the server grew by {dealt.grown / 1e6:.0f} MB"
    )
    for wait, name in dealt.longest()[:10]:
        print(f"  {wait:6.1f} ms beside {name}")
    wordless = {str(each)[:300] for each in dealt.answers if each.status and not each.is_in_words}

    assert dealt.refused == []
    assert recorded(database, dealt.name) == Counter(dealt.lines)
    assert len(dealt.lines) > len(KINDS) / 10
    assert wordless == set()
    assert dealt.grown < GROWS
