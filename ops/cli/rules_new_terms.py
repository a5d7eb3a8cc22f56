"""The questions of `sabot rules new` about money, decks, commission and other terms."""

from fractions import Fraction

from domain.rules.house_rules import HouseRules
from domain.rules.money import major, minor
from domain.rules.refusals import BadValue, Refusal
from ops.cli.questions import Questions
from ops.cli.rule_draft import Draft, lines_of
from ops.cli.session import say
from ops.commands.rule_file_tables import FIELDS, Toml
from ops.words.failure import in_words

_WON = "banker wins"
_LATER = "commission"  # is asked after money and decks


def ask_money(draft: Draft, questions: Questions) -> None:
    """Currency, chips and main limits, which must fit one another. Refuses: BadValue."""
    base = draft.base
    currency = questions.ask("currency", "Currency", base.currency).upper()
    same = currency == base.currency

    def amount(name: str, words: str, usual: int) -> str:
        return questions.ask(name, words, plain(usual, base) if same else None).replace(",", "")

    usual_chips = ", ".join(plain(chip, base) for chip in base.chips) if same else None
    chips = questions.ask("chips", "Chips, as in 1, 5, 25, 100", usual_chips)
    increment = amount("increment", "Each bet is a multiple of", base.increment)
    least = amount("minimum", "Least main wager", base.main.minimum)
    most = amount("maximum", "Most on a main wager", base.main.maximum)
    apart = "none" if base.differential is None else plain(base.differential, base)
    words = "Most by which Player and Banker may differ, or none"
    differential = questions.ask("differential", words, apart if same else "none")
    main: Toml = {"minimum": least, "maximum": most}
    stated: Toml = {"currency": currency, "increment": increment, "differential": differential}
    stated |= {"chips": [chip.strip() for chip in chips.split(",") if chip.strip()]}
    limited = (
        _in_steps(base, increment, main)
        if same
        else {spot: main for spot, each in base.spots.items() if each.limit}
    )
    draft.take({**stated, "limits": {"main": main, **limited}, **_rounded(base, currency)}, _LATER)


def _in_steps(base: HouseRules, increment: str, main: Toml) -> Toml:
    """The limits of the base's other bets, where they are no multiples of what a bet must be."""
    try:
        step = minor(increment, base.currency)
    except ValueError:  # is refused with the others
        return {}
    limited: Toml = {}
    for spot, limit in ((spot, each.limit) for spot, each in base.spots.items() if each.limit):
        if step > 0 and (limit.minimum % step or limit.maximum % step):
            least, most = -(-limit.minimum // step) * step, limit.maximum // step * step
            own = {"minimum": plain(least, base), "maximum": plain(most, base)}
            limited[spot] = own if least <= most else main
    return limited


def plain(amount: int, rules: HouseRules) -> str:
    """An amount as a rule file has it: without commas."""
    return major(amount, rules.currency).replace(",", "")


def _rounded(base: HouseRules, currency: str) -> Toml:
    """In another currency commission is exact until it is asked: the base's unit is another's."""
    if currency == base.currency or base.commission.rounding.mode == "exact":
        return {}
    nothing, least = (major(amount, currency) for amount in (0, 1))
    return {"commission": {"rounding": {"mode": "exact", "unit": least, "minimum": nothing}}}


def ask_decks(draft: Draft, questions: Questions) -> None:
    """How many decks; a table may be dealt from no other number. Refuses: BadValue."""
    typed = questions.ask("decks", "Decks", str(draft.base.decks))
    if not (typed.isascii() and typed.isdigit()):
        raise BadValue(field="decks", value=repr(typed), why="write a whole number, as in 8")
    decks = int(typed[:9])
    allowed = draft.base.decks_allowed
    few = allowed if decks in allowed else [decks]
    draft.take({"decks": decks, "decks_allowed": list(few)}, _LATER)


def ask_commission(draft: Draft, questions: Questions) -> None:
    """Rate, timing and rounding; where it is in the odds, what Banker pays too."""
    base = draft.base
    taken, of = base.commission.rate
    rate = questions.ask("commission", "Commission on Banker", f"{taken * 100 / of:g}%")
    words = "When it is taken: at-payout, deferred, in-the-odds"
    timing = questions.ask("timing", words, base.commission.timing)
    stated: Toml = {"rate": rate if rate.endswith("%") else f"{rate}%", "timing": timing}
    if timing == "in-the-odds":
        banker = _banker_pays(draft, "1:1", _less(rate))
        draft.take({"commission": {**stated, "rounding": _exact(draft)}, **banker})
        return
    rounding = base.commission.rounding
    unit = plain(rounding.unit, draft.rules)
    usual = "exact" if rounding.mode == "exact" else f"{rounding.mode} {unit}"
    words = "How it is rounded: exact; up, down, nearest, or as in up 1.00"
    mode, _, unit = questions.ask("rounding", words, usual).partition(" ")
    if mode == "exact":
        stated["rounding"] = _exact(draft)
    else:
        smallest = plain(min(draft.rules.chips), draft.rules)
        stated["rounding"] = {"mode": mode, "unit": unit.strip() or smallest}
    banker = _banker_pays(draft, _less(f"{taken * 100 / of:g}%"), "1:1")
    draft.take({"commission": stated, **(banker if _withheld(base) else {})})


def _exact(draft: Draft) -> Toml:
    nothing, least = (plain(amount, draft.rules) for amount in (0, 1))
    return {"mode": "exact", "unit": least, "minimum": nothing, "moment": "per-win"}


def _withheld(base: HouseRules) -> bool:
    """Whether the base has the commission in the odds."""
    return base.commission.timing == "in-the-odds"


def _banker_pays(draft: Draft, before: str, now: str) -> Toml:
    """Banker's pay table with other odds on a win, if it has those before."""
    lines = lines_of(draft.rules.spots["banker"]) if "banker" in draft.rules.spots else {}
    if lines.get(_WON) != before or now in ("", before):
        return {}
    return {"spots": {"banker": {"pays": {**lines, _WON: now}}}}


def _less(rate: str) -> str:
    """What Banker pays after commission, as `19:20` at 5%; '' for a rate that will be refused."""
    try:
        left = 1 - Fraction(rate.rstrip("%")) / 100
    except (ValueError, ZeroDivisionError):
        return ""
    return f"{left.numerator}:{left.denominator}" if left > 0 else ""


def ask_others(draft: Draft, questions: Questions) -> None:
    """Any other line of the file, one after the other."""
    while True:
        line = questions.ask("", "Another term, as in cut_card = 16", "", explained=True)
        if not line:
            return
        if line == "?":
            say(f"A rule file can state {', '.join(FIELDS)}; see `sabot manual rule-sets`.")
            continue
        try:
            draft.take_line(line)
        except Refusal as refusal:
            say(in_words(refusal))
