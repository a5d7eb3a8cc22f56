"""What is claimed has a name, a page and a reason when it is missing; nothing is measured here."""

import json
from contextlib import closing
from datetime import timedelta
from xml.etree import ElementTree

import pytest

from domain.rules.addresses import Coup
from ops.cli.audit.verify import walk
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.reading import head_of
from ops.ledger.recorder import Ledger
from ops.replay.story import find
from ops.reports.ask import ask
from ops.simulation.run import FIRST_DAY, Plan, dispatch_all
from projections import REPORTS
from tests.bench.__main__ import PARTS, as_dict, descriptions, options
from tests.bench.causes import HEAD, causes_of, row_of
from tests.bench.crew import Crew
from tests.bench.evening import pages
from tests.bench.figures import OURS, Figure, in_turn
from tests.bench.multiplied import Evening, multiply
from tests.bench.page import page
from tests.bench.parts import append, growth, projecting, read_side
from tests.bench.payload import payloads
from tests.bench.projections import differing
from tests.bench.ratios import NAMES, RATIOS, ratios
from tests.bench.rivals import limit, npm, stock

CLAIMED = {
    *("append_coup_vs_stock", "append_coup_vs_message_db", "append_coup_vs_emmett"),
    *("append_coup_vs_limit", "append_command_vs_stock", "append_command_vs_message_db"),
    *("append_command_vs_emmett", "append_batched_vs_emmett", "append_batched_vs_limit"),
    *("append_batched_vs_message_db", "slow_disk_vs_locked_flush"),
    *("feed_one_table_vs_single_inserts", "feed_bulk_vs_single_inserts"),
    *("projections_vs_transaction_per_event", "projections_vs_set_based"),
    *("replay_growth", "report_growth_worst", "one_shot_vs_imports"),
}


def made_up():
    """Every figure of a ratio, with Sabot's values twice the others'."""
    figures = {}
    for each in RATIOS:
        runs = figures.setdefault((each.part, each.figure), {})
        runs |= {each.way: [1.0, 2.0, 9.0], each.other: [1.0, 1.0, 1.0]}
    made = [Figure(part, name, "saves/s", runs) for (part, name), runs in figures.items()]
    for name, times in (("coup", 1.5), ("master", 3.0)):
        runs = {read_side.SMALL: [2.0], read_side.LARGE: [2.0 * times]}
        made.append(Figure(read_side.PART, name, "ms", runs, base=read_side.SMALL))
    return made


def test_every_claim_has_a_ratio():
    assert CLAIMED <= set(NAMES)
    values = {each.ratio.name: each.value for each in ratios(made_up())}
    assert set(NAMES) == set(values)
    assert None not in values.values()
    assert 2.0 == values["slow_disk_vs_locked_flush"]
    assert 3.0 == values["report_growth_worst"]


def test_the_ratios_end_the_json():
    printed = json.loads(json.dumps(as_dict({}, made_up(), ratios(made_up()))))

    assert "ratios" == list(printed)[-1]
    assert set(NAMES) == set(printed["ratios"])


def test_ways_take_turns_and_each_one_begins_once():
    heard = []
    runs = in_turn({way: lambda way=way: heard.append(way) or 1.0 for way in "abc"}, 3)

    assert list("abcbcacab") == heard
    assert {way: [1.0, 1.0, 1.0] for way in "abc"} == runs


def test_the_page_is_well_formed_and_loads_nothing():
    text = page({"disk": "<1 ms & more"}, ratios(made_up()), made_up(), descriptions())
    root = ElementTree.fromstring(text)
    kinds = [each.tag.rpartition("}")[2] for each in root.iter()]

    assert kinds.count("svg") > len(PARTS)
    assert not {"script", "link", "img", "iframe"} & set(kinds)
    assert all(name in text for name in NAMES)


