"""What the table must do next, and by which rule."""

import pytest

from domain.aggregates.due import NextAct, next_act
from tests.domain.floor import (
    BANKER_WINS,
    TIE,
    dealt,
    house,
    in_coup,
    loaded_shoe,
    open_coup,
    open_table,
    ready_shoe,
    shuffled_shoe,
)


def _inspected():
    shoe = loaded_shoe()
    shoe.inspect()
    return shoe


def _cut(rules):
    shoe = shuffled_shoe(rules)
    shoe.cut("D-204")
    return shoe


def _ended():
    shoe = ready_shoe()
    shoe.end(reason="torn card", second="S-11")
    return shoe


def _reconciled():
    shoe = _ended()
    shoe.reconcile(412, [])
    return shoe


def _in_its_last_coup():
    shoe = in_coup(ready_shoe())
    shoe.show_cut_card()
    return shoe


def _one_more_to_come():
    shoe = in_coup(ready_shoe(), TIE)
    shoe.show_cut_card()
    return shoe


def _closed_betting():
    coup = open_coup()
    coup.close_betting()
    return coup


def _settled():
    coup = dealt(open_coup(), TIE)
    coup.settle()
    return coup


def _face_down(cards, rules="big-table@1", *turned):
    coup = open_coup(rules)
    coup.take_first_card()
    for card in cards.split():
        coup.deal(card, unseen=True)
    for hand in turned:
        coup.turn(hand)
    return coup


READY = ready_shoe()
EMPTY = ready_shoe()
EMPTY.cards_left = 0
# fmt: off
DUE = [
    # shoe                   coup                                due
    (None,                   None,                               "shoe.load R-SHOE-1"),
    (loaded_shoe(),          None,                               "shoe.inspect R-SHOE-1"),
    (_inspected(),           None,                               "shoe.shuffle R-SHOE-1"),
    (shuffled_shoe(),        None,                               "shoe.cut R-SHOE-1"),
    (_cut("classic@1"),      None,                               "shoe.burn R-SHOE-1"),
    (_cut("electronic@1"),   None,                               "bet R-BET-1"),
    (READY,                  None,                               "bet R-BET-1"),
    (READY,                  open_coup(),                        "no-more-bets R-DEAL-2"),
    (READY,                  _closed_betting(),                  "draw R-DEAL-1 player"),
    (READY,                  dealt(open_coup(), "9C"),           "draw R-DEAL-1 banker"),
    (READY,                  dealt(open_coup(), "9C 5S 7C QD"),  "draw R-DRAW-3 banker"),
    (READY,                  dealt(open_coup(), "2C 5S 3C QD"),  "draw R-DRAW-2 player"),
    (READY,                  dealt(open_coup(), "2C 5S 3C QD 4H"), "draw R-DRAW-4 banker"),
    (READY,                  _face_down("9C 5S 7C"),             "draw R-DEAL-1 banker"),
    (READY,                  _face_down("9C 5S 7C QD"),          "reveal R-DEAL-3 player"),
    (READY,                  _face_down(BANKER_WINS),            "reveal R-DEAL-3 player"),
    (EMPTY,                  _face_down("9C 5S 7C QD"),          "reveal R-DEAL-3 player"),
    (READY, _face_down(BANKER_WINS, "big-table@1", "player"),    "reveal R-DEAL-3 banker"),
    (READY, _face_down(BANKER_WINS, "dragon-bonus@1"),           "reveal R-DEAL-5 player"),
    (READY, _face_down(BANKER_WINS, "big-table@1", "player", "banker"), "settle R-PAY-1"),
    (READY,                  dealt(open_coup(), BANKER_WINS),    "settle R-PAY-1"),
    (READY,                  _settled(),                         "bet R-BET-1"),
    (_one_more_to_come(),    _settled(),                         "bet R-BET-1"),
    (_in_its_last_coup(),    open_coup(),                        "no-more-bets R-DEAL-2"),
    (_in_its_last_coup(),    _settled(),                         "shoe.end R-SHOE-3"),
    (_ended(),               _settled(),                         "shoe.load R-SHOE-1"),
    (_reconciled(),          None,                               "shoe.load R-SHOE-1"),
]
# fmt: on


@pytest.mark.parametrize(("shoe", "coup", "due"), DUE)
def test_the_next_act_is_due_by_its_rule(shoe, coup, due):
    assert NextAct(*due.split()) == next_act(open_table(), shoe, coup)


def test_r_com_4_after_the_last_coup_what_is_owed_is_due_before_the_end_of_the_shoe():
    due = next_act(open_table(), _in_its_last_coup(), _settled(), owed=True)

    assert NextAct("commission.collect", "R-COM-4") == due
    assert NextAct("bet", "R-BET-1") == next_act(open_table(), READY, _settled(), owed=True)


# fmt: off
HELD = [
    # shoe                   coup                                due
    (None,                   None,                               "shoe.load R-SHOE-1"),
    (READY,                  None,                               "dispute.decide R-IRR-5"),
    (READY,                  _settled(),                         "dispute.decide R-IRR-5"),
    (READY,                  open_coup(),                        "no-more-bets R-DEAL-2"),
    (READY,                  dealt(open_coup(), BANKER_WINS),    "settle R-PAY-1"),
    (_in_its_last_coup(),    _settled(),                         "shoe.end R-SHOE-3"),
]
# fmt: on


@pytest.mark.parametrize(("shoe", "coup", "due"), HELD)
def test_r_irr_5_at_a_table_that_is_held_a_dispute_is_due_before_the_next_coup(shoe, coup, due):
    table = open_table()
    table.hold("C-2026-0007", "S-11")

    assert NextAct(*due.split()) == next_act(table, shoe, coup)


def test_at_a_closed_table_nothing_is_due():
    table = open_table()
    table.close({}, house())

    assert next_act(table, None, None) is None


def test_an_answer_names_the_hand_only_where_a_card_is_due():
    card = {"action": "draw", "hand": "banker", "rule": "R-DRAW-4"}
    other = {"action": "settle", "rule": "R-PAY-1"}

    assert card == NextAct("draw", "R-DRAW-4", "banker").as_dict()
    assert other == NextAct("settle", "R-PAY-1").as_dict()
