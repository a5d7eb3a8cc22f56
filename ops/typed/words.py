"""A line that begins with a word of its own: void, correct, card, waive, limits, colour and others.

The reason comes last, in the dealer's own words. It is quoted where its first word would be read as
an amount, a coup or `as`.
"""

from domain.aggregates.coup_cards_put_right import AFTER
from domain.aggregates.shoe import DISPOSITIONS
from domain.rules.wording import N_, Words
from ops.reports.moments import FORMS, Typed
from ops.typed.acts import (
    Act,
    ColourChange,
    Correct,
    CorrectCard,
    Late,
    LetGo,
    Limits,
    Misdraw,
    Void,
)
from ops.typed.tokens import (
    AMOUNT,
    AMOUNT_TEXT,
    CARD_TEXT,
    CARDS_TEXT,
    SEAT,
    VERB,
    amount_of,
    card_of,
    cards_of,
    next_word,
    pattern,
    spot_of,
    spot_text,
    unquoted,
    who_of,
    wrong,
)

LEAVE_OUT = N_("Leave the options out. The second person is asked for after Enter.")
_COUP = pattern(r"[\w-]+(?:/[\w-]+){3}")


def read(line: str) -> Act | None:
    """The act of such a line, or None if it begins with another word. Raises Wrong."""
    verb = VERB.match(line)
    form = _WORDED.get(verb[0].lower()) if verb else None
    return form(line[verb.end() :].strip()) if verb and form else None


def _void(rest: str) -> Act:
    coup, rest = _coup(rest)
    return Void(_reason(rest, "void a torn card"), coup)


def _correct(rest: str) -> Act:
    example = "correct 3 b 500 a chip fell"
    coup, rest = _coup(rest)
    seat, rest = next_word(rest, SEAT)
    spot, rest = next_word(rest, spot_text())
    if not seat or not spot:
        wrong(N_("Type seat, spot and reason too: `{example}`."), example=example)
    to, rest = next_word(rest, AMOUNT)
    as_spot = ""
    as_word, after = next_word(rest, _AS)
    if as_word and not to:
        as_spot, after = next_word(after, spot_text())
        rest = after if as_spot else rest
    stake = ""
    stake_word, after = next_word(rest, _STAKE)
    if stake_word and not to and not as_spot:
        stake, after = next_word(after, AMOUNT)
        rest = after if stake else rest
    return Correct(
        int(seat),
        spot_of(spot),
        _reason(rest, example),
        to=amount_of(to) if to else "",
        as_spot=spot_of(as_spot) if as_spot else "",
        stake=amount_of(stake) if stake else "",
        coup=coup,
    )


def _card(rest: str) -> Act:
    example = "card 6 = 5h read as a six"
    coup, rest = _coup(rest)
    rightly = _RIGHTLY.match(rest)
    if not rightly:
        wrong(N_("Type the card's number, the card and the reason: `{example}`."), example=example)
    rest = rest[rightly.end() :].strip()
    after, last = next_word(rest, _AFTER)
    rest = last if after else rest
    cards = ""
    if then := _THEN.match(rest):
        cards, rest = then[1], rest[then.end() :].strip()
    return CorrectCard(
        int(rightly[1]),
        card_of(rightly[2]),
        _reason(rest, example),
        after=after.lower(),
        coup=coup,
        then=cards_of(cards),
    )


def _waive(rest: str) -> Act:
    seat, patron, amount, reason = _let_go(rest, "waive 3 a good guest")
    return LetGo("waive", reason, seat, patron, amount)


def _walked(rest: str) -> Act:
    seat, patron, amount, reason = _let_go(rest, "walked 3 gone with the chips")
    return LetGo("walked", reason, seat, patron, amount)


def _let_go(rest: str, example: str) -> tuple[int | None, str, str, str]:
    if not rest:
        wrong(N_("Type who, and the reason: `{example}`."), example=example)
    seats, patron, rest = who_of(rest)
    if len(seats) > 1:
        wrong(N_("Type one seat at a time."))
    amount, rest = next_word(rest, AMOUNT)
    if unquoted(rest) is None and "--amount" in rest.split():
        wrong(N_("Type the amount after who, before the reason: `waive 3 100 a good guest`."))
    reason = _reason(rest, example)
    return seats[0] if seats else None, patron, amount_of(amount) if amount else "", reason


def _limits(rest: str) -> Act | None:
    spot, after = next_word(rest, spot_text())
    minimum, after = next_word(after, AMOUNT)
    if "--" in rest and not minimum:
        return None  # the whole command, with options
    rest = after
    maximum, rest = next_word(rest, AMOUNT)
    if minimum and maximum and rest.startswith("--"):
        wrong(LEAVE_OUT)
    if not minimum or not maximum or rest:
        wrong(N_("Type minimum and maximum: `limits 25 10000`, or `limits t 5 1k`."))
    return Limits(amount_of(minimum), amount_of(maximum), spot_of(spot) if spot else "main")


def _misdraw(rest: str) -> Act:
    card, _, last = rest.partition(" ")
    if not card:
        wrong(N_("Type which card came: `misdraw 9h burn`."))
    disposition = last.strip().lower()
    if disposition not in ("", *DISPOSITIONS):
        wrong(
            N_("`{word}` is not one of {all}."),
            word=last.strip(),
            all=", ".join(f"`{each}`" for each in DISPOSITIONS),
        )
    return Misdraw(card_of(card), disposition)


def _colour(rest: str) -> Act:
    taken, given = (
        _CHIPS.findall(each) if _ALL_CHIPS.fullmatch(each.strip()) else []
        for each in (_FOR.split(rest, 1) if _FOR.search(rest) else ("", ""))
    )
    if not taken or not given:
        wrong(
            N_("Type the chips that come in, `for`, and those that go out: `{example}`."),
            example="colour 5=20 for 100=1",
        )
    return ColourChange(
        *(tuple((amount_of(chip), int(count)) for chip, count in chips) for chips in (taken, given))
    )


def _late(rest: str) -> Act:
    if rest.lower() == "off":
        return Late()
    if not Typed.of(rest):
        wrong(N_("After `late`, {forms}. `late off` ends late entry."), forms=Words(FORMS))
    return Late(f"0{rest}" if rest[1] == ":" else rest)


def _coup(rest: str) -> tuple[str, str]:
    return next_word(rest, _COUP)


def _reason(rest: str, example: str) -> str:
    quoted = unquoted(rest)
    reason = rest if quoted is None else quoted
    if not reason:
        wrong(N_("Type the reason too: `{example}`."), example=example)
    if quoted is None and any(word.startswith("--") for word in reason.split()):
        wrong(LEAVE_OUT)
    return reason


_AS = pattern("as")
_STAKE = pattern("stake")
_AFTER = pattern("|".join(AFTER))
_THEN = pattern(rf"then\s+({CARDS_TEXT})(?=\s|$)")
_RIGHTLY = pattern(rf"([1-6])\s*=?\s*({CARD_TEXT})(?=\s|$)")
_CHIPS = pattern(rf"({AMOUNT_TEXT})=([0-9]{{1,6}})")
_ALL_CHIPS = pattern(rf"{AMOUNT_TEXT}=[0-9]{{1,6}}(?:[\s,]+{AMOUNT_TEXT}=[0-9]{{1,6}})*")
_FOR = pattern(r"\sfor\s")
_WORDED = {
    "void": _void,
    "correct": _correct,
    "card": _card,
    "waive": _waive,
    "walked": _walked,
    "limits": _limits,
    "misdraw": _misdraw,
    "late": _late,
    "colour": _colour,
}
