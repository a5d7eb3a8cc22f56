"""Shoes: the life of each (R-SHOE-4); `shoe_log.py` is its report, `shoe_cards.py` its cards."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Any

from msgspec import field

from domain.events import coup
from domain.events import shoe as shoe_events
from domain.rules.cards import DECK
from projections.game.shoe_cards import CARDS_TABLE, CARDS_VIEW, SHOE_CARDS, ShoeCard
from projections.game.shoe_log import LOG
from projections.model import Event, Projection, View
from projections.proofs import proof_in
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a shoe.
CREATE TABLE shoes (
    shoe            text    NOT NULL PRIMARY KEY,
    table_code      text    NOT NULL,
    gaming_day      date    NOT NULL,
    decks           int     NOT NULL,
    serials         jsonb   NOT NULL,                -- of the decks
    batch           text,                            -- of pre-shuffled cards
    colour          text,                            -- of the backs
    inspected_by    text,
    verified_by     text,                            -- the second person
    shuffle_method  text,
    shuffle_device  text,
    cut_by          text,
    cut_card        int,                             -- how many cards were behind it
    burn_card       text,                            -- the one that was burned face up
    face_down       int     NOT NULL DEFAULT 0,      -- burned without being shown
    burned          int     NOT NULL DEFAULT 0,      -- all burned cards, those face down included
    first_coup      text,
    last_coup       text,
    coups           int     NOT NULL DEFAULT 0,
    drawn           int     NOT NULL DEFAULT 0,      -- carried cards too, when they left the shoe
    discarded       int     NOT NULL DEFAULT 0,      -- without foreign cards
    face_down_now   jsonb   NOT NULL DEFAULT '{}',   -- cards not turned yet, by number
    remaining       int,                             -- NULL: not ended; then as counted
    ended_why       text,
    rest_named      boolean NOT NULL DEFAULT false,  -- whether the remaining cards are known
    burns_named     boolean NOT NULL DEFAULT true,   -- whether the cards burned face down are known
    first_position  bigint  NOT NULL,
    difference      bigint,                          -- cards missing; NULL: not counted
    verified_proved text                             -- how the second person was known
);
"""


class Shoe(Row):
    """The life of a shoe."""

    shoe: str
    table_code: str
    gaming_day: date
    decks: int
    serials: list[Any]
    batch: str | None
    colour: str | None
    inspected_by: str | None = None
    verified_by: str | None = None
    shuffle_method: str | None = None
    shuffle_device: str | None = None
    cut_by: str | None = None
    cut_card: int | None = None
    burn_card: str | None = None
    face_down: int = 0
    burned: int = 0
    first_coup: str | None = None
    last_coup: str | None = None
    coups: int = 0
    drawn: int = 0
    discarded: int = 0
    face_down_now: dict[str, Any] = field(default_factory=dict)
    remaining: int | None = None
    ended_why: str | None = None
    rest_named: bool = False
    burns_named: bool = True
    first_position: int
    difference: int | None = None
    verified_proved: str | None = None


SHOES = Table("shoes", Shoe, "shoe")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    fields = event.fields
    if event.topic in _OF_A_COUP:
        yield SHOES.by_key, (_shoe_of(event),)
        return
    yield SHOES.by_key, (fields["shoe"],)
    if event.topic == shoe_events.Loaded.TOPIC:
        return
    cards = {fields[name] for name in ("card", "was") if name in fields}
    if event.topic in _COUNTED:
        names = ("cards", "burned", "cards_before", "burned_before")
        cards |= {card for name in names for card in fields.get(name, ())}
    for card in sorted(cards):
        yield SHOE_CARDS.by_key, (fields["shoe"], card)


def _loaded(event: Event, rows: Rows) -> None:
    fields = event.fields
    shoe = Shoe(
        shoe=fields["shoe"],
        table_code=event.table,
        gaming_day=event.gaming_day,
        decks=fields["decks"],
        serials=fields["serials"],
        batch=fields["batch"] or None,
        colour=fields["colour"] or None,
        first_position=event.position,
    )
    rows.put(SHOES, shoe)
    for place, card in enumerate(DECK, 1):
        rows.put(SHOE_CARDS, ShoeCard(shoe=fields["shoe"], card=card, place=place))


def _inspected(event: Event, rows: Rows) -> None:
    verified_by = event.fields["verified_by"]
    if shoe := rows.change(SHOES, event.fields["shoe"]):
        shoe.inspected_by, shoe.verified_by = event.actor or None, verified_by or None
        shoe.verified_proved = proof_in(event, verified_by)


def _shuffled(event: Event, rows: Rows) -> None:
    fields = event.fields
    if shoe := rows.change(SHOES, fields["shoe"]):
        shoe.shuffle_method, shoe.shuffle_device = fields["method"], fields["device"] or None


