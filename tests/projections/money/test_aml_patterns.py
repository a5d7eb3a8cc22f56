"""`aml-patterns`: what cash does more often than that of others, beside an own count of it."""

from collections import Counter
from datetime import date, datetime, timedelta
from fractions import Fraction
from math import comb
from random import Random

import pytest

from domain.rules.hands import play
from domain.rules.house_rules import RULE_SETS
from domain.rules.refusals import BadValue
from domain.rules.settlement import pay
from ops.reports.ask import ask
from ops.reports.named_only import named_only
from ops.reports.narrowings import require
from ops.reports.paging import Turn
from ops.reports.table import print_table
from ops.simulation.run import Plan
from ops.web.pages import reports
from projections import REPORTS
from tests.acceptance.channels import rows_of
from tests.worlds.counted_cash import CountedCash, Moved, Played
from tests.worlds.gaming_table import DAY
from tests.worlds.written_events import WrittenEvents

REPORT = REPORTS["aml-patterns"]
DAYS = [str(date.fromisoformat(DAY) + timedelta(n)) for n in range(12)]
TABLES = ("B01", "B02")


@pytest.fixture
def floor(database):
    floor = WrittenEvents(database)
    floor.found()
    yield floor
    floor.ledger.close()


def found(database, **narrowed):
    return {
        (row["pattern"], row["patron"], row["beside"]): row
        for row in ask(database, REPORT, **narrowed).rows
    }


def counts(database):
    every = found(database)
    return {who: (row["times"], row["occasions"], row["amount"]) for who, row in every.items()}


def written(floor, random, patrons, days):
    """Cash of some days, as it was written."""
    moved = []
    for day in days:
        for table in TABLES:
            floor.open(table, day)
        for _ in range(3 * len(patrons)):
            table, patron = random.choice(TABLES), random.choice(patrons)
            amount = random.choice((500_00, 2_000_00, 4_500_00, 5_500_00, 9_500_00, 10_000_00))
            direction = random.choice(("in", "in", "out"))
            move = floor.buy_in if direction == "in" else floor.cash_out
            move(patron, amount, table=table, day=day)
            moved.append(Moved(day, table, patron, direction, amount, floor.moment))
            floor.moment += timedelta(minutes=random.randrange(0, 20))
    return moved


@pytest.mark.parametrize("seed", range(6))
def test_an_own_count_agrees_on_random_days(floor, database, seed):
    random = Random(seed)
    patrons = [f"P-{n}" for n in range(1, 7)]
    moved = written(floor, random, patrons, DAYS[: random.randrange(2, 6)])

    assert counts(database) == CountedCash(moved).rows


def test_one_who_stays_just_under_is_named_and_those_who_do_not_are_not(floor, database):
    """Of one in nine that are within a tenth of the amount, the others have one."""
    random = Random(7)
    for day in DAYS:
        floor.open("B01", day)
        floor.buy_in("P-666", 9_500_00, day=day)
        for n in range(20):
            floor.buy_in(f"P-{n}", random.randrange(7_000_00, 13_000_00, 100_00), day=day)
    every = found(database)
    named = {who for who, row in every.items() if row["unlike"]["named"]}

    assert named == {("just-under", "P-666", None)}
    row = every["just-under", "P-666", None]
    assert (row["times"], row["occasions"], row["amount"]) == (12, 12, 12 * 9_500_00)
    assert (row["first_day"], row["last_day"]) == (DAYS[0], DAYS[-1])
    positions = [
        of for (of,) in rows_of(database, "position", report=REPORTS["cash-log"], patron="P-666")
    ]
    assert row["positions"] == sorted(positions)


