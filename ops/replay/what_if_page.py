"""A what-if below the replay: the question, with the cards and payments of its answer.

Each step has its rule and each payment its arithmetic. The end lists everybody's difference. The
page is in English: it names everybody in the coup, so it is for no patron.
"""

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from domain.review.difference import Difference, house
from domain.review.what_if.changes import CardIs, Change
from domain.review.what_if.later import LaterCoup, LaterCoups
from domain.review.what_if.notes import notes
from domain.review.what_if.question import WhatIf
from domain.review.what_if.redeal import Decision
from domain.rules.hands import Dealt, Result
from domain.rules.money import major
from ops.replay.page_words import computation
from ops.words import show

if TYPE_CHECKING:
    from rich.console import Console


class WhatIfPage:
    """One what-if on one screen."""

    def __init__(self, asked: WhatIf, console: "Console") -> None:
        self.asked = asked
        self.console = console
        self.currency = asked.rules.currency

    def print(self) -> None:
        """Prints the whole answer."""
        self.console.print()
        self.console.print(Text.assemble(("What if", "bold"), " … ", self._asked()))
        self._cards()
        if self.asked.short:
            self.console.print("No outcome: the coup would not be finished.", style="yellow")
        else:
            self._payments()
            self._difference()
        if self.asked.later:
            self._later(self.asked.later)
        for note in notes(self.asked):
            self.console.print(Text(f"· {note}", "yellow"))
        self.console.print("This what-if is not recorded.", style="italic")

    def _asked(self) -> Text:
        return Text(" and ").join(self._change(each) for each in self.asked.changes)

    def _change(self, change: Change) -> Text:
        if isinstance(change, CardIs):
            return Text.assemble(f"card {change.n} = ", show.card_text(change.card))
        return Text(change.written(self.currency))

    def _cards(self) -> None:
        hands: dict[str, list[str]] = {"player": [], "banker": []}
        if self.asked.hands.dealt:
            self._line(
                Text("Cards", "bold"), Text("Player", "bold blue"), Text("Banker", "bold red")
            )
        for each in self.asked.hands.dealt:
            hands[each.hand].append(each.card)
            came = Text.assemble(
                f" {each.n}  ", show.card_text(each.card), f" → {each.hand.title()}"
            )
            player = _hand(hands["player"], each.player_total)
            banker = _hand(hands["banker"], each.banker_total)
            self._line(came, player, banker, each.rule, self._instead(each))
            for made in self._decided_by(each.n):
                style = "yellow" if made.forced else "italic"
                rule = "" if made.forced else made.step.rule  # otherwise the words name the rule
                self._line(Text.assemble((f"    {made.why}", style)), rule=rule)
        result = self.asked.hands.result
        if result and not self.asked.void:
            self._line(_outcome(result), rule="R-WIN-1")
        elif self.asked.void:
            self._line(Text("Void: every stake is returned", "bold"), rule="R-IRR-4")

    def _decided_by(self, n: int) -> tuple[Decision, ...]:
        """The decisions that card n led to; a natural, which decides for both hands, is one."""
        made = self.asked.hands.decisions
        if n == 4:
            if made[0].step.rule == "R-DRAW-1" and not self.asked.hands.forced:
                return made[:1]
            return made[:1] if made[0].draws else made
        return made[1:] if n == 5 and made[0].draws else ()

    def _instead(self, dealt: Dealt) -> str:
        """The card on record at this card's place, if it is another one."""
        cards = self.asked.recorded.cards
        if dealt.n > len(cards):
            return "not dealt"
        return (
            "" if cards[dealt.n - 1] == dealt.card else f"not {show.card_text(cards[dealt.n - 1])}"
        )

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
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for name in ("Payments", "", "", "", "paid", "on record"):
            right = name in ("paid", "on record")
            table.add_column(name, justify="right" if right else "left", overflow="fold")
        on_record = {
            (each.wager.seat, each.wager.spot): each for each in self.asked.recorded.final or ()
        }
        for paid in self.asked.payments:
            wager = paid.wager
            was = on_record.pop((wager.seat, wager.spot), None)
            table.add_row(
                f"seat {wager.seat}",
                show.spot_called(wager.spot),
                self._money(wager.stake),
                computation(paid.payment, paid.rules, stake=wager.stake, alone=True),
                self._money(paid.payment.paid),
                self._money(was.payment.paid) if was else "·",
            )
        for was in on_record.values():
            wager = was.wager
            row = (f"seat {wager.seat}", show.spot_called(wager.spot), "·", "no wager", "·")
            table.add_row(*row, self._money(was.payment.paid))
        self.console.print(table)

    def _difference(self) -> None:
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        names = ("Difference", "", "staked", "paid", "commission", "better off")
        for name in names:
            right = name in names[2:]
            table.add_column(name, justify="right" if right else "left", no_wrap=right)
        for row in self.asked.difference:
            table.add_row(f"seat {row.seat}", row.patron or "·", *self._signed(row))
        table.add_row("house", "", "", "", "", self._more(self.asked.house or 0), style="bold")
        self.console.print(table)

    def _signed(self, row: Difference) -> tuple[str, ...]:
        return tuple(map(self._more, (row.staked, row.paid, row.commission, row.net)))

    def _later(self, later: LaterCoups) -> None:
        if later.coups:
            table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
            for name in ("Later coups", "cards", "on record", "then", "house"):
                right = name == "house"
                table.add_column(name, justify="right" if right else "left", overflow="fold")
            for coup in later.coups:
                table.add_row(*self._later_row(coup))
            self.console.print(table)
        self.console.print(_where_it_ends(later))
        for total in self.asked.totals:
            self.console.print(f"In all {total.patron or 'nobody'} {self._better(total.net)}")
        self.console.print(f"In all the house {self._better(self.asked.house_total)}", style="bold")

    def _later_row(self, coup: LaterCoup) -> tuple[str | Text, ...]:
        played, recorded, result = coup.played, coup.recorded, coup.hands.result
        return (
            played.address.rpartition("/")[2] if played else "dummy",
            _hand([each.card for each in coup.hands.dealt]),
            "void" if played and played.void else _called(recorded) if recorded else "·",
            "void" if played and played.void else _called(result) if result else "not finished",
            "·" if coup.short else self._more(house(coup.difference)),
        )

    def _money(self, amount: int) -> str:
        return major(amount, self.currency)

    def _better(self, amount: int) -> str:
        if amount == 0:
            return "has the same as before."
        than = "better" if amount > 0 else "worse"
        return f"is {than} off by {self._money(abs(amount))}."

    def _more(self, amount: int) -> str:
        return ("+" if amount > 0 else "") + self._money(amount)


def _hand(cards: list[str], total: int | None = None) -> Text:
    line = Text(" ").join(show.card_text(card) for card in cards)
    if cards and total is not None:
        line.append(" " * max(12 - line.cell_len, 1) + str(total))
    return line


def _outcome(result: Result) -> Text:
    words = show.outcome_words(result.outcome, result.player_total, result.banker_total)
    return Text.assemble((words, show.STYLES[result.outcome]))


def _called(result: Result) -> Text:
    words = f"{result.outcome.title()} {result.player_total}:{result.banker_total}"
    return Text(words, show.STYLES[result.outcome])


def _where_it_ends(later: LaterCoups) -> str:
    if later.in_step_at:
        number = later.in_step_at.rpartition("/")[2]
        return f"After coup {number} the cards fall as on record, and nothing changes."
    if later.short:
        return "Then the cards on record run out. Coups that are not finished are not in the sums."
    return "Every later coup is different." if later.coups else "No later coup was dealt."
