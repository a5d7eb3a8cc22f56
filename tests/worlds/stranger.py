"""A stranger who checks a pack without the program, and a forger who computes its hashes anew."""

import json
import py_compile
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from tests import VERIFY

FORGER = SimpleNamespace(**runpy.run_path(str(VERIFY)))  # who knows how hashes are computed


def verified(tmp_path, content, *more):
    """What a stranger is told, in a directory without the program."""
    (tmp_path / "pack.json").write_text(json.dumps(content))
    return judged("pack.json", *more, place=tmp_path)


def judged(file, *more, place=None):
    """What the script says of a file, as a program of its own with no library in reach."""
    return subprocess.run(
        [sys.executable, "-I", "-S", _compiled(), file, *more],
        capture_output=True, text=True, check=False, cwd=place,
    )  # fmt: skip


@cache
def _compiled() -> Path:
    """The script as Python compiles it, which each start would do again in thousands of lines."""
    return Path(py_compile.compile(str(VERIFY), doraise=True))


def event_of(content, topic):
    """The first event of a topic in a file."""
    return next(each for each in content["events"] if each["topic"] == topic)
