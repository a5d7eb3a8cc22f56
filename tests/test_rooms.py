"""Every module can be imported, and none by way of itself; tests stand in the rooms they test."""

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from tests import ROOT

PACKAGES = ("domain", "projections", "ops")


def modules(package: str) -> dict[str, Path]:
    """Every module of a package, by its dotted name."""
    found = {}
    for file in (ROOT / package).rglob("*.py"):
        parts = file.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


OWN = {name: file for package in PACKAGES for name, file in modules(package).items()}


def imported_by(source: str) -> Iterator[str]:
    """Own modules that are imported at the top, inside a function or for types only."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in OWN)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{each.name}" for each in node.names]
            named = {name if name in OWN else node.module for name in names}
            yield from named & OWN.keys()


SAMPLE = """
import json, ops.ledger.clock
from typing import TYPE_CHECKING
from domain.rules.money import minor
if TYPE_CHECKING:
    from projections import Event
def later():
    from ops.commands import casino, read
"""


def test_inner_imports_and_imports_for_types_are_found():
    assert set(imported_by(SAMPLE)) == {
        *("ops.ledger.clock", "domain.rules.money", "projections"),
        *("ops.commands.casino", "ops.commands.read"),
    }


def test_no_import_is_circular():
    graph = {name: set(imported_by(file.read_text())) - {name} for name, file in OWN.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.parametrize("name", PACKAGES)
def test_every_module_can_be_imported_and_warns_of_nothing(name):
    for each in OWN:
        if each.startswith(name) and not each.endswith("__main__"):
            import_module(each)


TESTS = ROOT / "tests"


def test_no_test_module_is_imported_by_another():
    """What tests share stands in `tests.worlds`, or in a helper module beside them."""
    imports = re.compile(r"^\s*(?:from|import) tests\.(?:\w+\.)*test_\w+", re.MULTILINE)
    files = [each for each in TESTS.rglob("*.py") if imports.search(each.read_text())]

    assert files == []


@pytest.mark.parametrize("package", PACKAGES)
def test_tests_are_in_the_rooms_of_what_they_test(package):
    rooms = {each.parent.relative_to(TESTS) for each in (TESTS / package).rglob("*.py")}

    assert [room for room in sorted(rooms) if not (ROOT / room).is_dir()] == []


# The statements of projections run where the rows are: they sum or hash many events at once.
WITH_EVENTS_OF_THEIR_OWN = {
    "projections/money/curves.py",
    "projections/record/audits.py",
    "projections/record/integrity.py",
}


def test_only_the_ledger_knows_how_events_are_asked_for():
    named = [file for file in OWN.values() if "ledger.events" in file.read_text()]
    elsewhere = {str(each.relative_to(ROOT)) for each in named}
    elsewhere -= {each for each in elsewhere if each.startswith("ops/ledger/")}

    assert WITH_EVENTS_OF_THEIR_OWN == elsewhere, (
        "SQL on ledger.events stands in ops/ledger: call a named read of reading.py, facts.py, "
        "growth.py or rows.py there, or add one."
    )