def test_two_who_share_an_amount_night_after_night_are_named(floor, database):
    random = Random(8)
    for day in DAYS:
        floor.open("B01", day)
        for n in range(12):
            floor.buy_in(f"P-{n}", random.randrange(500_00, 5_000_00, 100_00), day=day)
            floor.moment += timedelta(minutes=9)
        floor.buy_in("P-661", 6_000_00, day=day)
        floor.buy_in("P-662", 6_000_00, day=day)
    every = found(database)

    assert {who for who, row in every.items() if row["unlike"]["named"]} == {
        ("two-together", "P-661", "P-662")
    }
    assert every["two-together", "P-661", "P-662"]["occasions"] == len(DAYS)


@pytest.fixture
def crowded(floor):
    """A house in which three share an amount each night, and others never do."""
    random = Random(8)
    for day in DAYS:
        floor.open("B01", day)
        for n in range(12):
            floor.buy_in(f"P-{n}", random.randrange(500_00, 4_000_00, 100_00), day=day)
            floor.moment += timedelta(minutes=9)
        for n, who in enumerate(("P-661", "P-662", "P-663")):
            if n < 2 or random.random() < 0.7:
                floor.buy_in(who, 6_000_00, day=day)


def shown_of(rows):
    return [(row["pattern"], row["patron"], row["beside"]) for row in rows]


def test_who_is_named_comes_first_the_rarest_before(crowded, database):
    rows = ask(database, REPORT).rows
    named = [row["unlike"]["named"] for row in rows]
    powers = [row["unlike"]["power"] for row in rows if row["unlike"]["named"]]

    assert 0 < sum(named) < len(rows)
    assert named == sorted(named, reverse=True)
    assert powers == sorted(powers, reverse=True)


def test_a_screen_has_only_who_is_named_and_how_many_are_not(crowded, database, capsys):
    answer = ask(database, REPORT)
    named = [row for row in answer.rows if row["unlike"]["named"]]
    print_table(answer)
    printed = capsys.readouterr().out
    left_out = len(answer.rows) - len(named)

    assert left_out > 1
    assert "P-662" in printed
    assert f"{left_out} rows are not shown: chance explains them." in printed
    assert named_only(answer).rows == named

    whole = ask(database, REPORT, rows="all")
    print_table(whole)

    assert "not shown" not in capsys.readouterr().out
    assert named_only(whole).rows == answer.rows


@pytest.mark.parametrize("asked", [{}, {"rows": "all"}])
def test_a_page_has_the_same_rows_in_the_same_order_over_several_pages(crowded, database, asked):
    answer = named_only(ask(database, REPORT, **asked))
    read = [reports.read(database, REPORT, asked, most=2)]
    while after := read[-1].part.after:
        read.append(reports.read(database, REPORT, asked, Turn(after=after), most=2))
    patrons = list(read[0].columns).index("patron")

    assert [row[patrons].words for sheet in read for row in sheet.rows] == [
        row["patron"] for row in answer.rows
    ]
    assert len(read) > 1
    assert {bool(sheet.unnamed) for sheet in read} == {not asked}


def test_all_is_the_only_word_for_rows():
    with pytest.raises(BadValue, match="write all"):
        require({"rows": "named"})


def test_the_chance_is_the_binomial_tail_of_the_others_share(floor, database):
    random = Random(9)
    for day in DAYS:
        floor.open("B01", day)
        for n in range(6):
            floor.buy_in(f"P-{n}", random.choice((7_500_00, 9_500_00)), day=day)
    for row in found(database).values():
        if row["pattern"] == "just-under":
            others = 5 * len(DAYS)
            times = round(float(row["unlike"]["others"]) / 100 * others)
            share, of = Fraction(times + 1, others + 1), row["occasions"]
            chance = sum(
                comb(of, n) * share**n * (1 - share) ** (of - n)
                for n in range(row["times"], of + 1)
            )
            assert 10 ** -(row["unlike"]["power"] + 1) < chance <= 10 ** -row["unlike"]["power"]


