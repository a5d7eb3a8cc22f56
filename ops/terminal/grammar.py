"""The dealer's tongue: a typed line as an act, and nothing known of any table.

    3 b 500 t 25       seats, then spots and amounts; several groups in a line: 1-4b100 5p1.5k
    =   3 =            as in the last coup, for everybody or for these seats; groups may follow
    3 -   3 b -   u    takes back: all of a seat, one wager, what was put down last
    n                  no more bets
    9h   9c5s7cqd s    cards; with s after a blank the last one settles; d, dddd: a shoe's own
    s   s 3=195        settles; what was paid as the layout saw it
    c   c 3   c 3 100  who owes what; collects all, or so much; by name too
    r p   r p 3        turns a hand, or a card of it
    ?   ? bet   !      help; in training: that is wrong

and words: `void`, `correct`, `waive`, `walked`, `limits`, `misdraw`, and every command that is
spoken at a table, in its one-shot form without the table. Capitals and blanks do not matter where
no two things could be meant; a spot that ends in a digit stands apart from its amount.

>>> parse("1-3B1.5k 5 t 25").words
'1-3 b 1500 5 t 25'
>>> parse("9c10hqd S")
Cards(cards=('9C', 'TH', 'QD'), settle=True)
>>> parse("3 x 500")
Traceback (most recent call last):
    ...
ops.terminal.acts.NotUnderstood: `3 x 500`: x is no spot; spots are p b t dp db pp pb d7 p8 l6.
"""

import re
import shlex
from contextlib import suppress

from domain.shoe import DISPOSITIONS
from ops.terminal import bets_line
from ops.terminal.acts import (
    Act,
    Bets,
    Cards,
    Collect,
    Correct,
    Drawn,
    Help,
    LetGo,
    Limits,
    Misdraw,
    NoMoreBets,
    NotUnderstood,
    Objection,
    Reveal,
    Settle,
    Spoken,
    Undo,
    Void,
    WhoOwes,
    words_of,
)
from ops.terminal.prompts import completions, help_lines, hint
from ops.terminal.spoken import SPOKEN
from ops.terminal.tokens import (
    AMOUNT,
    AMOUNT_TEXT,
    CARD,
    CARD_TEXT,
    ONE_SEAT,
    SEAT,
    SEATS,
    SPOT,
    Wrong,
    amount_of,
    card_of,
    pattern,
    seats_of,
    spot_of,
    wrong,
)

__all__ = [
    "Act",
    "Bets",
    "NotUnderstood",
    "completions",
    "help_lines",
    "hint",
    "parse",
    "words_of",
]

MOST_CARDS = 6  # that a coup takes
_CARDS = pattern(rf"({CARD_TEXT}(?:\s*{CARD_TEXT})*)(\s+s)?")
_DRAWN = pattern(r"(d(?:\s*d)*)(\s+s)?")
_SETTLE = pattern(r"s(?:\s*(?=[0-9])(.*)|)")
_PAID = pattern(rf"({ONE_SEAT})(?:\s*=\s*|\s+)({AMOUNT_TEXT})(?:\s+|$)")
_COLLECT = pattern(r"c(?:\s*(?=[0-9])(.*)|\s+(.*)|)")
_REVEAL = pattern(r"r\s*(player|banker|p|b)(?:\s*([1-6]))?")
_QUOTED = re.compile(r"""(["'])(.*?)\1(?:\s+|$)""")
_WORD = re.compile(r"(\S+)(?:\s+|$)")
_COUP = pattern(r"[\w-]+(?:/[\w-]+){3}")
_VERB = pattern(r"[a-z][a-z0-9.-]*(?=\s|$)")


def parse(typed: str) -> Act:
    """What a dealer typed. Raises NotUnderstood, in words; then nothing is done."""
    line = typed.strip()
    if not line:
        raise NotUnderstood("", "Nothing was typed. Type ? for help.")
    try:
        act = next((act for form in _FORMS if (act := form(line)) is not None), None)
    except Wrong as why:
        raise NotUnderstood(line, str(why)) from None
    if act is None:
        raise NotUnderstood(line, "it says nothing here. Type ? for help.")
    return act


