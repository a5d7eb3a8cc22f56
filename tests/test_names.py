"""Names in the code say what a thing is, not that somebody said or found it."""

import ast
from pathlib import Path

import pytest

from tests import ROOT

RIDDLES = {"told", "said", "found", "stands", "kept", "tells", "lies", "says", "unsaid", "mouth"}
FILES = sorted(
    path.relative_to(ROOT)
    for package in ("domain", "ops", "projections")
    for path in (ROOT / package).rglob("*.py")
)
# Rooms whose names are still to come into plain words; a room goes off the list when it is done.
NOT_YET = (
    "domain/aggregates",
    "domain/events",
    "domain/rules",
    "ops/cli",
    "ops/manual/examples",
    "ops/pack",
    "ops/replay",
    "ops/terminal",
)
# Names of the record and of commands, which never change.
CONTRACT = {"patron_told_at", "as_they_found"}


def names(tree: ast.AST):
    """Every name that a file gives: functions, classes, parameters, variables, fields."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def is_a_riddle(name: str) -> bool:
    parts = name.strip("_").lower().split("_")
    return name not in CONTRACT and bool(RIDDLES & set(parts))


def riddles_in(file: Path):
    tree = ast.parse((ROOT / file).read_text())
    return [(line, name) for line, name in names(tree) if is_a_riddle(name)]


def is_to_come(file: Path) -> bool:
    return file.as_posix().startswith(tuple(f"{room}/" for room in NOT_YET))


@pytest.mark.parametrize("file", [each for each in FILES if not is_to_come(each)], ids=str)
def test_no_name_is_a_riddle(file: Path):
    assert [] == riddles_in(file)


@pytest.mark.parametrize("room", NOT_YET)
def test_a_room_is_on_the_list_only_while_it_has_riddles(room: str):
    assert any(riddles_in(each) for each in FILES if each.as_posix().startswith(f"{room}/"))
