"""The cards of each shoe: do they follow another order, or clump, and are they whole decks?"""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict, replace

from domain.events import rule_set
from domain.events import shoe as shoe_events
from domain.review.protection.cards_left import PUT_RIGHT, TOPICS, Card, CardsLeft
from domain.review.protection.clumps import Clumps
from domain.review.protection.looking import AgainstChance, ByQuestion, Look, Lookout
from domain.review.protection.new_deck import new_deck
from domain.review.protection.repeated_slug import EARLIER, repeated_slug
from domain.review.protection.whole_decks import WholeDecks
from domain.rules.protection_levels import (
    CLUMP,
    EARLIER_SHOE,
    LEAST,
    NEW_DECK,
    NOT_WHOLE,
    OF_CARDS,
)
from projections.attention.questions import answers
from projections.attention.questions.answers import About, answer
from projections.attention.questions.question import Question
from projections.model import Change, Event
from projections.rows import Noted, Page, Row, Rows, Table, Value

NEAR = 16  # cards: those of a coup, and some that were burned between
_LOOKOUT = Lookout(most=120)  # shoes in play: 0.5 MB or less each

SQL = """
-- One row a shoe: its cards, and the shoes before it.
CREATE TABLE protected_shoes (
    shoe       text   NOT NULL PRIMARY KEY,
    decks      int    NOT NULL,
    earlier    jsonb  NOT NULL,
    beside     text,                          -- a digest of their cards; NULL: not made anew yet
    coup       int    NOT NULL DEFAULT 0,
    cards      jsonb  NOT NULL DEFAULT '[]',  -- as they left it
    numbers    jsonb  NOT NULL DEFAULT '[]',  -- of each: coup and number there
    rest       jsonb  NOT NULL DEFAULT '[]',
    rules      text   NOT NULL,
    terms      text   NOT NULL,  -- of that rule set, as they are on record; '': they are not
    table_code text   NOT NULL,  -- where it was loaded
    gaming_day date   NOT NULL,
    ended      bool   NOT NULL DEFAULT false
);

-- The terms by which tables are dealt.
CREATE TABLE protected_rules (
    rules   text NOT NULL PRIMARY KEY,
    content text NOT NULL
);

-- The last few shoes of each table.
CREATE TABLE protected_tables (
    table_code text   NOT NULL PRIMARY KEY,
    shoes      jsonb  NOT NULL
);
"""


class ProtectedShoe(Row):
    """A shoe's cards as they left it, and the shoes before it at its table."""

    shoe: str
    decks: int
    earlier: list[str]
    beside: str | None = None
    coup: int = 0
    cards: list[str | None]
    numbers: list[str]
    rest: list[str]
    rules: str
    terms: str
    table_code: str
    gaming_day: date
    ended: bool = False

    @property
    def remaining(self) -> int:
        """How many cards have not left it."""
        return 52 * self.decks - len(self.cards)

    @property
    def order(self) -> list[str | None]:
        """Its cards as they left it, those that were named when it was over at the end."""
        return [*self.cards, *self.rest]

    def first_of(self, coup: str) -> int | None:
        """The place of a coup's first card among those that left; None: it has none there."""
        first = f"{coup}/1"
        near = max(len(self.numbers) - NEAR, 0)  # it is asked about the last coup, nearly always
        try:
            return self.numbers.index(first, near if first in self.numbers[near:] else 0)
        except ValueError:
            return None

    def cards_of(self, coup: str) -> list[Card]:
        """The cards of a coup by its number, as far as they are out."""
        pairs = zip(self.cards, self.numbers, strict=True)
        return [card for card, number in pairs if number.startswith(f"{coup}/")]


class ProtectedRules(Row):
    """A rule set, as it is on record."""

    rules: str
    content: str


class ProtectedTable(Row):
    """A table's last few shoes, the oldest first."""

    table_code: str
    shoes: list[str]


SHOES = Table("protected_shoes", ProtectedShoe, "shoe")
RULES = Table("protected_rules", ProtectedRules, "rules")
TABLES = Table("protected_tables", ProtectedTable, "table_code")


def _loads(event: Event) -> Sequence[tuple[Page[Any], Value]]:
    """The rows that an event of a shoe needs."""
    if event.topic == rule_set.Adopted.TOPIC:
        return ()
    if event.topic == shoe_events.Loaded.TOPIC:
        return (TABLES.by_key, (event.table,)), (RULES.by_key, (event.fields["rules"],))
    return _of_a_shoe(event.table, event.fields["shoe"])


@lru_cache(maxsize=256)  # shoes in play: each of their cards needs the same
def _of_a_shoe(table: str, shoe: str) -> Sequence[tuple[Page[Any], Value]]:
    answered = (page for question in OF_CARDS for page in answers.loads(question, shoe))
    return (SHOES.by_key, (shoe,)), (TABLES.by_key, (table,)), *answered


def _adopted(event: Event, rows: Rows) -> None:
    fields = event.fields
    rows.put(RULES, ProtectedRules(rules=fields["rules"], content=fields["content"]))


def _loaded(event: Event, rows: Rows) -> None:
    address, table = event.fields["shoe"], rows.change(TABLES, event.table)
    if table is None:
        table = ProtectedTable(table_code=event.table, shoes=[])
        rows.put(TABLES, table)
    decks, earlier = event.fields["decks"], table.shoes
    terms = rows.get(RULES, event.fields["rules"])
    new = ProtectedShoe(
        shoe=address,
        decks=decks,
        earlier=earlier,
        cards=[],
        numbers=[],
        rest=[],
        rules=event.fields["rules"],
        terms=terms.content if terms else "",
        table_code=event.table,
        gaming_day=event.gaming_day,
    )
    rows.put(SHOES, new)
    table.shoes = [*earlier, address][-EARLIER:]


