"""Patrons whose bets follow the cards that are left, spot by spot."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from domain.events import coup_wagers
from domain.review.protection.cards_left import CardsLeft
from domain.review.protection.counting import (
    CoupBefore,
    OnSpot,
    Side,
    all_after,
    coup_before,
    held,
    once_more,
    rules_of,
    sides_after,
)
from domain.rules.protection_levels import COUNTS
from projections.attention.questions import answers
from projections.attention.questions.answers import About, answer
from projections.attention.questions.cards import SHOES, ProtectedShoe, once_a_coup
from projections.attention.questions.question import SETTLED, Question
from projections.model import Event
from projections.rows import Page, Row, Rows, Table, Value

SQL = """
-- One row a patron, under the name that they had at the table: who bets beside them on each spot.
CREATE TABLE protected_counters (
    patron     text   NOT NULL PRIMARY KEY,
    coup       text   NOT NULL,  -- the last one
    staked     jsonb  NOT NULL,  -- on each spot in that coup, minor units
    beside     jsonb  NOT NULL,  -- before that coup
    after      jsonb  NOT NULL,  -- after it
    gaming_day date   NOT NULL,  -- of that coup
    most       double precision NOT NULL  -- that was held on that day, before that coup
);
"""


class ProtectedCounter(Row):
    """A patron's last coup, and who bets beside them before and after it."""

    patron: str
    coup: str
    staked: dict[str, int]
    beside: dict[str, OnSpot]
    after: dict[str, OnSpot]
    gaming_day: date
    most: float = 0.0

    def begin(self, coup: str, gaming_day: date) -> None:
        """Another coup."""
        now = held(self.after)
        self.most = max(self.most, now) if gaming_day == self.gaming_day else 0.0
        self.coup, self.gaming_day = coup, gaming_day
        self.staked, self.beside = {}, self.after

    def bets(self, spot: str, stake: int) -> None:
        """A wager of that coup; a spot that is new to them goes last, as it has been since.

        Rows that were read again have their spots in another order.
        """
        staked = {**self.staked, spot: self.staked.get(spot, 0) + stake}
        known = [each for each in staked if each in self.after]
        known.sort(key=lambda each: self.after[each].place)
        self.staked = {each: staked[each] for each in dict.fromkeys((*known, *staked))}


COUNTERS = Table("protected_counters", ProtectedCounter, "patron")


@once_a_coup
def _known_of(shoe: ProtectedShoe, coup: str) -> tuple[CoupBefore | None, dict[str, list[Side]]]:
    """The coup before, and what it left of each spot that was asked for."""
    return coup_before(CardsLeft(shoe.cards, shoe.numbers), int(coup), shoe.decks), {}


def _sides(shoe: ProtectedShoe, coup: str, spots: Iterable[str]) -> Mapping[str, list[Side]]:
    """On which side of each line the coup before left these spots, and others."""
    before, known = _known_of(shoe, coup)
    if others := [spot for spot in spots if spot not in known]:
        sides = sides_after(before, rules_of(shoe.terms), others)
        known |= {spot: sides.get(spot, []) for spot in others}
    return known


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """The rows that a settled wager needs, beside those of who is right."""
    patron = event.fields["patron"]
    yield COUNTERS.by_key, (patron,)
    yield from answers.loads(COUNTS, f"{patron} {event.gaming_day}")


def _settled(event: Event, rows: Rows) -> None:
    """A wager was settled: did the patron bet it where the cards before favour it?"""
    fields = event.fields
    address, _, number = str(fields["coup"]).rpartition("/")
    shoe = rows.get(SHOES, address)
    if shoe is None or not shoe.terms:
        return
    coup, name = fields["coup"], fields["patron"]
    patron = rows.change(COUNTERS, name)
    if patron is None:
        patron = ProtectedCounter(
            patron=name, coup=coup, staked={}, beside={}, after={}, gaming_day=event.gaming_day
        )
        rows.put(COUNTERS, patron)
    if patron.coup != coup:
        patron.begin(coup, event.gaming_day)
    first = not patron.staked
    patron.bets(fields["spot"], fields["stake"])
    if first or event.topic != coup_wagers.WagerSettled.TOPIC:
        sides = _sides(shoe, number, {**patron.beside, **patron.staked})
        now = all_after(patron.beside, patron.staked, sides)
    else:  # the others are as they were: all wagers of a coup are settled together
        sides = _sides(shoe, number, [fields["spot"]])
        now = once_more(patron.after, patron.beside, patron.staked, fields["spot"], sides)
    patron.after = now
    most = max(patron.most, held(now))
    if not answers.matters(rows, COUNTS, most, name, event.gaming_day):
        return
    spot = max(now, key=lambda each: (now[each].held, -now[each].place))
    followed = now[spot]
    detail = {
        "patron": name,
        "spot": spot,
        "much": followed.much,
        "favoured": followed.favoured,
    }
    answer(event, rows, COUNTS, most, detail, About(shoe=shoe.shoe, coup=coup, patron=name))


QUESTION = Question(sql=SQL, changes=dict.fromkeys(SETTLED, _settled), loads=_loads)
