"""`sabot rules`: the rule sets for tables, the program's and the house's own."""

import json
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from domain.rules.choices import one_of
from domain.rules.house_rules import RULE_SETS, Clock, HouseRules, Pace
from domain.rules.house_rules.differences import differences
from domain.rules.money import major
from domain.rules.odds import favoured_by_rounding
from domain.rules.refusals import BadValue
from ops.cli.odds import (
    favouring,
    favours_at_minimum_words,
    favours_words,
    pays,
    rules_named,
    spots_of,
)
from ops.cli.rule_edges import edges_as_dict, print_edges, table_of, taken
from ops.cli.rules_meant import of_file, rules_meant
from ops.cli.rules_new import new
from ops.cli.rules_sheet import sheet
from ops.cli.session import json_option, with_database
from ops.cli.speak import noun
from ops.commands.rule_book import Known, book
from ops.ledger.database import Database
from ops.manual import shelf
from ops.typed.shell import require_utf8
from ops.words import show
from ops.words.rule_terms import term_words, value_words

if TYPE_CHECKING:
    from rich.table import Table

_MISDRAW = {
    "carry": "goes to the next coup",
    "burn": "is burned",
    "dummy": "begins a coup without bets",
}
_OUTSIDE = {"whole": "is settled whole", "at-limit": "is reduced to the limit"}

rules = noun("rules", "The rule sets: the program's, and those that the house approved.")
rules.add_command(new)
rules.add_command(sheet)


@rules.command("list")
@json_option
@with_database
def list_(database: Database, as_json: bool) -> None:
    """List every rule set: the program's, and those that the house approved."""
    known = _book(database)
    if as_json:
        click.echo(json.dumps({"rules": [_head(each) for each in known]}, ensure_ascii=False))
        return
    table = table_of("rule set", "from", "source", "digest")
    for each in known:
        table.add_row(each.rules.name, _whose(each), each.rules.source, each.rules.digest[:12])
    show.console().print(table)


def _book(database: Database) -> list[Known]:
    if not database.begun:
        return [Known(rules) for _, rules in sorted(RULE_SETS.items())]
    with database.session("sabot_auditor") as connection:
        return book(connection)


def _head(known: Known) -> dict[str, object]:
    return {
        "name": known.rules.name,
        "origin": "program" if known.approved_by is None else "approved",
        "approved_by": known.approved_by,
        "source": known.rules.source,
        "digest": known.rules.digest,
    }


def _whose(known: Known) -> str:
    if known.approved_by is None:
        return "the program"
    return f"approved by {' and '.join(known.approved_by)}" if known.approved_by else "approved"


@rules.command("show")
@click.argument("name")
@json_option
@with_database
def show_(database: Database, name: str, as_json: bool) -> None:
    """Show every term of the rule set NAME, as in dragon-bonus@1."""
    require_utf8("name", name)
    known = rules_named(database, name)
    if as_json:
        body = _head(known) | {"stated": json.loads(known.rules.stated)}
        decks = known.rules.decks
        body["favours_patron"] = favouring(spots_of(known.rules, decks))
        body["favours_patron_at_minimum"] = [*favoured_by_rounding(known.rules, decks)]
        click.echo(json.dumps(body, ensure_ascii=False))
    else:
        _print_terms(known)


@rules.command()
@click.argument("file")
@json_option
@with_database
def check(database: Database, file: str, as_json: bool) -> None:
    """Check the rule set in FILE and show its house edges; records nothing.

    FILE is a file, or the name of a sheet: `sabot rules shelf` lists them.
    """
    read = of_file(database, file)
    if as_json:
        click.echo(json.dumps(edges_as_dict(read), ensure_ascii=False))
        return
    show.console().print(f"{read.name} is a valid rule set; its digest is {read.digest[:12]}.")
    print_edges(read)


@rules.command("shelf")
@click.argument("name", required=False)
@json_option
def shelf_(name: str | None, as_json: bool) -> None:
    """List the sheets of houses and regulators that the manual has, or print the one of NAME.

    \b
    sabot rules shelf perfect-pair@1 > mine.toml   # to begin one's own
    """
    if name is not None:
        one = _sheet(name)
        click.echo(json.dumps(to_builtins(one)) if as_json else one.text, nl=as_json)
    elif as_json:
        bodies = [to_builtins(each) for each in shelf.shelf().values()]
        click.echo(json.dumps({"sheets": [_without_text(body) for body in bodies]}))
    else:
        table = table_of("sheet", "bets", "from")
        for each in shelf.shelf().values():
            table.add_row(each.name, ", ".join(each.bets), each.source)
        show.console().print(table)


def _sheet(name: str) -> shelf.Sheet:
    """The sheet of a name. Refuses: BadValue."""
    require_utf8("name", name)
    one = shelf.sheet(name)
    if one is None:
        why = one_of(shelf.shelf(), name, shelf.LISTED_BY)
        raise BadValue(field="name", value=repr(name), why=why)
    return one


def _without_text(body: dict[str, object]) -> dict[str, object]:
    return {field: value for field, value in body.items() if field != "text"}


@rules.command()
@click.argument("before")
@click.argument("now")
@json_option
@with_database
def diff(database: Database, before: str, now: str, as_json: bool) -> None:
    """Show in which terms NOW differs from BEFORE, and every house edge that changes.

    Each is a rule set's name, as in riverside@1, that of a sheet, or a file.
    """
    was, is_ = rules_meant(database, before), rules_meant(database, now)
    terms = differences(was, is_)
    edges = _changed_edges(was, is_)
    if as_json:
        changed = [{"term": term, "before": old, "now": new} for term, old, new in terms]
        body = {"before": was.name, "now": is_.name, "terms": changed, "edges": edges}
        click.echo(json.dumps(body, ensure_ascii=False))
        return
    for term, *both in terms:
        shown = (value_words(term, value, is_.currency) for value in both)
        click.echo(f"{term_words(term)}: {' → '.join(shown)}")
    for edge in edges:
        values = (_or_not_offered(edge[each]) for each in ("before_percent", "now_percent"))
        click.echo(f"{show.spot_called(str(edge['spot']))}: house edge {' → '.join(values)}")
    if not terms:
        click.echo(f"{is_.name} has the same terms as {was.name}.")


