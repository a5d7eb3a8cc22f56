"""Nights at tables with recorded shoes, made up from a seed: their lines, and what must be.

Every wager is legal and every line is accepted. What the coups come to and pay is `by_hand`'s;
what is owed is kept here as an entry for each accrual and each collection.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

from domain.aggregates.commission import CommissionAccount
from ops.commands.casino import Casino
from ops.ledger.recorder import Ledger
from tests.acceptance.by_hand import Finished, dealt, paid
from tests.acceptance.channels import accepted, json_of
from tests.data import recorded_shoes
from tests.faults import FULL, times
from tests.worlds.gaming_table import sure

DAY = "2026-11-21"
BEGINS = datetime(2026, 11, 21, 18, tzinfo=UTC)
CUT_CARD = 14

# From the rulebook's table: increment, chairs, and by spot the least and the most.
_MAIN_AND_TIE = {"player": (10_00, 5_000_00), "banker": (10_00, 5_000_00)}
HOUSES = {
    "classic@1": (1_00, range(1, 8), _MAIN_AND_TIE),
    "big-table@1": (
        5_00,
        (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 14),
        # Six patrons on one side stay within the differential of 50,000.
        {"player": (100_00, 8_000_00), "banker": (100_00, 8_000_00), "tie": (5_00, 5_000_00)},
    ),
    "tie-eight@1": (1_00, range(1, 8), {**_MAIN_AND_TIE, "tie": (1_00, 500_00)}),
    "dragon-bonus@1": (
        5_00,
        range(1, 10),
        {
            "player": (25_00, 10_000_00),
            "banker": (25_00, 10_000_00),
            "tie": (5_00, 1_000_00),
            "dragon-player": (5_00, 500_00),
            "dragon-banker": (5_00, 500_00),
        },
    ),
    "electronic@1": (
        1_00,
        range(1, 8),
        {"player": (1_00, 1_000_00), "banker": (1_00, 1_000_00), "tie": (1_00, 100_00)},
    ),
}


@dataclass(frozen=True)
class Expected:
    """One coup: what it must come to, and each wager's settlement by seat and spot."""

    address: str
    cards: list[str]
    coup: Finished
    payments: dict[tuple[int, str], dict[str, object]]


@dataclass(frozen=True)
class Entry:
    """What a line did to what a stay owes for a shoe; `seated`: the line that began the stay."""

    line: int
    seated: int
    shoe: str
    exact: Decimal = Decimal(0)
    charged: int = 0
    collected: int = 0


