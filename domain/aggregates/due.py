"""What the table must do next, and by which rule; the answer to every command says it."""

from msgspec import Struct

from domain.aggregates.coup import Coup
from domain.aggregates.shoe import Shoe
from domain.aggregates.shoe_steps import NEXT
from domain.aggregates.table_day import TableDay


class NextAct(Struct, frozen=True):
    """The next command; `hand`: the hand of a card that is due, or that is to be turned."""

    action: str
    rule: str
    hand: str | None = None

    def as_dict(self) -> dict[str, str]:
        """The fields in an answer."""
        hand = {"hand": self.hand} if self.hand else {}
        return {"action": self.action, **hand, "rule": self.rule}


def next_act(
    day: TableDay, shoe: Shoe | None, coup: Coup | None, *, owed: bool = False
) -> NextAct | None:
    """The next act, or None if the table is closed. `owed`: whether somebody owes commission."""
    if day.closed:
        return None
    if day.locked_up:
        return NextAct("table.unlock", "R-IRR-6")
    if shoe is None or shoe.ended or not shoe.ready:
        return _for_the_shoe(shoe)
    if coup is None or coup.over:
        if (shoe.finished or shoe.empty) and not shoe.dummy:
            return _after_last_coup(owed)
        return _before_next_coup(day, shoe)
    return _in_coup(coup, shoe)


def _for_the_shoe(shoe: Shoe | None) -> NextAct:
    if shoe is None or shoe.ended:
        return NextAct("shoe.load", "R-SHOE-1")
    return NextAct(NEXT[shoe.step], "R-SHOE-1")


def _after_last_coup(owed: bool) -> NextAct:
    return NextAct("commission.collect", "R-COM-4") if owed else NextAct("shoe.end", "R-SHOE-3")


def _before_next_coup(day: TableDay, shoe: Shoe) -> NextAct:
    if day.held_by:
        return NextAct("dispute.decide", "R-IRR-5")
    return NextAct("open", "R-IRR-1") if shoe.dummy else NextAct("bet", "R-BET-1")


def _in_coup(coup: Coup, shoe: Shoe) -> NextAct:
    if coup.only_to_void or shoe.void_for_want_of_a_burn:
        return NextAct("void", "R-IRR-4")
    if coup.to_turn:  # no display shows before whether a further card is due
        return NextAct("reveal", coup.turning_rule, coup.to_turn)
    if coup.due and shoe.empty:
        return NextAct("void", "R-IRR-4")
    if coup.phase == "resulted":
        return NextAct("settle", "R-PAY-1")
    return _in_betting(coup) if coup.phase == "betting" else _next_card(coup, shoe)


def _next_card(coup: Coup, shoe: Shoe) -> NextAct:
    """Burn a card, close the bets after the first four (R-BET-8), or draw the card that is due."""
    if shoe.burn_due and not coup.cards:
        return NextAct("shoe.burn", "R-SHOE-6")
    if coup.takes_second_bets:
        refusal = coup.why_second_bets_stay_open
        return NextAct("bet" if refusal else "no-more-bets", "R-BET-8")
    due = coup.due
    assert due is not None
    return NextAct("draw", due.rule, due.hand)


def _in_betting(coup: Coup) -> NextAct:
    """Close the betting, unless a wager must be changed first."""
    refusal = coup.why_betting_stays_open
    return NextAct("bet", refusal.rule or "") if refusal else NextAct("no-more-bets", "R-DEAL-2")
