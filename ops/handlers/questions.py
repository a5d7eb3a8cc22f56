"""What a terminal asks of the house: each question, and how it is answered on the record.

A terminal on the house's own machine asks a dispatcher; every other one asks through the door, and
gets the same answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Generic, TypeVar, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.rules.refusals import Refusal
from domain.rules.wording import Words
from ops.commands.read import Line
from ops.commands.signed_on import Token
from ops.door.acknowledged import Acknowledged, Compared
from ops.handlers import sign_on as signing_on
from ops.handlers import trial
from ops.handlers.answer import Answer
from ops.handlers.compared import compare, take_offer
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.doubt import resolve
from ops.handlers.for_two import is_on_record
from ops.handlers.sign_on import sign_off, sign_on, signature, who_is_here
from ops.handlers.to_sign import NOTHING_TO_SIGN, Signature, ToSign
from ops.ledger.database import LedgerLost

T = TypeVar("T")
_Id = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00]*\Z")]
_BEFORE = datetime(1970, 1, 1, tzinfo=UTC)


class Question(Struct, Generic[T], frozen=True, tag_field="ask"):
    """A question; every kind of it raises LedgerLost, and those that record OutcomeUnknown."""

    def answered(self, dispatcher: Dispatcher) -> T:
        """The answer, from the record."""
        raise NotImplementedError

    def turned_away(self, refused: Mapping[str, Any]) -> T:
        """The answer where a house server refused the question itself. Raises LedgerLost."""
        raise LedgerLost(refused.get("message", "the house server refused it"))

    @property
    def kind_of_answer(self) -> Any:
        """The type of the answer."""
        return get_type_hints(type(self).answered)["return"]


class Here(Struct, frozen=True):
    """Who is at a terminal; `closed`: whether people type a PIN in this house."""

    closed: bool
    staff: str = ""  # '': nobody is signed on
    language: str = ""


class Sheet(Struct, frozen=True):
    """What a second person is shown of a line before they sign it.

    `mark`: a digest of it; '' where nothing is to be signed. `refusal`: if no signature helps.
    """

    words: tuple[Words, ...] = ()
    mark: str = ""
    refusal: Answer | None = None


class Signed(Struct, frozen=True):
    """A second person's number and PIN, and the marks of what they were shown, line by line.

    `presumed`: nobody was asked, because with any signature only a refusal can be recorded.
    """

    staff: str = ""
    pin: str = ""
    marks: tuple[str, ...] = ()
    presumed: bool = False

    def __repr__(self) -> str:
        """Without the PIN."""
        return f"Signed({self.staff!r})"


class WhoIsHere(Question[Here], frozen=True, tag="who-is-here"):
    """Who is signed on at this terminal."""

    def answered(self, dispatcher: Dispatcher) -> Here:
        """Whoever holds the terminal's token now."""
        closed, holder = dispatcher.authority.house_is_closed(), who_is_here(dispatcher)
        return Here(closed, holder.staff, holder.language) if holder else Here(closed)


class AwaitsCode(Question[bool], frozen=True, tag="awaits-code"):
    """Whether a number signs on with a one-time code, and chooses a PIN."""

    staff: str

    def answered(self, dispatcher: Dispatcher) -> bool:
        """Whether it does."""
        return signing_on.awaits_code(dispatcher, self.staff)


class IsPinAsNumber(Question[bool], frozen=True, tag="is-pin-as-number"):
    """Whether somebody may have typed a PIN where a number belongs."""

    staff: str

    def answered(self, dispatcher: Dispatcher) -> bool:
        """Whether nobody has this number, and it may be a PIN."""
        return signing_on.may_be_pin_as_number(dispatcher, self.staff)


class SignOn(Question[Answer], frozen=True, tag="sign-on"):
    """Signs a person on with a token that the terminal made; it is used once this is accepted.

    `before`: the token that it replaces. `ends_elsewhere`: they are signed off there first.
    """

    staff: str
    secret: str
    new_pin: str | None
    table: str
    token: str
    before: str
    ends_elsewhere: bool = False

    def __repr__(self) -> str:
        """Without what is secret."""
        return f"SignOn({self.staff!r})"

    def answered(self, dispatcher: Dispatcher) -> Answer:
        """The answer; on record it has the digest of the token."""
        if self.ends_elsewhere:
            left = sign_off(dispatcher, self.staff, self.secret)
            if not left.ok:
                return left
        before, token = Token.read(self.before), Token.read(self.token)
        answer, _ = sign_on(
            dispatcher, self.staff, self.secret, self.new_pin, self.table, before, token
        )
        return answer


class SecondsOf(Question[list[str | None]], frozen=True, tag="seconds-of"):
    """For each line the number of the person whose PIN it needs; '' any who may, None nobody."""

    lines: Sequence[Line]

    def answered(self, dispatcher: Dispatcher) -> list[str | None]:
        """The numbers, in the order of the lines."""
        return [trial.second_of(dispatcher, line) for line in self.lines]


class Sheets(Question[list[Sheet]], frozen=True, tag="sheets"):
    """What a second person is shown of each line."""

    lines: Sequence[Line]

    def answered(self, dispatcher: Dispatcher) -> list[Sheet]:
        """A sheet for each line, in their order."""
        return [_sheet(trial.to_sign(dispatcher, line)) for line in self.lines]


def _sheet(shown: ToSign | Answer) -> Sheet:
    if isinstance(shown, Answer):
        return Sheet(refusal=shown)
    return Sheet(shown.words, shown.mark) if shown.events else Sheet()


