"""Launderers in a house of honest patrons: after how many of its days each is named.

Every honest patron has habits of their own: how often they come, how much they bring, at how many
tables they play, how often they take chips along. A launderer does one thing on each visit.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from random import Random

from msgspec import Struct

from domain.aggregates.cash import CashDay
from domain.aggregates.property import Property
from domain.rules.regimes import programs
from ops.handlers.split_cash import PIECES
from tests.worlds.counted_cash import CountedCash, Moved, Played, Who

DAYS, PATRONS, TABLES = 60, 150, 12
OPENS = datetime(2026, 1, 1, 18, tzinfo=UTC)
LAUNDERER, PARTNER = "L-1", "L-2"


class Habits(Struct, frozen=True):
    """What an honest patron is like."""

    name: str
    comes: float  # the share of days
    brings: float  # minor units, in the middle
    again: float  # the share of buy-ins after which there is another
    wanders: float  # the share of buy-ins at another table
    plays: float  # times what they brought that they stake
    takes: float  # the share of days on which they take their chips along

    @classmethod
    def made_up(cls, name: str, random: Random) -> "Habits":
        return cls(
            name=name,
            comes=random.betavariate(1, 4),
            brings=random.lognormvariate(0, 0.9) * 2_500_00,
            again=random.betavariate(2, 3),
            wanders=random.betavariate(1, 3),
            plays=random.lognormvariate(1.8, 0.7),
            takes=random.betavariate(1, 3),
        )


Evening = tuple[list[Moved], Played]


def honest(who: Habits, day: int, random: Random) -> Evening:
    """A day of somebody who plays: they buy in, bet, lose or win, and cash out or not."""
    at, table = _arrives(day, random), random.randrange(TABLES)
    moved: list[Moved] = []
    while not moved or random.random() < who.again:
        if moved and random.random() < who.wanders:
            table = random.randrange(TABLES)
        amount = _round(who.brings * random.lognormvariate(0, 0.5))
        moved.append(_moved(day, table, who.name, "in", amount, at))
        at += timedelta(minutes=random.randrange(10, 120))
    brought = sum(each.amount for each in moved)
    staked = int(brought * who.plays * random.lognormvariate(0, 0.4))
    won = int(max(-brought, random.gauss(-0.0115, 0.35) * staked**0.5 * brought**0.5))
    if random.random() >= who.takes and brought + won > 0:
        moved.append(_moved(day, table, who.name, "out", brought + won, at))
    return moved, Played(staked, won)


def _arrives(day: int, random: Random) -> datetime:
    return OPENS + timedelta(days=day, minutes=random.randrange(0, 480))


def _round(amount: float) -> int:
    """As people bring it: whole hundreds, and thousands where it is much."""
    step = 100_00 if amount < 5_000_00 else 500_00
    return max(round(amount / step), 1) * step


def _moved(day: int, table: int, who: str, direction: str, amount: int, at: datetime) -> Moved:
    return Moved(f"{day:03}", f"B{table:02}", who, direction, amount, at)


def _just_under(day: int, random: Random) -> Iterator[tuple[str, Evening]]:
    amount = random.randrange(9_000_00, 10_000_00, 100_00)
    at, table = _arrives(day, random), random.randrange(TABLES)
    moved = [_moved(day, table, LAUNDERER, "in", amount, at)]
    yield LAUNDERER, (moved, Played(4 * amount, -amount // 10))


def _in_pieces(day: int, random: Random) -> Iterator[tuple[str, Evening]]:
    at = _arrives(day, random)
    moved = [
        _moved(day, table, LAUNDERER, "in", 4_000_00, at + timedelta(minutes=20 * n))
        for n, table in enumerate(random.sample(range(TABLES), 3))
    ]
    yield LAUNDERER, (moved, Played(48_000_00, -1_000_00))


def _without_play(day: int, random: Random) -> Iterator[tuple[str, Evening]]:
    at, table = _arrives(day, random), random.randrange(TABLES)
    moved = [
        _moved(day, table, LAUNDERER, "in", 6_000_00, at),
        _moved(day, table, LAUNDERER, "out", 5_900_00, at + timedelta(minutes=25)),
    ]
    yield LAUNDERER, (moved, Played(1_500_00, -100_00))


def _taken(day: int, random: Random) -> Iterator[tuple[str, Evening]]:
    at, table = _arrives(day, random), random.randrange(TABLES)
    moved = [_moved(day, table, LAUNDERER, "in", 6_000_00, at)]
    yield LAUNDERER, (moved, Played(18_000_00, -200_00))


def _two(day: int, random: Random) -> Iterator[tuple[str, Evening]]:
    at, table = _arrives(day, random), random.randrange(TABLES)
    for n, who in enumerate((LAUNDERER, PARTNER)):
        moved = [_moved(day, table, who, "in", 6_000_00, at + timedelta(minutes=4 * n))]
        yield who, (moved, Played(24_000_00, -500_00))


LAUNDERERS: Mapping[str, Callable[[int, Random], Iterator[tuple[str, Evening]]]] = {
    "just-under": _just_under,
    "in-pieces": _in_pieces,
    "little-play": _without_play,
    "chips-taken": _taken,
    "two-together": _two,
}


def evenings(seed: int, launders: str = "") -> Iterator[tuple[int, CountedCash]]:
    """After each visit of the launderer, or each tenth day, what was counted so far."""
    random = Random(seed)
    people = [Habits.made_up(f"P-{n}", random) for n in range(PATRONS)]
    moved: list[Moved] = []
    played: dict[tuple[str, str], Played] = {}
    visits = 0
    for day in range(DAYS):
        here = [
            (who.name, honest(who, day, random)) for who in people if random.random() < who.comes
        ]
        visit = bool(launders) and day % 3 == 0
        visits += visit
        for who, (cash, play) in (*here, *(LAUNDERERS[launders](day, random) if visit else ())):
            moved += cash
            played[who, f"{day:03}"] = play
        if visit or (not launders and day % 10 == 9):
            yield visits, CountedCash(moved, played)


def visits_until_named(launders: str, seed: int) -> int | None:
    """At which visit the launderer is named by the own pattern; None: not in these days."""
    for visits, counted in evenings(seed, launders):
        if any(pattern == launders and who == LAUNDERER for pattern, who, _ in counted.named):
            return visits
    return None


def honest_named(seed: int) -> set[Who]:
    """Which honest patrons are named in a house of these days, at any look."""
    return set().union(*(counted.named for _, counted in evenings(seed)))


def _honest_days(seed: int) -> list[Evening]:
    """Every day of every honest patron of a house."""
    random = Random(seed)
    people = [Habits.made_up(f"P-{n}", random) for n in range(PATRONS)]
    return [
        honest(who, day, random)
        for day in range(DAYS)
        for who in people
        if random.random() < who.comes
    ]


def honest_unplayed(seed: int) -> tuple[int, int]:
    """On how many days of honest patrons little play is an alert in the United States, of all."""
    here = _honest_days(seed)
    return sum(_is_little_play(cash, played) for cash, played in here), len(here)


def _is_little_play(moved: list[Moved], played: Played) -> bool:
    """Whether the house notes little play of a day, with its settings as they come."""
    house = Property.establish(OPENS)
    much = programs()["united-states"].reporting_amount * house.little_play_cash // 100
    day = CashDay.begin_day("P-1", OPENS.date(), OPENS)
    for each in moved:
        day.totals[each.direction] += each.amount
    if day.could_be_little_play(much):
        day.note_play(played.staked, house.little_play_share)
    return day.little_play


def honest_split(seed: int) -> tuple[int, int]:
    """On how many days of honest patrons cash in pieces is an alert in Australia, of how many."""
    here = [cash for cash, _ in _honest_days(seed)]
    (reported,) = (each for each in programs()["australia"].thresholds if "report" in each.due)
    split = [
        sum(reported.is_just_missed_by(each.amount) for each in cash if each.direction == way)
        for cash in here
        for way in ("in", "out")
    ]
    return sum(pieces >= PIECES for pieces in split), len(here)


# By alert: on how many days of the honest patrons of a house it is raised, and of how many days.
ALERTS: Mapping[str, Callable[[int], tuple[int, int]]] = {
    "cash-split": honest_split,
    "little-play-alert": honest_unplayed,
}
