"""The dealer's grammar: a typed line as an act, without knowing any table.

    3 b 500 t 25       seats, then spots and amounts; several groups in a line: 1-4b100 5p1.5k
    =   3 =            everybody as in the last coup; these seats as they bet last; groups follow
    3 -   3 b -   u    takes back: all of a seat, one wager, the last bet entered
    n                  no more bets
    9h   9c5s7cqd s    cards; with s after a blank the last one settles; d, dddd: a shoe's own;
                       10h, ♥10, h10, and commas between them, too
    s   s 3=195        settles; what was paid as the layout saw it
    c   c 3   c 3 100  who owes what; collects all, or so much; by name too
    r p   r p 3        turns a hand, or a card of it
    ?   ? bet   !      help; in training: that is wrong
    seat 1 P-1, 3 P-2  several sit down, all or none
    off                signs off here
    y                  what was asked about is right

and words: `void`, `correct`, `card`, `waive`, `walked`, `limits`, `misdraw`, `late`, and every
command that a dealer may type, in its one-shot form without the table. Capitals and blanks, of
whatever script, do not matter where no two things could be meant; between a spot that ends in a
digit and its amount is a blank.

>>> parse("1-3B1.5k 5 t 25").words
'1-3 b 1500 5 t 25'
>>> parse("9c10hqd S")
Cards(cards=('9C', 'TH', 'QD'), settle=True)
>>> parse("3 x 500")
Traceback (most recent call last):
    ...
ops.typed.acts.NotUnderstood: `3 x 500`: `x` is not a spot. Spots are `p b t dp db pp pb d7 p8 l6 \
ts tb tg tt`.
"""

import difflib
import shlex
from collections.abc import Mapping, Sequence

from domain.rules.wording import N_, Words
from ops.commands.command import free_text_of
from ops.commands.vocabulary import COMMANDS
from ops.typed import bets as bets_line
from ops.typed import words as words_line
from ops.typed.acts import (
    Act,
    Bets,
    Cards,
    Collect,
    Drawn,
    Help,
    NoMoreBets,
    NotUnderstood,
    Objection,
    Reveal,
    Settle,
    SignOff,
    Spoken,
    Undo,
    WhatTray,
    WhoOwes,
    Yes,
)
from ops.typed.spoken import FOR_A_SHELL, OWN_WORDS, SPOKEN
from ops.typed.tokens import (
    AMOUNT,
    AMOUNT_TEXT,
    CARDS_TEXT,
    NO_AMOUNT,
    ONE_SEAT,
    SEAT,
    SEAT_TWICE,
    VERB,
    Wrong,
    amount_of,
    cards_of,
    next_word,
    one_line,
    pattern,
    spot_text,
    who_of,
    wrong,
)
from ops.typed.written import name_text

__all__ = [
    "Act",
    "Bets",
    "NotUnderstood",
    "is_whole",
    "parse",
]

MOST_CARDS = 6  # of a coup
_NO_SEAT = pattern(r"(?![0-9]{1,3}$)[a-z0-9-]+")  # the table's own name, as at a shell
_COMMA = pattern(r""""[^"]*"|'[^']*'|(?P<comma>\s*,)(?=\s*[0-9]{1,3}\s)""")
_CARDS = pattern(rf"({CARDS_TEXT})(\s+s)?")
_COLLECTED_OR_PAID = pattern(r"[cs]\s*[0-9]+(\s+s)?")  # `c9`, `s10`: seats, and no cards
_DRAWN = pattern(r"(d(?:\s*d)*)(\s+s)?")
_SETTLE = pattern(r"s(?:\s*(?=[0-9])(.*)|)")
_PAID = pattern(rf"({ONE_SEAT})(?:\s*=\s*|\s+)({AMOUNT_TEXT})(?:\s+|$)")
_COLLECT = pattern(r"c(?:\s*(?=[0-9])(.*)|\s+(.*)|)")
_REVEAL = pattern(r"r\s*(player|banker|p|b)(?:\s*([1-6]))?")
_SEAT_LAST = pattern(rf"({spot_text().pattern})\s*({ONE_SEAT})\s+({AMOUNT_TEXT})")
_QUOTED_OR_WORD = pattern(r"""(?:(["'])(.*?)\1|(\S+))(?=\s|$)""")
_REVEAL_BEGUN = pattern(r"r(?:\s.*)?")


