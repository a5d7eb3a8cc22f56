"""The shelf: sheets of houses and regulators, as rule files, from which a house begins its own.

>>> sheet("quik@1").bets
('quik',)
>>> sheet("quick@1") is None
True
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

SHEETS = Path(__file__).parent / "sheets"
LISTED_BY = "`sabot rules shelf`"


class Sheet(Struct, frozen=True):
    """One rule file: its name and version, the spots that it states, and where it comes from."""

    name: str
    bets: tuple[str, ...]
    source: str
    text: str


def sheet(name: str) -> Sheet | None:
    """The sheet of this name and version, or None if there is none."""
    return shelf().get(name)


@cache
def shelf() -> Mapping[str, Sheet]:
    """Every sheet, by its name."""
    each = [_read(file) for file in sorted(SHEETS.glob("*.toml"))]
    return {one.name: one for one in each}


def _read(file: Path) -> Sheet:
    text = file.read_text(encoding="utf-8")
    stated = tomllib.loads(text)
    offered = (spot for spot, terms in stated["spots"].items() if terms != "none")
    return Sheet(stated["name"], tuple(offered), stated["source"], text)
