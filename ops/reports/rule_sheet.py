"""The sheet of a rule set for the table: its bets, limits and commission, as text and as PDF.

It is made from the rule set alone. Conditions are in the rule set's own words, which are English;
everything else is in the reader's language.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from textwrap import wrap

from msgspec import Struct

from domain.rules.house_rules import HouseRules
from domain.rules.house_rules.differences import terms
from domain.rules.tableau import TABLEAU
from domain.rules.wagers import PUSH, PayLine
from domain.rules.wording import N_, worded
from ops.ledger.installed import label
from ops.words import cloth, language
from ops.words.language import _, shown
from ops.words.pdf import pdf
from ops.words.rule_terms import (
    coupon_words,
    kind_called,
    meter_words,
    taken_words,
    term_words,
    value_words,
)
from ops.words.terms import spot_called

_DRAWS = N_("Third cards")
_WHEN = worded("column: the condition of a line of a pay table", "When")
_ABOUT = (
    *("decks_allowed", "main minimum", "main maximum", "increment", "differential", "both_sides"),
    "burn_between",
    *("commission rate", "commission timing", "commission rounding mode"),
    *("commission rounding unit", "chips"),
)
_COLUMNS = 80


class Term(Struct, frozen=True):
    """A term and its value."""

    label: str
    value: str


class Bet(Struct, frozen=True):
    """A bet with its limits, when it is taken, and what it pays line by line: odds, condition."""

    name: str
    limits: str
    taken: str  # '' for a bet that always is
    pays: list[list[str]]


class Contents(Struct, frozen=True):
    """What is printed: the values of the template `rule-sheet`."""

    title: str
    house: str
    draft: str
    game: str
    about: list[Term]
    heads: list[str]
    bets: list[Bet]
    draws_title: str
    draws: list[str]
    footer: str


class RuleSheet(Struct, frozen=True):
    """A rule set that is printed; `approved`: whether tables may open with it."""

    rules: HouseRules
    house: str
    approved: bool

    def text(self) -> str:
        """The sheet, line by line, in the reader's language."""
        sheet = self.contents()
        lines = [*filter(None, (sheet.title, sheet.house, sheet.draft)), "", *_wrapped(sheet.game)]
        lines += ["", *(f"{each.label}: {each.value}" for each in sheet.about)]
        for bet in sheet.bets:
            lines += ["", f"{bet.name}  {bet.limits}", *(wrap(bet.taken, _COLUMNS))]
            for odds, when in bet.pays:
                first, *more = wrap(when, _COLUMNS - 18) or [""]
                lines += [f"  {odds:<14}  {first}", *(f"{'':18}{each}" for each in more)]
        lines += ["", sheet.draws_title]
        for each in sheet.draws:
            lines += _wrapped(each)
        return "".join(f"{line}\n" for line in (*lines, "", *_wrapped(sheet.footer)))

    def pdf(self) -> bytes:
        """The sheet as a PDF; one program makes the same bytes of it in one language."""
        return pdf("rule-sheet", self.contents(), datetime.fromtimestamp(0, UTC))

    def contents(self) -> Contents:
        """What is printed, in the reader's language."""
        rules = self.rules
        return Contents(
            title=rules.name,
            house=self.house,
            draft="" if self.approved else _("Draft: two people have not approved it yet."),
            game=shown(cloth.RULES),
            about=list(self._about()),
            heads=[shown(cloth.BET), shown(cloth.PAYS), shown(_WHEN)],
            bets=[self._bet(spot) for spot in rules.spots],
            draws_title=_(_DRAWS),
            draws=list(_draws()),
            footer=f"{rules.source} · {rules.digest[:12]} · {label()}",
        )

    def _about(self) -> Iterator[Term]:
        """Terms that a patron may ask for; one that the rule set does not have is left out."""
        stated, currency = terms(self.rules), self.rules.currency
        commission = self.rules.commission
        rounded = commission.rounding.mode != "exact"
        for term in _ABOUT:
            of_none = term.startswith("commission") and not commission.rate[0]
            exact = term.startswith("commission rounding") and not rounded
            if term in stated and not of_none and not exact:
                value = value_words(term, stated[term], currency)
                yield Term(shown(term_words(term)), shown(value))
        for kind, coupon in self.rules.coupons.items():
            yield Term(shown(kind_called(kind)), shown(coupon_words(coupon)))

    def _bet(self, spot: str) -> Bet:
        limit, currency = self.rules.limit(spot), self.rules.currency
        least, most = (
            language.amount(each, currency, short=True) for each in (limit.minimum, limit.maximum)
        )
        return Bet(
            name=shown(spot_called(spot)),
            limits=_("{least} to {most}", least=least, most=most) + f" {currency}",
            taken=". ".join(self._terms(spot)),
            pays=[[_odds(line), line.when] for line in self.rules.spots[spot].pays],
        )

    def _terms(self, spot: str) -> Iterator[str]:
        """When a bet is taken, and its meter."""
        rules = self.rules
        if terms := rules.terms.get(spot):
            yield shown(taken_words(terms, rules.currency))
        if meter := rules.progressives.get(spot):
            yield shown(meter_words(meter, rules.currency))


def _odds(line: PayLine) -> str:
    return _("push") if line.pays == PUSH else cloth.odds(line.text)


def _draws() -> Iterator[str]:
    """The table of third cards, from the table itself (R-DRAW-2 to R-DRAW-4)."""
    totals = range(len(TABLEAU.player))
    player = [total for total in totals if TABLEAU.player_draws(total)]
    yield _("Player draws on {totals}.", totals=_listed(player))
    alone = [total for total in totals if TABLEAU.banker_draws(total, None)]
    yield _("If Player stands, Banker draws on {totals}.", totals=_listed(alone))
    by_cards: dict[str, list[int]] = {}
    for total in totals:
        cards = _listed([third for third in range(10) if TABLEAU.banker_draws(total, third)])
        by_cards.setdefault(cards, []).append(total)
    for cards, some in by_cards.items():
        if cards:
            yield _(
                "Banker draws on {total} if Player's third card counts {cards}.",
                total=_listed(some),
                cards=cards,
            )
    yield _("A natural, 8 or 9 on two cards, ends the coup.")


def _listed(numbers: list[int]) -> str:
    """Numbers, with those that follow one another as a span: `0-7, 9`."""
    spans: list[list[int]] = []
    for each in numbers:
        if spans and each == spans[-1][-1] + 1:
            spans[-1].append(each)
        else:
            spans.append([each])
    return ", ".join(f"{s[0]}-{s[-1]}" if len(s) > 1 else str(s[0]) for s in spans)


def _wrapped(text: str) -> list[str]:
    return wrap(text, _COLUMNS) or [""]