def parse(typed: str) -> Act:
    """The act that a line asks for. Raises NotUnderstood."""
    line = one_line(typed)
    if not line:
        raise NotUnderstood("", Words("Nothing was typed. Type `?` for help."))
    try:
        act = next((act for form in FORMS if (act := form(line)) is not None), None)
    except Wrong as why:
        raise NotUnderstood(line, why.words) from None
    if act is None:
        raise NotUnderstood(line, _no_line(line))
    return act


def _no_line(line: str) -> Words:
    """Why it is no line of a terminal, and what may have been meant."""
    if seat_last := _SEAT_LAST.fullmatch(line):
        spot, seat, amount = seat_last.groups()
        return Words("Type the seat first: `{line}`.", line=f"{seat} {spot.lower()} {amount}")
    word = line.split(maxsplit=1)[0].lower()
    if word in FOR_A_SHELL:
        return Words("Type `sabot {word}` at a shell, not here.", word=word)
    if near := difflib.get_close_matches(word, (*OWN_WORDS, *SPOKEN), n=1, cutoff=0.7):
        return Words("`{word}` is no command here. Did you mean `{near}`?", word=word, near=near[0])
    return Words("This is not a line of this terminal. Type `?` for help.")


def is_whole(typed: str) -> bool:
    """Whether it is a complete line; it may go on all the same."""
    try:
        parse(typed)
    except NotUnderstood:
        return False
    return True


_KEYS: Mapping[str, Act] = {
    "u": Undo(),
    "n": NoMoreBets(),
    "off": SignOff(),
    "y": Yes(),
    "yes": Yes(),
    "tray": WhatTray(),
}


# The forms: each reads its own lines, returns None for those of others, and raises Wrong.
def _bets(line: str) -> Act | None:
    return None if line[:1] not in tuple("=0123456789") or _cards(line) else bets_line.read(line)


def _one_key(line: str) -> Act | None:
    return _KEYS.get(line.lower())


def _cards(line: str) -> Act | None:
    match = _CARDS.fullmatch(line)
    if not match or _COLLECTED_OR_PAID.fullmatch(line):
        return None
    cards = cards_of(match[1])
    _require_a_coup_s(len(cards))
    return Cards(cards, settle=bool(match[2]))


def _drawn(line: str) -> Act | None:
    match = _DRAWN.fullmatch(line)
    if not match:
        return None
    count = len(match[1].replace(" ", ""))
    _require_a_coup_s(count)
    return Drawn(count, settle=bool(match[2]))


def _require_a_coup_s(cards: int) -> None:
    if cards > MOST_CARDS:
        wrong(
            N_("These are {cards} cards, and a coup has at most {most}."),
            cards=cards,
            most=MOST_CARDS,
        )


def _settle(line: str) -> Act | None:
    match = _SETTLE.fullmatch(line)
    if not match:
        return None
    paid: dict[int, str] = {}
    rest = match[1] or ""
    while rest:
        pair = _PAID.match(rest)
        if not pair:
            wrong(
                N_("`{rest}` is not a seat and an amount. Type what was paid as `s 3=195 5=1000`."),
                rest=rest,
            )
        seat = int(pair[1])
        if seat in paid:
            wrong(SEAT_TWICE, seat=seat)
        paid[seat] = amount_of(pair[2])
        rest = rest[pair.end() :]
    return Settle(tuple(paid.items()))


