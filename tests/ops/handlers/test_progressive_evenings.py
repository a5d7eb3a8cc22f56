"""R-PROG-2 to 4 over long evenings at two tables of one meter, beside a model of its own.

The model counts each coup anew from what lay there and how it ended: it knows no event.
"""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from tests.worlds.gaming_table import DAY, PLAYER_WINS, GamingTable
from tests.worlds.progressive_sheets import BY_NINE, NATURAL_TIE, SEED, in_all, moved, rows, sheet
from tests.worlds.terms_of_sheets import TWO, approve

SHARE, RESERVE = Fraction(150_001, 10**6), Fraction(25_001, 10**6)
CHIP = 25
PART = {PLAYER_WINS: Fraction(0), NATURAL_TIE: Fraction(1, 10), BY_NINE: Fraction(1)}
COUPS = 15  # a table: with two nines each, its shoe of 32 nines is enough
STAKES = (0, 50_00, 55_00, 150_00)


def evening_of(seed, acts=60):
    """What happens in an evening: coups at both tables, and what is put right of them."""
    chance = Random(seed)
    for _ in range(acts):
        n = chance.randrange(100)
        match chance.choices(("play", "void", "stake", "pay"), (6, 1, 1, 1))[0]:
            case "play":
                stakes = chance.choices(STAKES, k=2)
                cards = chance.choices(list(PART), (4, 2, 1))[0]
                yield "play", chance.randrange(2), cards, stakes
            case "void":
                yield "void", n
            case "stake":
                yield "stake", n, chance.choice((60_00, 105_00))
            case "pay":
                yield "pay", n, chance.choice((75_00, 500_00))


class Model:
    """A meter counted by hand: whole coups go in and out."""

    def __init__(self):
        self.standing, self.reserve, self.seeded = Fraction(SEED), Fraction(0), SEED
        self.in_all = {}  # by coup: what it staked and was paid

    def coup(self, name, staked, paid):
        """What a coup comes to now; the difference moves."""
        before_staked, before_paid = self.in_all.get(name, (0, 0))
        self.standing += (staked - before_staked) * SHARE - (paid - before_paid)
        self.reserve += (staked - before_staked) * RESERVE
        self.in_all[name] = staked, paid

    def total(self):
        """Seed and contributions less payments."""
        staked = sum(each for each, _ in self.in_all.values())
        paid = sum(each for _, each in self.in_all.values())
        return staked * (SHARE + RESERVE) - paid


class Evening:
    """Two tables, their coups so far, and what each pays by the model."""

    def __init__(self, dispatcher):
        approve(dispatcher, sheet())
        self.pits = [
            GamingTable(dispatcher, table).open("riverside@1").prepare() for table in ("B01", "B02")
        ]
        self.dealt = [0, 0]
        self.drawn = [Counter(), Counter()]  # cards of each rank
        self.coups = []  # [address, pit, part of the meter, stakes, paid, void]
        self.model = Model()

    def play(self, table, cards, stakes):
        if self.dealt[table] == COUPS:
            return
        self.dealt[table] += 1
        pit = self.pits[table]
        pit.bet(1, "player", 100_00)
        lies = {seat: stake for seat, stake in zip((3, 5), stakes, strict=True) if stake}
        answer = pit.play(
            self.of_all_suits(table, cards),
            *((seat, "fortune", stake) for seat, stake in lies.items()),
        )
        paid = {
            each["seat"]: each["winnings"]
            for each in answer.body["events"]
            if each["type"] == "WagerSettled" and each["spot"] == "fortune"
        }
        name = f"{pit.table}/{DAY}/1/{self.dealt[table]}"
        if lies:
            whole = self.whole(sum(lies.values()), PART[cards])
            assert sum(paid.values()) == whole
            self.coups.append([name, pit, PART[cards], lies, paid, False])
            self.model.coup(name, sum(lies.values()), sum(paid.values()))

    def of_all_suits(self, table, cards):
        """The same ranks, each suit in its turn."""
        dealt = []
        for rank in (card[0] for card in cards.split()):
            dealt.append(rank + "CDHS"[self.drawn[table][rank] % 4])
            self.drawn[table][rank] += 1
        return " ".join(dealt)

    def whole(self, staked, part):
        """What the meter pays of itself, by the report before this coup, in chips."""
        report = self.stood + staked * SHARE
        return int(report * part // CHIP) * CHIP

    def followed(self):
        """The two sums of the report, and the model's."""
        database_sums = in_all(self.database)
        assert database_sums[0] == database_sums[1]
        (row,) = rows(self.database)
        assert self.model.total() + row["seeded"] == database_sums[0]
        assert sum(each for each, _ in self.model.in_all.values()) == row["wagers"]
        assert row["off"] == 0
        assert Fraction(str(row["closing"])) >= SEED
        assert Fraction(str(row["reserve"])) >= 0
        self.stood = Fraction(str(row["closing"]))

    def one(self, n):
        return self.coups[n % len(self.coups)] if self.coups else None

    def void(self, n):
        if (coup := self.one(n)) and not coup[5]:
            coup[5] = True
            coup[1].say("void", coup=coup[0], reason="misread", **TWO)
            self.model.coup(coup[0], 0, 0)

    def stake(self, n, stake):
        coup = self.one(n)
        if coup and not coup[5]:
            seat = next(iter(coup[3]))
            self.correct(coup, seat, stake=stake)
            coup[3][seat] = stake

    def pay(self, n, to):
        coup = self.one(n)
        if coup and not coup[5]:
            self.correct(coup, next(iter(coup[3])), to=coup[3][next(iter(coup[3]))] + to)

    def correct(self, coup, seat, **rightly):
        name, pit, part, lies, paid, _ = coup
        answer = pit.ask(
            "correct", coup=name, seat=seat, spot="fortune", reason="misread", **rightly, **TWO
        )
        if not answer.ok:  # it is so already
            return
        for each in answer.body["events"]:
            if each["type"] == "PaymentCorrected":
                paid[each["seat"]] = each["winnings"]
                lies[each["seat"]] = each["stake"]
        by_meter = sum(paid.values()) if part else 0
        self.model.coup(name, sum(lies.values()), by_meter)


@pytest.fixture
def evening(dispatcher, database):
    evening = Evening(dispatcher)
    evening.database, evening.stood = database, Fraction(SEED)
    return evening


def dispatched(evening, acts):
    for what, *values in acts:
        getattr(evening, what)(*values)
        if evening.coups:
            evening.followed()


@pytest.mark.parametrize("seed", [1, 2])
def test_two_tables_of_one_meter(evening, seed):
    dispatched(evening, evening_of(seed))

    assert len(evening.coups) > 15


def test_every_part_of_the_meter_is_somewhere(evening):
    dispatched(
        evening,
        [
            ("play", 0, BY_NINE, [50_00, 150_00]),
            ("play", 1, PLAYER_WINS, [55_00, 0]),
            ("void", 0),
            ("play", 1, NATURAL_TIE, [50_00, 55_00]),
            ("pay", 1, 75_00),
            ("play", 0, BY_NINE, [0, 55_00]),
            ("stake", 2, 105_00),
            ("void", 3),
        ],
    )

    assert len(moved(evening.database)) == 7  # what two people set is not of a meter that lost
