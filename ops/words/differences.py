"""Lines in which a record differs from what today's rules say, in the reader's language.

The record has such a line in English: `seat 3 banker: commission_charged`. The functions here put
the line and both of its sides into words.

>>> about("seat 3 dragon-player: commission_charged")
'seat 3 Dragon Player: commission charged'
>>> value("seat 3 banker: paid", 100_00, "USD"), value("natural", True, "USD")
('100.00', 'yes')
"""

import re
from collections.abc import Mapping
from fractions import Fraction

from ops.words import coups
from ops.words.language import N_, _, amount

# The subject of a line that has no further part.
_SUBJECTS = (
    *(N_("the record"), N_("the shoe"), N_("betting"), N_("outcome"), N_("natural")),
    *(N_("Player's total"), N_("Banker's total"), N_("staked and paid"), N_("payments")),
    *(N_("changes hands"), N_("cards corrected in the shoe")),
    *(N_("burn before the coup"), N_("burn left out")),
)
# The part of a payment or of an entry that differs, under its recorded name.
_PARTS: Mapping[str, str] = {
    "patron": N_("patron"),
    "stay": N_("stay"),
    "stake": N_("stake"),
    "result": N_("result"),
    "odds": N_("odds"),
    "winnings": N_("winnings"),
    "commission_exact": N_("commission exact"),
    "commission_charged": N_("commission charged"),
    "commission_due": N_("commission due"),
    "paid": N_("paid"),
    "paid_up": N_("paid up"),
    "paid before": N_("paid before"),
    "changes hands": N_("changes hands"),
    "exact": N_("exact"),
    "charged": N_("charged"),
    "due": N_("due"),
    "coup": N_("coup"),
    "corrected result": N_("corrected result"),
    "corrected odds": N_("corrected odds"),
    "corrected winnings": N_("corrected winnings"),
    "corrected commission_exact": N_("corrected commission exact"),
    "corrected commission_charged": N_("corrected commission charged"),
    "corrected commission_due": N_("corrected commission due"),
    "corrected paid": N_("corrected paid"),
    "corrected paid_up": N_("corrected paid up"),
    "entered late result": N_("entered late result"),
    "entered late odds": N_("entered late odds"),
    "entered late winnings": N_("entered late winnings"),
    "entered late commission_exact": N_("entered late commission exact"),
    "entered late commission_charged": N_("entered late commission charged"),
    "entered late commission_due": N_("entered late commission due"),
    "entered late paid": N_("entered late paid"),
    "entered late paid_up": N_("entered late paid up"),
}
_ENTRIES: Mapping[str, str] = {
    "commission accrued": N_("seat {seat}: commission accrued in {stay}"),
    "commission corrected": N_("seat {seat}: commission corrected in {stay}"),
}
_SUBJECT_FORMS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"card (?P<n>\d+), (?P<card>..)"), N_("card {n}, {card}")),
    (re.compile(r"card (?P<n>\d+) out of the shoe"), N_("card {n} out of the shoe")),
    (re.compile(r"cards (?P<numbers>[\d, ]+)"), N_("cards {numbers}")),
    (re.compile(r"position (?P<position>\d+)"), N_("position {position}")),
    (re.compile(r"digest of (?P<rules>\S+)"), N_("digest of {rules}")),
    (re.compile(r"seat (?P<seat>\d+) (?P<spot>\S+)"), N_("seat {seat} {spot}")),
)
_ENTRY = re.compile(r"seat (?P<seat>\d+): (?P<entry>commission \w+) in (?P<stay>\S+)")

# One side of a line, if it is neither an amount nor a name.
_SIDES = (
    *(N_("no card"), N_("settled"), N_("not settled"), N_("a wager"), N_("none")),
    *(N_("returned"), N_("not returned"), N_("face down"), N_("not closed")),
    *(N_("closed before the first card"), N_("turned before the payment")),
    *(N_("begins with the coup's opening"), N_("did not begin the coup"), N_("began it")),
    *(N_("win"), N_("lose"), N_("push"), N_("tie"), N_("at-payout"), N_("deferred")),
    *(N_("commission accrued"), N_("commission corrected"), N_("another patron")),
    *(N_("burned or left out"), N_("dealt")),
)
_HAND_AND_RULE = re.compile(r"(?P<hand>player|banker) \((?P<rule>R-[A-Z]+-\d+)\)")
# Lines with amounts, and lines with amounts that were not rounded.
_AMOUNTS = {
    *("stake", "winnings", "commission_charged", "charged", "paid", "paid_up", "paid before"),
    *("changes hands", "staked and paid"),
}
_EXACT = ("commission_exact", "exact")


def line(each: Mapping[str, object], currency: str) -> str:
    """A whole line as it was stored, with both of its sides as text."""
    what = str(each["what"])
    recorded, today = (
        value(what, int(side) if re.fullmatch(r"-?[0-9]+", side) else side, currency)
        for side in (str(each["recorded"]), str(each["adjudicated"]))
    )
    sides = _("recorded {recorded}, today {today}", recorded=recorded, today=today)
    return f"{about(what)}: {sides}"


def about(what: str) -> str:
    """The words for the subject of a line; an unknown form unchanged."""
    entry, colon, part = what.rpartition(": ")
    if part in _PARTS and colon:
        return _("{subject}: {part}", subject=about(entry), part=_(_PARTS[part]))
    if what in _SUBJECTS:
        return _(what)
    if match := _ENTRY.fullmatch(what):
        template = _ENTRIES.get(match["entry"])
        return _(template, seat=match["seat"], stay=match["stay"]) if template else what
    for form, template in _SUBJECT_FORMS:
        if match := form.fullmatch(what):
            values = match.groupdict()
            if "spot" in values:
                values["spot"] = coups.spot_name(values["spot"])
            return _(template, **values)
    return what


def value(what: str, side: object, currency: str) -> str:
    """The words for one side of the line about `what`."""
    name = what.rpartition(": ")[2]
    if side is None:
        return _("nothing")
    if isinstance(side, bool):
        return _("yes") if side else _("no")
    if isinstance(side, list):
        first, second = (value(what, each, currency) for each in side)
        return _("{first} and {second}", first=first, second=second)
    if isinstance(side, int) and name in _AMOUNTS:
        return amount(side, currency)
    if name in _EXACT or name.startswith("commission "):
        return _exact(str(side), currency)
    return _text(str(side))


def _text(side: str) -> str:
    if side in _SIDES:
        return _(side)
    if match := _HAND_AND_RULE.fullmatch(side):
        return _("{hand} ({rule})", hand=coups.spot_name(match["hand"]), rule=match["rule"])
    return side


def _exact(side: str, currency: str) -> str:
    """An amount that was not rounded; anything else as text."""
    try:
        return coups.exactly(Fraction(side), currency)
    except (ValueError, ZeroDivisionError):
        return _text(side)
