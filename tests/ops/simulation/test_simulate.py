"""`sabot simulate`: evenings from a seed, the same whoever speaks them."""

import json
import multiprocessing
from collections import Counter
from datetime import date, timedelta
from itertools import count
from random import Random

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from psycopg.conninfo import make_conninfo

from domain.rules.house_rules import RULE_SETS
from ops.cli.audit.verify import walk
from ops.cli.simulate import simulate
from ops.ledger.database import LedgerLost, NotFit
from ops.simulation.cheats import PAST_POSTER, SLUG, _without, false_shuffle
from ops.simulation.evening import DealtShoe
from ops.simulation.run import (
    EXPECTED,
    FIRST_DAY,
    Plan,
    WorkerLost,
    dispatch_all,
    dispatch_in_processes,
)
from ops.words.failure import exit_status
from tests.acceptance.channels import feed, json_of, recorded, shell
from tests.faults import times
from tests.worlds.gaming_table import GamingTable

SMALL = ("--tables", "3", "--coups", "6", "--seed", "7")
PLAN = Plan(tables=3, coups=6, seed=7)


def by_stream(database):
    """What was recorded, without what hangs on which table came first, and who spoke."""
    once = ("PropertyFounded", "rule-set.adopted", "property.founded")
    events = [event for event in recorded(database) if event[3] not in once]
    return sorted(event[1:5] for event in events)


@pytest.fixture(scope="module")
def simulated(server):
    """A small evening's ledger, and its summary."""
    with server.database() as database:
        yield database, json_of(database, "simulate", *SMALL)


def test_the_same_seed_is_the_same_evening_and_another_is_another():
    lines = list(PLAN.lines([1, 2, 3]))
    other = list(Plan(tables=3, coups=6, seed=8).lines([1, 2, 3]))

    assert lines == list(PLAN.lines([1, 2, 3]))
    assert lines != other
    assert len({line["id"] for line in lines}) == len(lines)


def test_no_deck_is_loaded_twice_on_whichever_day_an_evening_is_played():
    days = [date(2026, 11, 21), date(2026, 11, 22)]
    lines = [
        line for day in days for line in Plan(tables=2, coups=90, seed=7, day=day).lines([1, 2])
    ]
    serials = [line["serials"][0] for line in lines if line["command"] == "shoe.load"]

    assert len(serials) == len(set(serials)) > 4


def test_a_tables_evening_does_not_hang_on_the_tables_beside_it():
    together = [line for line in PLAN.lines([1, 2, 3]) if line["table"] == "S02"]

    assert together == list(PLAN.lines([2]))


def test_a_past_poster_waits_on_more_coups_than_others_sit_out():
    plan = Plan(tables=1, coups=80, seed=1, cheat=PAST_POSTER)
    late = [line for line in plan.lines([1]) if line.get("late")]

    assert len(late) > 80 / 2
    assert {line["seat"] for line in late} == {plan.evening(1, plan.day).patrons[0].seat}


@pytest.fixture
def ledgers(server):
    """Two more, which are empty."""
    with server.database() as one, server.database() as another:
        yield one, another


def test_one_process_and_three_and_the_feed_record_the_same(simulated, ledgers, tmp_path):
    (one, summary), (three, fed) = simulated, ledgers
    file = tmp_path / "evening.jsonl"
    many = json_of(three, "simulate", *SMALL, "--processes", "3")
    written = shell(fed, "simulate", *SMALL, "--out", str(file))
    status, answers = feed(fed, file.read_text())
    refused = Counter(answer["error"] for answer in answers if not answer["ok"])

    assert (written.exit_code, written.stdout, recorded(fed) != []) == (0, "", True)
    assert (summary | {"seconds": 0}) == (many | {"seconds": 0})
    assert (summary["coups"], summary["unexpected"]) == (18, 0)
    assert summary["lines"] == len(answers) == len(list(PLAN.lines([1, 2, 3])))
    assert (status, summary["refused"]) == (1 if refused else 0, refused)
    assert set(refused) <= EXPECTED
    assert by_stream(one) == by_stream(three) == by_stream(fed)
    assert walk(three).ok


