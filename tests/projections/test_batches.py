"""Rows that a batch of events changes: however the ledger is cut, they are the same."""

from collections import Counter
from contextlib import suppress
from importlib import import_module
from pkgutil import walk_packages

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import projections
from domain.events import coup
from ops.reports import batch
from ops.reports.at_once import shares
from ops.reports.rebuild import check_together, rebuild_together, temporary_rows
from ops.reports.runner import ProjectionStopped, catch_up, position_of, positions_of
from ops.simulation.run import Plan, dispatch_all
from projections import PROJECTIONS, Row, Rows, Table
from projections.rows import RowExists
from tests.faults import times
from tests.projections.grown import COUPS, breaking, last, rows
from tests.worlds.gaming_table import GamingTable, disputed, evening, mouth_on, trouble

EVERY = list(PROJECTIONS.values())
FILES = [import_module(each.name) for each in walk_packages(projections.__path__, "projections.")]
TABLES = list(
    dict.fromkeys(each for file in FILES for each in vars(file).values() if isinstance(each, Table))
)


@pytest.fixture(scope="module")
def grown(server):
    """A connection to evenings with all that may happen, and the rows, grown event by event."""
    with server.database() as database, database.connect("sabot_projector") as connection:
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
            drop_boxes(GamingTable(dispatcher, "B05").open())
            for seed in range(1, times(1, 2) + 1):
                made_up = Plan(tables=2, coups=6, seed=seed, trouble=0.4).lines((1, 2))
                dispatch_all(dispatcher.dispatch, named_after(seed, made_up), lambda _: None)
        with temporary_rows(connection, EVERY, 0):
            catch_up(connection, *EVERY, batch=1)
            one_by_one = {each.name: rows(connection, each) for each in EVERY}
        yield connection, one_by_one


def drop_boxes(pit):
    """Two boxes take turns on a table; the cash of one is put right after its count."""
    two, team = {"by": "R-1", "with": "S-11"}, {"by": "C-1", "with": "C-2", "third": "C-3"}
    bought = []
    for box in ("X-1", "X-2", "X-1"):
        pit.say("box.attach", box=box, table="B05", **two)
        for seat in (1, 3) * 8:
            bought.append(pit.say("table.buy-in", seat=seat, amount=100_00).body["position"])
        pit.say("box.remove", box=box, **two)
        pit.say("box.carry", box=box, **two)
        pit.say("box.count", box=box, amount=1_600_00, **team)
    pit.say(
        "money.correct",
        position=bought[0],
        amount=90_00,
        reason="a nought too many",
        **{"with": "S-11"},
    )


def named_after(seed, lines):
    """The same lines, of tables and decks that no other seed has."""
    for line in lines:
        yield {
            name: value.replace("S0", f"S{seed}").replace("K-", f"K{seed}-")
            if isinstance(value, str)
            else value
            for name, value in line.items()
        }


@settings(
    max_examples=times(3, 12),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.data())
def test_any_cut_of_the_ledger_gives_the_rows_of_one_event_after_the_other(
    grown, monkeypatch, data
):
    """Pieces, events that are read together, and events whose rows are held."""
    connection, one_by_one = grown
    end = last(connection)
    cuts = sorted(data.draw(st.sets(st.integers(1, end), max_size=20)))
    read, held = data.draw(st.integers(1, 400)), data.draw(st.integers(1, 400))
    monkeypatch.setattr(batch, "TOGETHER", read)
    monkeypatch.setattr(batch, "HELD", held)
    monkeypatch.setattr(batch, "STILL_HELD", data.draw(st.sampled_from((0, 100, batch.STILL_HELD))))
    with temporary_rows(connection, EVERY, 0):
        for cut in (*cuts, end):
            catch_up(connection, *EVERY, until=cut)

        assert one_by_one == {each.name: rows(connection, each) for each in EVERY}


def test_a_rebuild_of_all_reads_and_decodes_every_event_once(grown, monkeypatch):
    connection, _ = grown
    read, decoded = Counter(), Counter()

    def read_events(*args, reads=batch.read_events):
        events = reads(*args)
        read.update(event.position for event in events)
        return events

    def event_of(event, makes=batch.event_of):
        decoded[event.position] += 1
        return makes(event)

    monkeypatch.setattr(batch, "read_events", read_events)
    monkeypatch.setattr(batch, "event_of", event_of)
    rebuild_together(connection, EVERY, lambda _: None)

    assert {1} == set(read.values()) == set(decoded.values())
    assert len(read) > last(connection) * 0.9  # of nearly every event some projection wants to know


