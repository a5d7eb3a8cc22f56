"""Names in the code say what a thing is, not that somebody said or found it."""

import ast
from pathlib import Path

from tests import ROOT

RIDDLES = {"told", "said", "found", "stands", "kept", "tells", "lies", "says", "unsaid", "mouth"}
FILES = sorted(
    path.relative_to(ROOT)
    for package in ("domain", "ops", "projections")
    for path in (ROOT / package).rglob("*.py")
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


def test_no_name_is_a_riddle():
    riddles = {str(file): found for file in FILES if (found := riddles_in(file))}

    assert {} == riddles
