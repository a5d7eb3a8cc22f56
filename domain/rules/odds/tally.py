"""By which lines of pay tables coups are decided, and how many by each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from operator import itemgetter

from domain.rules.conditions import Condition, Fact, condition
from domain.rules.hands import Result
from domain.rules.odds.deals import Values, coups, ending, result, results_from
from domain.rules.odds.pack import Pack
from domain.rules.odds.shares import Look, Looks, Shares, Truth
from domain.rules.odds.ways import Tally, handful
from domain.rules.wagers import PayTable

Lines = tuple[int | None, ...]  # the place of the line that decides, for each table; None: it loses
Fitting = tuple[int, ...]  # the places of all lines of a table that fit, the one that decides first
Totals = tuple[int, int]  # of the first two cards, Player's and Banker's
FIRST_FOUR = {0, 1, 3, 4}  # their places
GOES_ON = "the coup has at least 5 cards"
_ONE = ("KS", *(f"{rank}S" for rank in "A23456789"))  # a card of each value


@lru_cache(maxsize=256)
def fitting(table: PayTable, pack: Pack) -> Counter[Fitting]:
    """The deals of these cards by the lines of a pay table that fit; without one, a wager loses."""
    fitted: Counter[Fitting] = Counter()
    for (lines,), ways in _fitting([table], pack).items():
        fitted[lines] += ways
    return fitted


@lru_cache(maxsize=64)
def deciding(tables: tuple[PayTable, ...], pack: Pack) -> Counter[Lines]:
    """The deals of these cards by the lines that decide, one of each table."""
    decided: Counter[Lines] = Counter()
    for lines, ways in _fitting(tables, pack).items():
        decided[tuple(fit[0] if fit else None for fit in lines)] += ways
    return decided


@lru_cache(maxsize=64)
def fitting_after(table: PayTable, offered: str, pack: Pack) -> Counter[tuple[Totals, Fitting]]:
    """The deals in which a bet is offered after four cards, by their totals and as `fitting` does.

    Where no third card is due nothing is offered (R-BET-8).
    """
    offer, goes_on = condition(offered), condition(GOES_ON)
    lines = [condition(line.when) for line in table]
    shown = [
        [condition(f"first two {hand} cards make {total}") for total in range(10)]
        for hand in ("player", "banker")
    ]
    asked = [offer, goes_on, *lines, *shown[0], *shown[1]]
    facts = list(dict.fromkeys(fact for each in asked for fact in each.facts))
    fitted: Counter[tuple[Totals, Fitting]] = Counter()
    for truth, ways in truths(facts, pack).items():
        so = dict(zip(facts, truth, strict=True)).__getitem__
        player, banker = (
            next(total for total, each in enumerate(hand) if each.decide(so)) for hand in shown
        )
        if offer.decide(so) and goes_on.decide(so):
            fit = tuple(n for n, each in enumerate(lines) if each.decide(so))
            fitted[(player, banker), fit] += ways
    return fitted


def _fitting(tables: Sequence[PayTable], pack: Pack) -> Counter[tuple[Fitting, ...]]:
    conditions = [[condition(line.when) for line in table] for table in tables]
    facts = list(dict.fromkeys(f for table in conditions for each in table for f in each.facts))
    fitted: Counter[tuple[Fitting, ...]] = Counter()
    for truth, ways in truths(facts, pack).items():
        so = dict(zip(facts, truth, strict=True)).__getitem__
        lines = tuple(
            tuple(n for n, each in enumerate(table) if each.decide(so)) for table in conditions
        )
        fitted[lines] += ways
    return fitted


def truths(facts: Sequence[Fact], pack: Pack) -> Counter[Truth]:
    """The deals of these cards by which of these facts are so."""
    counted: Counter[Truth] = Counter()
    if any(fact.places for fact in facts):
        asked = _asked(tuple(facts), pack.even)
        place = {fact: n for n, fact in enumerate(asked.facts)}
        places = [place[fact] for fact in facts]
        for truth, ways in asked.counted(pack).items():
            counted[tuple(truth[n] for n in places)] += ways
        return counted
    for ended, ways in results_from(pack).items():
        counted[_truth(facts, ended)] += ways
    return counted


def looked_at(asked: Iterable[Condition]) -> int:
    """In how many ways the cards can differ whose ranks or suits these conditions look at."""
    facts = [fact for each in asked for fact in each.facts if fact.of_cards]
    looks = Looks(facts, even=False)
    return int((10 * len(looks.suits)) ** len(looks.places))


@lru_cache(maxsize=64)
def _asked(facts: tuple[Fact, ...], even: bool) -> "_Asked":
    return _Asked(facts, even=even)


class _Asked:
    """Facts by what they look at: totals, what cards count, ranks and suits."""

    def __init__(self, facts: Sequence[Fact], *, even: bool) -> None:
        self._of_totals = [fact for fact in facts if not fact.places]
        of_values = [fact for fact in facts if fact.places and not fact.of_cards]
        self._of_values = [
            _AtPlaces(places, [fact for fact in of_values if fact.places == places])
            for places in dict.fromkeys(fact.places for fact in of_values)
        ]
        self._looks = Looks([fact for fact in facts if fact.of_cards], even=even)
        self._in_order = any(
            (first in fact.places) != (second in fact.places)
            for fact in facts
            for first, second in ((0, 1), (3, 4))
        )
        self._truth_by_totals: dict[tuple[int, int, int, int], Truth] = {}
        self._tally = Tally(self._coups())

    @property
    def facts(self) -> list[Fact]:
        """In the order in which `counted` has them."""
        of_values = [fact for each in self._of_values for fact in each.facts]
        return [*self._of_totals, *of_values, *self._looks.facts]

    def _coups(self) -> Iterator[tuple[tuple[Truth, Look], int, int]]:
        """Every coup by what is so of its totals and values, and by what the rest looks at.

        Where nobody asks about more than the first cards, those after them may be any.
        """
        looks = self._looks
        if not (self._of_totals or self._of_values) and set(looks.places) <= FIRST_FOUR:
            for first in product(range(10), repeat=len(looks.places)):
                at = dict(zip(looks.places, first, strict=True))
                values: Values = (
                    *(at.get(0, 0), at.get(1, 0), None),
                    *(at.get(3, 0), at.get(4, 0), None),
                )
                yield ((), looks.look(values)), handful(first), 1
            return
        for values, orders in coups(in_order=self._in_order):
            yield (self._truth_by_values(values), looks.look(values)), handful(values), orders

    def counted(self, pack: Pack) -> Counter[Truth]:
        """The deals by which of the facts are so."""
        shares = Shares(self._looks, pack)
        after: Counter[Truth] = Counter()
        for (truth, look), ways in self._tally.counted(pack.values).items():
            for more, some, every in shares.of(look) if ways else ():
                after[truth + more] += ways * some // every  # whole: a share of those orders
        return after

    def _truth_by_values(self, values: Values) -> Truth:
        """What the totals say, and what the cards count."""
        ended = ending(values)
        if ended not in self._truth_by_totals:
            self._truth_by_totals[ended] = _truth(self._of_totals, result(ended))
        truth = self._truth_by_totals[ended]
        for each in self._of_values:
            truth += each.truth(values)
        return truth


class _AtPlaces:
    """Facts about what the cards at the same places count, each looked at once for such cards."""

    def __init__(self, places: frozenset[int], facts: Sequence[Fact]) -> None:
        self.facts = facts
        self._of = itemgetter(*sorted(places))
        self._known: dict[object, Truth] = {}

    def truth(self, values: Values) -> Truth:
        """Which of the facts are so of a coup in which the cards count so."""
        seen = self._of(values)
        if seen not in self._known:
            one, two, third, first, second, last = values
            player, banker = [_ONE[one], _ONE[two]], [_ONE[first], _ONE[second]]
            if third is not None:
                player.append(_ONE[third])
            if last is not None:
                banker.append(_ONE[last])
            shown = Result("tie", 0, 0, 0, 0, (tuple(player), tuple(banker)))  # only cards matter
            self._known[seen] = _truth(self.facts, shown)
        return self._known[seen]


def _truth(facts: Sequence[Fact], ended: Result) -> Truth:
    return tuple(fact.holds(ended) for fact in facts)