def test_all_that_a_batch_looks_at_is_loaded_in_one_go(grown, monkeypatch):
    connection, _ = grown
    alone = []

    def load(self, wanted, loads=Rows.load):
        if not in_one_go:
            alone.extend((page, value) for page, values in wanted.items() for value in values)
        return loads(self, wanted)

    def make(self, events, rows, note, makes=batch.Changes.make):
        in_one_go.clear()
        makes(self, events, rows, note)
        in_one_go.append(True)

    in_one_go = [True]
    monkeypatch.setattr(Rows, "load", load)
    monkeypatch.setattr(batch.Changes, "make", make)
    with temporary_rows(connection, EVERY, 0):
        catch_up(connection, *EVERY, batch=40)

    assert set() == {page for page, _ in alone}


def test_rows_that_are_held_are_not_much_more_than_a_batch_changes(grown, monkeypatch):
    connection, one_by_one = grown
    held = []

    def write(connection, rows, writes=batch.write):
        held.append(sum(len(each.rows) for each in rows._held.values()))
        writes(connection, rows)

    monkeypatch.setattr(batch, "TOGETHER", 50)
    monkeypatch.setattr(batch, "HELD", 100)
    monkeypatch.setattr(batch, "STILL_HELD", 100)
    monkeypatch.setattr(batch, "write", write)
    with temporary_rows(connection, EVERY, last(connection)):
        total = sum(len(found) for tables in one_by_one.values() for found in tables.values())

    middle = len(held) // 2
    assert max(held[middle:]) < max(held[:middle]) * 2  # as the ledger grows
    assert max(held) < total / 2


def test_rows_are_held_from_batch_to_batch_while_nobody_else_moves_them(
    dispatcher, database, monkeypatch
):
    evening(dispatcher)
    loaded = []

    def load(connection, wanted, loads=batch.load):
        loaded.append(wanted)
        return loads(connection, wanted)

    def reads_to(connection, until):
        loaded.clear()
        catch_up(connection, *EVERY, until=until)
        return bool(loaded)

    monkeypatch.setattr(batch, "load", load)
    with database.connect("sabot_projector") as one, database.connect("sabot_projector") as other:
        held = [not reads_to(one, until) for until in (40, 60, 80)]
        moved = [reads_to(each, until) for each, until in ((other, 100), (one, 120))]
        with suppress(RuntimeError), one.transaction():
            catch_up(one, *EVERY, until=140)
            raise RuntimeError
        undone = reads_to(one, 140)
        catch_up(one, *EVERY)
        rebuild_together(other, EVERY, lambda _: None)
        catch_up(one, *EVERY)

        assert all(held)
        assert all(moved)
        assert undone
        assert {True} == {each.equal for each in check_together(one, EVERY, lambda _: None)}


