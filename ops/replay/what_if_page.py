"""A what-if below the replay: the question, with the cards and payments of its answer.

Each step has its rule and each payment its arithmetic. The end lists everybody's difference, so the
page is for no patron.
"""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from domain.review.difference import Difference, house
from domain.review.what_if.changes import CardIs, Change
from domain.review.what_if.later import LaterCoup, LaterCoups
from domain.review.what_if.notes import notes
from domain.review.what_if.question import WhatIf
from domain.rules.hands import Result
from domain.rules.wording import Amount, as_words
from ops.replay import cited
from ops.replay.page_words import computation
from ops.replay.what_if_rows import Came, came, ends, pays
from ops.words import show
from ops.words import what_if as words
from ops.words.coups import outcome, spot_name
from ops.words.language import _, shown

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod


class WhatIfPage:
    """One what-if on one screen."""

    def __init__(self, asked: WhatIf, console: "Console") -> None:
        self.asked = asked
        self.console = console
        self.currency = asked.rules.currency

    def print(self) -> None:
        """Prints the whole answer."""
        self.console.print()
        self.console.print(Text.assemble((_("What if"), "bold"), " … ", self._asked()))
        self._cards()
        if self.asked.short:
            self.console.print(shown(words.SHORT), style="yellow")
        else:
            self._payments()
            self._difference()
        if self.asked.later:
            self._later(self.asked.later)
        for sentence in ends(self.asked):
            self.console.print(shown(sentence))
        for note in notes(self.asked):
            self.console.print(Text(f"· {shown(note)}", "yellow"))
        self.console.print(_("This what-if is not recorded."), style="italic")

    def _asked(self) -> Text:
        return Text(", ").join(self._change(each) for each in self.asked.changes)

    def _change(self, change: Change) -> Text:
        if isinstance(change, CardIs):
            return Text.assemble(_("card {n}", n=change.n), " = ", show.card_text(change.card))
        return Text(change.written(self.currency))

    def _cards(self) -> None:
        hands: dict[str, list[str]] = {"player": [], "banker": []}
        if self.asked.hands.dealt:
            self._line(
                Text(shown(words.CARDS), "bold"),
                Text(spot_name("player"), "bold blue"),
                Text(spot_name("banker"), "bold red"),
            )
        for card in came(self.asked):
            each = card.dealt
            hands[each.hand].append(each.card)
            what = Text.assemble(
                f" {each.n}  ", show.card_text(each.card), f" → {spot_name(each.hand)}"
            )
            player = _hand(hands["player"], each.player_total)
            banker = _hand(hands["banker"], each.banker_total)
            self._line(what, player, banker, each.rule, self._instead(card))
            for made in card.decided:
                style = "yellow" if made.forced else "italic"
                rule = "" if made.forced else made.step.rule  # otherwise the words name the rule
                self._line(Text.assemble((f"    {shown(made.why)}", style)), rule=rule)
        result = self.asked.hands.result
        if result and not self.asked.void:
            self._line(_outcome(result), rule="R-WIN-1")
        elif self.asked.void:
            self._line(Text(shown(words.VOID), "bold"), rule="R-IRR-4")

    @staticmethod
    def _instead(came: Came) -> str:
        """The card on record at this card's place, if it is another one."""
        if came.recorded is None:
            return shown(words.NOT_DEALT)
        return words.instead_of(came.recorded) if came.is_other else ""

    def _line(
        self,
        what: Text,
        player: Text | None = None,
        banker: Text | None = None,
        rule: str = "",
        instead: str = "",
    ) -> None:
        line = what.copy()
        for begins, cell in (
            *((18, player), (36, banker)),
            *((54, Text(rule)), (64, Text(instead, "yellow"))),
        ):
            if cell:
                line.append(" " * max(begins - line.cell_len, 0 if begins == 18 else 1))
                line.append_text(cell)
        self.console.print(line)

    def _payments(self) -> None:
        if not self.asked.payments:
            return
        table = _table("llllrlr", words.PAYMENTS, "", "", "", words.PAID, "", words.ON_RECORD)
        for each in pays(self.asked):
            would = each.would
            table.add_row(
                _("seat {seat}", seat=each.seat),
                spot_name(each.spot),
                self._or_none(each.stake),
                computation(would.payment, would.rules, stake=each.stake, alone=True)
                if would
                else shown(words.NO_WAGER),
                self._or_none(would.payment.paid if would else None),
                "\n".join(cited.of_what_if(self.asked, would)) if would else "",
                self._or_none(each.on_record),
            )
        self.console.print(table)

    def _difference(self) -> None:
        heads = (words.STAKED, words.PAID, words.COMMISSION, words.BETTER_OFF)
        table = _table("llrrrr", words.DIFFERENCE, "", *heads)
        for row in self.asked.difference:
            seat = _("seat {seat}", seat=row.seat)
            table.add_row(seat, row.patron or "·", *self._signed(row))
        table.add_row(
            shown(words.HOUSE), "", "", "", "", self._more(self.asked.house or 0), style="bold"
        )
        self.console.print(table)

    def _signed(self, row: Difference) -> tuple[str, ...]:
        return tuple(map(self._more, (row.staked, row.paid, row.commission, row.net)))

    def _later(self, later: LaterCoups) -> None:
        if later.coups:
            heads = (words.THEIR_CARDS, words.ON_RECORD, words.THEN, words.HOUSE)
            table = _table("llllr", words.LATER, *heads)
            for coup in later.coups:
                table.add_row(*self._later_row(coup))
            self.console.print(table)

    def _later_row(self, coup: LaterCoup) -> tuple[str | Text, ...]:
        played, recorded, result = coup.played, coup.recorded, coup.hands.result
        void = bool(played and played.void)
        return (
            played.address.rpartition("/")[2] if played else shown(words.NO_BETS),
            _hand([each.card for each in coup.hands.dealt]),
            _("void") if void else _called(recorded) if recorded else "·",
            _("void") if void else _called(result) if result else shown(words.NOT_FINISHED),
            "·" if coup.short else self._more(house(coup.difference)),
        )

    def _money(self, amount: int) -> str:
        return shown(as_words(Amount(amount, self.currency)))

    def _or_none(self, amount: int | None) -> str:
        return "·" if amount is None else self._money(amount)

    def _more(self, amount: int) -> str:
        return ("+" if amount > 0 else "") + self._money(amount)


def _table(sides: str, *heads: str) -> Table:
    """A table by the letters of its columns: l or r."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for head, side in zip(heads, sides, strict=True):
        justify: JustifyMethod = "right" if side == "r" else "left"
        table.add_column(shown(head), justify=justify, overflow="fold")
    return table


def _hand(cards: list[str], total: int | None = None) -> Text:
    line = Text(" ").join(show.card_text(card) for card in cards)
    if cards and total is not None:
        line.append(" " * max(12 - line.cell_len, 1) + str(total))
    return line


def _outcome(result: Result) -> Text:
    called = outcome(result.outcome, result.player_total, result.banker_total)
    return Text(called, show.STYLES[result.outcome])


def _called(result: Result) -> Text:
    called = f"{spot_name(result.outcome)} {result.player_total}:{result.banker_total}"
    return Text(called, show.STYLES[result.outcome])
