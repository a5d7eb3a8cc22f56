"""A checkpoint typed off paper: every slip is named by its line, and blames nobody."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ops.proof.by_hand import CHECKS, LINES, Mistyped, check_of, lines_of, note_of
from ops.proof.note import Unsigned
from tests import VERIFY, module_of
from tests.worlds.signing import signed, signer_of

SIZE, ROOT = 48_213, bytes(range(7, 39))
NOTE = signed(SIZE, ROOT)
KEY = signer_of().verifier
PAPER = lines_of(NOTE, KEY.vkey)
CHARACTERS = "0A9Z*~$=U!—é"


def read(lines):
    return note_of("\n".join(lines), [KEY])


def named(lines):
    """The line that the refusal of what is typed names."""
    with pytest.raises(Mistyped) as refused:
        read(lines)
    return int(re.search(r"[Ll]ine (\d+)", str(refused.value))[1])


def with_line(n, line):
    return [*PAPER[:n], line, *PAPER[n + 1 :]]


def test_what_is_typed_as_printed_is_the_note():
    assert read(PAPER) == NOTE
    assert len(PAPER) == LINES
    assert PAPER[0].startswith("1: 0000 0000 0000 0004 8213  ")
    assert all(len(each) == len("1: AAAA AAAA AAAA AAAA AAAA  A") for each in PAPER)


def test_hands_may_type_small_letters_other_blanks_and_what_looks_alike():
    assert read([each.lower().replace(":", "").replace(" ", "") for each in PAPER]) == NOTE
    loose = ["\t".join(each.lower().split()) for each in PAPER]
    assert read(["", *loose, "", ""]) == NOTE
    assert read([each[:3] + each[3:].replace("0", "o").replace("1", "l") for each in PAPER]) == NOTE


def test_every_wrong_character_is_named_by_its_line():
    for n, line in enumerate(PAPER):
        for at, old in enumerate(line):
            for new in CHARACTERS:
                typed = with_line(n, line[:at] + new + line[at + 1 :])
                if new == old or (old in ": " and new in ": "):
                    continue
                assert named(typed) == n + 1, typed[n]


def test_every_character_left_out_or_doubled_is_named_by_its_line():
    for n, line in enumerate(PAPER):
        for at, each in enumerate(line):
            if each not in ": ":
                assert named(with_line(n, line[:at] + line[at + 1 :])) == n + 1
                assert named(with_line(n, line[:at] + each + line[at:])) == n + 1


def test_every_pair_of_swapped_neighbours_is_named_by_its_line():
    for n, line in enumerate(PAPER):
        solid = line.replace(":", "").replace(" ", "")
        for at in range(len(solid) - 1):
            one, two = solid[at : at + 2]
            if one != two:
                typed = with_line(n, solid[:at] + two + one + solid[at + 2 :])
                assert named(typed) == n + 1, typed[n]


def test_a_line_left_out_doubled_or_one_too_many_is_named():
    for n in range(LINES):
        assert named([*PAPER[:n], *PAPER[n + 1 :]]) == n + 1
        assert named([*PAPER[: n + 1], *PAPER[n:]]) in (n + 1, LINES + 1)
        assert named([*PAPER[:n], "what is this", *PAPER[n:]]) == n + 1
    for n in range(LINES - 1):
        assert named([*PAPER[:n], PAPER[n + 1], PAPER[n], *PAPER[n + 2 :]]) == n + 1


@given(st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=20, max_size=20), st.integers(1, 9))
def test_the_check_character_is_crockford_s(content, n):
    value = 0
    for each in f"{n}{content}":
        value = value * 32 + CHECKS.index(each)
    assert check_of(n, content) == CHECKS[value % 37]


def test_the_script_for_strangers_reads_papers_alike():
    script = module_of(VERIFY)
    assert script.paper_of("\n".join(PAPER), KEY.vkey) == (SIZE, ROOT, KEY.name)
    assert script.paper_of(NOTE.replace("—", "-"), KEY.vkey) == (SIZE, ROOT, KEY.name)
    for n, line in enumerate(PAPER):
        slips = [with_line(n, f"{line[:at]}Z{line[at + 1 :]}") for at in range(3, len(line))]
        slips += [[*PAPER[:n], *PAPER[n + 1 :]], with_line(n, line[:-1]), with_line(n, f"{line}A")]
        for typed in slips:
            if typed != PAPER:
                with pytest.raises(script.Mistyped, match=f"[Ll]ine {n + 1} "):
                    script.paper_of("\n".join(typed), KEY.vkey)


def test_a_length_tells_the_group():
    short = PAPER[4][:8] + PAPER[4][9:]
    with pytest.raises(Mistyped, match=r"Type line 5 again. Group 2 has 3 characters, not 4"):
        read(with_line(4, short))


def test_a_paper_of_a_key_that_is_not_known_is_nobody_s_slip():
    with pytest.raises(Unsigned):
        note_of("\n".join(PAPER), [signer_of(seed=2).verifier])


@pytest.mark.parametrize("dash", ["-", "–", "--", "  —"])
def test_a_note_that_is_typed_needs_no_long_dash_and_no_blank_line(dash):
    typed = NOTE.replace("—", dash)
    assert note_of(typed, [KEY]) == NOTE
    assert note_of(typed.replace("\n\n", "\n").rstrip(), [KEY]) == NOTE
    assert note_of(typed.replace("\n", "  \r\n\r\n"), [KEY]) == NOTE


def test_a_note_that_is_typed_with_a_slip_is_not_what_was_signed():
    for at, old in enumerate(NOTE):
        for new in {"A", "x", "\n"} - {old}:
            if old not in "\n —":
                with pytest.raises((Mistyped, Unsigned), match=r"not what was signed|No key"):
                    note_of(NOTE[:at] + new + NOTE[at + 1 :], [KEY])


def test_a_note_that_cannot_be_read_is_named_by_its_line():
    name, size, root, signature = NOTE.split("\n\n")[0].split("\n") + NOTE.splitlines()[-1:]
    slips = [(2, name, "48Z13", root, signature), (3, name, size, root[1:], signature)]
    slips += [(4, name, size, root, signature[:-1])]
    for line, *typed in slips:
        with pytest.raises(Mistyped, match=f"Type line {line} again"):
            note_of("\n".join(typed), [KEY])
