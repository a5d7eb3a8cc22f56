"""Plots: round, named axes, the figures of the table, letters as large as the page's."""

import re

from ops.web.pages.curves import Point, drawn
from ops.web.pages.plots import plots_of
from ops.words import pages

ROWS = [
    {"table": "B01", "period": "2026-11", "win": 1_234_56, "theoretical_win": "900.5",
     "win_low": "-500", "win_high": "120000", "hold": "0.1234"},
    {"table": "B02", "period": "2026-11", "win": -45_00, "theoretical_win": None,
     "win_low": None, "win_high": None, "hold": None},
]  # fmt: skip
SAID = {"win": {123456: "1,234.56", -4500: "−45.00"}, "hold": {"0.1234": "12.34%"}}


def say(name, row):
    return SAID[name][row[name]]


def points(*values):
    return [Point(at=n * 60.0, when=f"20:0{n}", value=value) for n, value in enumerate(values)]


def test_the_figures_of_a_plot_are_as_the_table_has_them():
    win, hold = plots_of("master", ROWS, "USD", say)

    assert "1,234.56 !" in win  # it is outside of its band
    assert "−45.00" in win
    assert "12.34%" in hold


def test_a_plot_has_its_unit_its_keys_and_round_ticks():
    win, hold = plots_of("master", ROWS, "USD", say)

    assert re.findall(r'<text[^>]*>([^<]*)</text>', win) == [
        "-500", "0", "500", "1,000", "1,500",
    ]  # fmt: skip
    assert ">USD<" in win
    assert ">%<" in hold
    for kind in ("value", "expected", "band", "outside"):
        assert f'class="key {kind}"' in win
    assert "95 of 100 such values lie here" in win
    assert 'class="key band"' not in hold


def test_the_worth_of_an_hour_is_drawn_by_table_where_there_was_enough_play():
    row = {"table": "B01", "day": "2026-11-21", "table_hour": 812_34, "seat_hour": -50_00}
    short = {"table": "B02", "day": "2026-11-21", "table_hour": None, "seat_hour": None}

    table, seat = plots_of("yield", [row, short], "USD", lambda name, row: str(row[name]))

    assert "B01 2026-11-21" in table
    assert "B02" not in table + seat
    assert "81234" in table
    assert re.findall(r"<text[^>]*>([^<]*)</text>", seat) == [
        "-50", "-40", "-30", "-20", "-10", "0",
    ]  # fmt: skip
    assert ">USD<" in table


def test_what_chance_does_not_explain_is_drawn_by_powers_of_ten_beside_the_level():
    shoe = {"question": "new deck", "shoe": "B01/2026-11-21/1", "power": 9, "one_in": 10_000}
    shoe |= dict.fromkeys(("patron", "partner", "dealer"))
    pair = {**shoe, "question": "patrons together", "patron": "P-1", "partner": "P-2", "power": 4}
    (plot,) = plots_of("protection", [shoe, pair], "USD", lambda name, row: row[name])

    assert "new deck: B01/2026-11-21/1" in plot
    assert "patrons together: P-1, P-2" in plot
    assert "10^9" in plot
    assert re.findall(r"<text[^>]*>([^<]*)</text>", plot) == ["0", "2", "4", "6", "8", "10"]
    levels = re.findall(r'class="expected" x1="([0-9.]+%)"', plot)
    (four,) = re.findall(r'<text[^>]*x="([0-9.]+%)"[^>]*>4</text>', plot)
    assert levels == [four, four]


def test_every_bar_of_a_plot_is_on_the_scale_of_its_axis():
    win, _ = plots_of("master", ROWS, "USD", say)
    nought = set(re.findall(r'class="nought" x1="([0-9.]+%)"', win))
    (tick,) = re.findall(r'<text[^>]*x="([0-9.]+%)"[^>]*>0</text>', win)

    assert nought == {tick}
    assert f'class="bar" x1="{tick}"' in win


def test_letters_of_a_plot_do_not_shrink_with_the_window():
    curve = drawn(pages.CURVE_PACE, "hands_per_hour", points(30, 60, 45), "", pages.HANDS)
    for plot in (*plots_of("master", ROWS, "USD", say), curve):
        inner = re.findall(r"<svg[^>]*viewBox[^>]*>(.*?)</svg>", plot, re.S)
        assert "<text" not in "".join(inner)
        assert not re.search(r" style=|<style|<script", plot)


def test_a_curve_has_ticks_on_both_axes_and_its_unit():
    curve = drawn(pages.CURVE_PACE, "hands_per_hour", points(30, 60, 45), "", pages.HANDS)
    told = re.findall(r"<text[^>]*>([^<]*)</text>", curve)

    assert told == ["0", "10", "20", "30", "40", "50", "60", "20:00", "20:01", "20:02"]
    assert "hands/h" in curve


def test_a_value_out_of_its_band_is_marked_on_a_curve():
    some = [
        Point(at=0, when="11-20", value=100, expected=90, band=(0, 200)),
        Point(at=1, when="11-21", value=500, expected=90, band=(0, 200)),
    ]
    curve = drawn(pages.CURVE_WIN, "win", some, "USD")

    assert re.findall(r"<title>([^<]*)</title>", curve) == ["11-21 5"]
    assert 'class="key band"' in curve
