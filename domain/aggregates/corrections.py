"""What is put right afterwards: a wager that comes to something else (R-IRR-5)."""

from msgspec import Struct

from domain.aggregates.coup_state import CoupState
from domain.rules import refusals
from domain.rules.layout import Wager, require_offered
from domain.rules.settlement import Payment, pay, pay_to


class Rightly(Struct, frozen=True):
    """Which wager should have been paid otherwise: `to` in all, or as what lay on another spot."""

    seat: int | None = None
    spot: str | None = None
    to: int | None = None  # minor units; None: what the cards say
    as_spot: str | None = None


class Change(Struct, frozen=True):
    """A wager that comes to something else after all."""

    wager: Wager
    before: Payment
    after: Payment
    as_spot: str | None = None  # after: as what lay on this spot; None: on its own


def require_two(act: str, one: str, other: str) -> None:
    """Two people (R-IRR-5); who may is asked elsewhere. Refuses: SecondPersonNeeded."""
    if not one:
        but = ", and who asks"
    elif not other:
        but = ""
    elif other == one:
        but = f", not {one} again"
    else:
        return
    raise refusals.SecondPersonNeeded(act=act, who="a supervisor", but=but)


def require_payable_as(coup: CoupState, wager: Wager, spot: str) -> None:
    """The account of a stay knows one Banker win of a seat in a coup, and no two.

    Refuses: SpotNotOffered, BadValue.
    """
    require_offered(coup.rules, spot)
    other = coup.as_banker.get(wager.seat, wager.spot)
    if coup.layout.at(wager.seat, "banker") and wager.spot != "banker":
        other = "banker"
    if spot == "banker" and other != wager.spot:
        why = f"what seat {wager.seat} has on {other} is paid so; leave it out and say `to`"
        raise refusals.BadValue(field="as", value=spot, why=why)


def paid_rightly(coup: CoupState, wager: Wager, spot: str, to: int | None) -> Payment:
    """What a wager should have been paid: `to` in all; None: what the cards say of the spot."""
    result = coup.hands.result
    assert result is not None
    rules = coup.rules.for_stay(wager.stay, coup.as_it_wins)
    by_the_cards = pay(rules, spot, wager.stake, result)
    if to in (None, by_the_cards.paid):
        return by_the_cards
    assert to is not None
    return pay_to(rules, spot, wager.stake, to)