def _changed_edges(was: HouseRules, is_: HouseRules) -> list[dict[str, object]]:
    """Each spot whose house edge changes, with it before and now; None: not offered."""
    before, now = (spots_of(each, each.decks) for each in (was, is_))
    edges: list[dict[str, object]] = [
        {
            "spot": spot,
            "before_percent": before[spot].house_percent if spot in before else None,
            "now_percent": now[spot].house_percent if spot in now else None,
        }
        for spot in (*before, *(each for each in now if each not in before))
    ]
    return [each for each in edges if each["before_percent"] != each["now_percent"]]


def _or_not_offered(edge: object) -> str:
    return "not offered" if edge is None else f"{edge:z.4f}%"


def _print_terms(known: Known) -> None:
    from rich.text import Text

    page, dealt = show.console(), known.rules
    page.print(Text.assemble((dealt.name, "bold"), f"  {_whose(known)}  {dealt.digest[:12]}"))
    table = table_of("", "")
    for term, words in _terms(dealt).items():
        table.add_row(term, words)
    page.print(table)
    page.print(_spots(dealt))
    for words in taken(dealt):
        page.print(words)
    at_minimum = favours_at_minimum_words(dealt, dealt.decks)
    for words in (*favours_words(spots_of(dealt, dealt.decks)), *at_minimum):
        page.print(words)


def _terms(dealt: HouseRules) -> dict[str, str]:
    """Every term except the spots, by its heading."""

    def say(amount: int) -> str:
        return major(amount, dealt.currency)

    burn = {
        "first-card": "the first card, and as many more as its value",
        "first-card-ace-11": "the first card, and as many more as its value, 11 for an ace",
        "fixed": f"the first card, and {dealt.burn_face_down} more",
        "none": "none",
    }
    return {
        "source": dealt.source,
        "decks": f"{dealt.decks}, allowed {_or(dealt.decks_allowed)}",
        "dealing": _dealing(dealt),
        "burn": burn[dealt.burn],
        "cut card": f"{dealt.cut_card} cards from the back",
        "seats": ", ".join(map(str, dealt.seats)),
        "currency": dealt.currency,
        "increment": say(dealt.increment),
        "chips": ", ".join(map(say, dealt.chips)),
        "main wagers": f"{say(dealt.main.minimum)} to {say(dealt.main.maximum)}",
        "differential": "none" if dealt.differential is None else say(dealt.differential),
        "commission": _commission(dealt),
        "a card too many": _MISDRAW[dealt.misdraw],
        "a wager outside the limits": _OUTSIDE[dealt.outside_limits],
        **({"game accounts": "allowed"} if dealt.accounts else {}),
        **({"clock": _clock(dealt.clock)} if dealt.clock else {}),
        **({"pace": _pace(dealt.pace)} if dealt.pace else {}),
    }


def _clock(clock: Clock) -> str:
    """The words for the pace of a table that deals by itself."""
    return (
        f"{clock.betting_seconds} s for bets, {clock.card_seconds} s for each card, at most "
        f"{clock.coups_per_hour} coups an hour, locked up when {clock.fault_seconds} s late"
    )


def _pace(pace: Pace) -> str:
    return f"{pace.slowest} to {pace.fastest} coups an hour are wanted"


def _dealing(dealt: HouseRules) -> str:
    """The words for how the cards are dealt, and who turns them."""
    if dealt.dealing == "face-up":
        return "face up"
    if dealt.dealing == "face-down":
        return "face down; the dealer turns them after the fourth card"
    if dealt.squeeze == "both-bettors":
        return "squeeze; the largest bettor of each side turns that hand"
    return "squeeze; the largest Player bettor looks and gives back, the dealer turns"


def _commission(dealt: HouseRules) -> str:
    terms, rounding = dealt.commission, dealt.commission.rounding
    if not terms.rate[0]:
        return "none"
    if terms.timing == "in-the-odds":
        return "none taken; it is in the odds"
    words = f"{terms.rate[0] * 100 / terms.rate[1]:g}%, {terms.timing.replace('-', ' ')}"
    if rounding.mode != "exact":
        ways = {"up": "up to the next", "down": "down to the last", "nearest": "to the nearest"}
        unit = major(rounding.unit, dealt.currency)
        words += f", rounded {ways[rounding.mode]} {unit} {rounding.moment.replace('-', ' ')}"
    if rounding.minimum:
        words += f", at least {major(rounding.minimum, dealt.currency)}"
    return words


def _spots(dealt: HouseRules) -> "Table":
    amounts = ("minimum", "maximum")
    table = table_of("spot", "when", "pays", *amounts, right=("pays", *amounts))
    for spot, stated in dealt.spots.items():
        limit = dealt.limit(spot)
        bounds = (major(limit.minimum, dealt.currency), major(limit.maximum, dealt.currency))
        for n, line in enumerate(stated.pays):
            first = (spot, bounds) if n == 0 else ("", ("", ""))
            table.add_row(first[0], line.when, pays(line), *first[1])
    return table


def _or(numbers: tuple[int, ...]) -> str:
    return " or ".join(map(str, numbers))
