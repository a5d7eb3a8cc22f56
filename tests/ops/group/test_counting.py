"""What is counted of a house is what its log has, whenever a count is killed or begun again."""

import sys
from collections import Counter

import pytest
from msgspec.structs import replace
from pyarrow import parquet as arrow

from domain.events.commission_account import CommissionCollected
from ops.group import counting, parquet
from ops.group.asking import ask
from ops.group.counting import count
from ops.group.facts import KINDS
from ops.group.folded import Folded, reading
from ops.group.pulling import pull
from ops.group.questions import REPORTS
from ops.ledger import clock
from ops.simulation.run import Plan, dispatch_all
from projections import PROJECTIONS
from projections.commission.owed import COMMISSION
from tests.projections.grown import breaking
from tests.worlds.group_of_houses import added, log_of, speaking
from tests.worlds.other_house import OtherHouse

TOPIC = CommissionCollected.TOPIC
WRITES = 60  # more than are made until something is committed, so that each turn comes further


class Killed(BaseException):
    """The machine lost power here."""


@pytest.fixture(scope="module")
def evening(server, tmp_path_factory):
    """The log of a short evening over two gaming days, whole."""
    with server.database() as database:
        with speaking(database, made_up=True) as dispatcher:
            lines = Plan(tables=2, coups=8, seed=5, days=2).lines([1, 2])
            assert dispatch_all(dispatcher.dispatch, lines, lambda _: None).unexpected == []
        return log_of(database, tmp_path_factory.mktemp("logs") / "riverside")


