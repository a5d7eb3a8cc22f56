"""A stranger who checks a pack without the program, and a forger who computes its hashes anew."""

import json
import runpy
import subprocess
import sys
from types import SimpleNamespace

from tests import VERIFY

FORGER = SimpleNamespace(**runpy.run_path(str(VERIFY)))  # who knows how hashes are computed


def verified(tmp_path, content, *more):
    """What a stranger is told, in a directory without the program."""
    (tmp_path / "pack.json").write_text(json.dumps(content))
    return subprocess.run(
        [sys.executable, "-I", "-S", VERIFY, "pack.json", *more],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip


def event_of(content, topic):
    """The first event of a topic in a file."""
    return next(each for each in content["events"] if each["topic"] == topic)
