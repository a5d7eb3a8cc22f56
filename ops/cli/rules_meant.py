"""The rule set that somebody means: by its name, that of a sheet, or the path of a file."""

from pathlib import Path

from domain.rules.choices import nearest
from domain.rules.house_rules import HouseRules
from domain.rules.refusals import UnknownRules
from domain.rules.wording import Words, listed
from ops.cli.odds import rules_named
from ops.commands import rule_file_text, rule_files
from ops.ledger.database import Database
from ops.manual import shelf
from ops.typed.shell import require_utf8
from ops.words.event_values import run_on


def rules_meant(database: Database, name: str) -> HouseRules:
    """The rule set of a name, of a sheet, or of a file. Refuses: UnknownRules; or as `of_file`.

    The house may have changed a sheet before it approved it: its own comes before the sheet.
    """
    if "@" in name and not Path(name).is_file():
        require_utf8("name", name)
        try:
            return rules_named(database, name).rules
        except UnknownRules as unknown:
            if shelf.sheet(name) is None:
                raise _beside_sheets(unknown, name) from None
    return of_file(database, name)


def _beside_sheets(unknown: UnknownRules, name: str) -> UnknownRules:
    """The refusal of an unknown name, with the sheets that may be meant."""
    sheets = Words(
        "The nearest sheets are {near}; {place} lists all.",
        near=listed(nearest(list(shelf.shelf()), name)),
        place=shelf.LISTED_BY,
    )
    return UnknownRules(message=run_on([unknown.words, sheets]))


def of_file(database: Database, file: str) -> HouseRules:
    """The rule set that a file or a sheet states. Refuses: as `rule_files.read`."""
    require_utf8("file", file)
    text = rule_file_text.contents(file)
    return rule_files.read(text, lambda name: rules_named(database, name).rules)


def is_on_record(database: Database, rules: HouseRules) -> bool:
    """Whether tables may open with it: it is the program's, or approved with these very terms."""
    try:
        return rules_named(database, rules.name).rules.digest == rules.digest
    except UnknownRules:
        return False
