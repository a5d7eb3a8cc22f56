"""R-SHOE-5: a generated shoe is bound to its order, deals it, and tells it at the end."""

import hashlib
import hmac

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from domain.review.shoe_audit import audit
from domain.rules.cards import DECK
from domain.rules.hands import play
from domain.rules.order import SCHEME, Order
from domain.rules.refusals import BadValue, CardNotInShoe, ShoeStepOutOfOrder
from tests.domain.floor import in_coup, loaded_shoe
from tests.scenario import alter, given, replayed
from tests.strategies import shoes

OF_RECORD = ("record", "cards", "count", "commitment", "order", "sequence")
ORDER = Order(list(DECK) * 8, bytes(range(32)))


def generated(order=ORDER, rules="electronic@1"):
    """A shoe that knows its order."""
    shoe = loaded_shoe(rules)
    shoe.shuffle("generated", "RNG-1", order.commitment)
    return shoe


def play_on(shoe, order, coups=1_000):
    """Coups as the order has them, as long as the cut card allows."""
    while coups and not shoe.finished:
        coups -= 1
        shoe.begin_coup()
        coup = []
        while play(coup).due:
            coup.append(order.cards[shoe.next_from_order])
            shoe.draw(coup[-1])


def _end(shoe, order=ORDER):
    shoe.end(reason="test", second="S-11")
    shoe.reveal(order.cards, order.secret.hex())


def found(shoe):
    """What the audit says of it but of chance, by which these orders never came."""
    checks = audit(shoe.pending_events)
    return {check.name: check.ok for check in checks if check.name in OF_RECORD}


GOOD = dict.fromkeys(("cards", "count", "commitment", "order", "sequence"), True)


def test_r_shoe_5_the_commitment_is_an_hmac_over_the_cards_with_single_blanks():
    text = " ".join(ORDER.cards).encode()
    expected = hmac.new(bytes(range(32)), text, hashlib.sha256).hexdigest()

    assert expected == ORDER.commitment
    given(loaded_shoe("electronic@1")).when(
        lambda shoe: shoe.shuffle("generated", "RNG-1", ORDER.commitment, "5ea1")
    ).then(
        "Inspected",
        (
            "Shuffled",
            {
                "method": "generated",
                "device": "RNG-1",
                "commitment": expected,
                "scheme": SCHEME,
                "digest": "5ea1",
            },
        ),
        "Cut",
    )


@pytest.mark.parametrize(
    "act",
    [
        lambda shoe: shoe.require_not_generated("9C"),
        lambda shoe: shoe.misdraw("9C", "carry"),
        lambda shoe: shoe.discard("9C", "face-up"),
    ],
)
def test_r_shoe_5_nobody_names_a_card_of_a_generated_shoe(act):
    assert given(generated()).when(act).then_refused(BadValue).rule == "R-SHOE-5"


def test_r_shoe_5_a_shoe_generated_before_commitments_takes_its_cards_stated():
    shoe = loaded_shoe("electronic@1")
    shoe.shuffle("generated", "RNG-1")

    given(in_coup(shoe)).when(lambda shoe: shoe.draw("9C")).then("CardDrawn")
    given(shoe).when(lambda shoe: shoe.misdraw("9C")).then("CardMisdrawn")


def test_r_shoe_3_a_generated_shoe_sees_its_cut_card_itself():
    shoe = generated()
    refusal = given(shoe).when(lambda shoe: shoe.show_cut_card()).then_refused(ShoeStepOutOfOrder)
    assert "A generated shoe records its cut card itself" in str(refusal)

    shoe.begin_coup()
    for card in ORDER.cards[:402]:
        shoe.draw(card)
    given(shoe).when(lambda shoe: shoe.draw(ORDER.cards[402])).then(
        ("CutCardShown", {"last_coup": 2, "cards_left": 14}),
        "CardDrawn",
    )
    given(shoe).when(lambda shoe: shoe.draw(ORDER.cards[403])).then("CardDrawn")