def _collect(line: str) -> Act | None:
    match = _COLLECT.fullmatch(line)
    if not match:
        return None
    rest = match[1] or match[2] or ""
    if not rest:
        return WhoOwes()
    seats, patron, amount = who_of(rest)
    if amount and not AMOUNT.fullmatch(amount):
        if seats:
            wrong(NO_AMOUNT, word=amount)
        wrong(
            N_(
                "`{word}` is not an amount. Put a name with a blank in quotes: `c 'Mr. Jones' 100`."
            ),
            word=amount,
        )
    if amount and len(seats) > 1:
        wrong(N_("Type an amount for one seat only. Without an amount each seat pays all it owes."))
    return Collect(seats, patron, amount_of(amount) if amount else "")


def _reveal(line: str) -> Act | None:
    match = _REVEAL.fullmatch(line)
    if not match:
        if _REVEAL_BEGUN.fullmatch(line):
            wrong(N_("Type which hand is turned: `r p` Player, `r b` Banker, `r b 4` its card 4."))
        return None
    return Reveal(
        "player" if match[1][0] in "pP" else "banker", int(match[2]) if match[2] else None
    )


def _asked(line: str) -> Act | None:
    if line[0] == "?":
        return Help(" ".join(line[1:].split()).lower())
    return Objection(line[1:].strip()) if line[0] == "!" else None


def _spoken(line: str) -> Act | None:
    """A whole command: its name in one word or two, then the rest, split as by a shell."""
    first = VERB.match(line)
    if not first:
        return None
    rest = line[first.end() :].strip()
    name = first[0].lower().replace(".", " ")
    second = VERB.match(rest)
    if second and f"{name} {second[0].lower()}" in SPOKEN:
        name, rest = f"{name} {second[0].lower()}", rest[second.end() :].strip()
    if name not in SPOKEN or (name == "limits" and "--" not in rest):
        return None
    if SPOKEN[name] == "table.seat" and len(parts := _between_commas(rest)) > 1:
        return _seated(parts)
    arguments = _words(SPOKEN[name], rest)
    if SPOKEN[name] in ("shoe.cut", "shoe.pass") and arguments and SEAT.fullmatch(arguments[0]):
        arguments.insert(0, "--seat")
    return Spoken(SPOKEN[name], tuple(arguments))


def _seated(parts: Sequence[str]) -> Act:
    """Several who sit down: seat and name each, options behind the last. Raises Wrong."""
    table, first = next_word(parts[0].strip(), _NO_SEAT)
    words: list[str] = []
    options: list[str] = []
    for part in (first, *parts[1:]):
        typed = _words("table.seats", part)
        ends = next((n for n, word in enumerate(typed) if word.startswith("--")), len(typed))
        if ends > 2:
            name = name_text(" ".join(typed[1:ends]))
            wrong(
                N_("Put a name with a blank in quotes: `seat {seat} {name}`."),
                seat=typed[0],
                name=name,
            )
        if ends < 2 or not SEAT.fullmatch(typed[0]):
            wrong(N_("Type seat and name, with a comma before the next: `seat 1 P-1, 3 P-2`."))
        words += typed[:ends]
        options += typed[ends:]
    return Spoken("table.seats", (*filter(None, [table]), *words, *options))


def _between_commas(rest: str) -> list[str]:
    """The parts between commas that a seat follows; a comma in quotes is part of a name."""
    commas = [match for match in _COMMA.finditer(rest) if match["comma"]]
    begins = [0, *(match.end() for match in commas)]
    ends = [*(match.start() for match in commas), len(rest)]
    return [rest[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _words(name: str, rest: str) -> list[str]:
    """The words of a command, split as by a shell; one's own words at the end need no quotes.

    Those may have an apostrophe: only a quote before a word opens one.
    """
    if free_text_of(COMMANDS[name]) or name == "shoe.end":
        return [match[2] if match[1] else match[3] for match in _QUOTED_OR_WORD.finditer(rest)]
    try:
        return shlex.split(rest)
    except ValueError:
        wrong(N_("A quote is not closed. Type a name like O'Hara as `\"O'Hara\"`."))


FORMS = (
    _one_key,
    _cards,
    _drawn,
    _bets,
    _settle,
    _collect,
    _reveal,
    _asked,
    words_line.read,
    _spoken,
)