def _cut(event: Event, rows: Rows) -> None:
    fields = event.fields
    if shoe := rows.change(SHOES, fields["shoe"]):
        shoe.cut_by, shoe.cut_card = fields["cut_by"], fields["cut_card"]


def _burned(event: Event, rows: Rows) -> None:
    fields = event.fields
    if shoe := rows.change(SHOES, fields["shoe"]):
        shoe.burn_card, shoe.face_down = fields["card"], fields["face_down"]
        shoe.burned += 1 + fields["face_down"]
        shoe.burns_named = fields["face_down"] == 0
    if card := rows.change(SHOE_CARDS, fields["shoe"], fields["card"]):
        card.burned += 1


def _burned_between(event: Event, rows: Rows) -> None:
    if shoe := rows.change(SHOES, event.fields["shoe"]):
        shoe.face_down, shoe.burned = shoe.face_down + 1, shoe.burned + 1
        shoe.burns_named = False


def _coup_begun(event: Event, rows: Rows) -> None:
    fields = event.fields
    if shoe := rows.change(SHOES, fields["shoe"]):
        address = f"{fields['shoe']}/{fields['coup']}"
        shoe.first_coup = shoe.first_coup or address
        shoe.last_coup = address
        shoe.coups += 1


def _coup_not_dealt(event: Event, rows: Rows) -> None:
    """Does not count a coup that ended before its first card."""
    if shoe := rows.change(SHOES, event.fields["shoe"]):
        shoe.coups -= 1


def _shoe_and(event: Event, rows: Rows, card: str) -> list[Shoe | ShoeCard]:
    """The rows of a shoe and of one of its cards: what is counted, is counted in both."""
    shoe = event.fields["shoe"]
    both = rows.change(SHOES, shoe), rows.change(SHOE_CARDS, shoe, card)
    return [row for row in both if row]


def _drawn(event: Event, rows: Rows) -> None:
    for row in _shoe_and(event, rows, event.fields["card"]):
        row.drawn += 1
    _left_after_its_end(event, rows, -1)


def _misdrawn(event: Event, rows: Rows) -> None:
    for row in _shoe_and(event, rows, event.fields["card"]):
        if event.fields["disposition"] == "burn":
            row.burned += 1
        else:
            row.drawn += 1
    _left_after_its_end(event, rows, -1)


def _taken_back(event: Event, rows: Rows) -> None:
    for row in _shoe_and(event, rows, event.fields["card"]):
        row.drawn -= 1
    _left_after_its_end(event, rows, +1)


def _left_after_its_end(event: Event, rows: Rows, cards: int) -> None:
    """A coup put right after its shoe ended changes how many cards were left in that shoe."""
    shoe = rows.change(SHOES, event.fields["shoe"])
    if shoe and shoe.remaining is not None:
        shoe.remaining += cards


def _renamed(event: Event, rows: Rows) -> None:
    fields = event.fields
    for name, times in ((fields["was"], -1), (fields["card"], 1)):
        if card := rows.change(SHOE_CARDS, fields["shoe"], name):
            card.drawn += times


def _dealt(event: Event, rows: Rows) -> None:
    """Notes a card that lies face down: until it is turned, no report has its name (R-DEAL-5)."""
    fields = event.fields
    if fields["face_down"] and (shoe := rows.change(SHOES, _shoe_of(event))):
        shoe.face_down_now = {**shoe.face_down_now, str(fields["n"]): fields["card"]}


def _turned(event: Event, rows: Rows) -> None:
    turned = event.fields["numbers"]
    if shoe := rows.change(SHOES, _shoe_of(event)):
        down = shoe.face_down_now.items()
        shoe.face_down_now = {n: card for n, card in down if int(n) not in turned}


def _card_corrected(event: Event, rows: Rows) -> None:
    """Cards after the last one that was due are off the table, and face up."""
    fields = event.fields
    shoe = rows.change(SHOES, _shoe_of(event))
    if shoe and shoe.last_coup == fields["coup"]:
        down = shoe.face_down_now.items()
        shoe.face_down_now = {n: card for n, card in down if int(n) <= len(fields["cards"])}


def _shoe_of(event: Event) -> str:
    """The shoe of an event of a coup."""
    return str(event.fields["coup"]).rpartition("/")[0]


def _discarded(event: Event, rows: Rows) -> None:
    """Counts a discarded card, unless it is foreign to the shoe."""
    fields = event.fields
    if fields["reason"] == "foreign":
        return
    if card := rows.change(SHOE_CARDS, fields["shoe"], fields["card"]):
        card.discarded += 1
    if shoe := rows.change(SHOES, fields["shoe"]):
        shoe.discarded += 1