@dataclass
class NightOfShoes:
    """One table, and the shoes that it deals."""

    table: str
    rules: str
    shoes: list[dict[str, object]]
    random: Random
    lines: list[dict[str, object]] = field(default_factory=list)
    coups: list[Expected] = field(default_factory=list)
    book: list[Entry] = field(default_factory=list)
    seated: dict[int, int] = field(default_factory=dict)  # chair to the line that took it
    owed: dict[int, int] = field(default_factory=dict)  # chair to minor units

    def play(self):
        """The whole night; itself, with every line and all that must come of them."""
        opener = {"10000": 200, "500": 100}
        self.step, self.chairs, self.limits = HOUSES[self.rules]
        self.say("table.open", rules=self.rules, day=DAY, opener=opener, **{"with": "S-11"})
        for seat in self.random.sample(list(self.chairs), 6):
            self.sit(seat, f"{self.table}-P{seat}")
        for number, shoe in enumerate(self.shoes, 1):
            self.deal(f"{self.table}/{DAY}/{number}", shoe)
        self.say("table.close", closer=opener, **{"with": "S-11"})
        return self

    def say(self, command, **fields):
        at = BEGINS + timedelta(seconds=0.5 * len(self.lines))
        line = {"command": command, "table": self.table, **sure(command), **fields, "by": "D-204"}
        self.lines.append({**line, "at": at.isoformat(), "id": f"{self.table}-{len(self.lines)}"})

    def sit(self, seat, patron):
        self.seated[seat] = len(self.lines)
        self.say("table.seat", seat=seat, patron=patron)

    def deal(self, address, shoe):
        """A shoe from loaded to reconciled; its cut card shows where it must have been."""
        cards, burned = shoe["cards"].split(), shoe["burned_including_first"]
        burns = self.rules != "electronic@1"
        behind = CUT_CARD if burns else CUT_CARD + burned  # what is not burned stays at the back
        self.say("shoe.load", decks=8, serials=[f"K-{shoe['shoe']}"])
        self.say("shoe.inspect")
        self.say("shoe.shuffle", method="machine", device="SH-2")
        self.say("shoe.cut", seat=min(self.seated), cut_card=behind)
        if burns:
            self.say("shoe.burn", card=shoe["burn_card"])
        at, shown = burned, False
        for recorded in shoe["coups"]:
            hands = Finished(tuple(recorded["player"]), tuple(recorded["banker"]))
            at, shown = self.coup(address, recorded["n"], cards, at, hands, shown)
        last = recorded["n"] + 1  # the one that is dealt after the cut card (R-SHOE-3)
        at, _ = self.coup(address, last, cards, at, dealt(cards[at:])[0], shown)
        for seat in sorted(self.owed):
            self.collect(address, seat, self.owed[seat])
        self.say("shoe.end")
        self.say("shoe.reconcile", remaining=len(cards) - at + (0 if burns else burned))

    def coup(self, address, number, cards, at, hands, shown):
        """Bets, cards, settlement, and commission at odd moments; where the shoe then stands."""
        random = self.random
        if random.random() < 0.1:
            self.say("open")
        if not shown and len(cards) - at <= CUT_CARD:
            self.say("shoe.cut-card")  # it shows as the first card of a coup, or before it
            shown = True
        wagers = self.bets()
        if random.random() < 0.1:
            self.say("no-more-bets")
        used = len(hands.player) + len(hands.banker)
        at_once = random.random() < 0.5
        for n, card in enumerate(cards[at : at + used], 1):
            last = {"settle": True} if at_once and n == used else {}
            self.say("draw", card=card, **last)
            if not shown and len(cards) - at - n < CUT_CARD and n < used:
                self.say("shoe.cut-card")
                shown = True
            if random.random() < 0.01 and not last:
                self.collect_some(address)
        payments = {
            (seat, spot): {"stake": stake, **paid(self.rules, spot, stake, hands)}
            for (seat, spot), stake in wagers.items()
        }
        if not at_once:
            self.settle(payments)
        self.coups.append(Expected(f"{address}/{number}", cards[at : at + used], hands, payments))
        self.owe(address, payments)
        if random.random() < 0.12:
            self.collect_some(address)
        if random.random() < 0.04:
            self.change_chairs(address)
        return at + used, shown

    def settle(self, payments):
        stated = {}
        for (seat, _), payment in payments.items():
            stated[str(seat)] = stated.get(str(seat), 0) + payment["paid"]
        self.say("settle", **({"paid": stated} if self.random.random() < 0.3 else {}))

    def bets(self):
        """At least three seats bet; some change their mind before the first card."""
        random, wagers = self.random, {}
        chosen = random.sample(sorted(self.seated), random.choice((3, 3, 3, 4)))
        for seat in chosen:
            for spot in self.spots():
                alone = spot == "tie" and not wagers.keys() & {(seat, "player"), (seat, "banker")}
                least = self.limits["player"][0] if alone else 0
                if random.random() < 0.1:
                    self.bet(seat, spot, least)
                if random.random() < 0.05:
                    self.say("withdraw", seat=seat, spot=self.bet(seat, spot, least)[1])
                wagers[seat, spot] = self.bet(seat, spot, least)[2]
        return wagers

    def spots(self):
        """Player or Banker, never both, or neither; then what else the layout offers."""
        random = self.random
        spots = random.choice((["player"], ["banker"], ["banker"], ["banker"], []))
        others = [spot for spot in self.limits if spot not in ("player", "banker")]
        spots = spots + [spot for spot in others if random.random() < 0.14]
        return spots or [random.choice(others or ["banker"])]

    def bet(self, seat, spot, least):
        low, high = self.limits[spot]
        low = -(-max(low, least) // self.step) * self.step
        within = self.random.randrange(low, min(high, 40 * low) + 1, self.step)
        amount = self.random.choice((low, high, within, within, within))
        self.say("bet", seat=seat, spot=spot, amount=amount)
        return seat, spot, amount

    def owe(self, shoe, payments):
        """Each accrual as an entry; taken at payout, it is collected in the same act."""
        for (seat, _), payment in payments.items():
            if payment["commission_due"]:
                at_once = payment["commission_due"] == "at-payout"
                charged = payment["commission_charged"]
                self.book.append(
                    Entry(
                        len(self.lines) - 1,
                        self.seated[seat],
                        shoe,
                        Decimal(payment["commission_exact"]),
                        charged,
                        charged if at_once else 0,
                    )
                )
                self.owed[seat] = self.owed.get(seat, 0) + (0 if at_once else charged)

    def collect(self, shoe, seat, amount):
        if amount:
            self.owed[seat] -= amount
            entry = Entry(len(self.lines), self.seated[seat], shoe, collected=amount)
            self.book.append(entry)
            patron = self.random.random() < 0.3
            who = {"patron": self.lines[entry.seated]["patron"]} if patron else {"seat": seat}
            self.say("commission.collect", **who, amount=amount)

    def collect_some(self, shoe):
        """Any part of it, at any time (R-COM-2): to the minor unit, too."""
        owing = [seat for seat, owed in sorted(self.owed.items()) if owed]
        if owing:
            seat = self.random.choice(owing)
            self.collect(shoe, seat, self.random.randint(1, self.owed[seat]))

    def change_chairs(self, shoe):
        """A patron pays, leaves, and comes back to another chair: another stay."""
        seat = self.random.choice(sorted(self.seated))
        patron = self.lines[self.seated[seat]]["patron"]
        self.collect(shoe, seat, self.owed.get(seat, 0))
        self.say("table.leave", seat=seat)
        del self.seated[seat]
        self.owed.pop(seat, None)
        free = [chair for chair in self.chairs if chair not in self.seated]
        self.sit(self.random.choice(free), patron)


TABLES = {
    **dict.fromkeys(("D1", "D2", "D3", "D4"), ("dragon-bonus@1", times(1, 7))),
    "C1": ("classic@1", times(2, 3)),
    "C2": ("big-table@1", times(1, 3)),
    "C3": ("tie-eight@1", times(1, 3)),
    "C4": ("electronic@1", times(1, 3)),
}
FEW = (6, 11, 17, 21, *range(5))  # in the first four the Dragon Bonus pays all its odds
SEED = 40


def shoes_dealt():
    """All forty; in the tests those of them that have every case."""
    shoes = recorded_shoes()
    return shoes if FULL else [shoes[n] for n in FEW]


def eight_nights():
    """Eight nights, and their lines mixed at random: each as (table, number of its line)."""
    random, shoes = Random(SEED), shoes_dealt()
    nights = {}
    for table, (rules, count) in TABLES.items():
        night = NightOfShoes(table, rules, shoes[:count], Random(f"{SEED} {table}"))
        nights[table], shoes = night.play(), shoes[count:]
    turns = [table for table, night in nights.items() for _ in night.lines]
    random.shuffle(turns)
    said = Counter()
    order = []
    for table in turns:
        order.append((table, said[table]))
        said[table] += 1
    return nights, order


class FortyShoes:
    """What was sent, what was answered, and what the reports say in the middle and at the end."""

    def __init__(self, database):
        self.database = database
        self.nights, self.order = eight_nights()
        self.answers = {}
        half = len(self.order) // 2
        self.send(self.order[:half])
        self.answered_by_half_time = set(self.answers)
        self.at_half_time = json_of(database, "report", "commission")["rows"]
        self.owed_at_half_time = self.accounts()
        self.send(self.order[half:])
        self.at_the_end = json_of(database, "report", "commission")["rows"]

    def send(self, order):
        answers = accepted(self.database, [self.nights[t].lines[n] for t, n in order])
        self.answers.update(zip(order, answers, strict=True))

    def stays(self):
        """Each stay that began so far, as the ledger calls it, by table and line."""
        for at, answer in self.answers.items():
            if answer["command"] == "table.seat":
                yield at, answer["events"][0]["stay"]

    def accounts(self):
        """What each stay owes, as its own account has it."""
        casino = Casino(Ledger(self.database))
        found = {}
        for _, stay in self.stays():
            account = casino.find(CommissionAccount, CommissionAccount.stream(stay), rely=False)
            found[stay] = account.owed
        casino.close()
        return found

    def book(self, lines):
        """By stay and shoe: accrued, charged, collected, outstanding, after these lines."""
        stays, book = dict(self.stays()), {}
        for table, night in self.nights.items():
            for entry in night.book:
                if (table, entry.line) in lines:
                    row = book.setdefault((stays[table, entry.seated], entry.shoe), [0, 0, 0, 0])
                    owed = entry.charged - entry.collected
                    parts = (entry.exact, entry.charged, entry.collected, owed)
                    row[:] = [was + part for was, part in zip(row, parts, strict=True)]
        return {key: row for key, row in book.items() if any(row)}

    def coups(self):
        """Every coup that must be, with the events that were answered for it by type."""
        events = {}
        for answer in self.answers.values():
            for event in answer["events"]:
                if answer["coup"] and event.get("coup") == answer["coup"]:
                    events.setdefault(answer["coup"], {}).setdefault(event["type"], []).append(
                        event
                    )
        for night in self.nights.values():
            for coup in night.coups:
                yield coup, events[coup.address]
