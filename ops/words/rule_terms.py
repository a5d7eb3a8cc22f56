"""The terms of a rule set as people say them, from how an event has them.

>>> term_words("main minimum"), value_words("main minimum", "2500", "USD")
('minimum', '25.00')
>>> term_words("commission rate"), value_words("commission rate", "4, 100", "USD")
('commission', '4%')
>>> term_words("spots dragon-7 limit maximum")
'maximum on Dragon 7'
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from domain.rules.house_rules import CouponTerms, Progressive, SpotTerms
from domain.rules.money import decimal_string
from domain.rules.spots import spot_label
from domain.rules.wording import N_, Amount, Words, as_words, counted, either, listed
from ops.words.terms import spot_called

_TERMS: Mapping[str, str] = {
    "chips": N_("chips"),
    "seats": N_("seats"),
    "increment": N_("wagers in steps of"),
    "differential": N_("the most by which Player and Banker wagers may differ"),
    "decks_allowed": N_("decks"),
    "dealing": N_("dealing"),
    "pace slowest": N_("the fewest coups an hour that are wanted"),
    "pace fastest": N_("the most coups an hour that are wanted"),
    "both_sides": N_("Player and Banker by one patron"),
    "burn_between": N_("a card burned between coups"),
    "free_hands in_a_row": N_("the most coups in a row without a bet"),
    "free_hands at_start": N_("coups at the beginning of a shoe that may be without a bet"),
    "main minimum": N_("minimum"),
    "main maximum": N_("maximum"),
    "commission rate": N_("commission"),
    "commission timing": N_("the commission is taken"),
    "commission rounding mode": N_("rounding of the commission"),
    "commission rounding unit": N_("the commission is rounded to"),
    "commission rounding moment": N_("the commission is rounded at"),
    "commission rounding minimum": N_("the least commission"),
}
_OF_A_SPOT: Mapping[str, str] = {
    "limit minimum": N_("minimum on {spot}"),
    "limit maximum": N_("maximum on {spot}"),
    "pays": N_("{spot} pays"),
    "key": N_("key of {spot}"),
    "beside": N_("{spot} is taken only beside"),
    "seats": N_("{spot} is taken only at seats"),
    "not_in_first": N_("coups at the beginning of a shoe without {spot}"),
    "not_in_last": N_("coups at the end of a shoe without {spot}"),
    "most_won": N_("the most that all bets on {spot} win in one coup"),
    "of": N_("whose the meter of {spot} is"),
    "two_people_above": N_("the meter of {spot} takes two people to pay more than"),
    "must_hit_by": N_("the meter of {spot} must be won by"),
    "seed": N_("seed of the meter of {spot}"),
    "share": N_("of each bet for the meter of {spot}"),
    "reserve": N_("of each bet for the reserve of {spot}"),
    "after_four": N_("{spot} is taken after the first four cards, if"),
    "up_to": N_("{spot} is at most this part of the bet beside it"),
    "over coups": N_("coups that a bet on {spot} is on"),
    "over wins": N_("{spot} wins a coup, if"),
    "over skips": N_("{spot} does not count a coup, if"),
    "over at_end": N_("a bet on {spot} that the shoe's end leaves undecided"),
    "cloth": N_("{spot} on the layout"),
    "row": N_("row of {spot}"),
}
_OF_COUPONS: Mapping[str, str] = {
    "spots": N_("{kind} is taken on"),
    "pays": N_("{kind} pays"),
    "on_push": N_("{kind} on a push"),
    "commission": N_("commission of {kind}"),
}
_KINDS: Mapping[str, str] = {"match-play": N_("match play"), "free-bet": N_("free bet")}
_VALUES: Mapping[str, str] = {
    "face-up": N_("face up"),
    "face-down": N_("face down"),
    "squeeze": N_("in a squeeze"),
    "at-payout": N_("at the payout"),
    "deferred": N_("later"),
    "forbidden": N_("forbidden"),
    "with-leave": N_("with a supervisor's leave"),
    "free": N_("allowed"),
    "returned": N_("is returned"),
    "lost": N_("is lost"),
    "in-the-odds": N_("in the odds"),
    "none": N_("none"),
    "or-coup-counts": N_("one; a coup begun without it counts"),
    "or-coup-void": N_("one; a coup begun without it is void"),
    "exact": N_("none"),
    "nearest": N_("to the nearest"),
    "up": N_("up"),
    "down": N_("down"),
    "per-win": N_("each win"),
    "on-collection": N_("the collection"),
    "odds": N_("the odds of its spot"),
    "even-money": N_("even money"),
    "used": N_("is used"),
    "taken-off": N_("taken off what it wins"),
}
_AMOUNTS = (
    *("increment", "differential", "minimum", "maximum", "unit", "most_won", "seed", "above"),
    "must_hit_by",
)


def term_words(term: str) -> str:
    """What a term is about; one that is not known as it is, with blanks."""
    if term in _TERMS:
        return Words(_TERMS[term])
    of, _, rest = term.partition(" ")
    spot, _, part = rest.partition(" ")
    if of in ("own_spots", "spots", "terms", "progressives") and part in _OF_A_SPOT:
        return Words(_OF_A_SPOT[part], spot=spot_called(spot))
    if of == "coupons" and part in _OF_COUPONS:
        return Words(_OF_COUPONS[part], kind=kind_called(spot))
    return term.replace("_", " ")


def kind_called(kind: str) -> str:
    """A kind of coupon: `match play`."""
    return Words(_KINDS[kind]) if kind in _KINDS else kind


def value_words(term: str, value: str, currency: str) -> str:
    """What a term says; `–` if the rule set does not have it."""
    if not value:
        return "–"
    of_bets = term.startswith(("terms ", "coupons "))
    if of_bets and term.endswith((" beside", " up_to", " spots")):
        parts = value.split(", ")
        return _part(parts) if term.endswith(" up_to") else either(map(spot_label, parts))
    of_meter = term.startswith("progressives ") and term.endswith((" share", " reserve"))
    if term.endswith("rate") or of_meter:
        above, _, below = value.partition(", ")
        if above.isdigit() and below.isdigit() and int(below):
            return f"{float(Fraction(int(above), int(below)) * 100):g}%"
    if term == "chips":
        chips = [each for each in value.split(", ") if each.isdigit()]
        return listed(
            [str(Amount(int(each), currency, short=True)) for each in chips], N_("{some}, {last}")
        )
    if term.endswith(_AMOUNTS) and value.isdigit():
        return as_words(Amount(int(value), currency))
    return Words(_VALUES[value]) if value in _VALUES else value


def _part(numbers: Sequence[object]) -> str:
    """A part of a bet: `1/2`, or `2` for twice as much."""
    part, of = map(str, numbers)
    return part if of == "1" else f"{part}/{of}"


def taken_words(terms: SpotTerms, currency: str) -> str:
    """When a bet is taken, and what it wins at most; '' if always, and as its odds say.

    >>> taken_words(SpotTerms(beside=("player", "banker"), seats=(1, 2), not_in_last=1), "USD")
    'only beside Player or Banker, only at seats 1 and 2, not once the cut card is out'
    >>> taken_words(SpotTerms(most_won=50_000_00), "USD")
    'all bets on it win 50,000.00 at most in one coup'
    """
    return listed(_taken(terms, currency), N_("{some}, {last}"))


def coupon_words(terms: CouponTerms) -> str:
    """Where a kind of coupon is taken, and what it wins.

    >>> coupon_words(CouponTerms(spots=("player", "banker"), on_push="used"))
    'on Player or Banker, pays the odds of its spot, on a push is used, commission none'
    """
    return Words(
        "on {spots}, pays {pays}, on a push {on_push}, commission {commission}",
        spots=either(map(spot_label, terms.spots)),
        **{
            name: Words(_VALUES[getattr(terms, name)]) for name in ("pays", "on_push", "commission")
        },
    )


def meter_words(meter: Progressive, currency: str, *, hidden: bool = False) -> str:
    """Whose the meter of a spot is, its seed, and what feeds it; `hidden`: also its reserve.

    >>> grand = Progressive(of="house", seed=1_000_00, share=(3, 200), reserve=(1, 200))
    >>> meter_words(grand, "USD", hidden=True)
    'meter of the house, begins at 1,000.00, gets 1.5% of each bet, and its reserve 0.5%'
    """
    whose, _, pit = meter.of.partition(" ")
    of = {"table": Words("meter of the table"), "house": Words("meter of the house")}
    seed = Amount(meter.seed, currency)
    phrases = [
        of.get(whose) or Words("meter of pit {pit}", pit=pit),
        Words("begins at {seed}", seed=seed),
        Words("gets {share} of each bet", share=_percent(meter.share)),
    ]
    if hidden and meter.reserve[0]:
        phrases.append(Words("and its reserve {share}", share=_percent(meter.reserve)))
    if meter.must_hit_by is not None:
        most = Amount(meter.must_hit_by, currency)
        phrases.append(Words("must be won by {most}", most=most))
    if hidden and meter.two_people_above is not None:
        above = Amount(meter.two_people_above, currency)
        phrases.append(Words("takes two people to pay more than {above} of it", above=above))
    return listed(phrases, N_("{some}, {last}"))


def _percent(part: tuple[int, int]) -> str:
    return f"{decimal_string(Fraction(*part) * 100)}%"


def _taken(terms: SpotTerms, currency: str) -> Iterator[Words]:
    if terms.beside:
        yield Words("only beside {spots}", spots=either(map(spot_label, terms.beside)))
    if terms.up_to:
        yield Words("up to {part} of that bet", part=_part(terms.up_to))
    if terms.after_four:
        yield Words("after the first four cards, if {so}", so=terms.after_four)
    if over := terms.over:
        yield Words(
            "on the next {n} coups, of which it wins one if: {so}", n=over.coups, so=over.wins
        )
        if over.skips:
            yield Words("not counting a coup if: {so}", so=over.skips)
        yield (
            Words("returned if the shoe ends before it is decided")
            if over.at_end == "returned"
            else Words("lost if the shoe ends before it is decided")
        )
    if terms.seats:
        yield Words("only at seats {seats}", seats=listed(map(str, terms.seats)))
    if terms.not_in_first:
        yield counted(
            terms.not_in_first,
            "not in the first coup of a shoe",
            "not in the first {n} coups of a shoe",
        )
    if terms.not_in_last:
        yield counted(
            terms.not_in_last,
            "not once the cut card is out",
            "not in the last {n} coups of a shoe",
        )
    if terms.most_won is not None:
        yield Words(
            "all bets on it win {most} at most in one coup", most=Amount(terms.most_won, currency)
        )
