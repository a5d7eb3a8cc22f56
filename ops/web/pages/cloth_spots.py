"""The spots of an electronic table's cloth: what each pays for what, its limits, its exact odds."""

from msgspec import Struct

from domain.rules.house_rules import HouseRules
from domain.rules.odds import stake_odds
from domain.rules.wagers import PUSH, PayLine, PayTable, odds_text
from ops.now.table_now import TableNow
from ops.words import cloth
from ops.words.conditions import when_words
from ops.words.coups import spot_name
from ops.words.language import amount, percent, reading, shown

MAIN = ("player", "tie", "banker")
LETTERS = {"player": "p", "banker": "b", "tie": "t"}  # keys


class Spot(Struct, frozen=True):
    """A spot of the cloth, its name, what it pays, and how it does in the long run.

    `lines`: of what it pays or returns when, the rarest first as the rule sheet has them.
    """

    key: str
    name: str
    pays: list[str]
    lines: list[str]
    letter: str
    chance: str
    edge: str

    @property
    def is_main(self) -> bool:
        """Whether it is one of the three that every table has."""
        return self.key in MAIN


def spots_of(now: TableNow, language: str) -> list[Spot]:
    """Player, Tie and Banker, then all others, each with the exact odds of a full shoe."""
    assert now.rules is not None
    order = [*MAIN, *(spot for spot in now.spots if spot not in MAIN)]
    with reading(language):
        return [_spot(now.rules, spot, least_on(now, spot)) for spot in order]


def least_on(now: TableNow, spot: str) -> int:
    """The least that may be bet on a spot now."""
    return (now.limits.get(spot) or now.limits["main"])[0]


def bounds_of(now: TableNow) -> list[tuple[str, str]]:
    """The least and the most of the main bets, then of the others: those that share them, once."""
    shared: dict[tuple[int, ...], list[str]] = {}
    for spot in now.spots:
        bounds = now.limits.get(spot) or now.limits.get("main")
        if bounds:
            shared.setdefault(tuple(bounds), []).append(spot)
    sides = [spot for spot in now.spots if spot not in MAIN]

    def called(spots: list[str]) -> str:
        if "player" in spots:
            return shown(cloth.MAIN_BETS)
        return shown(cloth.SIDE_BETS) if spots == sides else ", ".join(map(spot_name, spots))

    return [
        (called(spots), cloth.from_to(*(amount(each, now.currency, short=True) for each in bounds)))
        for bounds, spots in shared.items()
    ]


def why_returned(table: PayTable, line: str | None, outcome: str) -> str:
    """For what a bet came back that neither won nor lost: `tie`; '' if nothing says it."""
    returns = [each.when for each in table if each.pays == PUSH]
    if line is None:
        of_tie = [when for when in returns if ("tie" in when) == (outcome == "tie")]
        line = of_tie[0] if of_tie else None
    return _when(line) if line in returns else ""


def rounding_of(now: TableNow) -> str:
    """How a payment is rounded at this table."""
    smallest = min(now.rules.chips) if now.rules else 1
    return cloth.rounding(amount(smallest, now.currency), of_chips=smallest > 1)


def _spot(rules: HouseRules, spot: str, least: int) -> Spot:
    table = rules.spots[spot].pays
    odds = stake_odds(rules, spot, rules.decks, least)
    decided = odds.wins + odds.pushes + odds.loses
    return Spot(
        spot,
        spot_name(spot),
        _pays(table),
        _lines(table),
        LETTERS.get(spot, ""),
        percent(odds.wins / decided),
        percent(-float(odds.edge)),
    )


def _paying(table: PayTable) -> list[tuple[PayLine, str]]:
    return [
        (line, text)
        for line in table
        if line.pays != PUSH and (text := odds_text(table, line)) is not None
    ]


def _pays(table: PayTable) -> list[str]:
    """What stands on the spot: `pays 8 to 1`; of several odds, what each is for."""
    paying = _paying(table)
    if len({text for _, text in paying}) <= 1:
        return [cloth.pays(cloth.odds(text)) for _, text in paying[:1]]
    return [cloth.for_what(_when(line.when), cloth.short_odds(text)) for line, text in paying]


def _lines(table: PayTable) -> list[str]:
    """The same in full for the rules, with what is returned."""
    paying = _paying(table)
    alone = len(paying) == 1
    return [
        *(
            cloth.odds(text) if alone else cloth.for_what(_when(line.when), cloth.odds(text))
            for line, text in paying
        ),
        *(
            cloth.for_what(_when(line.when), shown(cloth.COMES_BACK))
            for line in table
            if line.pays == PUSH
        ),
    ]


def _when(when: str) -> str:
    words = when_words(when)
    return when if words is None else shown(words)
