"""R-IRR-5: a payment is put right by two people, beside the old one; nothing is edited."""

import pytest
from hypothesis import assume
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.review.judged import judge
from domain.review.replay import Line, Replay
from domain.rules.hands import play
from domain.rules.refusals import (
    BadValue,
    CoupNotFinished,
    CoupOver,
    NotFound,
    SecondPersonNeeded,
    SpotNotOffered,
)
from domain.rules.settlement import pay, pay_to
from domain.rules.spots import THE_TRADES
from tests.domain.floor import (
    BANKER_WINS,
    TIE,
    correct,
    dealt,
    open_coup,
    settle,
    void,
)
from tests.scenario import alter, given, replayed
from tests.strategies import COUPS, RULES, wagers

ON_BOTH = [(3, "banker", 100_00), (5, "player", 500_00)]
P_3 = {"seat": 3, "patron": "P-3", "stay": "B01/2026-11-21/stay-1"}
BY_TWO = {"reason": "misread", "requested_by": "D-204", "approved_by": "S-11", "as_spot": None}


def settled(rules="dragon-bonus@1", bets=ON_BOTH, cards=BANKER_WINS):
    coup = dealt(open_coup(rules, bets=bets), cards)
    coup.settle()
    return coup


def test_r_irr_5_what_a_wager_is_paid_after_all_stands_beside_what_it_was_paid():
    told = given(settled()).when(correct(3, "banker", 150_00))

    told.then(
        (
            "PaymentCorrected",
            {
                **P_3, "spot": "banker", "stake": 100_00, "result": "win", "odds": None,
                "winnings": 50_00, "commission_exact": "250", "commission_charged": 2_50,
                "commission_due": "deferred", "paid": 150_00, "paid_up": 0,
                "stake_before": 100_00, "paid_before": 200_00, "changes_hands": -50_00,
                "commission_before": 5_00,
                **BY_TWO,
            },
        ),
    )  # fmt: skip
    assert told.aggregate.won == 450_00


def test_r_irr_5_without_an_amount_it_is_paid_what_the_cards_say():
    coup = settled()
    correct(3, "banker", 0)(coup)

    given(coup).when(correct(3, "banker")).then(
        (
            "PaymentCorrected",
            {
                **P_3, "spot": "banker", "stake": 100_00, "result": "win", "odds": "1:1",
                "winnings": 100_00, "commission_exact": "500", "commission_charged": 5_00,
                "commission_due": "deferred", "paid": 200_00, "paid_up": 0,
                "stake_before": 100_00, "paid_before": 0, "changes_hands": 200_00,
                "commission_before": 0,
                **BY_TWO,
            },
        ),
    )  # fmt: skip


# fmt: off
COMES_TO = [
    # rules            spot      to        result  winnings  charged  up
    ("dragon-bonus@1", "banker",   0,      "lose",        0,       0,  0),
    ("dragon-bonus@1", "banker",  50_00,   "lose",        0,       0,  0),
    ("dragon-bonus@1", "banker", 100_00,   "push",        0,       0,  0),
    ("dragon-bonus@1", "banker", 100_25,   "win",        25,       2,  0),
    ("dragon-bonus@1", "banker", 250_00,   "win",    150_00,    7_50,  0),
    ("classic@1",      "banker", 147_50,   "win",     50_00,    2_50,  0),
    ("classic@1",      "banker",   0,      "lose",        0,       0,  0),
    ("dragon-bonus@1", "player", 200_00,   "win",    100_00,       0,  0),
    ("electronic@1",   "banker", 200_00,   "win",    100_00,       0,  0),
]
# fmt: on


@pytest.mark.parametrize(("rules", "spot", "to", "result", "won", "charged", "up"), COMES_TO)
def test_r_irr_5_the_commission_is_that_of_the_winnings_that_it_stands_for(
    rules, spot, to, result, won, charged, up
):
    after = correct(3, spot, to)(settled(rules, [(3, spot, 100_00)])).after

    assert (result, won, charged, up, to) == (
        after.result,
        after.winnings,
        after.commission_charged,
        after.paid_up,
        after.paid,
    )


# fmt: off
PAID_AS = [
    # rules            lay       as               to      odds   won     charged  due          paid
    ("dragon-bonus@1", "banker", "player",        None,   "1:1", 0,      0,    None,           0),
    ("dragon-bonus@1", "banker", "tie",           None,   "8:1", 0,      0,    None,           0),
    ("dragon-bonus@1", "player", "banker",        None,   "1:1", 100_00, 5_00, "deferred", 200_00),
    ("dragon-bonus@1", "tie",    "banker",        150_00, None,  50_00,  2_50, "deferred", 150_00),
    ("dragon-bonus@1", "tie",    "dragon-banker", None,   "1:1", 100_00, 0,    None,       200_00),
    ("classic@1",      "player", "banker",        None,   "1:1", 100_00, 5_00, "at-payout", 195_00),
    ("classic@1",      "banker", "player",        200_00, None,  100_00, 0,    None,       200_00),
]
# fmt: on


