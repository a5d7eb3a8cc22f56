"""An evening at a table of a sheet: random coups, a bet on every spot, one of them put right.

What is paid is reckoned here from the sheet's own text, by the stranger's script.
"""

import json
import tomllib
from random import Random
from typing import TypeVar

from domain.rules.cards import DECK
from domain.rules.house_rules import HouseRules
from ops.manual.shelf import sheet
from tests.worlds.gaming_table import DAY, GamingTable
from tests.worlds.random_coups import STRANGER

OPENER = 100_000_00
T = TypeVar("T")
TWO = {"by": "D-204", "with": "S-11"}
BURNED = "3D"
LOOKED_AT = 30  # random coups, of which the one is dealt at which most bets are won
SLIPS = ("card", "stake", "payment")


def as_the_sheet_says(name: str, stated: str) -> dict:
    """The terms on record, with the lines of each bet as they stand in the sheet's text."""
    terms = json.loads(stated)
    for spot, written in tomllib.loads(sheet(name).text)["spots"].items():
        if written != "none":
            terms["spots"][spot]["pays"] = [
                {"when": when, "pays": [0, 1] if odds == "push" else [*map(int, odds.split(":"))]}
                for when, odds in written["pays"].items()
            ]
    return terms


class SheetEvening:
    """One table under one sheet, and what each wager should have been paid in the end."""

    def __init__(self, pit: GamingTable, rules: HouseRules) -> None:
        self.pit, self.rules = pit, rules
        self.terms = as_the_sheet_says(rules.name, rules.stated)
        self.random = Random(rules.name)
        self.shoe = [card for card in DECK for _ in range(rules.decks)]
        self.shoe.remove(BURNED)
        self.expected: dict[str, dict[tuple[int, str], dict]] = {}  # by coup, seat and spot
        self.slip = self.random.choice(SLIPS[1:] if rules.after_four else SLIPS)
        self.won_by_wagers = 0
        # By seat and spot, the stake of each bet on several coups that goes on, and its count
        self.going_on: dict[tuple[int, str], tuple[int, tuple[int, int, int]]] = {}

    def play(self, coups: int) -> "SheetEvening":
        """Everything from the opener to the closer; in the last coup there is a slip."""
        smallest = min(self.rules.chips)
        self.pit.say(
            "table.open",
            rules=self.rules.name,
            opener={str(smallest): OPENER // smallest},
            day=DAY,
            **TWO,
        )
        for seat in (1, 3):
            self.pit.say("table.seat", seat=seat, patron=f"P-{self.pit.table}-{seat}")
        self.pit.prepare(decks=self.rules.decks)
        for n in range(1, coups + 1):
            self.coup(n, self.slip if n == coups else None)
        self.close(smallest)
        return self

    def coup(self, n: int, slip: str | None) -> None:
        """A coup at which something is typed wrong, and put right when it is paid."""
        address = f"{self.pit.table}/{DAY}/1/{n}"
        bets, cards = self.bets(), self.cards(n)
        bets = self.offered(bets, cards)
        self.expected[address] = self.paid(bets, cards) | self.decided(bets, cards)
        fixed = {"coup": address, "reason": "typed wrong", **TWO}
        (seat, spot), stake = self.random.choice([*self.of_one_coup(bets).items()])
        if slip == "card":
            at, typed = self.misread(cards)
            self.typed(bets, typed)
            self.pit.say("coup.correct-card", n=at, card=cards[at - 1], **fixed)
        elif slip == "stake":
            self.typed(bets | {(seat, spot): stake + self.rules.increment}, cards)
            self.pit.say("correct", seat=seat, spot=spot, stake=stake, **fixed)
        elif slip == "payment":
            self.typed(bets, cards)
            wrong = self.expected[address][seat, spot]["paid"] + min(self.rules.chips)
            self.pit.say("correct", seat=seat, spot=spot, to=wrong, **fixed)
            self.pit.say("correct", seat=seat, spot=spot, **fixed)
        else:
            self.typed(bets, cards)

    def typed(self, bets: dict[tuple[int, str], int], cards: list[str]) -> None:
        second = {
            where: stake for where, stake in bets.items() if where[1] in self.rules.after_four
        }
        first = [(*where, stake) for where, stake in bets.items() if where not in second]
        if not second:
            self.pit.play(" ".join(cards), *first)
            return
        for each in first:
            self.pit.bet(*each)
        self.pit.deal(" ".join(cards[:4]))
        for where, stake in second.items():
            self.pit.bet(*where, stake)
        self.pit.say("no-more-bets")
        self.pit.deal(" ".join(cards[4:]), settle=True)

    def offered(self, bets: dict[tuple[int, str], int], cards: list[str]) -> dict:
        """These bets without those that the first four cards do not offer."""
        stated = {
            s: each for s, each in self.terms.get("terms", {}).items() if "after_four" in each
        }
        opened = {"limits": {s: [0] for s in (*stated, "main")}, "coup": "B01/2026-11-21/1/1"}
        offered = STRANGER.may_be_bet(self.terms, opened, stated, cards[:4], bets)
        return {
            where: each
            for where, each in bets.items()
            if where[1] in offered or where[1] not in stated
        }

    def bets(self) -> dict[tuple[int, str], int]:
        """A wager on each spot, within its limits; nobody bets on both sides."""
        bets = {}
        for spot, offer in self.terms["spots"].items():
            beside = self.terms.get("terms", {}).get(spot, {}).get("beside", [spot])
            seat = {"player": 1, "banker": 3}.get(beside[0]) or self.random.choice((1, 3))
            if any(spot == on for _, on in self.going_on):
                continue
            limit = offer["limit"] or self.terms["main"]
            steps = (limit["maximum"] - limit["minimum"]) // self.rules.increment
            more = self.random.randint(0, min(steps - 1, 20)) * self.rules.increment
            bets[seat, spot] = limit["minimum"] + (0 if spot in self.rules.after_four else more)
        return bets

    def cards(self, n: int) -> list[str]:
        """The next cards of the shoe; in every other coup of some, those by which most win."""
        best = max((self.dealt() for _ in range(LOOKED_AT if n % 2 else 1)), key=self.won)
        for card in best:
            self.shoe.remove(card)
        return best

    def dealt(self) -> list[str]:
        cards = self.random.sample(self.shoe, 6)
        return cards[: next(n for n in (4, 5, 6) if STRANGER.due(cards[:n]) is None)]

    def won(self, cards: list[str]) -> int:
        """How many of the sheet's bets win by these cards."""
        result = STRANGER.result_of(cards)
        bets = (spot for spot in sheet(self.rules.name).bets if spot not in self.rules.over_coups)
        results = [STRANGER.pay(self.terms, spot, 100, result) for spot in bets]
        return sum(pay["result"] == "win" for pay in results)

    def misread(self, cards: list[str]) -> tuple[int, list[str]]:
        """A card's place, and the cards with another one there, after which none is due either."""
        while True:
            at, other = self.random.randint(1, len(cards)), self.random.choice(self.shoe)
            typed = [*cards[: at - 1], other, *cards[at:]]
            if typed != cards and STRANGER.result_of(typed):
                return at, typed

    def paid(self, bets: dict[tuple[int, str], int], cards: list[str]) -> dict:
        result = STRANGER.result_of(cards)
        return {
            where: {"stake": stake, **STRANGER.pay(self.terms, where[1], stake, result)}
            for where, stake in self.of_one_coup(bets).items()
        }

    def of_one_coup(self, bets: dict[tuple[int, str], T]) -> dict[tuple[int, str], T]:
        """Those that are decided by their own coup."""
        over = self.rules.over_coups
        return {(seat, spot): each for (seat, spot), each in bets.items() if spot not in over}

    def decided(self, bets: dict[tuple[int, str], int], cards: list[str]) -> dict:
        """The bets on several coups that this one decides; the others go on."""
        result, paid = STRANGER.result_of(cards), {}
        for where, stake in bets.items():
            if where[1] in self.rules.over_coups:
                self.going_on[where] = stake, (0, 0, 0)
        for where, (stake, before) in [*self.going_on.items()]:
            now = STRANGER.counted_on(STRANGER.over_of(self.terms, where[1]), before, result)
            self.going_on[where] = stake, now
            if STRANGER.decision(self.terms, where[1], now)[0]:
                paid[where] = self.at_last(where)
        return paid

    def at_last(self, where: tuple[int, str]) -> dict:
        """What a bet on several coups is paid of which no coup comes any more."""
        stake, now = self.going_on.pop(where)
        return {"stake": stake, **STRANGER.pay(self.terms, where[1], stake, None, now=now)}

    def close(self, smallest: int) -> None:
        """Whoever owes pays, and the tray has what the wagers left there."""
        last = self.expected[max(self.expected, key=lambda each: int(each.rpartition("/")[2]))]
        last |= {where: self.at_last(where) for where in [*self.going_on]}
        pays = [pay for coup in self.expected.values() for pay in coup.values()]
        owed = sum(p["commission_charged"] for p in pays if p["commission_due"] == "deferred")
        if owed:
            self.pit.say("commission.collect", seat=3, amount=owed)
        self.won_by_wagers = sum(pay["stake"] - pay["paid"] for pay in pays)
        self.pit.end_shoe()
        closer = {str(smallest): (OPENER + self.won_by_wagers + owed) // smallest}
        self.pit.say("table.close", closer=closer, **TWO)
        self.pit.say("table.drop", amount=0, by="C-1", **{"with": "S-11"})