def test_missing_npm_rivals_are_reported(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(npm.Missing, match="npm is not on this machine"):
        npm.installed()

    name = append.name_of("coup", append.MOST)
    why = {append.EMMETT: "skipped: npm is not on this machine"}
    alone = [Figure(append.PART, name, "saves/s", {OURS: [1.0]}, why)]
    values = {each.ratio.name: each for each in ratios(alone)}
    assert values["append_coup_vs_emmett"].value is None
    assert "skipped: npm is not on this machine" == values["append_coup_vs_emmett"].why
    assert "append was not measured" != values["append_coup_vs_stock"].why
    assert "feed was not measured" == values["feed_bulk_vs_single_inserts"].why


def test_the_lock_file_names_no_registry_and_pins_every_rival():
    lock = json.loads((npm.HERE / "package-lock.json").read_text())

    assert all("resolved" not in each for each in lock["packages"].values())
    for name, exact in npm.versions().items():
        assert exact == lock["packages"][f"node_modules/{name}"]["version"]


def test_an_unknown_part_is_refused(capsys):
    assert ["append", "replay"] == options(["append", "replay", "--quick"]).part
    with pytest.raises(SystemExit):
        options(["apend"])
    assert "there is no part apend" in capsys.readouterr().err


def test_named_projections_can_be_skipped(monkeypatch):
    monkeypatch.setattr(projecting, "_MODULE", "tests.bench.no_such_module")
    figures = list(projecting.measure(type("Setting", (), {"say": lambda *_: None})()))

    assert [{OURS, projecting.REBUILT, projecting.EACH}, {OURS, projecting.SET_BASED}] == [
        set(each.skipped) for each in figures
    ]
    results = {each.ratio.name: each for each in ratios(figures)}
    assert "skipped" in results["projections_vs_set_based"].why


def test_an_evening_is_saved_again_and_dealt_again_on_later_days(database):
    with closing(Casino(Ledger(database), made_up=True)) as casino:
        plan = Plan(tables=1, coups=6, seed=5)
        dispatch_all(Dispatcher(casino, "bench").dispatch, plan.lines([1]), lambda _: None)

    results = payloads(database, most=20)
    assert 20 == len(results["coup"])
    assert {"coup", "shoe"} <= {topic.partition(".")[0] for topic, _ in results["coup"]}
    assert ["coup.wager-placed"] == [topic for topic, _ in results["command"]]

    evening = Evening.of(database)
    head = multiply(database, evening, 3 * len(evening.events), lambda _: None)
    assert head >= 3 * len(evening.events)
    assert walk(database).ok
    later = FIRST_DAY + timedelta(days=2)
    assert 6 == len(ask(database, REPORTS["coup"], day=str(later)).rows)
    with database.session("sabot_auditor") as connection:
        assert find(connection, Coup.parse(f"S01/{later}/1/6"))


def test_plain_sql_makes_the_rows_of_both_projections_of_an_evening_without_corrections(database):
    with closing(Casino(Ledger(database), made_up=True)) as casino:
        plan = Plan(tables=1, coups=30, seed=5, trouble=0)
        dispatch_all(Dispatcher(casino, "bench").dispatch, plan.lines([1]), lambda _: None)

    assert set(differing(database).values()) == {0}
    assert len(ask(database, REPORTS["wagers"]).rows) > 30


def test_what_grows_is_asked_of_the_middle_of_a_ledger_and_explained(database):
    with closing(Casino(Ledger(database), made_up=True)) as casino:
        plan = Plan(tables=1, coups=6, seed=5)
        dispatch_all(Dispatcher(casino, "bench").dispatch, plan.lines([1]), lambda _: None)
    with database.session("sabot_auditor") as connection:
        events = head_of(connection)

    questions = growth.Sample.of(events, database).questions()
    causes = {name: row_of("", causes_of(way)) for name, way in questions.items()}

    assert set(growth.READ) == set(causes)
    assert "event" in causes["replay"][-1]  # of its rows, or of an index of theirs
    assert all(int(each[1]) and each[2].endswith(" ms") for each in causes.values())
    assert len(HEAD) == len(causes["board"])


def test_the_page_has_the_causes_of_a_figure():
    figure = Figure(growth.PART, "board", "ms", {"a": [1.0]}, base="a", causes=[HEAD, ("<1>",) * 8])
    text = page({}, [], [figure], {})

    assert "<th>planned</th>" in text
    assert "<td>&lt;1&gt;</td>" in text
    ElementTree.fromstring(text)


def test_pages_that_are_open_are_of_every_kind():
    kinds = {each.split("?")[0].split("/")[2] for each in pages(tables=3, most=60)}

    assert {"pit", "tables", "wall", "play"} == kinds
    assert 60 == len(pages(tables=3, most=60))


def test_every_python_way_saves(database):
    stock.install(database.url)
    limit.install(database.url)
    ways = (
        *("sabot", "locked", "batched", "eventsourcing", "eventsourcing_functions"),
        *("limit", "rows", "batched_limit"),
    )
    bet = (("coup.wager-placed", b'{"amount":5600}'),)
    with Crew(1, dict.fromkeys(ways, database.url)) as crew:
        loads = {way: crew.run(way, bet, writers=1, seconds=0.1) for way in ways}

    assert all(load.rate > 0 for load in loads.values())
    assert walk(database).events > 3
