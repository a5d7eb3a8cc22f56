"""Beside requests that are cheap to send and dear to serve, a table is dealt and loses nothing."""

from collections import Counter

import pytest

from tests.bench.figures import percentile
from tests.faults import FULL
from tests.worlds.attacked_house import attacked_house
from tests.worlds.dear_requests import KINDS

GROWS = 200_000_000  # bytes of the server's memory
PIECES = 3  # of a long request, after which the table had its turn at least
QUICK = {
    "1,000 bets, dealer",
    "1,000 lines with one id, dealer",
    "1,000 lines with one id, nobody",
    "a million names in one line, nobody",
    "all events",
    "the schema",
    "a wrong key",
    "100 requests in one line",
}


def recorded(database, name):
    """How often each line of the dealer is on record."""
    with database.connect("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT command_id FROM ledger.commands WHERE command_id LIKE %s", (f"dealt-{name}-%",)
        ).fetchall()
    return Counter(row[0] for row in rows)


def between_pieces(database, name):
    """How many lines of the dealer were recorded between others' lines of one request, at B02."""
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "WITH theirs AS (SELECT min(position) AS first, max(position) AS last"
            " FROM ledger.events WHERE table_code = 'B02' AND command_id LIKE '%%/%%/%%')"
            " SELECT count(DISTINCT command_id) FROM ledger.events, theirs"
            " WHERE command_id LIKE %s AND position BETWEEN first AND last",
            (f"dealt-{name}-%",),
        ).fetchone()[0]


def wordless(dealt):
    """The answers that tell whoever asked nothing."""
    return {str(each)[:300] for each in dealt.answers if each.status and not each.is_in_words}


def test_a_table_beside_a_few_dear_requests_has_its_turn_between_their_pieces(database, tmp_path):
    kinds = [each for each in KINDS if each.name in QUICK]
    who = {each.who for each in kinds}
    with attacked_house(database, tmp_path / "house", who) as house:
        dealt = house.dealt(kinds, senders=2, seconds=0)

    assert {each.name for each in kinds} == QUICK
    assert (dealt.refused, wordless(dealt)) == ([], set())
    assert recorded(database, dealt.name) == Counter(dealt.lines)
    assert between_pieces(database, dealt.name) >= PIECES
    assert dealt.grown < GROWS


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

    assert dealt.refused == []
    assert recorded(database, dealt.name) == Counter(dealt.lines)
    assert len(dealt.lines) > len(KINDS) / 10
    assert wordless(dealt) == set()
    assert dealt.grown < GROWS
