"""How heavy the code may be. A ceiling only sinks: what was made lighter stays so."""

import ast
from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path

import pytest

from tests import ROOT

PACKAGES = ("domain", "projections", "ops")
LONG_FILE, LONGEST_FILE = 400, 500  # lines
LONG_FUNCTION = 40  # lines
LARGE_CLASS = 25  # methods
DEEP = 4  # blocks within one another
SLACK = 50  # a ceiling may stand this share of itself, as one in so many, above what is counted
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
OF_STATEMENTS = ("body", "orelse", "finalbody", "handlers", "cases")
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.AsyncFor, ast.AsyncWith, ast.Match)


@lru_cache(maxsize=1)
def tree_of(source: str) -> ast.Module:
    """Everything in a file is counted before the next one is read."""
    return ast.parse(source)


@lru_cache(maxsize=1)
def functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method, those within others, too."""
    return [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]


def lines(source: str) -> int:
    """How many lines a file has."""
    return source.count("\n")


def inline_imports(source: str) -> int:
    """Own modules that are imported within a function, each once a function."""
    return sum(
        isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES
        for function in functions(tree_of(source))
        for node in ast.walk(function)
    )


def long_functions(source: str) -> int:
    """Functions with more lines than a screen shows, from `def` to their last, no words."""
    return sum(length(each) > LONG_FUNCTION for each in functions(tree_of(source)))


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its docstring, which may be a command's whole help."""
    first = function.body[0]
    return span(function) - (span(first) if ast.get_docstring(function) else 0)


def span(node: ast.stmt) -> int:
    """How many lines a statement has."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def large_classes(source: str) -> int:
    """Classes with more methods than a reader keeps in mind."""
    every = [node for node in ast.walk(tree_of(source)) if isinstance(node, ast.ClassDef)]
    return sum(sum(isinstance(n, FUNCTIONS) for n in each.body) > LARGE_CLASS for each in every)


def deep_functions(source: str) -> int:
    """Functions with blocks within blocks, four deep or deeper."""
    return sum(depth(each) >= DEEP for each in functions(tree_of(source)))


def depth(node: ast.AST) -> int:
    """How many blocks stand within one another; an `elif` stands beside its `if`."""
    deepest = 0
    for field in OF_STATEMENTS:
        for child in getattr(node, field, ()):
            if isinstance(child, FUNCTIONS):
                continue
            beside = isinstance(node, ast.If) and field == "orelse" and isinstance(child, ast.If)
            deepest = max(deepest, depth(child) + (isinstance(child, BLOCKS) and not beside))
    return deepest


def untyped_rows(source: str) -> int:
    """Values that are named `dict[str, Any]`."""
    return source.count("dict[str, Any]")


# What is counted in each file, in which packages, and how much of it there may be at most.
WEIGHTS: dict[str, tuple[Callable[[str], int], tuple[str, ...], int]] = {
    "own modules imported within functions": (inline_imports, PACKAGES, 38),
    "dict[str, Any]": (untyped_rows, ("ops",), 17),
    "files over 400 lines": (lambda source: lines(source) > LONG_FILE, PACKAGES, 2),
    "files over 500 lines": (lambda source: lines(source) > LONGEST_FILE, PACKAGES, 0),
    "functions over 40 lines": (long_functions, PACKAGES, 0),
    "classes over 25 methods": (large_classes, PACKAGES, 0),
    "functions with four blocks within one another": (deep_functions, ("ops",), 7),
}


@cache
def all_weighed() -> dict[str, Counter[Path]]:
    """How much each file has of everything that is counted."""
    found: dict[str, Counter[Path]] = {name: Counter() for name in WEIGHTS}
    for file in (file for package in PACKAGES for file in (ROOT / package).rglob("*.py")):
        path, source = file.relative_to(ROOT), file.read_text()
        for name, (count, packages, _) in WEIGHTS.items():
            if path.parts[0] in packages:
                found[name][path] = int(count(source))
    return found


def weighed(name: str) -> Counter[Path]:
    """How much each file has of something."""
    return all_weighed()[name]


@pytest.mark.parametrize("name", WEIGHTS)
def test_nothing_grows_heavier(name):
    found, most = weighed(name), WEIGHTS[name][-1]
    heaviest = "\n".join(f"  {count:6,} {file}" for file, count in found.most_common(12) if count)

    assert found.total() <= most, (
        f"{name}: {found.total():,}, and tests/test_weight.py allows {most:,}. "
        f"Make one of these lighter, or what you added:\n{heaviest}"
    )


@pytest.mark.parametrize("name", WEIGHTS)
def test_a_ceiling_follows_what_was_made_lighter(name):
    found, most = weighed(name).total(), WEIGHTS[name][-1]

    assert found >= most - max(1, most // SLACK), (
        f"{name}: only {found:,} are left. Write {found:_} in place of {most:_} in WEIGHTS of "
        "tests/test_weight.py, so that it stays so."
    )


INLINE = """
def method(self):
    from ops.ledger import clock
    import json
"""
ELIF = """
def deep():
    if 1:
        pass
    elif 2:
        for each in (1,):
            with each:
                BLOCK
"""


def test_what_is_counted():
    assert inline_imports(INLINE) == 1
    assert deep_functions(ELIF.replace("BLOCK", "while 1: pass")) == 1
    assert deep_functions(ELIF) == 0
    assert [large_classes("class A:\n" + "    def a(self): ...\n" * n) for n in (25, 26)] == [0, 1]
    assert [
        long_functions('def a():\n    """A\n    B."""\n' + "    a\n" * n) for n in (39, 40)
    ] == [0, 1]