def readings(typed: str) -> list[Act]:
    """Every form that takes the line: there is never more than one."""
    taken: list[Act | None] = []
    for form in _FORMS:
        with suppress(Wrong):
            taken.append(form(typed.strip()))
    return [act for act in taken if act is not None]


# The forms: each takes its own lines, is None for those of others, or says what is wrong.
def _bets(line: str) -> Act | None:
    return None if line[:1] not in tuple("=0123456789") or _cards(line) else bets_line.read(line)


def _one_key(line: str) -> Act | None:
    return {"u": Undo(), "n": NoMoreBets()}.get(line.lower())


def _cards(line: str) -> Act | None:
    found = _CARDS.fullmatch(line)
    if not found:
        return None
    cards = tuple(card_of(card) for card in CARD.findall(found[1]))
    _require_a_coup_s(len(cards))
    return Cards(cards, settle=bool(found[2]))


def _drawn(line: str) -> Act | None:
    found = _DRAWN.fullmatch(line)
    if not found:
        return None
    count = len(found[1].replace(" ", ""))
    _require_a_coup_s(count)
    return Drawn(count, settle=bool(found[2]))


def _require_a_coup_s(cards: int) -> None:
    if cards > MOST_CARDS:
        wrong(f"that is {cards} cards, and a coup takes {MOST_CARDS} at most.")


def _settle(line: str) -> Act | None:
    found = _SETTLE.fullmatch(line)
    if not found:
        return None
    paid: dict[int, str] = {}
    rest = found[1] or ""
    while rest:
        pair = _PAID.match(rest)
        if not pair:
            wrong(f"{rest} is not what a seat was paid; write it as s 3=195 5=1000.")
        seat = int(pair[1])
        if seat in paid:
            wrong(f"seat {seat} stands in it twice.")
        paid[seat] = amount_of(pair[2])
        rest = rest[pair.end() :]
    return Settle(tuple(paid.items()))


def _collect(line: str) -> Act | None:
    found = _COLLECT.fullmatch(line)
    if not found:
        return None
    rest = found[1] or found[2] or ""
    if not rest:
        return WhoOwes()
    seats, patron, amount = _who(rest)
    if amount and not AMOUNT.fullmatch(amount):
        wrong(f"{amount} is no amount; write who and how much, as in c 3 100.")
    if amount and len(seats) > 1:
        wrong("so much of one seat at a time; or leave the amount out, for all that they owe.")
    return Collect(seats, patron, amount_of(amount) if amount else "")


def _who(rest: str) -> tuple[tuple[int, ...], str, str]:
    """Seats, or else a patron's name, and what stands after them."""
    listed = SEATS.match(rest)
    if listed and (listed.end() == len(rest) or rest[listed.end()].isspace()):
        return seats_of(listed[0]), "", rest[listed.end() :].strip()
    quoted = _QUOTED.match(rest)
    word = _WORD.match(rest)
    assert word is not None, "something stands there"
    name, end = (quoted[2], quoted.end()) if quoted else (word[1], word.end())
    if not name.strip() or (not quoted and (name[0] in "\"'" or name.startswith("--"))):
        wrong(f"{name.strip() or rest} is nobody's name; a name with blanks stands in quotes.")
    return (), name.strip(), rest[end:].strip()


def _reveal(line: str) -> Act | None:
    found = _REVEAL.fullmatch(line)
    if not found:
        return None
    return Reveal(
        "player" if found[1][0] in "pP" else "banker", int(found[2]) if found[2] else None
    )


def _asked(line: str) -> Act | None:
    if line[0] == "?":
        return Help(" ".join(line[1:].split()).lower())
    return Objection(line[1:].strip()) if line[0] == "!" else None


def _worded(line: str) -> Act | None:
    """`void`, `correct`, `waive`, `walked`, `limits`, `misdraw`."""
    verb = _VERB.match(line)
    form = _WORDED.get(verb[0].lower()) if verb else None
    return form(line[verb.end() :].strip()) if verb and form else None


def _void(rest: str) -> Act:
    coup, rest = _coup(rest)
    return Void(_reason(rest, "void a torn card"), coup)


