"""What a coup would have been with other cards or bets, on its page. Nothing is recorded."""

from collections.abc import Iterator

from msgspec import Struct

from domain.review.difference import house
from domain.review.what_if.later import LaterCoup
from domain.review.what_if.notes import notes
from domain.review.what_if.question import WhatIf
from domain.review.what_if.redeal import Decision
from domain.rules import addresses
from domain.rules.cards import symbol
from domain.rules.hands import Result
from domain.rules.refusals import Refusal
from ops.ledger.database import Database
from ops.ledger.recorder import flush_to_show
from ops.replay import cited, story
from ops.replay.page_words import computation
from ops.replay.what_if import ask
from ops.replay.what_if_rows import Came, Pays, came, ends, pays
from ops.web.pages.desk import as_fields
from ops.words import coups
from ops.words.language import shown
from ops.words.what_if import card_goes


class CardRow(Struct, frozen=True):
    """A card as it would have come, both totals after it, and why what follows does."""

    card: str
    hand: str
    words: str  # to whom it goes, and by which rule
    totals: dict[str, int]  # of the hands that have a card
    other: bool  # than the one on record
    recorded: str | None
    why: list[tuple[str, str]]  # each with its rule, '' if the words have it


class PaymentRow(Struct, frozen=True):
    """A wager, and what it is paid on record; None: there was none, or no wager."""

    seat: int
    patron: str
    spot: str
    stake: int | None
    computation: str
    rules: tuple[str, ...]  # the numbers of those by which it would be paid
    paid: int | None
    on_record: int | None


class DifferenceRow(Struct, frozen=True):
    """By how much a seat's money differs from the record, in minor units."""

    seat: int
    patron: str
    staked: int
    paid: int
    commission: int
    net: int


class LaterRow(Struct, frozen=True):
    """A later coup of the shoe as it would have been; '' where there is no result."""

    coup: str
    cards: str
    recorded: str
    then: str
    void: bool
    house: int | None


class Answer(Struct, frozen=True):
    """What would have been; if it was refused, only why."""

    refused: str = ""
    cards: list[CardRow] = []
    totals: dict[str, int] = {}
    outcome: str = ""
    outcome_words: str = ""
    void: bool = False
    short: bool = False  # a card is due that is not on record
    payments: list[PaymentRow] = []
    difference: list[DifferenceRow] = []
    house: int | None = None
    later: list[LaterRow] = []
    ends: list[str] = []
    notes: list[str] = []


def read(database: Database, name: str, changes: str) -> Answer:
    """The answer to one or more changes of the coup, between semicolons. Raises LedgerLost."""
    asked = [each.strip() for each in changes.split(";")]
    with database.session("sabot_auditor") as connection:
        record = story.find(connection, addresses.Coup.parse(name))
        try:
            answer = ask(connection, record, asked)
        except Refusal as refusal:
            return Answer(as_fields(shown(refusal.words)))
        flush_to_show(connection)
    return _answer(answer)


def _answer(asked: WhatIf) -> Answer:
    cards = [_card(each) for each in came(asked)]
    result = asked.hands.result
    return Answer(
        cards=cards,
        totals=cards[-1].totals if cards else {},
        outcome=result.outcome if result and not asked.void else "",
        outcome_words=_outcome(result) if not asked.void else "",
        void=asked.void,
        short=asked.short,
        payments=[_payment(asked, each) for each in pays(asked)],
        difference=[
            DifferenceRow(each.seat, each.patron, each.staked, each.paid, each.commission, each.net)
            for each in asked.difference
        ],
        house=asked.house,
        later=[_later(each) for each in asked.later.coups] if asked.later else [],
        ends=[shown(each) for each in ends(asked)],
        notes=[shown(each) for each in notes(asked)],
    )


def _card(came: Came) -> CardRow:
    dealt = came.dealt
    totals = {"player": dealt.player_total, "banker": dealt.banker_total}
    return CardRow(
        card=dealt.card,
        hand=dealt.hand,
        words=card_goes(dealt.card, dealt.hand, dealt.rule),
        totals={hand: total for hand, total in totals.items() if total is not None},
        other=came.is_other,
        recorded=came.recorded,
        why=list(_why(came.decided)),
    )


def _why(decided: tuple[Decision, ...]) -> Iterator[tuple[str, str]]:
    for made in decided:
        yield shown(made.why), "" if made.forced else made.step.rule


def _payment(asked: WhatIf, each: Pays) -> PaymentRow:
    would = each.would
    words = computation(would.payment, would.rules, stake=each.stake, alone=True) if would else ""
    rules = cited.of_what_if(asked, would) if would else ()
    paid = would.payment.paid if would else None
    whose = each.seat, each.patron, each.spot, each.stake
    return PaymentRow(*whose, words, rules, paid, each.on_record)


def _outcome(result: Result | None) -> str:
    if result is None:
        return ""
    return coups.outcome(result.outcome, result.player_total, result.banker_total)


def _later(coup: LaterCoup) -> LaterRow:
    played = coup.played
    return LaterRow(
        coup=played.address if played else "",
        cards=" ".join(symbol(each.card) for each in coup.hands.dealt),
        recorded=_outcome(coup.recorded),
        then=_outcome(coup.hands.result),
        void=bool(played and played.void),
        house=None if coup.short else house(coup.difference),
    )
