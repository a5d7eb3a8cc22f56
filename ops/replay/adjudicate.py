"""Cards in, outcome out, a line at a time and many thousands a second. Reads no ledger.

A line is cards in deal order (`9C 5S 7C QD 9S`), or six digits: the values of the next six cards.
Cards that the coup does not need are left over.

>>> read("957090").used, read("957090").verdict.result.outcome
(5, 'player')
>>> read("9C 5S 7C QD")
Traceback (most recent call last):
    ...
domain.rules.refusals.CoupNotFinished: The coup is not finished: Banker's card is due (R-DRAW-3).
"""

import json
import re
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from domain.rules.cards import DECK, apart, card, points
from domain.rules.hands import Result, Step, next_due, play, third_cards
from domain.rules.refusals import CardNotDue, CoupNotFinished

_DIGITS = re.compile(r"[0-9]{6}")
_OF_VALUE = "TA23456789"
_DIGIT_OF = {card: str(points(card)) for card in DECK}


class Verdict(Struct, frozen=True):
    """The outcome for a finished coup's values; `tail`: the end of the JSON answer."""

    result: Result
    cards: int
    steps: tuple[Step, ...]
    tail: str


class Adjudicated(Struct, frozen=True):
    """A line with a whole coup: cards, or digits, in deal order, of which some are used."""

    written: Sequence[str]
    verdict: Verdict

    @property
    def used(self) -> int:
        """How many of the cards the coup needs."""
        return self.verdict.cards

    @property
    def player(self) -> list[str]:
        """Player's hand as typed."""
        return [*self.written[0:4:2], *self.written[4 : 4 + self._player_thirds]]

    @property
    def banker(self) -> list[str]:
        """Banker's hand as typed."""
        return [*self.written[1:4:2], *self.written[4 + self._player_thirds : self.used]]

    @property
    def _player_thirds(self) -> int:
        return int(self.verdict.steps[0].draws)

    def json(self) -> str:
        """The answer on one line."""
        player = '","'.join(self.player)
        banker = '","'.join(self.banker)
        return f'{{"player":["{player}"],"banker":["{banker}"],{self.verdict.tail}'


def read(line: str) -> Adjudicated:
    """The coup of a line. Refuses: UnknownCard, CoupNotFinished, CardNotDue."""
    text = line.removeprefix("\ufeff").strip()  # of a file that begins with a byte order mark
    if _DIGITS.fullmatch(text):
        verdict = _verdict(text)
        assert verdict is not None, "six cards finish every coup"
        return Adjudicated(text, verdict)
    cards = [card(each) for each in apart(text)]
    verdict = _verdict("".join([_DIGIT_OF[each] for each in cards]))
    if verdict is None or verdict.cards != len(cards):
        raise _refusal(cards)
    return Adjudicated(cards, verdict)


def _verdict(values: str) -> Verdict | None:
    """The verdict on these values, or None while a card is due; values left over are ignored."""
    if len(values) < 4:
        return None
    first, second, third, fourth = map(int, values[:4])
    return _judged((first + third) % 10, (second + fourth) % 10, values[4:6])


@cache  # two totals and two more values: 11,100 of them
def _judged(player: int, banker: int, more: str) -> Verdict | None:
    """The verdict on two totals and further values, or None while a card is due.

    Only the totals of the first four cards matter, so any four with these totals are used.
    """
    values = [player, banker, 0, 0, *map(int, more)]
    used = 4
    while next_due(values[:used]):
        if used == len(values):
            return None
        used += 1
    result = play([_OF_VALUE[value] + "S" for value in values[:used]]).result
    assert result is not None
    steps = third_cards(values[:used])
    fields = {
        "player_total": result.player_total,
        "banker_total": result.banker_total,
        "outcome": result.outcome,
        "natural": result.natural,
        "margin": result.margin,
        "cards": used,
        "steps": [
            {"position": step.position, "rule": step.rule, "draws": step.draws} for step in steps
        ],
    }
    return Verdict(result, used, steps, json.dumps(fields, separators=(",", ":"))[1:])


def _refusal(cards: list[str]) -> Exception:
    """The refusal that names what was due instead of these cards."""
    try:
        due = play(cards).due
    except CardNotDue as refusal:
        return refusal
    assert due is not None
    why = f"{due.hand.title()}'s card is due ({due.rule})"
    return CoupNotFinished(rule=due.rule, coup="The coup", why=why)
