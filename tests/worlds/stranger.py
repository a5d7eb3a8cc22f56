"""A stranger who checks a pack without the program, and a forger who computes its hashes anew."""

import atexit
import json
import py_compile
import runpy
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

from tests import VERIFY

_ONE_AT_A_TIME = threading.Lock()
_FORKS = """
import json, os, runpy, sys
main = runpy.run_path(sys.argv[1])["main"]
for line in sys.stdin:
    words, place, *said = json.loads(line)
    if not (child := os.fork()):
        os.chdir(place)
        for n, file in enumerate(said, 1):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), n)
        sys.argv[1:] = words
        sys.exit(main())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
FORGER = SimpleNamespace(**runpy.run_path(str(VERIFY)))  # who knows how hashes are computed


def verified(tmp_path, content, *more):
    """What a stranger is told, in a directory without the program."""
    (tmp_path / "pack.json").write_text(json.dumps(content))
    return judged("pack.json", *more, place=tmp_path)


def judged(file, *more, place="."):
    """What the script says of a file, as a program of its own with no library in reach."""
    with TemporaryDirectory() as said:
        out, err = Path(said, "out"), Path(said, "err")
        words = [str(each) for each in (file, *more)]
        with _ONE_AT_A_TIME:
            stranger = _stranger()
            asked = [words, str(Path(place).resolve()), str(out), str(err)]
            stranger.stdin.write(json.dumps(asked) + "\n")
            stranger.stdin.flush()
            status = int(stranger.stdout.readline())
        return subprocess.CompletedProcess(words, status, out.read_text(), err.read_text())


@cache
def _stranger():
    """A Python with nothing but the script, which forks itself for each file."""
    stranger = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _FORKS, _compiled()],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    atexit.register(stranger.communicate)
    return stranger


@cache
def _compiled() -> Path:
    """The script as Python compiles it, which each start would do again in thousands of lines."""
    return Path(py_compile.compile(str(VERIFY), doraise=True))


def event_of(content, topic):
    """The first event of a topic in a file."""
    return next(each for each in content["events"] if each["topic"] == topic)