@pytest.fixture
def house(evening, tmp_path, monkeypatch):
    """The evening's house in a group of its own, and every batch small."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(counting, "TOGETHER", 50)
    monkeypatch.setattr(counting, "COMMITTED", 100)
    monkeypatch.setattr(counting, "STILL_HELD", 20)
    member = added(evening)
    pull(member, clock.wall_clock())
    return member


def facts(of, until=None):
    """The facts of a house as anybody reads them, up to where it is counted."""
    until = count_of(of) if until is None else until
    there = []
    for kind in KINDS.values():
        for file in parquet.place_of(kind.name, of.name).rglob("*.parquet"):
            rows = arrow.read_table(file, partitioning=None).to_pylist()
            there += [(kind.name, *row.values()) for row in rows if row["position"] <= until]
    return sorted(there, key=str)


def summed(of, until):
    """The sums of the facts up to an event, by kind, month and name, as reports read them."""
    sums = {}
    for kind in KINDS.values():
        for found in parquet.place_of(kind.name, of.name).glob(f"*/{parquet.FACTS}"):
            file, is_sums = parquet.file_of(kind.name, of.name, found.parent.name, until)
            for row in arrow.read_table(file, partitioning=None).to_pylist():
                if is_sums or row["position"] <= until:
                    key = (kind.name, row["gaming_day"], *(row[each] for each in kind.names))
                    sums.setdefault(key, Counter()).update({n: row[n] for n in kind.numbers})
    return {key: each for key, each in sums.items() if any(each.values())}


def summed_one_by_one(of, until):
    """The same, from the facts alone."""
    sums = {}
    for name, *values in facts(of, until):
        kind = next(each for each in KINDS.values() if each.name == name)
        row = dict(zip(kind.columns, values, strict=True))
        key = (name, row["gaming_day"], *(row[each] for each in kind.names))
        sums.setdefault(key, Counter()).update({n: row[n] for n in kind.numbers})
    return {key: each for key, each in sums.items() if any(each.values())}


def count_of(of):
    with reading(of.folded) as folded:
        return folded.counted.position


def anew(of, monkeypatch):
    """The facts as one count makes them that holds everything in memory."""
    with monkeypatch.context() as patch:
        patch.setattr(counting, "COMMITTED", 1_000_000)
        patch.setattr(counting, "STILL_HELD", 1_000_000)
        of.folded.unlink(missing_ok=True)
        count(of)
        return facts(of)


def test_a_count_that_is_killed_at_any_write_is_finished_and_no_fact_is_there_twice(
    house, monkeypatch
):
    expected = anew(house, monkeypatch)
    house.folded.unlink()
    kills, reached = 0, set()
    while True:
        writes = iter(range(kills % WRITES))

        def killed(*args, of, writes=writes):
            if next(writes, None) is None:
                raise Killed
            return of(*args)

        with monkeypatch.context() as patch:
            for place, name in ((parquet, "write_whole"), (Folded, "write"), (Folded, "commit")):
                of = getattr(place, name)
                patch.setattr(place, name, lambda *args, of=of: killed(*args, of=of))
            try:
                count(house)
            except Killed:
                kills += 1
                reached.add(at := count_of(house))
                assert facts(house, at) == [each for each in expected if each[1] <= at]
                for until in (at, at // 2, at - 1):
                    assert summed(house, until) == summed_one_by_one(house, until)
                continue
        break

    assert kills > 9
    assert len(reached) > 5
    assert facts(house) == expected
    assert len(expected) == len({*map(str, expected)}) > 100


def test_what_comes_in_pieces_is_counted_as_if_it_had_come_at_once(house, evening, monkeypatch):
    expected = anew(house, monkeypatch)
    house.folded.unlink()
    whole, size = type(house).held, house.held.size
    for until in (1, 7, 256, 400, 401, size):
        monkeypatch.setattr(
            type(house), "held", property(lambda of, n=until: _shorter(whole.fget(of), n))
        )
        monkeypatch.setattr(
            type(house),
            "entries",
            lambda of, after=0, upto=None, n=until: iter(evening.entries[after : upto or n]),
        )
        assert count(house).position == until
    assert facts(house) == expected


def test_sums_are_read_in_place_of_facts_that_are_all_in_them(house):
    """Up to the last event that changed something, and to no event before it."""
    end = count(house).position
    for kind in KINDS.values():
        for month in parquet.place_of(kind.name, house.name).glob("month=*"):
            last = max(arrow.read_table(month / parquet.FACTS)["position"].to_pylist())
            for until, is_sums in ((end, True), (last, True), (last - 1, False), (0, False)):
                file = parquet.file_of(kind.name, house.name, month.name, until)
                assert file[1] == is_sums
    for until in range(0, end, end // 40):
        assert summed(house, until) == summed_one_by_one(house, until)


def _shorter(held, size):
    return replace(held, size=size)


def test_a_house_whose_event_cannot_be_counted_is_counted_up_to_it_and_the_others_go_on(
    house, evening, monkeypatch
):
    def broken():
        raise KeyError("by_shoe")

    monkeypatch.setattr(
        counting,
        "_PROJECTIONS",
        [PROJECTIONS["table_win"], breaking(PROJECTIONS["commission_owed"], TOPIC, broken)],
    )

    stopped = ask(REPORTS["owed"], [house]).houses[0]
    first = next(n for n, each in enumerate(evening.entries, 1) if TOPIC.encode() in each)
    assert stopped.position == first - 1
    assert f"event #{first:,} cannot be counted: 'by_shoe'" in stopped.stopped
    assert facts(house) == [each for each in facts(house, 10**9) if each[1] < first]


def test_a_house_that_begins_anew_and_a_program_with_other_rows_count_from_the_first_event(
    house, evening, monkeypatch, tmp_path
):
    expected = anew(house, monkeypatch)
    first = [each for each in expected if each[1] <= 300]
    anew_there = OtherHouse(tmp_path / "anew", evening.name)
    anew_there.entries = evening.entries[:300]
    house.log.rename(house.place / "log-before")
    house = replace(house, address=str(anew_there.sign().place))
    pull(house, clock.wall_clock())

    assert (count(house).position, facts(house, 10**9)) == (300, first)
    monkeypatch.setattr(counting, "_shape", lambda: "another")
    monkeypatch.setattr(counting, "KINDS", {COMMISSION: KINDS[COMMISSION]})
    monkeypatch.setattr("ops.group.facts.KINDS", {COMMISSION: KINDS[COMMISSION]})
    assert count(house).position == 300
    assert sum(each[0] == COMMISSION.name for each in first) == sum(
        each[0] == COMMISSION.name for each in facts(house, 10**9)
    )


def test_without_pyarrow_it_says_what_to_install(house, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(parquet.WithoutParquet, match="pip install 'sabot"):
        count(house)