class Announced(Question[list[Words | None]], frozen=True, tag="announced"):
    """What cash brings about is shown before its lines are sent (R-CASH-2)."""

    lines: Sequence[Line]

    def answered(self, dispatcher: Dispatcher) -> list[Words | None]:
        """A sentence for each line, or None, in their order."""
        return [trial.announced(dispatcher, line) for line in self.lines]


class Send(Question[list[Answer]], frozen=True, tag="send"):
    """Records lines, one after the other, until one is refused."""

    lines: Sequence[Line]
    signed: Signed | None = None

    @property
    def is_one_line(self) -> bool:
        """Whether it is one line that nobody signed: it can be decided beside those of others."""
        return len(self.lines) == 1 and self.signed is None

    def answered(self, dispatcher: Dispatcher) -> list[Answer]:
        """Their answers, each on disk; the last one may be a refusal."""
        answers: list[Answer] = []
        signs = self._signature(dispatcher)
        for n, line in enumerate(self.lines):
            answers.append(self._sent(dispatcher, line, n, signs))
            if not answers[-1].ok:
                break
        return answers

    def turned_away(self, refused: Mapping[str, Any]) -> list[Answer]:
        """A refusal: nothing of it was decided."""
        words = {"error": "NotTrusted", "message": "", "rule": None, **refused}
        line = self.lines[0]
        return [Answer({**words, "ok": False, "command": line.get("command"), "id": line["id"]})]

    def _signature(self, dispatcher: Dispatcher) -> Signature | None:
        if self.signed is None:
            return None
        if self.signed.presumed:
            return NOTHING_TO_SIGN
        return signature(dispatcher, self.signed.staff, self.signed.pin, ToSign())

    def _sent(self, dispatcher: Dispatcher, line: Line, n: int, signs: Signature | None) -> Answer:
        mark = self.signed.marks[n] if self.signed and self.signed.marks else ""
        if not (signs and mark) or is_on_record(dispatcher, line):
            return dispatcher.dispatch(line, second=signs)
        for as_shown in _as_shown(line):
            shown = trial.to_sign(dispatcher, as_shown)
            if isinstance(shown, ToSign) and shown.mark == mark:
                return dispatcher.dispatch(line, second=replace(signs, shown=shown))
        return dispatcher.dispatch(line, second=signs)  # as one who was shown nothing


def _as_shown(line: Line) -> Iterator[Line]:
    """The line as its second person may have been shown it: naming nobody yet, or already them."""
    for of_signing in (("id", "with"), ("id",)):
        yield {name: each for name, each in line.items() if name not in of_signing}


class Resolve(Question[Answer | None], frozen=True, tag="resolve"):
    """What became of a line whose answer was lost; None: it is given up for good."""

    line: Line

    def answered(self, dispatcher: Dispatcher) -> Answer | None:
        """Its answer, or None."""
        return resolve(dispatcher, self.line)


class OnRecord(Question[Compared], frozen=True, tag="on-record"):
    """Whether the newest line that a terminal has acknowledged is on record; '': it has none."""

    record: str = ""
    epoch: Annotated[int, Meta(ge=1, le=2**31)] = 1
    id: _Id = ""
    position: Annotated[int, Meta(ge=0, le=2**53)] = 0
    at: Annotated[datetime, Meta(tz=True)] = _BEFORE

    def answered(self, dispatcher: Dispatcher) -> Compared:
        """What the record is called, and whether the line is missing from it."""
        newest = Acknowledged(self.record, self.epoch, self.id, self.position, self.at)
        with dispatcher.casino.ledger.connection() as connection:
            return compare(dispatcher, connection, newest if self.id else None)


class OfferLines(Question[None], frozen=True, tag="offer-lines"):
    """Lines that a terminal has acknowledged, and that a restore may have lost."""

    lines: Annotated[list[Acknowledged], Meta(max_length=1_000)]
    lost_after: Annotated[int, Meta(ge=0, le=2**53)]

    def answered(self, dispatcher: Dispatcher) -> None:
        """Nothing: those that are missing are on record now."""
        take_offer(dispatcher, self.lines, self.lost_after)


class WhichOnRecord(Question[list[str]], frozen=True, tag="which-on-record"):
    """Which of these ids are those of lines on record."""

    ids: Annotated[list[_Id], Meta(max_length=1_000)]

    def answered(self, dispatcher: Dispatcher) -> list[str]:
        """Those that are, in no order."""
        return list(dispatcher.casino.ledger.used_ids(self.ids))


class MayBePast(Question[Words | None], frozen=True, tag="may-be-past"):
    """Why no line may state a moment yet; None: it may."""

    moment: datetime | None

    def answered(self, dispatcher: Dispatcher) -> Words | None:
        """The refusal's words."""
        try:
            trial.require_past(dispatcher, self.moment)
        except Refusal as refusal:
            return refusal.words
        return None


Questions = (
    WhoIsHere
    | AwaitsCode
    | IsPinAsNumber
    | SignOn
    | SecondsOf
    | Sheets
    | Announced
    | Send
    | Resolve
    | OnRecord
    | OfferLines
    | WhichOnRecord
    | MayBePast
)


def recorded(question: Question[T], answer: T) -> Iterator[tuple[str, Line, int]]:
    """The lines that a question recorded, each with its id and the position in its answer."""
    given: Any = answer
    lines: Sequence[Line] = ()
    if isinstance(question, Send):
        lines = question.lines
    elif isinstance(question, Resolve) and given:
        lines, given = [question.line], [given]
    for line, each in zip(lines, given if lines else (), strict=False):
        if each.ok and each.position:
            yield line["id"], line, each.position