def test_one_that_stops_keeps_its_rows_and_the_others_are_rebuilt(dispatcher, projector, superuser):
    evening(dispatcher)
    catch_up(projector, *EVERY)
    grown = {each.name: rows(projector, each) for each in EVERY}
    for table in ("coups", "wagers", "shoes"):
        superuser.execute(f"DELETE FROM projections.{table} WHERE ctid = '(0,1)'")
    left = rows(projector, COUPS)
    broken = breaking(COUPS, coup.Settled.TOPIC, lambda: 1 // 0)
    others = [each for each in EVERY if each is not COUPS]
    with pytest.raises(ProjectionStopped, match="The projection coups stopped at position"):
        rebuild_together(projector, [broken, *others], lambda _: None)

    assert left == rows(projector, COUPS) != grown["coups"]
    assert [grown[each.name] for each in others] == [rows(projector, each) for each in others]
    assert {last(projector)} == set(positions_of(projector, EVERY).values())


def test_those_that_have_not_read_as_far_are_checked_as_far_as_they_have(dispatcher, projector):
    evening(dispatcher)
    catch_up(projector, COUPS, until=30)
    others = [each for each in EVERY if each is not COUPS]
    catch_up(projector, *others)
    checked = check_together(projector, EVERY, lambda _: None)

    assert {True} == {each.equal for each in checked}
    assert [each.name for each in EVERY] == [each.projection for each in checked]
    assert {("coups", 30)} == {
        (each.projection, each.position) for each in checked if each.position < last(projector)
    }
    assert position_of(projector, COUPS) == 30


@pytest.mark.parametrize("processes", [1, 2, 3, 50])
def test_every_projection_is_in_one_share_and_no_share_is_empty(processes):
    dealt = shares(EVERY, processes)
    names = [each.name for share in dealt for each in share]

    assert sorted(PROJECTIONS) == sorted(names)
    assert all(dealt)
    assert len(dealt) == min(processes, len(EVERY))


@pytest.mark.parametrize("table", TABLES, ids=repr)
def test_a_row_has_the_columns_of_its_table(table, grown):
    connection, _ = grown
    columns = connection.execute(
        "SELECT attname FROM pg_attribute "
        "WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped",
        (table.name,),
    )
    key = connection.execute(
        "SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid "
        "AND attnum = ANY(indkey) WHERE indrelid = %s::regclass AND indisprimary",
        (table.name,),
    )

    assert {name for (name,) in columns} == set(table.columns)
    assert {name for (name,) in key} == set(table.key)


def test_every_table_has_rows_of_its_own():
    names = {table for each in EVERY for table in each.tables}

    assert names - {"integrity", "newest_of_days", "tiles"} == {table.name for table in TABLES}


class Chip(Row):
    """What lies in a tray."""

    number: int
    tray: str
    worth: int = 0


CHIPS = Table("chips", Chip, "number")
IN_A_TRAY = CHIPS.page("tray")


def stored(*chips):
    """Rows of a database that has these chips, and what was asked of it."""
    asked = []

    def load(wanted):
        for page, values in wanted.items():
            asked.extend((page.columns, value) for value in values)
            yield (
                page,
                [
                    Chip(number=each.number, tray=each.tray, worth=each.worth)
                    for each in chips
                    if page.value_of(each) in values
                ],
            )

    return Rows(load), asked


def test_a_row_that_is_there_is_not_put_again():
    rows, _ = stored(Chip(number=1, tray="B01"))
    assert rows.get(CHIPS, 1)

    with pytest.raises(RowExists, match="chips has a row 1 already"):
        rows.put(CHIPS, Chip(number=1, tray="B02"))


def test_a_page_is_asked_for_once():
    rows, asked = stored(Chip(number=1, tray="B01"))
    for _ in range(2):
        assert rows.get(CHIPS, 2) is None
        assert [1] == [each.number for each in rows.find(IN_A_TRAY, "B01")]

    assert [(("number",), (2,)), (("tray",), ("B01",))] == asked


def test_what_is_loaded_later_changes_nothing_that_changed_before():
    rows, _ = stored(*(Chip(number=n, tray="B01", worth=n) for n in (1, 2, 3)))
    rows.change(CHIPS, 1).worth = 100
    rows.drop(CHIPS, rows.get(CHIPS, 2))
    found = rows.find(IN_A_TRAY, "B01")
    [changed] = rows.changed()

    assert [(1, 100), (3, 3)] == [(each.number, each.worth) for each in found]
    assert ([(2,)], [], [1]) == (
        changed.gone,
        changed.new,
        [each.number for each in changed.other],
    )


def test_what_went_and_came_again_is_changed():
    rows, _ = stored(Chip(number=1, tray="B01"))
    rows.drop(CHIPS, rows.get(CHIPS, 1))
    rows.put(CHIPS, Chip(number=1, tray="B02"))
    [changed] = rows.changed()

    assert ([], [], ["B02"]) == (changed.gone, changed.new, [each.tray for each in changed.other])
    assert [] == rows.find(IN_A_TRAY, "B01")


def test_what_came_and_went_is_written_nowhere():
    rows, _ = stored()
    chip = Chip(number=1, tray="B01")
    rows.put(CHIPS, chip)
    rows.drop(CHIPS, chip)
    [changed] = rows.changed()

    assert ([], [], []) == (changed.gone, changed.new, changed.other)
