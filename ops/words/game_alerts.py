"""The words for alerts of cards and bets that were refused, and of a table's pace."""

from collections.abc import Iterator, Sequence

from domain.rules.cards import symbol
from domain.rules.wording import Amount, Number, Words, counted
from ops.words.event_values import Detail
from ops.words.language import _, shown
from ops.words.terms import spot_called


def late_words(detail: Detail, currency: str, many: int) -> str:
    """The sentence for late bets or withdrawals that were refused, and for their chips."""
    fields = {
        "seat": detail["seat"],
        "patron": detail["patron"],
        "wager": _wager(detail, currency),
    }
    if detail["act"] == "bet":
        words = counted(
            many,
            "Late bet REFUSED: seat {seat} {patron}, {wager}. The chips go back.",
            "{n} late bets REFUSED, the newest: seat {seat} {patron}, {wager}. The chips go back.",
            **fields,
        )
    else:
        words = counted(
            many,
            "Late withdrawal REFUSED: seat {seat} {patron}, {wager}. "
            "The wager stays until the coup is settled.",
            "{n} late withdrawals REFUSED, the newest: seat {seat} {patron}, {wager}. "
            "The wager stays until the coup is settled.",
            **fields,
        )
    return shown(words)


def undue_words(details: Sequence[Detail], *, unsettled: bool, in_play: bool) -> Iterator[str]:
    """The sentences for cards that were refused, and for what to do while the coup is in play."""
    too_many = [each for each in details if each["why"] == "all-out"]
    undue = [each for each in details if each not in too_many]
    if undue:
        yield from _not_due_words(undue, unsettled=unsettled, in_play=in_play)
    if too_many:
        yield shown(
            counted(
                len(too_many),
                "{card} REFUSED: all of them were out of the shoe.",
                "{n} cards REFUSED: all of their kind were out of the shoe.",
                card=symbol(too_many[0]["card"]),
            )
        )
    if too_many and in_play:
        yield _("If the card is there, call the supervisor: `shoe discard`, as foreign")


def _not_due_words(details: Sequence[Detail], *, unsettled: bool, in_play: bool) -> Iterator[str]:
    reasons = {each["why"] for each in details}
    why = Words("no card was due")
    if reasons == {"no-coup-open"}:
        why = Words("no coup was open")
    elif reasons == {"coup-complete"}:
        why = Words("the coup is not settled") if unsettled else Words("the coup had all its cards")
    many = len(details)
    yield shown(
        counted(
            many,
            "{card} REFUSED: {why}.",
            "{n} cards REFUSED: {why}.",
            card=symbol(details[0]["card"]),
            why=why,
        )
    )
    if in_play:
        yield shown(
            counted(
                many,
                "Put it aside and call the supervisor: `shoe misdraw`",
                "Put them aside and call the supervisor: `shoe misdraw`",
            )
        )


def pace_words(detail: Detail, _currency: str) -> Iterator[str]:
    """The sentence for a table that is slower or faster than its rules want."""
    coups = Number(detail["hands_per_hour"])
    if detail["hands_per_hour"] < detail["slowest"]:
        wanted = Number(detail["slowest"])
        yield _("{n} coups in the last hour; at least {wanted} are wanted.", n=coups, wanted=wanted)
    else:
        wanted = Number(detail["fastest"])
        yield _("{n} coups in the last hour; at most {wanted} are wanted.", n=coups, wanted=wanted)


def _wager(detail: Detail, currency: str) -> Words | str:
    """A spot with its stake; the first version of the event has no amount."""
    spot = detail["spot"]
    label = spot_called(spot)
    if not detail["amount"]:
        return label
    return Words("{spot} {amount}", spot=label, amount=Amount(detail["amount"], currency))
