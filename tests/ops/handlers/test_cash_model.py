"""A model of its own adds up the cash of random days, and agrees with what is shown and reported.

It knows nothing of streams or SQL: a list of what was paid, who is whom and plays for whom, and
amounts written here. SABOT_CASH_DAYS=500 tries that many days instead of four dozen.
"""

import os
from datetime import timedelta
from itertools import product
from random import Random

import pytest
from msgspec import Struct

from domain.aggregates.cash import CashDay
from ops.handlers.regimes import regime_of
from ops.handlers.reported import to_report
from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.gaming_table import BEGINS, GamingTable

TWO = {"by": "A-1", "with": "S-11"}
DAYS = 12  # of one house
MANY = int(os.environ.get("SABOT_CASH_DAYS", "0"))
# Each of these once found cash that one part of the house counted together and another did not.
SEEDS = range(1, -(-MANY // DAYS) + 1) if MANY else (6, 7, 8, 20)
RIVERSIDE = """
name = "riverside"
title = "Riverside"
currency = "USD"

[[threshold]]
name = "day"
paper = "report"
amount = "8,000"
over = false
counts = "day"
directions = ["in"]
due = ["report"]
source = "the house"

[[threshold]]
name = "once"
paper = "report"
amount = "5,000"
over = false
counts = "one"
directions = ["in", "out"]
due = ["report", "identity"]
source = "the house"
"""


class Amount(Struct):
    """An amount in dollars and the report that has it; `over`: more than the amount."""

    name: str | None
    dollars: int
    over: bool
    of_day: bool
    ways: tuple[str, ...]
    report: str
    asks_id: bool = False

    def reached(self, dollars):
        return dollars > self.dollars or (dollars == self.dollars and not self.over)


BOTH = ("in", "out")
AMOUNTS = {  # by the first day on which they are the law
    0: [Amount(None, 10_000, True, True, BOTH, "ctr")],
    4: [
        Amount("ctr", 10_000, True, True, BOTH, "ctr", asks_id=True),
        Amount("mtl", 3_000, True, True, BOTH, "threshold-log"),
    ],
    8: [
        Amount("day", 8_000, False, True, ("in",), "ctr"),
        Amount("once", 5_000, False, False, BOTH, "ctr"),
    ],
}


class Paid(Struct):
    """Cash that changed hands, as it is known now."""

    name: str
    way: str
    dollars: int
    position: int = 0
    table: GamingTable | None = None


class Model:
    """One gaming day."""

    def __init__(self, day):
        self.day, self.paid, self.same, self.played_for = day, [], {}, {}
        self.seen = set()  # whose ID somebody saw
        self.names = {1: f"P{day}-1", 3: f"p{day}-1", 5: f"P{day}-2", 6: f"g{day}", 8: f"G{day}"}
        self.amounts = AMOUNTS[max(first for first in AMOUNTS if first <= day)]

    def who(self, name):
        return self.same.get(name, name)

    def acting(self):
        """Who plays for whom; what an alias did is its patron's while it is known."""
        return [each for each in self.played_for.items() if self.who(each[0]) == each[0]]

    def bonds(self, paid):
        """What two have in common whose cash counts together: a name, but for case, or a boss.

        Whoever plays for somebody is bound to them, also through somebody whose cash did not move.
        """
        bonds = {each.name: {self.who(each.name).lower(), each.name.lower()} for each in paid}
        for agent, boss in self.acting():
            bonds[agent, boss] = {f"person {self.who(agent)}", f"person {self.who(boss)}"}
        for each in paid:
            bonds[each.name] |= {f"person {self.who(each.name)}"}
        return bonds

    def groups(self, paid):
        """The payments of each who count together."""
        groups, bonds = [], self.bonds(paid)
        for key in [*paid, *self.acting()]:
            is_paid = isinstance(key, Paid)
            looks, members = bonds[key.name if is_paid else key], [key] if is_paid else []
            apart = []
            for others, theirs in groups:
                if others & looks:
                    looks, members = others | looks, theirs + members
                else:
                    apart.append((others, theirs))
            groups = [*apart, (looks, members)]
        return [members for _, members in groups if members]

    def of(self, way):
        return [each for each in self.paid if each.way == way and each.dollars]

    def brings(self, name, way, dollars):
        """The amounts that cash reaches and that were not reached before.

        Where several play for one person, each of them is asked for the ID, once; and who has so
        much cash of their own, wherever it came together.
        """
        new = Paid(name, way, dollars)
        (together,) = [each for each in self.groups([*self.of(way), new]) if new in each]
        before = sum(each.dollars for each in together) - dollars
        who = self.who(name)
        own = sum(each.dollars for each in together if self.who(each.name) == who) - dollars
        asked = 0 if who in self.seen else before if self.has_agent(together, who) else own
        for each in self.amounts:
            asks = each.asks_id and each.reached(asked)
            was = each.of_day and each.reached(before) and not asks
            total = before + dollars if each.of_day else dollars
            if each.name and way in each.ways and each.reached(total) and not was:
                yield each.name

    def has_agent(self, together, whose):
        """Whether somebody else is in it who has no name like anybody's in it."""
        looks = {}
        for each in together:
            who = self.who(each.name)
            looks.setdefault(who, set()).update({who.lower(), each.name.lower()})
        return any(
            who != whose and not any(own & theirs for one, theirs in looks.items() if one != who)
            for who, own in looks.items()
        )

    def rows(self, report):
        """The rows of a report: patrons, direction, amount, dollars."""
        for each in self.amounts:
            for way in each.ways if each.report == report else ():
                for paid in self.groups(self.of(way)):
                    for part in [paid] if each.of_day else [[one] for one in paid]:
                        total = sum(one.dollars for one in part)
                        if each.reached(total):
                            who = sorted({self.who(one.name) for one in part})
                            yield who, way, each.name, total

    def alerted(self):
        """Who counts together in which way, and by which amount of the day the floor is alerted."""
        for each in self.amounts:
            for way in each.ways if each.of_day and each.report == "ctr" else ():
                for paid in self.groups(self.of(way)):
                    if each.reached(sum(one.dollars for one in paid)):
                        yield sorted({self.who(one.name) for one in paid}), way, each.name or ""


def is_alerted(dispatcher, day, patrons, way, threshold):
    """Whether the floor has an alert about one of these patrons that has not ended."""
    days = [dispatcher.casino.find(CashDay, CashDay.stream(each, day)) for each in patrons]
    return any(each.was_alerted(way, threshold, "passed") for each in days if each)


def require_alerts(dispatcher, model, day):
    """The floor is alerted of whoever's cash of the day is reported, and of nobody else's."""
    reported = list(model.alerted())
    for patrons, way, threshold in reported:
        assert is_alerted(dispatcher, day, patrons, way, threshold), (patrons, way, threshold)
    ways = {(name, way, threshold) for names, way, threshold in reported for name in names}
    for name in {model.who(each) for each in model.names.values()}:
        for way, each in product(BOTH, model.amounts):
            if each.of_day and each.report == "ctr" and (name, way, each.name or "") not in ways:
                assert not is_alerted(dispatcher, day, [name], way, each.name or ""), (name, way)


def require_to_report(dispatcher, model, day):
    """What a filing takes as reported, by the record alone, is what the model says is."""

    def found(cash):
        for threshold, due in to_report(dispatcher.desk, cash, regime_of(dispatcher.desk, day)):
            for sums in due.values():
                yield from ((way, threshold.name, sums[way] // 100) for way in BOTH if sums[way])

    bosses = {agent: model.who(boss) for agent, boss in model.acting()}
    rows = [
        ({*who, *(bosses.get(each) for each in who if amount != "once")}, way, amount or "", total)
        for who, way, amount, total in model.rows("ctr")
    ]
    for name in {model.who(each) for each in model.names.values()}:
        if cash := dispatcher.casino.find(CashDay, CashDay.stream(name, day)):
            due = [rest for who, *rest in rows if name in who]
            assert sorted(found(cash)) == sorted(map(tuple, due)), name


def pay(random, model, table):
    """Somebody buys in or cashes out, and the answer has what the model says."""
    way, seat = random.choice(("in", "in", "out")), random.choice(list(model.names))
    dollars = random.choice((100, 1_000, 2_000, 2_999, 3_000, 3_001, 4_999, 5_000, 7_000, 10_001))
    name, command = model.names[seat], {"in": "table.buy-in", "out": "table.cash-out"}[way]
    brings = list(model.brings(name, way, dollars))
    answer = table.say(command, seat=seat, amount=dollars * 100, **{"with": "S-11"}).body

    shown = answer.get("cash", {"brings": []})["brings"]
    assert sorted(brings) == sorted(each["threshold"] for each in shown), (name, way, dollars)
    if any(each.asks_id and each.name in brings for each in model.amounts):
        model.seen.add(model.who(name))
    first = answer["position"] - len(answer["events"]) + 1
    model.paid.append(Paid(name, way, dollars, first, table))


def correct(random, model, _):
    """An amount was typed wrong, or never was, or was somebody else's."""
    there = [each for each in model.paid if each.dollars not in (0, 2_500)]
    if not there:
        return
    wrong = random.choice(there)
    fields = random.choice(({"withdrawn": True}, {"amount": 2_500_00}, {"seat": 8}))
    if "seat" in fields and wrong.name == model.names[8]:
        return
    wrong.table.say(
        "money.correct", position=wrong.position, reason="wrong", **fields, **{"with": "S-11"}
    )
    if "seat" in fields:
        wrong.name = model.names[8]
    else:
        wrong.dollars = 0 if "withdrawn" in fields else 2_500


def identify(_, model, table):
    """An alias is the second patron, or is not after all."""
    alias = model.names[6]
    if alias in model.same:
        table.say("patron.separate", patron=alias, reason="it was not", **{"with": "S-12"})
        del model.same[alias]
    else:
        table.say("patron.identify", patron=alias, **{"is": model.names[5]})
        model.same[alias] = model.names[5]
        boss = model.played_for.get(alias, model.names[5])
        if model.who(boss) != model.names[5]:
            model.played_for[model.names[5]] = boss  # the patron took that over


def act_for(random, model, table):
    """Somebody plays for another, who may be a boss that nobody sees, or for themselves again."""
    agent = model.who(random.choice(list(model.names.values())))
    everybody = (*model.names.values(), f"Boss{model.day}")
    boss = random.choice([each for each in everybody if model.who(each) != agent])
    file = {"patron": agent, "from_day": (BEGINS + timedelta(days=model.day)).date().isoformat()}
    if agent in model.played_for and random.random() < 0.5:
        table.say("patron.file", clear=["on_behalf_of"], **file)
        del model.played_for[agent]
    elif model.played_for.get(agent) != boss:
        table.say("patron.file", on_behalf_of=boss, **file)
        model.played_for[agent] = boss


def identify_later(random, models, table):
    """Days later an alias of an earlier day is somebody, or is not after all; returns that day."""
    earlier = random.choice(models)
    identify(random, earlier, table)
    return earlier


def opened(dispatcher, model):
    """Two tables on the model's day, at which the same people sit."""
    tables = [GamingTable(dispatcher, f"{each}{model.day}") for each in "AB"]
    for table in tables:
        table.moment = BEGINS + timedelta(days=model.day)
        day = table.moment.date().isoformat()
        chips = {"10000": 9_000}
        table.say("table.open", rules="dragon-bonus@1", opener=chips, day=day, **{"with": "S-11"})
        for seat, name in model.names.items():
            table.say("table.seat", seat=seat, patron=name)
    return tables


@pytest.mark.parametrize("seed", SEEDS)
def test_a_model_agrees_with_what_is_shown_before_and_with_the_reports(database, dispatcher, seed):
    random, models = Random(seed), [Model(day) for day in range(DAYS)]
    for file, day in (("united-states", 4), (RIVERSIDE, 8)):
        line = {"command": "regime.choose", "file": file, **TWO, "at": BEGINS.isoformat()}
        first = (BEGINS + timedelta(days=day)).date().isoformat()
        assert dispatcher.dispatch({**line, "day": first}).ok
    for model in models:
        tables = opened(dispatcher, model)
        tables[0].say("patron.file", patron=f"Boss{model.day}", occupation="boss")
        for act in random.choices((pay, correct, identify, act_for), (8, 2, 1, 2), k=16):
            table = random.choice(tables)
            table.moment = max(each.moment for each in tables)
            act(random, model, table)
            require_alerts(dispatcher, model, table.moment.date())
        if model.day:
            earlier = identify_later(random, models[: model.day], table)
            day = (BEGINS + timedelta(days=earlier.day)).date()
            require_alerts(dispatcher, earlier, day)

    for model in models:
        day = (BEGINS + timedelta(days=model.day)).date()
        dispatcher.casino.look(
            lambda model=model, day=day: require_to_report(dispatcher, model, day)
        )
    for report in ("ctr", "threshold-log"):
        rows = ask(database, REPORTS[report]).rows
        for model in models:
            day = (BEGINS + timedelta(days=model.day)).date().isoformat()
            found = [
                (
                    sorted([row["patron"], *(row["alike"] or ()), *(row["agents"] or ())]),
                    *(row["direction"], row["threshold"], row["total"] // 100),
                )
                for row in rows
                if str(row["day"]) == day
            ]
            assert sorted(model.rows(report), key=str) == sorted(found, key=str), (report, day)
