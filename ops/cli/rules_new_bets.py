"""The questions of `sabot rules new` about bets: which, and what each pays on."""

import re

from domain.rules.choices import OF_RULE_FILES, one_of
from domain.rules.conditions import Unreadable, condition
from domain.rules.conditions.phrases import PHRASES, in_capitals
from domain.rules.house_rules.sensible import LONGEST_CLOTH, LONGEST_LABEL, SPOT_NAME
from domain.rules.over_coups import is_line
from domain.rules.refusals import BadValue, Refusal
from domain.rules.spots import THE_TRADES, spot_label
from ops.cli.questions import Questions, WantsBack
from ops.cli.rule_draft import Draft, lines_of, on_shelf, usual
from ops.cli.rules_new_terms import plain
from ops.cli.session import say
from ops.commands.rule_file_tables import Toml
from ops.words import show
from ops.words.failure import in_words

_ODDS = re.compile(r"([0-9,]+)\s*(?::|/|-|\bto\b)\s*([0-9,]+)")
_FOR_ONE = re.compile(r"([0-9,]+)\s*for\s*1")
_OF_METER = re.compile(r"(?:([0-9.]+%) of )?(?:the )?meter")
_NOT_YET: Toml = {"tie": "1:1"}  # a pay table, until the first line of its own


def ask_bets(draft: Draft, questions: Questions) -> None:
    """Bets to change, to add and to take away, until there are no more."""
    for spot in draft.rules.spots:
        _say_bet(draft, spot)
    words = "A bet to add or to change, as in lucky-nines; -tie takes Tie away"
    while typed := questions.ask("", words, "", explained=True).lower():
        spot = "-".join(typed.lstrip("-").split())
        try:
            if typed == "?":
                say(f"The trade's: {', '.join(THE_TRADES)}. On the shelf: {', '.join(on_shelf())}.")
            elif typed.startswith("-"):
                _take_away(draft, spot)
            else:
                _require_name(spot)
                _ask_or_leave(draft, questions, spot)
        except Refusal as refusal:
            say(in_words(refusal))


def _ask_or_leave(draft: Draft, questions: Questions, spot: str) -> None:
    """One bet; a step back leaves it as it was."""
    before = draft.rules, draft.stated
    try:
        _ask_bet(draft, questions, spot)
    except WantsBack:
        draft.rules, draft.stated = before
        say("That bet is as it was.")


def _take_away(draft: Draft, spot: str) -> None:
    if spot not in draft.rules.spots:
        why = one_of(draft.rules.spots, spot, "`sabot rules show`")
        raise BadValue(field="the bet", value=repr(spot), why=why)
    draft.take_away(spot)


def _require_name(spot: str) -> None:
    if not SPOT_NAME.fullmatch(spot) or len(spot) > LONGEST_LABEL:
        why = (
            f"write up to {LONGEST_LABEL} letters, digits and hyphens, as in lucky-nines; the "
            "layout may say it otherwise"
        )
        raise BadValue(field="the bet", value=repr(spot), why=why)


def _say_bet(draft: Draft, spot: str) -> None:
    lines = lines_of(draft.rules.spots[spot]).items()
    say(f"  {show.spot_called(spot)}: {'; '.join(f'{when} {odds}' for when, odds in lines)}")


def _ask_bet(draft: Draft, questions: Questions, spot: str) -> None:
    """One bet: its key and place if it is new, its lines, its limits."""
    elsewhere = None if spot in draft.rules.spots else usual(spot)
    if draft.is_new(spot):
        terms = elsewhere[1] if elsewhere else {}
        questions.until_right(lambda: _ask_place(draft, questions, spot, terms))
    if elsewhere and _is_as_usual(questions, *elsewhere):
        over = {"over": elsewhere[1]["over"]} if "over" in elsewhere[1] else {}
        draft.take({"spots": {spot: {"pays": elsewhere[1]["pays"]}}, **_terms(spot, over)})
    else:
        _ask_lines(draft, questions, spot)
    questions.until_right(lambda: _ask_limits(draft, questions, spot))
    _say_bet(draft, spot)


def _ask_place(draft: Draft, questions: Questions, spot: str, terms: Toml) -> None:
    """What a dealer types for a new bet, and where it lies on the layout."""
    label = str(spot_label(spot))
    key = questions.ask(
        "", f"{label}: what a dealer types for it", str(terms.get("key", "")) or None
    )
    stated: Toml = {"key": key, "pays": _NOT_YET}
    short = str(terms.get("cloth", label[:LONGEST_CLOTH].strip()))
    cloth = questions.ask("", f"On the layout, up to {LONGEST_CLOTH} letters", short)
    if cloth != label:
        stated["cloth"] = cloth
    words = (
        "Row on the layout, 0 at the patron to 20 at the dealer; bets of one row lie side by side"
    )
    row = questions.ask("", words, str(terms.get("row", "")))
    if row:
        stated["row"] = int(row) if row.isascii() and row.isdigit() else row
    draft.take({"spots": {spot: stated}})


