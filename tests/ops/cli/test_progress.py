"""The bar that people watch while the ledger is read."""

import io

from rich.console import Console

from ops.cli import progress
from ops.words import show


def test_a_rate_is_told_in_events_a_second_once_it_is_known():
    assert ["", "", "31,400 events/s"] == [
        progress.rate_words(None),
        progress.rate_words(0.0),
        progress.rate_words(31_400.4),
    ]


def test_the_bar_tells_how_far_and_how_fast(monkeypatch):
    page = Console(file=io.StringIO(), force_terminal=True, width=120)
    monkeypatch.setattr(show, "console", lambda **_: page)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress.reading() as bar:
        now = iter(range(100))
        bar.get_time = lambda: float(next(now))
        task = bar.add_task("wagers, coups", total=300, at="")
        for position in (100, 200, 300):
            bar.update(task, completed=position, at=f"{position}/300")

    assert "300/300" in page.file.getvalue()
    assert "events/s" in page.file.getvalue()


def test_nothing_is_shown_where_nobody_watches(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: False)

    assert progress.reading().disable