def test_what_the_evening_did_not_expect_is_told_and_ends_with_status_1(simulated, server):
    other = ("--tables", "3", "--coups", "5", "--seed", "7")  # ids used before, for other lines
    with server.database(like=simulated[0]) as database:
        result = shell(database, "simulate", *other)

    assert result.exit_code == 1
    assert "Not expected: " in result.stderr
    assert "IdReused" in result.stderr


CLOSING = ("staff", "enrol", "A-1", "Ada", "administrator", "--json")


@pytest.mark.parametrize(
    ("done", "why"),
    [
        (("property", "set", "currency", "EUR"), "The house counts in EUR, and made-up evenings"),
        (CLOSING, "nobody of a made-up evening can sign on. Use another ledger"),
    ],
    ids=["another currency", "staff who sign on"],
)
def test_where_every_table_would_be_refused_it_says_why_and_records_nothing(server, done, why):
    with server.database() as database:
        settled = shell(database, *done)
        assert settled.exit_code == 0, settled.output
        before = recorded(database)
        refused = shell(database, "simulate", *SMALL, "--anyway")

        assert (refused.exit_code, why in refused.stderr) == (1, True), refused.output
        assert recorded(database) == before


def test_the_same_evening_again_records_nothing(simulated):
    database, first = simulated
    events = recorded(database)
    again = json_of(database, "simulate", *SMALL, "--processes", "2")

    assert first | {"seconds": 0} == again | {"seconds": 0}
    assert events == recorded(database)


def test_another_evening_later_goes_on_at_the_same_tables(dispatcher):
    """Whatever the evening before left in their trays."""
    for day, cheat in ((21, ""), (22, ""), (23, "past-poster")):
        plan = Plan(tables=1, coups=5, seed=7, day=date(2026, 11, day), cheat=cheat)
        summary = dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)

        assert summary.unexpected == []
        assert summary.settled == 5


@pytest.mark.parametrize("after", [30, 120])
def test_the_cards_of_a_false_shuffle_come_where_somebody_wants_them(after):
    def shoes():
        random = Random(5)
        return (DealtShoe.shuffled(f"K-{n}", 8, random) for n in range(2))

    (before, _), honest = shoes(), [*shoes()][1]
    _, kept = false_shuffle(shoes(), Random(1), after)
    slug = kept.cards[after : after + SLUG]
    places = range(len(before.cards) - SLUG + 1)

    assert kept.cards[:after] == [*_without(honest.cards, slug)][:after]
    assert any(before.cards[n : n + SLUG] == slug for n in places)


def test_how_often_a_dealer_overpays_is_chosen():
    chosen = [replace(PLAN, cheat="overpays", cheat_at=n).evening(1, FIRST_DAY) for n in (0, 4)]

    assert [each.hands.overpays for each in chosen] == [1 / 20, 1 / 4]
    printed = CliRunner().invoke(simulate, ["--cheat", "edge-sorter", "--cheat-at", "4"])
    assert (printed.exit_code, "belongs to false-shuffle" in printed.output) == (2, True)


def test_a_table_that_is_not_opened_is_left_alone(dispatcher):
    dispatch_all(dispatcher.dispatch, PLAN.lines([1]), lambda _: None)
    before = replace(PLAN, day=FIRST_DAY - timedelta(days=1))
    summary = dispatch_all(dispatcher.dispatch, before.lines([1]), lambda _: None)

    assert (summary.lines, dict(summary.refused)) == (1, {"BadValue": 1})


def test_it_keeps_out_of_a_ledger_that_was_begun_in_earnest(dispatcher, database):
    GamingTable(dispatcher).open()
    before = recorded(database)
    refused = shell(database, "simulate", *SMALL)

    assert (refused.exit_code, refused.stdout, before) == (1, "", recorded(database))
    assert "has real play" in refused.stderr
    assert shell(database, "simulate", *SMALL, "--anyway").exit_code == 0


def test_a_process_that_is_killed_ends_it_in_words(database):
    def kill(_lines):
        for worker in multiprocessing.active_children():
            worker.kill()

    with pytest.raises(WorkerLost, match="ended too early") as lost:
        dispatch_in_processes(database.url, Plan(tables=2, coups=500, seed=1), 2, kill)

    assert exit_status(lost.value) == 1
    assert not multiprocessing.active_children()
    assert walk(database).ok


