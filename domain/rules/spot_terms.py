"""When a bet on a spot is taken: beside which other and up to what, where, when (R-BET-6, 8)."""

from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from domain.rules.house_rules import HouseRules
from domain.rules.refusals import OnlyBeside, OverPart, Refusal, SpotNotAtSeat, SpotNotInCoup
from domain.rules.spots import spot_label
from domain.rules.wording import Amount, Words, counted, either, listed

MOST_CARDS = 6  # of a coup


class Nth(Struct, frozen=True):
    """Which coup of its shoe it is.

    `cards_to_cut`: before the cut card. `free_hands`: how many coups directly before it were dealt
    without a bet. None if nobody asks.
    """

    number: int = 1
    cards_to_cut: int | None = None
    free_hands: int | None = None

    def sure_to_come(self, *, burned: bool = False) -> int | None:
        """How many coups will be dealt for sure, this one among them (R-SHOE-3).

        Six cards each until the cut card comes, and one coup after it. `burned`: a further card is
        burned between two coups (R-SHOE-6).
        """
        if self.cards_to_cut is None:
            return None
        return max(-(-self.cards_to_cut // (MOST_CARDS + burned)), 0) + 1


def against(
    rules: HouseRules, seat: int, spot: str, theirs: Mapping[str, int], nth: Nth, amount: int
) -> Iterator[Refusal]:
    """The reasons not to take a bet of a seat; `theirs`: the stakes of its bets, by spot."""
    terms = rules.terms_of(spot)
    on = spot_label(spot)
    if terms.seats and seat not in terms.seats:
        yield SpotNotAtSeat(spot=on, seat=seat, seats=listed(map(str, terms.seats)))
    if nth.number <= terms.not_in_first:
        yield _too_early(on, terms.not_in_first)
    sure = nth.sure_to_come(burned=rules.burn_between != "none")
    if sure is not None and sure <= terms.not_in_last:
        yield _too_late(on, terms.not_in_last)
    if _is_alone(rules, spot, theirs):
        yield OnlyBeside(seat=seat, spot=on, spots=either(map(spot_label, terms.beside)))
    most = most_beside(rules, spot, theirs)
    if most is not None and amount > most:
        staked, allowed = Amount(amount, rules.currency), Amount(most, rules.currency)
        yield OverPart(seat=seat, spot=on, amount=staked, allowed=allowed)


def most_beside(rules: HouseRules, spot: str, theirs: Mapping[str, int]) -> int | None:
    """The most that a seat may bet on a spot beside these stakes of its own (R-BET-8).

    None: its limits only.
    """
    terms = rules.terms_of(spot)
    if terms.up_to is None:
        return None
    part, of = terms.up_to
    most = sum(theirs.get(other, 0) for other in terms.beside) * part // of
    return most - most % rules.increment


def may_be_free(rules: HouseRules, nth: Nth) -> bool:
    """Whether this coup may be dealt without a bet (R-BET-7)."""
    allowed = rules.free_hands
    if allowed is None or nth.free_hands is None or nth.number <= allowed.at_start:
        return True
    return nth.free_hands < allowed.in_a_row


def left_alone(rules: HouseRules, theirs: Collection[str]) -> list[str]:
    """The spots of a seat's bets that are taken only beside another bet, which is not there."""
    return [spot for spot in theirs if _is_alone(rules, spot, theirs)]


def _is_alone(rules: HouseRules, spot: str, theirs: Collection[str]) -> bool:
    beside = rules.terms_of(spot).beside
    return bool(beside) and not set(beside) & set(theirs)


def _too_early(spot: Words, first: int) -> Refusal:
    words = counted(
        first,
        "{spot} is not taken in the first coup of a shoe. Bet on it in the next coup.",
        "{spot} is not taken in the first {n} coups of a shoe. Bet on it from coup {then} on.",
        spot=spot,
        then=first + 1,
    )
    return SpotNotInCoup(message=words)


def _too_late(spot: Words, last: int) -> Refusal:
    words = counted(
        last,
        "{spot} is not taken in the last coup of a shoe. Bet on it in the next shoe.",
        "{spot} is not taken in the last {n} coups of a shoe. Bet on it in the next shoe.",
        spot=spot,
    )
    return SpotNotInCoup(message=words)
