"""What a dealer can type now: a line of hints, help by phase or by topic, and completions.

Pure. Here is what depends on the phase of the game.
"""

from domain.rules.wording import Words
from ops.now.table_now import TableNow
from ops.terminal.dealer.completions import completions
from ops.terminal.dealer.help_topics import CARD, JUDGING, SHOE, USUAL, Lines, about
from ops.terminal.dealer.phases import deals_generated, phase_of
from ops.typed.grammar import is_whole
from ops.words.language import N_, _, shown
from ops.words.show import plain

__all__ = ["completions", "help_lines", "hint", "is_whole"]

FIRST_RULES = "dragon-bonus@1"  # suggested for a table that was never opened
OPENER = "--opener 100=200"
RULES_ARE = N_("For other rule sets see `sabot rules list`.")

# What is typed is in backticks, which the screen leaves out.
_HINTS = {
    "no shoe": N_("`load 8 --serials K-1`  `seat 3 NAME`  `leave 3`  `c 3` collect  `?` help"),
    "betting": N_(
        "`3 b 500`  `=` same as last  `3 -` take back  `u` undo  `n` no more bets  `?` help"
    ),
    "after four": N_("seat, spot, amount  `3 -` take back  `u` undo  `n` no more bets  `?` help"),
    "dealing": N_("`9h` a card  `9c5s7cqd` several  `9h s` and settle  `misdraw 9h`  `?` help"),
    "turning": N_("`r p` Player hand  `r b` Banker hand  `s` turns the rest, settles  `?` help"),
    "resulted": N_("`s` settle  `s 3=195` seat 3 was paid 195  `void REASON`  `?` help"),
    "to void": N_("`void REASON`, with a supervisor  `?` help"),
    "over": N_("`c` who owes  `c 3` collect  `waive 3 REASON`  `end`  `?` help"),
    "held": N_("`dispute decide CASE stand REASON`  `dispute release CASE`  `?` help"),
    "locked up": N_("`unlock return REASON`  `unlock settle REASON`  `?` help"),
}
# In training every line but `!` says that what the caller said is right.
_IN_TRAINING = {
    "closed": N_("F10 leaves"),
    "betting": N_(
        "`3 b 500`  `3 -` back  `n` no more bets  `leave 3`  `!` that is wrong  `?` help"
    ),
    "dealing": N_("`9h` a card  `9c5s7cqd` several  `!` that is wrong  `?` help"),
    "turning": N_("`r p`  `r b`  `s` turns the rest, settles  `!` that is wrong  `?` help"),
    "resulted": N_("`s` settles  `!` that is wrong  `?` help"),
    "over": N_("`c` who owes  `c 3` collect  `?` help"),
}
_GENERATED = N_("`d` the next card  `dddd` several  `dddd s` and settle  `?` help")
_OPEN_HINT = N_("{line}  rules: `sabot rules list`  `?` help")
_PREPARING_HINT = N_("{lines}  `?` help")
HINTS = (*_HINTS.values(), *_IN_TRAINING.values(), _GENERATED, _OPEN_HINT, _PREPARING_HINT)


def hint(now: TableNow | None) -> str:
    """One line with what can be typed now, at most 78 cells in English."""
    return plain(_hint(now))


def _hint(now: TableNow | None) -> str:
    phase = phase_of(now)
    if now and now.asked and phase in _IN_TRAINING:
        return _(_IN_TRAINING[phase])
    if phase == "closed":
        return _(_OPEN_HINT, line=opening_line(now))
    if phase == "preparing":
        return _(_PREPARING_HINT, lines="  ".join(keys for keys, __ in _still(now)))
    if _to_reconcile(now) and phase == "no shoe":
        return f"reconcile 30  {_(_HINTS[phase])}"
    return _(_GENERATED if phase == "dealing" and deals_generated(now) else _HINTS[phase])


def opening_line(now: TableNow | None) -> str:
    """The line that opens the table with the rule set that it had last."""
    rules = now.rules.name if now and now.rules else FIRST_RULES
    return f"table open {rules} {OPENER}"


def help_lines(now: TableNow | None, topic: str = "") -> Lines:
    """What to type and what it does: about a topic or a rule, else what is usual now.

    A word that is no topic gets the list of topics.
    """
    word = topic.strip().lower()
    return [(keys, _text(words)) for keys, words in (about(word) if word else _first(now))]


def _text(words: str) -> str:
    """A line of help in the reader's language; what is typed is in backticks."""
    return shown(words) if isinstance(words, Words) else _(words)


def _first(now: TableNow | None) -> Lines:
    """What is usually typed now."""
    phase = phase_of(now)
    own = {"closed": _closed, "preparing": _still}.get(phase)
    lines = own(now) if own else USUAL[phase]
    if _to_reconcile(now) and phase == "no shoe":
        lines = [SHOE[7], *lines]
    if phase == "dealing" and deals_generated(now):
        lines = [CARD[3], ("dddd s", N_("four of them, and settles after the last")), *CARD[4:5]]
    judging = JUDGING if now and now.asked else []
    return [*judging, *lines, ("? topics", N_("what else there is help about"))]


def _still(now: TableNow | None) -> Lines:
    """The steps of the shoe that are still to be done."""
    due = now.due.action if now and now.due else ""
    steps = SHOE[1:5]
    first = next((n for n, (keys, _) in enumerate(steps) if due == f"shoe.{keys.split()[0]}"), 0)
    return steps[first:]


def _to_reconcile(now: TableNow | None) -> bool:
    """Whether the last shoe has ended, and the cards left in it are not counted yet."""
    return bool(now and now.shoe and now.shoe.step == "ended")


def _closed(now: TableNow | None) -> Lines:
    return [
        (opening_line(now), N_("opens the table; one `--opener` for each kind of chip")),
        ("table open RULES", N_("another rule set: see `sabot rules list`")),
        ("table drop 4000", N_("the drop box was counted")),
    ]
