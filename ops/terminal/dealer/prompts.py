"""What a dealer may type here: one line of hints, help by phase or by topic, whole lines to take.

Pure. A phase is what the table must do next, as the ledger's own rules say it (`TableNow.due`).
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from domain.rules.money import digits
from domain.rules.rulebook import RULEBOOK, nearest
from domain.rules.spots import SPOT
from ops.typed import bets as bets_line
from ops.typed.acts import KEY_OF
from ops.typed.grammar import is_whole
from ops.typed.spoken import OWN_WORDS, SPOKEN
from ops.typed.tokens import SEATS, Wrong, pattern, seats_of
from ops.typed.written import name_text
from ops.words.rule import details, families

__all__ = ["completions", "help_lines", "hint", "is_whole"]

if TYPE_CHECKING:
    from ops.terminal.dealer.table_now import TableNow

Lines = list[tuple[str, str]]
MOST_COMPLETIONS = 12
FIRST_RULES = "dragon-bonus@1"  # of a table that was never opened, until somebody says another
OPENER = "--opener 100=200"
RULES_ARE = "Others: `sabot rules list`."
LONGEST_TOPIC = 16  # of one that there is not, as it is shown

# By what is due (domain.aggregates.due), which part of the game one is in.
_PHASES = {
    None: "closed",
    "shoe.load": "no shoe",
    "shoe.inspect": "preparing",
    "shoe.shuffle": "preparing",
    "shoe.cut": "preparing",
    "shoe.burn": "preparing",
    "bet": "betting",
    "open": "betting",
    "no-more-bets": "betting",
    "draw": "dealing",
    "reveal": "turning",
    "settle": "resulted",
    "void": "to void",
    "commission.collect": "over",
    "shoe.end": "over",
    "dispute.decide": "held",
}
_HINTS = {
    "no shoe": "load 8 --serials K-1  seat 3 NAME  leave 3  c 3 collect  ? help",
    "betting": "3 b 500  = as last  3 - back  u last one back  n no more bets  ? help",
    "dealing": "9h a card  9c5s7cqd several  … s and settle  misdraw 9h  ? help",
    "turning": "r p the Player hand  r b the Banker hand  s turns the rest, settles  ? help",
    "resulted": "s settle  s 3=195 seat 3 was paid so  void REASON  ? help",
    "to void": "void REASON, with a supervisor  ? help",
    "over": "c who owes  c 3 collect  waive 3 REASON  end  ? help",
    "held": "dispute decide CASE stand REASON  dispute release CASE  ? help",
}
# In training all that is typed but `!` says that what was told is right.
_IN_TRAINING = {
    "closed": "F10 leaves",
    "betting": "3 b 500  3 - back  n no more bets  leave 3  ! that is wrong  ? help",
    "dealing": "9h a card  9c5s7cqd several  ! that is wrong  ? help",
    "turning": "r p  r b  s turns the rest, settles  ! that is wrong  ? help",
    "resulted": "s settles  ! that is wrong  ? help",
    "over": "c who owes  c 3 collect  ? help",
}
_GENERATED = "d the next card  dddd several  dddd s and settle  ? help"

_SPOT_LINES: Lines = [
    (" ".join(spot.key for spot in some), ", ".join(spot.label for spot in some))
    for n in range(0, len(SPOT), 5)
    for some in [list(SPOT.values())[n : n + 5]]
]
_BET: Lines = [
    ("3 b 500 t 25", "seat 3 has 500 on Banker and 25 on Tie"),
    ("1-4b100 5p1.5k", "several seats in one line; k is thousand, m million"),
    ("=", "everybody as in the last coup; 3 = seat 3 as it bet last"),
    ("= 3b1k", "the same, but seat 3 has 1,000 on Banker and nothing else"),
    *_SPOT_LINES,
    ("open", "opens the next coup, before the first wager"),
]
_BACK: Lines = [
    ("3 -", "all that seat 3 has goes back"),
    ("3 b -", "what it has on Banker"),
    ("u", "the wager that was put down last"),
]
_CARD: Lines = [
    ("9h", "a card; ten is th or 10h"),
    ("9c5s7cqd", "several, in the order dealt"),
    ("9c5s7cqd s", "and settle after the last"),
    ("d", "the next card of a generated shoe; dddd several"),
    ("r p", "turn the Player's hand; r b 4 card 4 of the Banker's"),
    ("misdraw 9h", "a card that came when none was due"),
    ("move-card 4 banker", "card 4 lay on the wrong hand; now it is Banker's"),
    ("? mistake", "a card was typed wrong: it cannot be taken back"),
]
_TURN: Lines = [
    ("r p", "turns the Player's hand; r b the Banker's, r b 4 its card 4"),
    ("s", "turns what lies face down, and settles; a third card turns it too"),
    ("9h", "typed once it is turned, or left to the reading shoe"),
]
_SETTLE: Lines = [
    ("s", "every wager is paid or taken"),
    ("s 3=195 5=1000", "seats 3 and 5 were paid so; all others what is owed"),
]
_COMMISSION: Lines = [
    ("c", "who owes what"),
    ("c 3", "seat 3 pays all it owes; c 1,3,5 each of them"),
    ("c 3 100", "seat 3 pays 100 of it; c grey-jacket 100 by name"),
    ("waive 3 REASON", "nobody asks for it any more; waive 3 100 REASON a part"),
    ("walked 3 REASON", "the patron is gone with it"),
    ("timing 3 as-it-wins", "taken of each payout from now on; timing 3 deferred: owed"),
]
_RIGHT: Lines = [
    ("void REASON", "the coup in play, or the last: all wagers go back"),
    ("correct 3 b 500 REASON", "that wager is paid 500 in all, stake included"),
    ("correct 3 b REASON", "it is paid what the cards say"),
    ("correct 3 b as p REASON", "it is paid as what lay on Player"),
    ("!", "in training: what was told is wrong"),
]
_MISTAKE: Lines = [
    ("void REASON", "a card typed wrong: all wagers go back, two people"),
    ("move-card 4 banker", "card 4 lay on the wrong hand, and none came since"),
    ("misdraw 9h", "a card came when none was due"),
    ("3 b 500", "another amount, while bets are open; 3 - takes back"),
    ("correct 3 b 500 REASON", "a wager was paid wrong: 500 in all is right"),
    ("correct 3 b as p REASON", "it lay on Player; its commission follows"),
    ("waive 3 100 REASON", "commission that is not asked for, two people"),
]
_CASE: Lines = [
    ("dispute open P-3 'REASON'", "a patron says the coup was paid wrongly"),
    ("dispute hold CASE", "no further coup until it is decided"),
    ("dispute decide CASE stand REASON", "two people decide it; or correct, or void"),
    ("dispute release CASE", "the table deals again, whatever is decided"),
    ("dispute tell CASE", "the patron was told; notify: the regulator"),
    ("dispute close CASE", "nothing more is to be done about it"),
]
_SLIP: Lines = [
    ("request fill --chips 100=20", "with a supervisor; request credit: to the cage"),
    ("slip issue SLIP", "the cage issues it; slip carry: security has it"),
    ("slip receive SLIP", "it is here, counted by two; slip void cancels it"),
    ("fill --chips 100=20 …", "all at once, by the runner's PIN; credit: back"),
]
_SHOE: Lines = [
    ("load 8 --serials K-1", "decks come to the table"),
    ("inspect", "they were found whole"),
    ("shuffle machine --device SH-2", "or hand, pre-shuffled, generated"),
    ("cut 3", "seat 3 cuts; cut alone: the dealer"),
    ("burn 3d", "the first card is shown and burned"),
    ("cut-card", "the cut card shows"),
    ("end", "no more coups; before the cut card end REASON"),
    ("reconcile 30", "so many were left; discard 9h damaged: unused"),
    ("pass --seat 3", "seat 3 deals from it; pass alone: the dealer"),
]
_SEAT: Lines = [
    ("seat 3 P-10417", "a patron takes seat 3; quotes round a name with blanks"),
    ("seat 1 P-1, 3 P-2", "several sit down, all or none"),
    ("leave 3", "the patron of seat 3 leaves, owing nothing"),
    ("move 3 5", "from seat 3 to seat 5; what is owed goes along"),
    ("buy-in 3 500", "cash for chips; cash-out 3 500 the other way"),
]
_TABLE: Lines = [
    ("table open RULES --opener 100=200", "opens it; RULES: `sabot rules list`"),
    ("limits b 25 10000", "of a spot; limits 25 10000 of the main ones"),
    ("dealer D-205", "another dealer; supervisor S-12"),
    ("close --closer 100=199", "closes the table, its tray counted"),
    ("roll-over --closer 100=199", "closes it, and opens the next gaming day"),
    ("drop 4000", "the box was counted"),
    ("look", "with --plain: the whole table, line by line"),
]
_PEOPLE: Lines = [
    ("off", "whoever is signed on here signs off, and the next one signs on"),
    ("dealer D-205", "who deals here from the next coup on; supervisor S-12"),
    ("void REASON", "takes two: the second types number and PIN here when asked"),
]
TOPICS: dict[str, Lines] = {
    "bet": _BET,
    "back": _BACK,
    "card": _CARD,
    "turn": _TURN,
    "settle": _SETTLE,
    "commission": _COMMISSION,
    "void": _RIGHT,
    "mistake": _MISTAKE,
    "case": _CASE,
    "slip": _SLIP,
    "shoe": _SHOE,
    "seat": _SEAT,
    "table": _TABLE,
    "people": _PEOPLE,
}
RULES_BY_NUMBER = ("? R-BET-1", "a rule by its number; ? rules shows which there are")
_MEANT = {"wrong": "mistake", "undo": "mistake"}  # other words for a topic
_JUDGING: Lines = [
    ("!", "what was told last is wrong: a wager, the call, a payment"),
    ("n, 9h, s", "whoever goes on says that it is right, and is told if it was not"),
]
_CLOSE_BETS = [("n", "no more bets; the first card says so by itself")]
_HELP: dict[str, Lines] = {
    "no shoe": [_SHOE[0], *_SEAT[:2], _COMMISSION[1], _TABLE[3]],
    "betting": [*_BET[:3], *_BACK[::2], *_CLOSE_BETS],
    "dealing": [*_CARD[:3], *_CARD[4:]],
    "turning": [*_TURN, *_CARD[:1], _RIGHT[0]],
    "resulted": [*_SETTLE, _CARD[4], _RIGHT[0]],
    "to void": [_RIGHT[0]],
    "over": [*_COMMISSION[:2], _COMMISSION[3], _SHOE[6]],
    "held": _CASE[2:4],
}


def phase_of(now: "TableNow | None") -> str:
    """Which part of the game the table is in; a closed one has nothing due."""
    if now is None or now.due is None:
        return "closed"
    return _PHASES.get(now.due.action, "betting")


def hint(now: "TableNow | None") -> str:
    """One line of what one would type now, at most 78 cells."""
    phase = phase_of(now)
    if now and now.asked and phase in _IN_TRAINING:
        return _IN_TRAINING[phase]
    if phase == "closed":
        return f"{opening_line(now)}  rules: sabot rules list  ? help"
    if phase == "preparing":
        return "  ".join([*(keys for keys, _ in _still(now)), "? help"])
    if _to_reconcile(now) and phase == "no shoe":
        return f"reconcile 30  {_HINTS[phase]}"
    return _GENERATED if phase == "dealing" and _generated(now) else _HINTS[phase]


def opening_line(now: "TableNow | None") -> str:
    """What opens the table, by the rule set that it had last."""
    rules = now.rules.name if now and now.rules else FIRST_RULES
    return f"table open {rules} {OPENER}"


def help_lines(now: "TableNow | None", topic: str = "") -> Lines:
    """What to type and what it does: of a topic, else what one would do here first.

    A word that is no topic is refused with the topics; a rule's number shows the rule.
    """
    word = topic.strip().lower()
    if word:
        return _about(word)
    phase = phase_of(now)
    own = {"closed": _closed, "preparing": _still}.get(phase)
    lines = own(now) if own else _HELP[phase]
    if _to_reconcile(now) and phase == "no shoe":
        lines = [_SHOE[7], *lines]
    if phase == "dealing" and _generated(now):
        lines = [_CARD[3], ("dddd s", "four of them, and settle after the last"), *_CARD[4:5]]
    judging = _JUDGING if now and now.asked else []
    return [*judging, *lines, ("? topics", "what else may be asked about")]


def _still(now: "TableNow | None") -> Lines:
    """What is to be done with the shoe, from the step that is due."""
    due = now.due.action if now and now.due else ""
    steps = _SHOE[1:5]
    first = next((n for n, (keys, _) in enumerate(steps) if due == f"shoe.{keys.split()[0]}"), 0)
    return steps[first:]


def _to_reconcile(now: "TableNow | None") -> bool:
    """Whether the last shoe has ended, and nobody counted what is left of it."""
    return bool(now and now.shoe and now.shoe.step == "ended")


def _closed(now: "TableNow | None") -> Lines:
    return [
        (opening_line(now), "an --opener for each kind of chip"),
        ("table open RULES", "another: `sabot rules list`"),
        ("table drop 4000", "the box was counted"),
    ]


def _about(word: str) -> Lines:
    one = word.removesuffix("s")
    known = TOPICS.get(_MEANT.get(one, one)) or TOPICS.get(word)
    if known:
        return known
    if one == "rule" or word.startswith("r-"):
        return _about_rule(word)
    topics = [*((f"? {each}", _first_of(each)) for each in TOPICS), RULES_BY_NUMBER]
    if one == "topic":
        return topics
    return [(f"? {_shown(word)}", "is no topic; these are:"), *topics]


def _about_rule(word: str) -> Lines:
    """A rule of record by its number; of a number that there is not, the nearest; else all."""
    if rule := RULEBOOK.get(word.upper()):
        (number, sentence), *others = details(rule)
        return [(f"? {number}", sentence), *others]
    if not word.startswith("r-"):
        return [*families(), RULES_BY_NUMBER]
    near = [(f"? {each}", RULEBOOK[each].sentence) for each in nearest(word)]
    return [(f"? {_shown(word)}", "is no rule; the nearest are:"), *near]


def _shown(word: str) -> str:
    return word if len(word) <= LONGEST_TOPIC else f"{word[: LONGEST_TOPIC - 1]}…"


def _first_of(topic: str) -> str:
    return ", ".join(keys for keys, _ in TOPICS[topic][:3])


def _generated(now: "TableNow | None") -> bool:
    return bool(now and now.shoe and now.shoe.generated)


def completions(typed: str, now: "TableNow | None" = None) -> list[str]:
    """Whole lines that the typed one could become, the shortest and likeliest first."""
    begun = typed.lstrip()
    if not begun:
        return _likely(now)
    made = [*_bets(begun, now), *_words(begun, now)]
    fits = [each for each in dict.fromkeys(made) if _continues(begun, each)]
    return fits[:MOST_COMPLETIONS]


def _continues(begun: str, whole: str) -> bool:
    return whole.lower().startswith(begun.lower()) and len(whole) > len(begun)


def _likely(now: "TableNow | None") -> list[str]:
    """Before anything is typed: the one thing that is due, where it can be said whole."""
    whole = {
        "preparing": ["inspect", "shuffle machine", "cut", "burn"],
        "betting": ["=", "n"],
        "dealing": ["d"] if _generated(now) else [],
        "turning": [f"r {KEY_OF[hand]}" for hand in now.coup.face_down] if now and now.coup else [],
        "resulted": ["s"],
        "over": ["c", "end"],
        "no shoe": ["load 8"],
    }
    lines = whole.get(phase_of(now), [])
    if phase_of(now) == "preparing" and now and now.due:
        return [each for each in lines if now.due.action.endswith(each.partition(" ")[0])]
    return lines


_GROUP = pattern(rf"(?:.*\s)?(?P<seats>{SEATS.pattern})\s*(?P<spot>[a-z][a-z0-9-]*)?\s*")


def _bets(begun: str, now: "TableNow | None") -> Iterator[str]:
    """After a seat list its spots, after a spot what may lie there."""
    found = _GROUP.fullmatch(begun)
    if now is None or not found or not begun[0].isdigit():
        return
    try:
        if before := begun[: found.start("seats")].strip():
            bets_line.read(before)
        seats = seats_of(found["seats"])
    except Wrong:
        return  # nothing goes on from what is wrong
    key, blank = (found["spot"] or "").lower(), "" if begun[-1].isspace() else " "
    spots = {KEY_OF[spot]: spot for spot in now.spots}
    if not key:
        yield from (f"{begun}{blank}{each}" for each in ("=", "-", *spots))
        return
    if key in spots:
        yield from (f"{begun}{blank}{amount}" for amount in _amounts(now, seats, spots[key]))
    if blank:
        yield from (f"{begun}{each[len(key) :]}" for each in spots if each.startswith(key))


def _amounts(now: "TableNow", seats: Iterable[int], spot: str) -> list[str]:
    """What the seats had there before, then the least and the most that may lie there."""
    last = [stake for seat in map(now.seat, seats) if seat for on, stake in seat.last if on == spot]
    limit = now.limits.get(spot) or now.limits.get("main") or []
    return [_typed(amount, now.currency) for amount in dict.fromkeys([*last, *limit])]


def _typed(amount: int, currency: str) -> str:
    """Minor units as one would type them: 500, 12.50, 25k."""
    places = digits(currency)
    whole, rest = divmod(amount, 10**places)
    if rest:
        return f"{whole}.{rest:0{places}}"
    return f"{whole // 1000}k" if whole and whole % 1000 == 0 else str(whole)


def _words(begun: str, now: "TableNow | None") -> Iterator[str]:
    """Command words, then who is at the table, or owes something."""
    word, blank, rest = begun.partition(" ")
    if begun[0] == "?":
        yield from (f"? {topic}" for topic in TOPICS)
    if " " not in rest:
        yield from _arguments(f"{word} ", word.lower(), now)
    words = sorted((*OWN_WORDS, *SPOKEN), key=lambda each: (len(each), each))
    yield from (each for each in words if not blank or " " in each)


def _arguments(head: str, word: str, now: "TableNow | None") -> Iterator[str]:
    """A whole line for everybody of whom the command may be."""
    if now is None:
        return
    seats = now.seats
    if word in ("c", "waive", "walked", "collect"):
        yield from (f"{head}{seat.seat}" for seat in now.owing)
        yield from (f"{head}{name_text(seat.patron)}" for seat in now.owing)
    elif word in ("leave", "move", "buy-in", "cash-out", "pass", "cut", "correct"):
        yield from (f"{head}{seat.seat}" for seat in seats)
    elif word == "seat" and now.rules:
        taken = {seat.seat for seat in seats}
        yield from (f"{head}{seat}" for seat in now.rules.seats if seat not in taken)
    elif word == "limits":
        yield from (f"{head}{KEY_OF[spot]}" for spot in now.spots)
    elif word == "r" and now.coup:
        yield from (f"{head}{KEY_OF[hand]}" for hand in now.coup.face_down)