def test_the_amount_is_the_one_that_was_reported_then(floor, database):
    """The house's own, raised, and from a day on that of its regime, which is reported itself."""
    for n, day in enumerate(DAYS[:6]):
        floor.open("B01", day)
        if n == 2:
            floor.set("reporting_amount", "1500000", "1000000")
        if n == 4:
            floor.choose(day, "singapore")
        for who, amount in (("P-9", 9_999_00), ("P-10", 10_000_00), ("P-15", 15_000_00)):
            floor.buy_in(who, amount, day=day)
    every = counts(database)

    assert {
        who: every[pattern, who, _] for pattern, who, _ in every if pattern == "just-under"
    } == {
        "P-9": (4, 4, 4 * 9_999_00),  # on days 1, 2, 5 and 6
        "P-10": (2, 4, 2 * 10_000_00),  # on days 5 and 6 it is reported
        "P-15": (2, 2, 2 * 15_000_00),  # on days 3 and 4
    }


def test_an_alias_is_the_patron(floor, database):
    for day, name in zip(DAYS, ("P-1", "grey-jacket", "P-1"), strict=False):
        floor.open("B01", day)
        floor.buy_in(name, 9_500_00, day=day)
    floor.identify("grey-jacket", "P-1")

    assert counts(database)["just-under", "P-1", None] == (3, 3, 3 * 9_500_00)


def brought(plan):
    """The cash of the evenings of a plan, and what was staked and won, as their lines have it."""
    moved, staked, won, seats, rules = [], Counter(), Counter(), {}, {}
    bets, cards = {}, {}
    for line in plan.lines(range(1, plan.tables + 1)):
        table, seat, command = line["table"], line.get("seat"), line["command"]
        if command == "table.open":
            day, rules[table] = line["day"], RULE_SETS[line["rules"]]
        elif command == "table.seat":
            seats[table, seat] = line["patron"]
        elif command in ("table.buy-in", "table.cash-out"):
            way = "in" if command == "table.buy-in" else "out"
            at = datetime.fromisoformat(line["at"])
            moved.append(Moved(day, table, seats[table, seat], way, line["amount"], at))
        elif command == "open":
            bets[table], cards[table] = [], []
        elif command == "bet":
            bets[table].append((seats[table, seat], line["spot"], line["amount"]))
        elif command == "draw":
            cards[table].append(line["card"])
        elif command == "settle":
            result = play(cards[table]).result
            for patron, spot, stake in bets[table]:
                staked[patron, day] += stake
                won[patron, day] += pay(rules[table], spot, stake, result).paid - stake
    return CountedCash(moved, {who: Played(staked[who], won[who]) for who in staked})


@pytest.mark.parametrize(
    ("cheat", "pattern", "several"),
    [
        ("stays-just-under", "just-under", 1),
        ("hardly-plays", "little-play", 1),
        ("two-share-an-amount", "two-together", 2),
        ("splits-over-tables", "in-pieces", 1),
        ("walks-with-chips", "chips-taken", 1),
        ("two-bet-opposite", "two-together", 2),
    ],
)
def test_who_launders_in_the_evenings_of_simulate_is_named(cheat, pattern, several):
    plan = Plan(tables=6, coups=25, seed=3, days=9, cheat=cheat, trouble=0.0)
    patron, *beside = (each.patron for each in plan.evening(1, plan.day).patrons[:several])
    named = brought(plan).named

    assert (pattern, patron, beside[0] if beside else None) in named
    assert {who for _, who, _ in named} <= {patron, *beside}


def test_who_splits_over_tables_is_at_one_after_the_other():
    plan = Plan(tables=4, coups=24, seed=3, cheat="splits-over-tables", trouble=0.0)
    patron = plan.evening(1, plan.day).patrons[0].patron
    theirs = [
        (line["table"], line["command"], line["at"])
        for line in plan.lines(range(1, 5))
        if line.get("patron") == patron
    ]
    assert [(table, command) for table, command, _ in theirs] == [
        ("S01", "table.seat"), ("S02", "table.seat"), ("S03", "table.seat"),
    ]  # fmt: skip
    assert [at for *_, at in theirs] == sorted(at for *_, at in theirs)