def test_what_a_process_met_is_told_as_it_is(database, superuser):
    nowhere = "postgresql://127.0.0.1:1/sabot?connect_timeout=1"
    with pytest.raises(LedgerLost, match="cannot be reached"):
        dispatch_in_processes(
            nowhere, Plan(tables=1, coups=1, seed=1), 1, lambda _: None, patience=0
        )
    superuser.execute(f"ALTER DATABASE {superuser.info.dbname} SET synchronous_commit = off")
    with pytest.raises(NotFit, match="synchronous_commit"):
        dispatch_in_processes(make_conninfo(database.url), PLAN, 2, lambda _: None)


def test_its_evenings_lie_where_the_calendar_likes(database):
    """What is made up is no slip."""
    result = shell(database, "simulate", *SMALL, "--day", "2031-03-30", "--json")

    assert json.loads(result.stdout)["unexpected"] == 0


@pytest.mark.parametrize("seed", ["3", "11"][: times(1, 2)])
def test_the_places_sum_to_zero_over_random_evenings(database, superuser, seed):
    """Tray, box, patrons and commission: what one place lost another has, to the minor unit."""
    json_of(database, "simulate", "--tables", "4", "--coups", "20", "--seed", seed)
    wins = json_of(database, "report", "table-win")["rows"]
    closers = json_of(database, "report", "inventory")["rows"]
    owed = json_of(database, "report", "commission")["rows"]
    played = superuser.execute(
        """
        SELECT table_code, sum((told ->> 'stakes')::bigint - (told ->> 'paid')::bigint)::bigint
          FROM (SELECT table_code, convert_from(state, 'UTF8')::jsonb AS told
                  FROM ledger.events WHERE topic = 'coup.settled') AS settled GROUP BY 1
        """
    )
    won = dict(played.fetchall())
    paid = superuser.execute(
        """
        SELECT table_code, sum((told ->> 'amount')::bigint)::bigint
          FROM (SELECT table_code, convert_from(state, 'UTF8')::jsonb AS told FROM ledger.events
                 WHERE topic = 'commission-account.commission-collected') AS collected
         WHERE told ->> 'how' = 'patron' GROUP BY 1
        """
    )
    commission = dict(paid.fetchall())

    assert {row["variance"] for row in closers if row["moment"] == "closer"} == {0}
    assert {row["outstanding"] for row in owed} <= {0}
    for row in wins:
        table = row["table"]

        assert row["win"] == won[table] + commission.get(table, 0)


def test_every_day_is_another_evening_of_the_same_tables_and_patrons():
    plan = Plan(tables=3, coups=4, seed=6, days=2)
    first, second = (
        [line for line in plan.lines((1, 2, 3)) if f"-{day}-" in line["id"]]
        for day in (FIRST_DAY, FIRST_DAY + timedelta(days=1))
    )

    def fields_in(lines, *names):
        return [tuple(line.get(name) for name in names) for line in lines]

    def of(lines, command):
        return [line for line in lines if line["command"] == command]

    assert fields_in(of(first, "table.open"), "table", "rules") == fields_in(
        of(second, "table.open"), "table", "rules"
    )
    assert fields_in(of(first, "table.seat"), "seat", "patron") == fields_in(
        of(second, "table.seat"), "seat", "patron"
    )
    assert fields_in(of(first, "draw"), "card") != fields_in(of(second, "draw"), "card")
    assert max(line["at"] for line in first) < min(line["at"] for line in second)


def test_whatever_the_rule_set_rounds_all_that_is_owed_is_paid(dispatcher):
    dispatcher.casino.time.made_up = True
    plan = Plan(tables=20, coups=6, seed=6, days=1)
    number, a_table_of = count(1), {}
    for line in plan.lines(range(1, 21)):
        if line["command"] == "table.open":
            a_table_of.setdefault(RULE_SETS[line["rules"]].commission, next(number))
    tables = sorted(a_table_of.values())
    summary = dispatch_all(dispatcher.dispatch, plan.lines(tables), lambda _: None)

    assert [] == summary.unexpected
    assert len(tables) > 5
    assert any(each.rounding.moment == "on-collection" for each in a_table_of)


def test_a_counter_is_not_simulated_at_an_electronic_table():
    answer = CliRunner().invoke(simulate, ["--electronic", "--cheat", "counts-tie"])

    assert answer.exit_code == 2
    assert "Leave --electronic out" in answer.output