def _coup_begun(event: Event, rows: Rows) -> None:
    if shoe := rows.change(SHOES, event.fields["shoe"]):
        shoe.coup = event.fields["coup"]


def _ended(event: Event, rows: Rows) -> None:
    if shoe := rows.change(SHOES, event.fields["shoe"]):
        shoe.ended = True


def _cards(event: Event, rows: Rows) -> None:
    """Another card left the shoe, or one was put right: it is looked at once the batch ends."""
    shoe = rows.change(SHOES, event.fields["shoe"])
    if shoe is None:
        return
    looked = rows.noted(_LOOKED)
    if event.topic in PUT_RIGHT and (stretches := looked.get(shoe.shoe)):
        stretches[-1].cards = [*shoe.cards]  # as they were
    cards, before = CardsLeft(shoe.cards, shoe.numbers, shoe.rest), len(shoe.cards)
    cards.add(event.topic, event.fields)
    shoe.cards, shoe.numbers, shoe.rest = cards.left, cards.numbers, cards.rest
    for later in _later(shoe, rows):
        later.beside = None
    put_right = len(cards.left) <= before
    if shoe.beside is None or put_right or shoe.shoe not in looked:
        looked.setdefault(shoe.shoe, []).append(_begun(shoe, rows))
    last = looked[shoe.shoe][-1]
    last.cards = shoe.cards
    last.seen.append((event, len(shoe.cards), shoe.coup))


class _Looked(Struct):
    """A stretch of a batch in which cards of a shoe came, and none was put right.

    `seen`: each of its events, how many cards had left then, and in which coup it was.
    """

    shoe: str
    decks: int
    beside: str
    before: list[ProtectedShoe]
    cards: list[Card]
    seen: list[tuple[Event, int, int]] = field(default_factory=list)

    def look(self) -> Look:
        """What is to be looked at."""
        name = self.shoe, self.decks, self.beside
        (_, asked, _), (_, many, _) = self.seen[0], self.seen[-1]
        return Look(name, self.cards[:many], asked, lambda: _looks(self.decks, self.before))


_LOOKED = Noted[dict[str, list[_Looked]]](dict)  # by shoe, one after the other


def _begun(shoe: ProtectedShoe, rows: Rows) -> _Looked:
    """Beside the shoes before it as they are known now."""
    before = [each for earlier in shoe.earlier if (each := rows.get(SHOES, earlier))]
    if shoe.beside is None:
        shoe.beside = _digest(before)
    before = [replace(each, cards=[*each.cards]) for each in before]
    return _Looked(shoe.shoe, shoe.decks, shoe.beside, before, shoe.cards)


def _look(rows: Rows) -> None:
    """Looks at the shoes of which a card came in the batch: is it still chance?"""
    looked = rows.take(_LOOKED)
    while looked:
        nexts = [stretches.pop(0) for stretches in looked.values()]
        every = _LOOKOUT.look([each.look() for each in nexts])
        for each, seen in zip(nexts, every, strict=True):
            for question, became in seen.items():
                if became[-1].odds >= LEAST or answers.is_known(rows, question, each.shoe):
                    _answer(each, rows, question, became)
        for shoe in [shoe for shoe, stretches in looked.items() if not stretches]:
            del looked[shoe]


def _answer(
    looked: _Looked, rows: Rows, question: str, became: Sequence[AgainstChance[Any]]
) -> None:
    """Answers after each event; `became`: the most that was held, before the first and then."""
    for event, many, coup in looked.seen:
        seen = max((each for each in became if each.card <= many), key=attrgetter("card"))
        about = About(shoe=looked.shoe, coup=f"{looked.shoe}/{coup}" if coup else None)
        if seen.what:
            answer(event, rows, question, seen.odds, asdict(seen.what), about)
        elif answers.is_known(rows, question, looked.shoe):
            answer(event, rows, question, 1.0, {}, about)


def _later(shoe: ProtectedShoe, rows: Rows) -> Iterator[ProtectedShoe]:
    """The shoes of its table that are looked at beside this one."""
    table = rows.get(TABLES, shoe.table_code)
    if table is None or table.shoes[-1] == shoe.shoe:
        return
    for address in table.shoes:
        later = rows.get(SHOES, address)
        if later and shoe.shoe in later.earlier:
            yield rows.mark(SHOES, later)


def _digest(known: Sequence[ProtectedShoe]) -> str:
    """Another one whenever a card of these shoes is another one."""
    cards = [(each.shoe, each.decks, each.order) for each in known]
    return sha256(msgspec.json.encode(cards)).hexdigest()[:16]


def _looks(decks: int, known: Sequence[ProtectedShoe]) -> ByQuestion:
    """Those who look at a shoe, by question; `known`: the shoes before it."""
    orders = {each.shoe: each.order for each in known}
    alike = [each.order for each in known if each.decks == decks]
    return {
        NEW_DECK: new_deck(decks),
        CLUMP: Clumps(decks),
        **({EARLIER_SHOE: repeated_slug(decks, orders)} if known else {}),
        NOT_WHOLE: WholeDecks(decks, alike),
    }


_CHANGES: dict[str, Change] = {
    rule_set.Adopted.TOPIC: _adopted,
    shoe_events.Loaded.TOPIC: _loaded,
    shoe_events.CoupBegun.TOPIC: _coup_begun,
    shoe_events.Ended.TOPIC: _ended,
    **dict.fromkeys(TOPICS, _cards),
}
QUESTION = Question(sql=SQL, changes=_CHANGES, loads=_loads, finish=_look)