def test_r_shoe_3_seen_as_the_first_card_that_coup_is_the_last():
    shoe = generated()
    shoe.begin_coup()
    for card in ORDER.cards[:402]:
        shoe.draw(card)
    shoe.begin_coup()

    given(shoe).when(lambda shoe: shoe.draw(ORDER.cards[402])).then(
        ("CutCardShown", {"last_coup": 2, "cards_left": 14}), "CardDrawn"
    )
    assert shoe.finished


def test_r_shoe_5_at_the_end_the_order_names_every_card():
    shoe = generated()
    play_on(shoe, ORDER, coups=3)
    left = shoe.next_from_order

    given(shoe).when(_end).then(
        "Ended",
        ("OrderRevealed", {"order": ORDER.cards, "secret": bytes(range(32)).hex()}),
        (
            "Reconciled",
            {
                "remaining": 416 - left,
                "cards": ORDER.cards[left:],
                "difference": 0,
                "over": {},
                "burned": [],
            },
        ),
    )
    assert found(shoe) == GOOD


def test_r_shoe_4_the_cards_burned_face_down_are_named_by_the_order():
    """The first card of the order is an ace, which burns one more."""
    shoe = generated(rules="classic@1")
    shoe.burn(ORDER.cards[0])
    play_on(shoe, ORDER, coups=2)
    _end(shoe)

    assert shoe.pending_events[-1].burned == ORDER.cards[1:2]
    assert found(shoe) == GOOD


@settings(max_examples=10)
@for_all(shoes(), st.binary(min_size=32, max_size=32))
def test_r_shoe_5_whatever_the_order_a_whole_shoe_passes_its_audit(cards, secret):
    order = Order(cards, secret)
    shoe = generated(order)
    play_on(shoe, order)
    shoe.end()
    shoe.reveal(order.cards, order.secret.hex())

    assert found(shoe) == GOOD
    assert shoe.cut_card_shown
    assert replayed(shoe) == shoe


def test_r_card_3_an_empty_generated_shoe_deals_nothing():
    shoe = generated()
    shoe.begin_coup()
    for card in ORDER.cards:
        shoe.draw(card)

    refused = given(shoe).when(lambda shoe: shoe.require_cards()).then_refused(CardNotInShoe)

    assert (str(refused), refused.rule) == (
        "The shoe is empty. Look at the card again, and void a coup that needs a card.",
        "R-IRR-4",
    )


# The audit of what was tampered with: a shoe of three coups, and one event of it changed.
def _changed(kind, **fields):
    shoe = generated()
    play_on(shoe, ORDER, coups=3)
    _end(shoe)
    event = next(each for each in shoe.pending_events if type(each).__name__ == kind)
    alter(event, **fields)
    return {name for name, ok in found(shoe).items() if not ok}


SWAPPED = [ORDER.cards[1], ORDER.cards[0], *ORDER.cards[2:]]


@pytest.mark.parametrize(
    ("kind", "fields", "failed"),
    [
        ("Shuffled", {"commitment": "0" * 64}, {"commitment"}),
        ("OrderRevealed", {"secret": "00" * 32}, {"commitment"}),
        ("OrderRevealed", {"secret": "no hex"}, {"commitment"}),
        ("OrderRevealed", {"order": SWAPPED}, {"commitment", "sequence"}),
        ("OrderRevealed", {"order": ["9C", *ORDER.cards[1:]]}, {"commitment", "order", "sequence"}),
        ("CardDrawn", {"card": "KS"}, {"cards", "sequence"}),
        ("Reconciled", {"remaining": 9, "cards": ORDER.cards[-9:]}, {"cards", "count", "sequence"}),
    ],
)  # fmt: skip
def test_r_shoe_5_the_audit_names_what_does_not_hold(kind, fields, failed):
    assert _changed(kind, **fields) == failed


def test_r_shoe_5_an_ended_shoe_must_tell_its_order_and_one_in_play_need_not():
    shoe = generated()
    assert found(shoe) == {"cards": True, "order": True}
    shoe.end(reason="test", second="S-11")

    assert found(shoe) == {"cards": True, "order": False}


def test_an_audit_needs_the_beginning():
    assert [check.name for check in audit(generated().pending_events[1:]) if not check.ok] == [
        "record"
    ]