def _correct(rest: str) -> Act:
    example = "correct 3 b 500 a chip fell"
    coup, rest = _coup(rest)
    seat, rest = _next(rest, SEAT)
    spot, rest = _next(rest, SPOT)
    if not seat or not spot:
        wrong(f"say whose wager, where, and why, as in {example}.")
    to, rest = _next(rest, AMOUNT)
    as_spot = ""
    as_word, after = _next(rest, _AS)
    if as_word and not to:
        as_spot, after = _next(after, SPOT)
        rest = after if as_spot else rest
    return Correct(
        int(seat),
        spot_of(spot),
        _reason(rest, example),
        to=amount_of(to) if to else "",
        as_spot=spot_of(as_spot) if as_spot else "",
        coup=coup,
    )


def _waive(rest: str) -> Act:
    seat, patron, amount, reason = _let_go(rest, "waive 3 a good guest")
    return LetGo("waive", reason, seat, patron, amount)


def _walked(rest: str) -> Act:
    seat, patron, amount, reason = _let_go(rest, "walked 3 gone with the chips")
    return LetGo("walked", reason, seat, patron, amount)


def _let_go(rest: str, example: str) -> tuple[int | None, str, str, str]:
    if not rest:
        wrong(f"say who, and why, as in {example}.")
    seats, patron, rest = _who(rest)
    if len(seats) > 1:
        wrong("one seat at a time.")
    amount, rest = _next(rest, AMOUNT)
    reason = _reason(rest, example)
    return seats[0] if seats else None, patron, amount_of(amount) if amount else "", reason


def _limits(rest: str) -> Act | None:
    if "--" in rest:
        return None  # as the command is spoken
    spot, rest = _next(rest, SPOT)
    minimum, rest = _next(rest, AMOUNT)
    maximum, rest = _next(rest, AMOUNT)
    if not minimum or not maximum or rest:
        wrong("write minimum and maximum, as in limits 25 10000 or limits t 5 1k.")
    return Limits(amount_of(minimum), amount_of(maximum), spot_of(spot) if spot else "main")


def _misdraw(rest: str) -> Act:
    card, _, said = rest.partition(" ")
    disposition = said.strip().lower()
    if disposition not in ("", *DISPOSITIONS):
        wrong(f"{said.strip()} is none of {', '.join(DISPOSITIONS)}.")
    return Misdraw(card_of(card), disposition)


def _next(rest: str, wanted: re.Pattern[str]) -> tuple[str, str]:
    """What is wanted, if it is the next word, and the rest; else '' and all of it."""
    word = _WORD.match(rest)
    if not word or not wanted.fullmatch(word[1]):
        return "", rest
    return word[1], rest[word.end() :]


def _coup(rest: str) -> tuple[str, str]:
    return _next(rest, _COUP)


def _reason(rest: str, example: str) -> str:
    quoted = _QUOTED.fullmatch(rest)
    reason = quoted[2].strip() if quoted else rest
    if not reason:
        wrong(f"say why, as in {example}.")
    if not quoted and any(word.startswith("--") for word in reason.split()):
        wrong("leave the options out: a second person is asked for after Enter.")
    return reason


_AS = pattern("as")
_WORDED = {
    "void": _void,
    "correct": _correct,
    "waive": _waive,
    "walked": _walked,
    "limits": _limits,
    "misdraw": _misdraw,
}


def _spoken(line: str) -> Act | None:
    """A command whole: its name in one word or two, and the rest as a shell would split it."""
    first = _VERB.match(line)
    if not first:
        return None
    rest = line[first.end() :].strip()
    name = first[0].lower().replace(".", " ")
    second = _VERB.match(rest)
    if second and f"{name} {second[0].lower()}" in SPOKEN:
        name, rest = f"{name} {second[0].lower()}", rest[second.end() :].strip()
    if name not in SPOKEN or (name == "limits" and "--" not in rest):
        return None
    try:
        said = shlex.split(rest)
    except ValueError:
        wrong("a quote in it is never closed; write a name like O'Hara as \"O'Hara\".")
    if SPOKEN[name] in ("shoe.cut", "shoe.pass") and said and SEAT.fullmatch(said[0]):
        said.insert(0, "--seat")
    return Spoken(SPOKEN[name], tuple(said))


_FORMS = (*(_one_key, _cards, _drawn, _bets, _settle, _collect, _reveal, _asked, _worded, _spoken),)
