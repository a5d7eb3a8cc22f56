"""A bar of bytes never passes its end, whatever was expected."""

import re
import sys

from ops.cli.backup import bytes_bar
from ops.words import show


def shown(monkeypatch, *, expected, pieces):
    """What a terminal shows of it."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    made = show.console(err=True)
    made._force_terminal = True
    monkeypatch.setattr(show, "console", lambda **_: made)
    with made.capture() as captured, bytes_bar("base backup") as (begins, count):
        begins(expected)
        for _ in range(pieces):
            count(1_000_000)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", captured.get())


def test_more_than_was_expected_moves_its_end(monkeypatch):
    assert "3.0/3.0 MB" in shown(monkeypatch, expected=2_000_000, pieces=3)


def test_as_much_as_was_expected_does_not(monkeypatch):
    assert "1.0/2.0 MB" in shown(monkeypatch, expected=2_000_000, pieces=1)