@pytest.mark.parametrize(
    ("rules", "lay", "as_spot", "to", "odds", "won", "charged", "due", "paid"), PAID_AS
)
def test_r_irr_5_what_lay_on_the_wrong_spot_is_paid_as_what_lay_where_it_should(
    rules, lay, as_spot, to, odds, won, charged, due, paid
):
    coup = settled(rules, [(3, lay, 100_00)])
    change = correct(3, lay, to, as_spot=as_spot)(coup)
    after, event = change.after, coup.pending_events[-1]

    assert (odds, won, charged, due, paid) == (
        *(after.odds, after.winnings, after.commission_charged, after.commission_due),
        after.paid,
    )
    assert (event.spot, event.as_spot, change.wager.spot) == (lay, as_spot, lay)


@pytest.mark.parametrize(
    ("name", "value"),
    [("as_spot", None), ("as_spot", "tie"), ("commission_exact", "5"), ("odds", "8:1")],
)
def test_r_irr_5_the_replay_knows_as_what_it_was_paid(name, value):
    coup = settled()
    correct(5, "player", as_spot="banker")(coup)
    lines = [Line(n, event) for n, event in enumerate(coup.pending_events, 1)]
    assert judge(Replay.of(lines)) == []
    alter(coup.pending_events[-1], **{name: value})

    assert judge(Replay.of(lines))


def test_r_irr_5_without_it_a_wager_is_paid_as_it_lies_again():
    coup = settled()
    correct(3, "banker", as_spot="player")(coup)
    back = correct(3, "banker", as_spot="banker")(coup)

    assert (back.after.paid, coup.pending_events[-1].as_spot) == (200_00, None)


def test_r_bet_2_nothing_is_paid_as_on_a_spot_that_is_not_offered():
    refused = (
        given(settled()).when(correct(3, "banker", as_spot="dragon-7")).then_refused(SpotNotOffered)
    )

    assert "has no spot Dragon 7" in str(refused)


# fmt: off
TWO_BANKERS = [
    # lies                                                earlier                   and then
    ([(3, "banker", 50_00), (3, "tie", 5_00)],              [],                       "tie"),
    ([(3, "player", 50_00), (3, "tie", 5_00)], [correct(3, "player", as_spot="banker")], "tie"),
]
# fmt: on


@pytest.mark.parametrize(("lies", "earlier", "spot"), TWO_BANKERS)
def test_r_com_1_no_two_wagers_of_a_seat_are_paid_as_banker(lies, earlier, spot):
    told = given(settled(bets=lies), *earlier).when(correct(3, spot, as_spot="banker"))
    refused = told.then_refused(BadValue)

    assert "that is paid as Banker. Give the amount instead of the spot." in str(refused)


@pytest.mark.parametrize(
    ("second", "then"),
    [("", ". Name a"), ("D-204", ", and D-204 is already the first. Name another")],
    ids=["nobody", "the same"],
)
def test_r_irr_5_nobody_corrects_a_payment_alone(second, then):
    refused = (
        given(settled())
        .when(correct(3, "banker", 0, second=second))
        .then_refused(SecondPersonNeeded)
    )
    expected = f"Correcting a payment takes two people{then} supervisor as the second."

    assert (expected, "R-IRR-5") == (str(refused), refused.rule)


# fmt: off
TOO_EARLY = [
    ("",          "Player's card is due (R-DEAL-1)"),
    ("9C",        "Banker's card is due (R-DEAL-1)"),
    (BANKER_WINS, "it has its result, so settle it"),
]
# fmt: on


@pytest.mark.parametrize(("cards", "why"), TOO_EARLY)
def test_r_irr_5_what_was_not_paid_yet_is_not_corrected(cards, why):
    refused = (
        given(dealt(open_coup(bets=ON_BOTH), cards))
        .when(correct(3, "banker", 0))
        .then_refused(CoupNotFinished)
    )

    told = f"B01/2026-11-21/1/1 is not finished: {why}. Settle it first, then type this again."
    assert str(refused) == told


def test_r_irr_5_a_void_coup_pays_nothing_more():
    refused = given(settled(), void()).when(correct(5, "player", 1_000_00)).then_refused(CoupOver)

    assert refused.rule == "R-IRR-5"


@pytest.mark.parametrize(("seat", "spot"), [(3, "player"), (3, "tie"), (5, "banker"), (7, "tie")])
def test_r_irr_5_nothing_is_paid_where_nothing_lay(seat, spot):
    refused = given(settled()).when(correct(seat, spot, 100_00)).then_refused(NotFound)

    assert str(refused) == (
        f"The ledger has no wager of seat {seat} on {spot.title()} in B01/2026-11-21/1/1."
    )


