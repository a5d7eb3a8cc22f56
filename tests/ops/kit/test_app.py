"""What both faces share: colours that read, lines that fit, keys in the last line, no Textual."""

import subprocess
import sys
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from ops.kit import lines as figures
from ops.kit.colours import PALETTES
from ops.kit.key_bar import Hint, foot

PURE = (
    "ops.board.lines",
    "ops.terminal.dealer.due",
    "ops.kit.lines",
    "ops.kit.key_bar",
    "ops.kit.colours",
    "ops.terminal.dealer.plain",
    "ops.terminal.dealer.screen.head",
    "ops.terminal.dealer.screen.keys",
    "ops.terminal.dealer.screen.messages",
    "ops.terminal.dealer.screen.roads",
    "ops.terminal.dealer.screen.seats",
    "ops.cli.dealer",
)


# Colours.
def _light(colour: tuple[int, ...]) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in (part / 255 for part in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    bright, dark = sorted((_light(one), _light(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", PALETTES)
def test_every_word_reads_on_its_ground_and_where_it_is_selected(name):
    palette = PALETTES[name]
    selected = palette.ansi_colors[0]
    words = [palette.ansi_colors[n] for n in range(1, 16)]

    for ground, colour in product((palette.background_color, selected), words):
        assert _contrast(colour, ground) >= 4.5, (colour, ground)


@pytest.mark.parametrize("name", PALETTES)
def test_a_selected_line_named_from_its_ground(name):
    palette = PALETTES[name]

    assert _contrast(palette.ansi_colors[0], palette.background_color) >= 1.2


# Modules.
@pytest.mark.parametrize("module", PURE)
def test_what_draws_lines_does_not_load_textual(module):
    told = f"import sys; import {module}; sys.exit('textual' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", told], check=False).returncode == 0


# Lines.
WORDS = st.text(st.sampled_from("ab 王…·"), max_size=60)


@given(WORDS, WORDS, st.integers(0, 90))
def test_what_is_fitted_or_ruled_is_exactly_as_wide_as_its_room(left, right, width):
    for line in (
        figures.fitted(Text(left), width),
        figures.ends(Text(left), Text(right), width),
        figures.ruled(Text(left), width, Text(right)),
        figures.barred(Text(left), width, right),
    ):
        assert line.cell_len == width


@given(WORDS, st.integers(2, 40))
def test_wrapped_words_are_all_there_and_no_line_is_wider_than_its_room(words, width):
    lines = figures.wrapped(words, width)

    assert "".join(line.plain for line in lines).replace(" ", "") == words.replace(" ", "")
    assert all(line.cell_len <= width for line in lines)


def test_only_the_first_line_has_the_mark_and_the_others_room_for_it():
    lines = figures.marked(("!", "bold"), "two words", 7)

    assert [line.plain for line in lines] == ["! two", "  words"]


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 5))
def test_two_blocks_side_by_side_are_as_high_as_they_should_be(left, right, height):
    lines = figures.beside([Text("a")] * left, 3, [Text("b")] * right, height)

    assert [line.plain for line in lines] == [
        f"{'a' if y < left else ' '}  │{'b' if y < right else ''}" for y in range(height)
    ]


@pytest.mark.parametrize(("size", "small"), [((80, 24), False), ((79, 24), True), ((80, 23), True)])
def test_a_screen_that_is_too_small_says_so(size, small):
    assert bool(figures.too_small(*size, "the pit")) == small


# Keys.
HINTS = (Hint("F3", "no more bets", "no more"), Hint("F4", "settle", lit=False))
LEAVE = (Hint("F10", "leave"),)


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (50, " F3 no more bets  F4 settle            F10 leave "),
        (33, " F3 no more F4 settle  F10 leave "),
        (28, " F3 no more      F10 leave "),
        (11, " F10 leave "),
    ],
)
def test_labels_get_shorter_and_then_the_last_keys_go_but_never_those_that_always_stay(
    width, shown
):
    line = foot(HINTS, width, LEAVE)

    assert " ".join(line.plain.split()) == " ".join(shown.split())
    assert line.cell_len == width


def test_only_a_key_that_does_something_now_is_lit():
    line = foot(HINTS, 60)
    lit = {line.plain[span.start : span.end] for span in line.spans if "reverse" in str(span.style)}

    assert lit == {"F3"}
