"""What a terminal sends, as the keys that were pressed."""

import pytest

from ops.kit.driver import Keys


def pressed(*pieces):
    """The keys, as the pieces come one after the other, each before anybody waits."""
    keys = Keys(False)
    return [event.key for piece in pieces for event in keys.feed(piece)]


# fmt: off
@pytest.mark.parametrize(("pieces", "keys"), [
    (["\x1b3b"],            ["escape", "3", "b"]),
    (["\x1b", "3b"],        ["escape", "3", "b"]),
    (["a\x1b", "s"],        ["a", "escape", "s"]),
    (["\x1b\x1b9"],         ["escape", "escape", "9"]),
    (["\x1b", "\x1b", "9"], ["escape", "escape", "9"]),
    (["\x1b[A9"],           ["up", "9"]),
    (["\x1b", "[A9"],       ["up", "9"]),
    (["\x1b", "OP"],        ["f1"]),
    (["\x1b[5~\x1b3"],      ["pageup", "escape", "3"]),
    (["\x1b王"],            ["escape", "王"]),
    (["n\n9h\r"],           ["n", "enter", "9", "h", "enter"]),
])

def test_an_escape_is_a_key_of_its_own_however_soon_the_next_one_comes(pieces, keys):
    assert pressed(*pieces) == keys


def test_an_escape_behind_which_nothing_comes_is_one_and_what_comes_later_is_itself(monkeypatch):
    keys = Keys(False)
    assert list(keys.feed("\x1b")) == []
    monkeypatch.setattr("textual._parser.get_time", lambda: float("inf"))

    assert [each.key for each in keys.tick()] == ["escape"]
    monkeypatch.undo()
    assert [each.key for each in keys.feed("[")] == ["left_square_bracket"]
    assert [each.key for each in keys.feed("3")] == ["3"]