def _is_as_usual(questions: Questions, name: str, terms: Toml) -> bool:
    """Whether a rule set or a sheet that has the bet pays as this one will."""
    pays = terms["pays"]
    say(f"{name} pays for it:")
    for when, odds in pays.items() if isinstance(pays, dict) else ():
        say(f"  {when}: {odds}")
    return questions.is_so("Does yours pay so?")


def _ask_lines(draft: Draft, questions: Questions, spot: str) -> None:
    """The conditions with their odds, from the top; the first that fits decides."""
    say("Its lines, the rarest first: the first one that fits decides. ? shows what can be said.")
    pays: dict[str, str] = {}
    meter: Toml = {}
    over: Toml = {}
    while when := _ask_condition(questions, first=not _wins(pays)):
        more = {**pays, when: _ask_odds(questions)}
        try:
            if "meter" in more[when] and not meter and spot not in draft.rules.progressives:
                meter = {"progressives": {spot: _ask_meter(questions)}}
            if is_line(when) and not over:
                over = {"over": _ask_over(questions)}
            if _wins(more):
                stated = _terms(spot, over)
                draft.take({"spots": {spot: {"pays": more}}, **meter, **stated})
        except Refusal as refusal:
            say(in_words(refusal))
            say("That line is left out.")
        else:
            pays = more


def _wins(pays: dict[str, str]) -> bool:
    return any(odds != "push" for odds in pays.values())


def _ask_condition(questions: Questions, *, first: bool) -> str:
    """A condition that can be read; '' if there is no other line."""
    while True:
        usual = None if first else ""
        words = "It decides when, as in banker wins on 6 with three cards"
        typed = questions.ask("", words, usual, explained=True)
        if typed == "?":
            _explain()
            continue
        try:
            if typed and not is_line(typed):
                condition(typed)
        except Unreadable as error:
            say(f"{error.args[0]}; ? shows what can be said, {OF_RULE_FILES} with examples.")
        else:
            return typed


def _explain() -> None:
    for each in PHRASES:
        say(f"  {in_capitals(each)}")
    say("Join them with and, or, not and brackets, or count: at least two of (..., ..., ...).")
    say("A bet on the next coups: won 3, won 2 or more, in a row 4, in a row 4 or more.")


def _ask_odds(questions: Questions) -> str:
    """Odds as a rule file has them."""
    while True:
        typed = questions.ask(
            "", "and pays, as in 9 to 1; push returns the bet, meter pays a meter"
        ).lower()
        if typed in ("push", "0:1", "0 to 1"):
            return "push"
        if match := _OF_METER.fullmatch(typed):
            return f"{match[1]} of the meter" if match[1] else "meter"
        if match := _ODDS.fullmatch(typed):
            return f"{match[1]}:{match[2]}".replace(",", "")
        if (match := _FOR_ONE.fullmatch(typed)) and int(match[1].replace(",", "")) > 1:
            to_one = f"{int(match[1].replace(',', '')) - 1}:1"
            say(f"{typed} has the stake in it: that is {to_one}.")
            return to_one
        say("Write odds as in 9 to 1, 3 to 2, 9:1, 10 for 1 with the stake in it; push; meter.")


def _ask_meter(questions: Questions) -> Toml:
    """The terms of a meter that the bet may win (R-PROG-1)."""
    asked = {
        "of": ("Whose meter: table, house, or as in pit NORTH", "table"),
        "seed": ("What it begins with", None),
        "share": ("Share of each bet that goes into it", "1%"),
        "reserve": ("Share of each bet that goes into its reserve", "0%"),
        "two_people_above": (
            "Two people sign for a bet that wins more of it than, or none",
            "none",
        ),
        "must_hit_by": ("The amount at which it is won at the latest, or none", "none"),
    }
    answers = {name: questions.ask("", words, usual) for name, (words, usual) in asked.items()}
    return {
        name: answer.replace(",", "")
        for name, answer in answers.items()
        if answer not in ("none", "0%")
    }


def _ask_over(questions: Questions) -> Toml:
    """The coups by which a bet is decided (R-BET-9)."""
    coups = questions.ask("", "The bet is on how many of the next coups", "3")
    wins = questions.ask("", "It wins a coup when, as in banker wins", "banker wins")
    skips = questions.ask("", "Coups that are not counted: when, as in tie; or none", "none")
    at_end = questions.ask("", "If the shoe ends before it is decided: returned, lost", "returned")
    number = int(coups) if coups.isascii() and coups.isdigit() else coups
    stated: Toml = {"coups": number, "wins": wins, "at_end": at_end}
    return stated if skips == "none" else {**stated, "skips": skips}


def _terms(spot: str, stated: Toml) -> Toml:
    """Terms of a spot as a rule file has them; nothing if there are none."""
    return {"terms": {spot: stated}} if stated else {}


def _ask_limits(draft: Draft, questions: Questions, spot: str) -> None:
    """The least and the most on the bet."""
    rules = draft.rules
    limit = rules.spots[spot].limit or rules.limit("tie" if "tie" in rules.spots else spot)
    least = questions.ask("", "Least bet on it", plain(limit.minimum, rules)).replace(",", "")
    most = questions.ask("", "Most on it", plain(limit.maximum, rules)).replace(",", "")
    draft.take({"limits": {spot: {"minimum": least, "maximum": most}}})
