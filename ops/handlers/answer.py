"""The answer to a line: accepted, with its events and what is due, or refused, with the rule."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from domain.rules.refusals import Refusal
from domain.rules.wording import Words, by_the_clock, plain
from ops.commands.read import Line
from ops.ledger.chain import Fields
from ops.ledger.mapper import answered, event_of
from ops.ledger.recorder import Stored
from ops.words.language import shown

if TYPE_CHECKING:
    from ops.words.cash import Ahead

_json = msgspec.json.Encoder(enc_hook=plain)
_KNOWN = frozenset({"ok", "command", "id", "position"})


class Answer(Struct, frozen=True):
    """An answer, ready to be printed as one line.

    `body`: its fields as they are printed; what every answer may have is read by name.
    `refusal`: why the command was refused; None if it was accepted, or its stored answer was read.
    """

    body: Fields
    refusal: Words | None = None

    @property
    def ok(self) -> bool:
        """Whether the command was accepted."""
        return bool(self.body["ok"])

    @property
    def command(self) -> str:
        """The command's name as the line had it, '' if it had none."""
        return self.body.get("command") or ""

    @property
    def position(self) -> int | None:
        """Of its last event in the ledger, None if it recorded nothing."""
        return self.body.get("position")

    @property
    def events(self) -> list[Fields]:
        """What it recorded."""
        return self.body.get("events") or []

    @property
    def error(self) -> str:
        """The name of its refusal, '' if it was accepted."""
        return str(self.body.get("error", ""))

    @property
    def rule(self) -> str | None:
        """The rule that refused it, if one did."""
        return self.body.get("rule")

    @property
    def words(self) -> Words | str:
        """Why it was refused, '' if it was accepted."""
        return self.refusal or str(self.body.get("message", ""))

    @property
    def reason(self) -> str:
        """Why it was refused, in the reader's language."""
        return shown(self.words)

    def also_with(self, **fields: object) -> "Answer":
        """The same answer with further fields."""
        return Answer({**self.body, **fields}, self.refusal)

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
            **_head(line, ok=False),
            **({"position": None} if events else {}),
            "error": refusal.error,
            "message": str(refusal),
            "rule": refusal.rule,
            **({"events": list(events)} if events else {}),
        },
        refusal.words,
    )


def with_file(answer: Answer, ahead: "Ahead | None") -> Answer:
    """A refusal for an ID that is due with whether one is on file: the stored answer has it not."""
    if answer.rule != "R-CASH-2" or answer.refusal is None or ahead is None:
        return answer
    values = {**answer.refusal.values, "so": ahead.words_on_file}
    words = Words(answer.refusal.template, **values)
    return Answer({**answer.body, "message": str(words)}, words)


def accepted_with(line: Line, fields: Fields) -> Answer:
    """The answer to an accepted line; its position comes when it is on record."""
    return Answer({**_head(line, ok=True), "position": None, **fields})


def _head(line: Line, *, ok: bool) -> Fields:
    """How every answer begins."""
    named = {"id": line["id"]} if "id" in line else {}
    return {"ok": ok, "command": line.get("command"), **named}


def as_stored(answer: Answer) -> str:
    """The answer as it is stored: without what its line and the record say, which `restored` adds.

    Events are stored as null, unless it hides a card of theirs.
    """
    stored = {name: each for name, each in answer.body.items() if name not in _KNOWN}
    if all(event.get("card", "") is not None for event in stored.get("events", ())):
        stored |= dict.fromkeys(stored.keys() & {"events"})
    return _json.encode(stored).decode()


def restored(stored: Stored, line: Line) -> Answer:
    """The answer that was stored, to the same line."""
    fields = msgspec.json.decode(stored.answer)
    placed = {"position": stored.position} if "events" in fields else {}
    if placed and fields["events"] is None:
        fields["events"] = answered(map(event_of, stored.events))
    return Answer({**_head(line, ok="error" not in fields), **placed, **fields})


def placed_from(answer: Answer, first: int | None) -> Answer:
    """The answer with its position in the ledger; until now it counted from 1.

    `first`: the position of its first event, None without events.
    """
    if first and answer.position:
        answer.body["position"] += first - 1
    return answer


def placed(answer: Answer, position: int | None) -> Answer:
    """The answer with its position in the ledger."""
    if "position" in answer.body:
        answer.body["position"] = position
    return answer