def _ended(event: Event, rows: Rows) -> None:
    fields = event.fields
    if shoe := rows.change(SHOES, fields["shoe"]):
        shoe.remaining, shoe.ended_why = fields["cards_left"], fields["reason"] or "cut card"


def _reconciled(event: Event, rows: Rows) -> None:
    fields = event.fields
    if shoe := rows.change(SHOES, fields["shoe"]):
        shoe.remaining, shoe.difference = fields["remaining"], -fields["difference"]
        shoe.rest_named = len(fields["cards"]) == fields["remaining"]
        shoe.burns_named = shoe.face_down == len(fields["burned"])
    remaining, burned = Counter(fields["cards"]), Counter(fields["burned"])
    for name in sorted(remaining | burned):
        if card := rows.change(SHOE_CARDS, fields["shoe"], name):
            card.remaining += remaining[name]
            card.burned += burned[name]


def _recounted(event: Event, rows: Rows) -> None:
    """Takes off the cards that the count before named, and enters those of this one."""
    fields = event.fields
    remaining, burned = Counter(fields["cards_before"]), Counter(fields["burned_before"])
    for name in sorted(remaining | burned):
        if card := rows.change(SHOE_CARDS, fields["shoe"], name):
            card.remaining -= remaining[name]
            card.burned -= burned[name]
    _reconciled(event, rows)


_COUNTED = {shoe_events.Reconciled.TOPIC, shoe_events.Recounted.TOPIC}
_OF_A_COUP = {coup.CardDealt.TOPIC, coup.HandTurned.TOPIC, coup.CardCorrected.TOPIC}
_VIEWS = (
    View(
        name="shoes",
        what="The life of every shoe, from loaded to counted. One row a shoe.",
        sql="""
SELECT shoe, table_code, gaming_day, decks, serials, batch, colour, inspected_by, verified_by,
       shuffle_method, shuffle_device, cut_by, cut_card, burn_card, burned, first_coup, last_coup,
       coups, drawn, discarded, remaining, ended_why, first_position AS position, difference
  FROM projections.shoes
""",
        columns={
            "shoe": "Its address: table, gaming day, number.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "decks": "How many decks were loaded.",
            "serials": "The serials of the decks.",
            "batch": "The batch of pre-shuffled cards; null for none.",
            "colour": "The colour of the backs.",
            "inspected_by": "The staff number of the person who inspected it.",
            "verified_by": "The number of the second person.",
            "shuffle_method": "How it was shuffled: by hand, machine, generated, …",
            "shuffle_device": "The machine.",
            "cut_by": "Who cut it.",
            "cut_card": "How many cards are behind the cut card.",
            "burn_card": "The card that was burned face up.",
            "burned": "How many cards were burned in all.",
            "first_coup": "The first coup dealt from it.",
            "last_coup": "The last one so far.",
            "coups": "How many coups; not those that ended before a card.",
            "drawn": "How many cards were drawn from it.",
            "discarded": "How many cards were taken out of it.",
            "remaining": "How many were left; null until it has ended.",
            "ended_why": "Why it ended; null until it has.",
            "position": "The position of its first event in the ledger.",
            "difference": (
                "How many cards were missing when it was counted; less than 0: too many; null: "
                "not counted."
            ),
        },
    ),
    CARDS_VIEW,
)

PROJECTION = Projection(
    name="shoes",
    schema=_TABLES + CARDS_TABLE,
    views=_VIEWS,
    changes={
        shoe_events.Loaded.TOPIC: _loaded,
        shoe_events.Inspected.TOPIC: _inspected,
        shoe_events.Shuffled.TOPIC: _shuffled,
        shoe_events.Cut.TOPIC: _cut,
        shoe_events.Burned.TOPIC: _burned,
        shoe_events.BurnedBetween.TOPIC: _burned_between,
        shoe_events.CoupBegun.TOPIC: _coup_begun,
        shoe_events.CoupNotDealt.TOPIC: _coup_not_dealt,
        shoe_events.CardDrawn.TOPIC: _drawn,
        coup.CardDealt.TOPIC: _dealt,
        coup.HandTurned.TOPIC: _turned,
        coup.CardCorrected.TOPIC: _card_corrected,
        shoe_events.CardMisdrawn.TOPIC: _misdrawn,
        shoe_events.CardDiscarded.TOPIC: _discarded,
        shoe_events.Ended.TOPIC: _ended,
        shoe_events.Reconciled.TOPIC: _reconciled,
        shoe_events.Recounted.TOPIC: _recounted,
        shoe_events.CardRenamed.TOPIC: _renamed,
        shoe_events.CardTakenBack.TOPIC: _taken_back,
    },
    loads=_loads,
)

REPORT = LOG
