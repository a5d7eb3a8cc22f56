"""The answer to a line: accepted, with its events and what is due, or refused, with the rule."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from domain.rules.refusals import Refusal
from domain.rules.wording import Words, by_the_clock, plain
from ops.commands.read import Line
from ops.ledger.chain import Fields
from ops.words.language import shown

_json = msgspec.json.Encoder(enc_hook=plain)


class Answer(Struct, frozen=True):
    """An answer, ready to be printed as one line.

    `refusal`: why the command was refused; None if it was accepted, or its stored answer was read.
    """

    body: dict[str, Any]
    refusal: Words | None = None

    @property
    def reason(self) -> str:
        """Why it was refused, in the reader's language; '' if it was accepted."""
        return shown(self.refusal or self.body.get("message", ""))

    @property
    def ok(self) -> bool:
        """Whether the command was accepted."""
        return bool(self.body["ok"])

    def __str__(self) -> str:
        return _json.encode(self.body).decode()


def refused(
    line: Line,
    refusal: Refusal,
    events: Sequence[Fields] = (),
    local: Callable[[datetime], datetime] | None = None,
) -> Answer:
    """The answer to a refused line, with the rule, and the events that record the refusal.

    `local`: puts a moment in it on the house's clock.
    """
    if local:
        refusal.reword(by_the_clock(refusal.words, local))
    return Answer(
        {
            "ok": False,
            "command": line.get("command"),
            **({"id": line["id"]} if "id" in line else {}),
            "error": refusal.error,
            "message": str(refusal),
            "rule": refusal.rule,
            **({"position": None, "events": list(events)} if events else {}),
        },
        refusal.words,
    )


def placed_from(answer: Answer, first: int | None) -> Answer:
    """The answer with its position in the ledger; until now it counted from 1.

    `first`: the position of its first event, None without events.
    """
    if first and answer.body.get("position"):
        answer.body["position"] += first - 1
    return answer


def placed(answer: Answer, position: int | None) -> Answer:
    """The answer with its position in the ledger."""
    if "position" in answer.body:
        answer.body["position"] = position
    return answer
