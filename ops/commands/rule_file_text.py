"""Where the text of a rule file comes from: a file, a sheet of the shelf, or the text itself."""

from pathlib import Path

from domain.rules.choices import nearest
from domain.rules.house_rules import RULE_SETS
from domain.rules.refusals import BadValue
from domain.rules.wording import Words, listed
from ops.ledger import machine
from ops.manual import shelf

LARGEST = 100_000  # bytes


def contents(file: str) -> bytes:
    """The bytes of a file; `file` is its path, its text if it has a line break, or a sheet's name.

    Refuses: BadValue.
    """
    if "\n" in file:
        return file.encode()
    path = Path(file)
    try:
        if machine.is_another() or not path.is_file():
            if on_shelf := shelf.sheet(file):
                return on_shelf.text.encode()
            raise BadValue(field="file", value=repr(file), why=_nowhere(file))
        with path.open("rb") as opened:
            text = opened.read(LARGEST + 1)
    except OSError as error:
        raise BadValue(field="file", value=repr(file), why=str(error.strerror)) from None
    if len(text) > LARGEST:
        raise BadValue(field="file", value=repr(file), why=f"it has more than {LARGEST:,} bytes")
    return text


def _nowhere(file: str) -> str:
    """Why there is no rule set: no file and, of a name with its version, no sheet either.

    >>> str(_nowhere("classic"))
    'there is no such file on this machine; with its version it is classic@1'
    """
    if "@" not in file:
        named = [each for each in (*RULE_SETS, *shelf.shelf()) if each.startswith(f"{file}@")]
        if not named:
            return "there is no such file on this machine"
        return Words(
            "there is no such file on this machine; with its version it is {names}",
            names=listed(named),
        )
    near = listed(nearest(list(shelf.shelf()), file))
    return Words(
        "there is no such file on this machine, and no such sheet; the nearest are {near}; "
        "{place} lists all",
        near=near,
        place=shelf.LISTED_BY,
    )