# fmt: off
AS_IT_WAS = [
    # earlier                            to       paid
    ([],                                 200_00,  "200.00"),
    ([],                                 None,    "200.00"),
    ([correct(3, "banker", 150_00)],     150_00,  "150.00"),  # and no second time
    ([correct(3, "banker", 0)],          0,       "0.00"),
]
# fmt: on


@pytest.mark.parametrize(("earlier", "to", "paid"), AS_IT_WAS)
def test_r_irr_5_an_amount_already_paid_is_not_paid_again(earlier, to, paid):
    refused = given(settled(), *earlier).when(correct(3, "banker", to)).then_refused(BadValue)
    expected = f"Seat 3 was already paid {paid} on Banker. Give the amount that is right."

    assert expected == str(refused)


@pytest.mark.parametrize("to", [1, 99_99, 100_01, 200_10])
def test_r_pay_5_what_the_chips_of_the_table_cannot_make_is_not_paid(to):
    given(settled()).when(correct(3, "banker", to)).then_refused(BadValue)


def test_r_irr_5_each_wager_is_corrected_by_itself():
    coup = settled(bets=[(3, "banker", 100_00), (3, "tie", 5_00), (5, "banker", 100_00)])
    before = dict(coup.settled)
    correct(3, "banker", 0)(coup)
    changed = [whose for whose, payment in coup.settled.items() if payment != before[whose]]

    assert changed == [(3, "banker")]


@for_all(RULES, COUPS, st.integers(1, 10**6), st.data())
def test_r_irr_5_whatever_the_cards_paid_two_people_can_decide(rules, cards, steps, data):
    spot = data.draw(st.sampled_from(sorted(rules.spots)))
    stake = steps * min(rules.chips)
    by_the_cards = pay(rules, spot, stake, play(cards).result)
    decided = pay_to(rules, spot, stake, by_the_cards.paid)

    assert by_the_cards.paid == decided.paid
    if spot != "banker" or rules.commission.timing != "at-payout":
        assert by_the_cards.winnings + by_the_cards.paid_up == decided.winnings


@for_all(RULES, st.integers(1, 10**5), st.fractions(0, 2))
def test_r_irr_5_what_is_decided_is_paid_and_adds_up(rules, steps, part):
    stake = steps * min(rules.chips)
    to = int(stake * part)
    try:
        payment = pay_to(rules, "banker", stake, to)
    except BadValue:
        assert rules.payable(to) != to
        return
    taken = payment.commission_charged if payment.commission_due == "at-payout" else 0

    assert to == payment.paid
    assert payment.winnings == 0 or to == stake + payment.winnings - taken + payment.paid_up


@for_all(
    RULES,
    COUPS,
    st.lists(
        st.tuples(
            *(st.integers(0, 7), st.none() | st.integers(0, 400_000)),
            st.none() | st.sampled_from(THE_TRADES),
        ),
        max_size=8,
    ),
    st.booleans(),
    st.data(),
)
def test_what_changes_hands_comes_to_what_was_paid_last(rules, cards, acts, voided, data):
    """From the settlement on: every correction, and the void, starts where the last one ended."""
    lies = [
        (seat, spot, amount) for seat in (3, 5) for spot, amount in data.draw(wagers(rules)).items()
    ]
    assume(lies)
    coup = dealt(open_coup(rules.name, bets=lies), " ".join(cards))
    got = {(w.seat, w.spot): payment.paid for w, payment in coup.settle()}
    for which, amount, as_spot in acts:
        seat, spot, _ = lies[which % len(lies)]
        to = None if amount is None else rules.payable(amount)
        told = given(coup).when(correct(seat, spot, to, as_spot=as_spot))
        if not told.refusal:
            event = coup.pending_events[-1]
            assert event.paid_before == got[seat, spot]
            got[seat, spot] += event.changes_hands
            assert got[seat, spot] == event.paid == coup.settled[seat, spot].paid
    assert coup.won == sum(stake for _, _, stake in lies) - sum(got.values())
    if voided:
        void()(coup)
        for event in coup.pending_events[-1 - len(lies) : -1]:
            got[event.seat, event.spot] += event.changes_hands
        assert {(seat, spot): stake for seat, spot, stake in lies} == got
        assert coup.won == 0
    assert replayed(coup) == coup


def test_a_tie_that_was_taken_is_returned_after_all():
    coup = settled(bets=[(3, "banker", 100_00)], cards=TIE)
    correct(3, "banker", 0)(coup)
    back = correct(3, "banker")(coup)

    assert ("push", 100_00) == (back.after.result, back.after.paid)
    given(coup).when(settle).then_refused(CoupOver)
