"""Cards that came when none was due, and go to the coup that begins (R-IRR-1)."""

from domain.aggregates.coup import Coup
from domain.aggregates.shoe import Shoe


def deal_carried(shoe: Shoe, coup: Coup) -> None:
    """Deals them while the coup takes cards; its first one waits for a burn (R-SHOE-6)."""
    if not coup.cards and not shoe.gives_a_first_card:
        return
    while shoe.waiting and coup.due:
        coup.turn_rest()
        if coup.takes_second_bets:
            break
        coup.deal(shoe.deal_carried(), carried=True)
