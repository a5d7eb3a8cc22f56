"""The cards of a coup on its page: each with its hand, the totals, the decisions, the outcome."""

from typing import TYPE_CHECKING

from rich.text import Text

from domain.events import coup
from domain.review.replay import CardLine, Line
from domain.rules.cards import symbol
from domain.rules.hands import Step
from ops.replay.coup_on_page import CoupOnPage, place
from ops.replay.page_words import FACE_DOWN
from ops.words import coups, show
from ops.words.language import _, shown

if TYPE_CHECKING:
    from rich.console import Console


class CardsOnPage:
    """The cards under fixed columns: the hands, their totals, the rule, the position."""

    def __init__(self, of: CoupOnPage, console: "Console") -> None:
        self.coup = of
        self.replay = of.replay
        self.console = console

    def print(self) -> None:
        """Prints the cards in the order in which they were dealt, and the outcome."""
        if not self.replay.dealt:
            return
        player = Text(coups.spot_name("player"), "bold blue")
        banker = Text(coups.spot_name("banker"), "bold red")
        self._card_line(Text(_("Cards"), "bold"), player, "", banker, "")
        hands: dict[str, list[Text]] = {"player": [], "banker": []}
        acts: list[CardLine | Line] = [*self.replay.cards]
        acts += [*self.replay.given_back, *self.replay.turned]
        for act in sorted(acts, key=_begins):
            if isinstance(act, CardLine):
                self._card(act, hands)
            else:
                self._at_a_hand(act)
        self.print_outcome()

    def print_outcome(self, *, on_record: bool = False) -> None:
        """Prints the outcome, and whether it counts."""
        resulted, voided = self.replay.resulted, self.replay.voided
        if resulted:
            event = resulted.event
            called = coups.outcome(event.outcome, event.player_total, event.banker_total)
            words = _("On record: {outcome}", outcome=called) if on_record else called
            style = show.STYLES[event.outcome]
            self._card_line(Text(words, style), rule="R-WIN-1", place=place(resulted))
        if voided:
            void = _("Void: every wager is returned")
            words = _("On record: {outcome}", outcome=void) if on_record else void
            self._card_line(Text(words, "bold"), rule="R-IRR-5", place=place(voided))

    def _decided_by(self, n: int) -> tuple[Step, ...]:
        """The decisions that card n led to; a natural, which decides for both hands, is one."""
        decided = self.replay.decided_after(n)[len(self.replay.decided_after(n - 1)) :]
        return decided[:1] if decided and decided[0].rule == "R-DRAW-1" else decided

    def _card(self, dealt: CardLine, hands: dict[str, list[Text]]) -> None:
        """Prints a card and its decisions; nothing that would reveal a card face down."""
        event = dealt.line.event
        down = [n for n in self.coup.record.face_down if n <= event.n]
        face = Text(FACE_DOWN) if event.n in down else show.card_text(event.card)
        hands[event.hand].append(face)
        self._card_line(
            Text.assemble(f" {event.n}  ", face, f" → {coups.spot_name(event.hand)}"),
            Text(" ").join(hands["player"]),
            _total(dealt.player_total, hands["player"]),
            Text(" ").join(hands["banker"]),
            _total(dealt.banker_total, hands["banker"]),
            rule=event.rule,
            place=place(dealt.line),
        )
        if event.carried:
            self._card_line(_note(_("carried: it came when none was due")), rule="R-IRR-1")
        if typed := self.replay.typed(event.n):
            words = _("typed as {card}, and corrected", card=symbol(typed))
            self._card_line(_note(words), rule="R-IRR-5")
        for step in () if down else self._decided_by(event.n):
            self._card_line(_note(shown(step.why)), rule=step.rule)

    def _at_a_hand(self, line: Line) -> None:
        """Prints that a hand was given back, or turned, with its total then."""
        event = line.event
        values = {"hand": coups.spot_name(event.hand), "time": self.coup.time(line.at)}
        if isinstance(event, coup.HandGivenBack):
            if event.by == "dealer":
                words = _("the dealer gives the {hand} hand back, {time}", **values)
            else:
                by = coups.holder(event.by)
                words = _("{holder} gives the {hand} hand back, {time}", holder=by, **values)
        else:
            values |= {"cards": " ".join(map(symbol, event.cards)), "total": str(event.shows)}
            if event.by == "dealer":
                words = _("the dealer turns {hand} {cards}: {total}, {time}", **values)
            else:
                by = coups.holder(event.by)
                words = _("{holder} turns {hand} {cards}: {total}, {time}", holder=by, **values)
        rule = "R-DEAL-3" if self.replay.given else "R-DEAL-5"
        self._card_line(_note(words), rule=rule, place=place(line))

    def _card_line(
        self,
        what: Text,
        player: Text | None = None,
        player_total: str = "",
        banker: Text | None = None,
        banker_total: str = "",
        *,
        rule: str = "",
        place: str = "",
    ) -> None:
        """Prints a line under fixed columns; long words run across the columns of the hands."""
        line = what.copy()
        for begins, cell in (
            *((18, player), (30, Text(player_total)), (36, banker)),
            *((48, Text(banker_total)), (54, Text(rule)), (64, Text(place and f"{place:>10}"))),
        ):
            if cell:
                line.append(" " * max(begins - line.cell_len, 2))
                line.append_text(cell)
        self.console.print(line)


def _begins(act: CardLine | Line) -> int:
    return act.line.position if isinstance(act, CardLine) else act.position


def _total(total: int | None, hand: list[Text]) -> str:
    """A hand's total, or '' while a card of it is face down."""
    down = any(face.plain == FACE_DOWN for face in hand)
    return "" if total is None or down else str(total)


def _note(words: str) -> Text:
    """A line about the card above it."""
    return Text(f"    {words}", "italic")
