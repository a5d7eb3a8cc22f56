"""Complete lines that begin with what is typed so far."""

from collections.abc import Iterable, Iterator

from domain.rules.money import digits
from ops.now.table_now import TableNow
from ops.terminal.dealer.help_topics import TOPICS
from ops.terminal.dealer.phases import deals_generated, phase_of
from ops.typed import bets as bets_line
from ops.typed.acts import key_of
from ops.typed.spoken import OWN_WORDS, SPOKEN
from ops.typed.tokens import SEATS, Wrong, pattern, seats_of
from ops.typed.written import name_text

MOST_COMPLETIONS = 12


def completions(typed: str, now: TableNow | None = None) -> list[str]:
    """Complete lines that begin with what is typed, the likeliest first."""
    begun = typed.lstrip()
    if not begun:
        return _likely(now)
    made = [*_bets(begun, now), *_words(begun, now)]
    fits = [each for each in dict.fromkeys(made) if _continues(begun, each)]
    return fits[:MOST_COMPLETIONS]


def _continues(begun: str, whole: str) -> bool:
    return whole.lower().startswith(begun.lower()) and len(whole) > len(begun)


def _likely(now: TableNow | None) -> list[str]:
    """The lines that are due, before anything is typed."""
    whole = {
        "preparing": ["inspect", "shuffle machine", "cut", "burn"],
        "betting": ["=", "n"],
        "after four": ["n"],
        "dealing": ["d"] if deals_generated(now) else [],
        "turning": [f"r {key_of(hand)}" for hand in now.coup.face_down] if now and now.coup else [],
        "resulted": ["s"],
        "over": ["c", "end"],
        "no shoe": ["load 8"],
    }
    lines = whole.get(phase_of(now), [])
    if phase_of(now) == "preparing" and now and now.due:
        return [each for each in lines if now.due.action.endswith(each.partition(" ")[0])]
    return lines


_GROUP = pattern(rf"(?:.*\s)?(?P<seats>{SEATS.pattern})\s*(?P<spot>[a-z][a-z0-9-]*)?\s*")


def _bets(begun: str, now: TableNow | None) -> Iterator[str]:
    """After a seat its spots, after a spot its amounts."""
    match = _GROUP.fullmatch(begun)
    if now is None or not match or not begun[0].isdigit():
        return
    try:
        if before := begun[: match.start("seats")].strip():
            bets_line.read(before)
        seats = seats_of(match["seats"])
    except Wrong:
        return  # a wrong line has no completion
    key, blank = (match["spot"] or "").lower(), "" if begun[-1].isspace() else " "
    spots = {key_of(spot): spot for spot in now.spots}
    if not key:
        yield from (f"{begun}{blank}{each}" for each in ("=", "-", *spots))
        return
    if key in spots:
        yield from (f"{begun}{blank}{amount}" for amount in _amounts(now, seats, spots[key]))
    if blank:
        yield from (f"{begun}{each[len(key) :]}" for each in spots if each.startswith(key))


def _amounts(now: TableNow, seats: Iterable[int], spot: str) -> list[str]:
    """What the seats bet there last, then the minimum and the maximum."""
    last = [stake for seat in map(now.seat, seats) if seat for on, stake in seat.last if on == spot]
    limit = now.limits.get(spot) or now.limits.get("main") or []
    return [_typed(amount, now.currency) for amount in dict.fromkeys([*last, *limit])]


def _typed(amount: int, currency: str) -> str:
    """Minor units as they are typed: 500, 12.50, 25k."""
    places = digits(currency)
    whole, rest = divmod(amount, 10**places)
    if rest:
        return f"{whole}.{rest:0{places}}"
    return f"{whole // 1000}k" if whole and whole % 1000 == 0 else str(whole)


def _words(begun: str, now: TableNow | None) -> Iterator[str]:
    """Command words, each also with the seats or names that it can be about."""
    word, blank, rest = begun.partition(" ")
    if begun[0] == "?":
        yield from (f"? {topic}" for topic in TOPICS)
    if " " not in rest:
        yield from _arguments(f"{word} ", word.lower(), now)
    words = sorted((*OWN_WORDS, *SPOKEN), key=lambda each: (len(each), each))
    yield from (each for each in words if not blank or " " in each)


def _arguments(head: str, word: str, now: TableNow | None) -> Iterator[str]:
    """A complete line for each seat or name that the command can be about."""
    if now is None:
        return
    seats = now.seats
    if word in ("c", "waive", "walked", "collect"):
        yield from (f"{head}{seat.seat}" for seat in now.owing)
        owing = (*(seat.patron for seat in now.owing), *now.left_owing)
        yield from (f"{head}{name_text(patron)}" for patron in owing)
    elif word in ("leave", "move", "buy-in", "cash-out", "pass", "cut", "correct"):
        yield from (f"{head}{seat.seat}" for seat in seats)
    elif word == "seat" and now.rules:
        taken = {seat.seat for seat in seats}
        yield from (f"{head}{seat}" for seat in now.rules.seats if seat not in taken)
    elif word == "limits":
        yield from (f"{head}{key_of(spot)}" for spot in now.spots)
    elif word == "r" and now.coup:
        yield from (f"{head}{key_of(hand)}" for hand in now.coup.face_down)
