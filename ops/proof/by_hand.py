"""A checkpoint in nine lines that hands can type, each with a character that checks it.

The first line has the number of events; the others the root and the house's signature in
Crockford's Base32, in which no two characters look alike. The last character of a line is
Crockford's check symbol over the line's number and its content: one wrong character, or two
neighbours swapped, are found in every case. The name of the record is not typed: the key in the
signature tells it.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ops.proof.checkpoint import MOST_EPOCHS, Checkpoint, origin_of
from ops.proof.note import ED25519, ID, NotGood, Unsigned, Verifier, b64, open_note, split, unb64
from ops.proof.tree import HASH

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CHECKS = ALPHABET + "*~$=U"
LINES, GROUP, WIDTH = 9, 4, 20  # lines; characters of a group and of a line's content
_SIGNATURE = 64  # bytes, of Ed25519
_BITS = 5  # of a character
_LOOKS_LIKE = str.maketrans("OIL", "011")
_PUNCTUATION = re.compile(r"[\s:.\-]+")
_SIGNED = re.compile(r"\s*(?:—|–|-{1,2})\s+(\S+)\s+(\S+)\s*")


class Mistyped(NotGood):
    """A paper is not what was signed, as when it was typed with a slip; the words say where."""


def lines_of(note: str, vkey: str) -> list[str]:
    """The lines to be typed: of the house's signature by this key. Raises NotGood."""
    checkpoint, key = Checkpoint.of(note), Verifier.parse(vkey)
    mine = next(line for line in split(note)[1] if line.startswith(f"— {key.name} "))
    signature = unb64(mine.rsplit(" ", 1)[1])
    assert key.kind == ED25519
    assert signature.startswith(key.id)
    number = int.from_bytes(checkpoint.root + signature)
    spelled = "".join(
        ALPHABET[number >> _BITS * at & 31] for at in reversed(range(WIDTH * (LINES - 1)))
    )
    whole = f"{checkpoint.size:0{WIDTH}}{spelled}"
    return [_printed(n, whole[WIDTH * (n - 1) : WIDTH * n]) for n in range(1, LINES + 1)]


def _printed(n: int, content: str) -> str:
    groups = (content[at : at + GROUP] for at in range(0, WIDTH, GROUP))
    return f"{n}: {' '.join(groups)}  {check_of(n, content)}"


def check_of(n: int, content: str) -> str:
    """The character that checks a line: the whole as a number, modulo 37."""
    rest = 0
    for each in f"{n}{content}":
        rest = (rest * 32 + ALPHABET.index(each)) % len(CHECKS)
    return CHECKS[rest]


def text_of(file: Path) -> str:
    """What is in a file. Raises Mistyped for what is no text; OSError."""
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Mistyped("It is no text.") from error


def note_of(text: str, verifiers: Iterable[Verifier]) -> str:
    """The signed note in a text: a file, a code that was scanned, or what somebody typed.

    `verifiers`: the keys that may have signed it. Raises Mistyped for what nobody signed so;
    Unsigned if none of these keys signed it.
    """
    known = list(verifiers)
    lines = [each.rstrip() for each in text.splitlines()]
    written = [each for each in lines if each]
    if sum(map(_is_numbered, written)) > LINES // 3:
        note = _from_lines(written, known)
    else:
        note = text if _opens(text, known) else _spelled(written)
    signers = {(each.name, each.id) for each in known}
    if not any(each in signers for each in _keys_of(note)):
        raise Unsigned("No key that is known here signed it.")
    try:
        open_note(note, known)
    except NotGood as error:
        raise Mistyped(
            "This paper is not what was signed: one of its lines has a slip. Compare every "
            "character with the paper, and type it again."
        ) from error
    return note


# Nine lines.
def _solid(line: str) -> str:
    return _PUNCTUATION.sub("", line).upper().translate(_LOOKS_LIKE)


def _is_numbered(line: str) -> bool:
    """Whether it looks like one of the nine lines."""
    solid = _solid(line)
    return len(solid) == WIDTH + 2 and solid[0].isdecimal()


def _from_lines(written: Sequence[str], known: Sequence[Verifier]) -> str:
    contents: list[str] = []
    for n, line in enumerate(written, 1):
        if n > LINES:
            raise _slip(LINES + 1, f"A paper has {LINES} lines. Take it out")
        contents.append(_content(n, line))
    if len(contents) < LINES:
        raise _missing(len(contents) + 1)
    number = 0
    for each in "".join(contents[1:]):
        number = number << _BITS | ALPHABET.index(each)
    content = number.to_bytes(HASH + ID + _SIGNATURE)
    root, signature = content[:HASH], content[HASH:]
    name = next((each.name for each in known if each.id == signature[:ID]), "")
    if not name:
        raise Unsigned("No key that is known here signed it.")
    # A paper does not say of which epoch of the record it is: its signature does.
    notes = [
        f"{Checkpoint(origin_of(name, epoch), int(contents[0]), root).text}\n— {name} "
        f"{b64(signature)}\n"
        for epoch in range(1, MOST_EPOCHS + 1)
    ]
    return next((note for note in notes if _opens(note, known)), notes[0])


def _content(n: int, line: str) -> str:
    """The content of what is typed as line `n`. Raises Mistyped."""
    typed = _solid(line)
    if len(typed) != WIDTH + 2:
        raise _slip(n, _groups_in(line))
    number, content, check = typed[0], typed[1:-1], typed[-1]
    odd = next((each for each in content if each not in ALPHABET), "")
    if odd:
        group = content.index(odd) // GROUP + 1
        raise _slip(n, f"{odd!r} in group {group} is on no paper")
    if not number.isdecimal() or check != check_of(int(number), content):
        raise _slip(n, "A character is wrong, or two are swapped")
    if int(number) < n:
        raise Mistyped(
            f"This paper is not what was signed. Line {number} is there twice: take one out."
        )
    if int(number) > n:
        raise _missing(n)
    if n == 1 and not content.isdecimal():
        raise _slip(n, "It has digits only")
    return content


def _groups_in(line: str) -> str:
    """Where a line has too many characters, or too few, as far as its groups tell."""
    groups = re.sub(r"^\s*\d\s*[:.]?", "", line).split()
    short = [
        f"group {n} has {len(each)} characters, not {GROUP}"
        for n, each in enumerate(groups[: WIDTH // GROUP], 1)
        if len(each) != GROUP
    ]
    if len(groups) == WIDTH // GROUP + 1 and len(short) == 1:
        return f"{short[0][0].upper()}{short[0][1:]}"
    return f"It has {WIDTH // GROUP} groups of {GROUP} characters, and one more to check them"


def _slip(n: int, why: str) -> Mistyped:
    return Mistyped(f"This paper is not what was signed. Type line {n} again. {why}.")


def _missing(n: int) -> Mistyped:
    return Mistyped(f"This paper is not what was signed. Line {n} is missing: type it.")


# A note as it is.
def _opens(note: str, known: Sequence[Verifier]) -> bool:
    """Whether it is a signed note to the letter."""
    try:
        open_note(note, known)
        Checkpoint.of(note)
    except NotGood:
        return False
    return True


def _spelled(written: Sequence[str]) -> str:
    """A note from its lines without blank ones, whatever dash they have. Raises Mistyped."""
    signed = [n for n, each in enumerate(written) if _SIGNED.fullmatch(each)]
    first = signed[0] if signed else len(written)
    text, below = written[:first], written[first:]
    if len(text) != len(("name", "size", "root")):
        raise Mistyped(
            "This paper is not what was signed. A checkpoint has three lines, the name, the size "
            f"and the root, and then its signatures, each with a dash before it: here "
            f"{len(text)} come before them."
        )
    lines = []
    for n, each in enumerate(below, first + 1):
        match = _SIGNED.fullmatch(each)
        if not match:
            raise _slip(n, "It is no signature")
        lines.append(f"— {match[1]} {match[2]}")
    note = "\n".join([*text, "", *lines, ""])
    _require_spelling(note, text, lines)
    return note


def _require_spelling(note: str, text: Sequence[str], lines: Sequence[str]) -> None:
    """Names the line that cannot be read. Raises Mistyped."""
    for n, each in enumerate(lines, len(text) + 1):
        if not _keys_of_line(each):
            raise _slip(n, "Its signature cannot be read")
    if not text[1].isdecimal():
        raise _slip(2, "It is a number")
    try:
        Checkpoint.of(note)
    except NotGood as error:
        raise _slip(3, str(error).removesuffix(".")) from error


def _keys_of(note: str) -> set[tuple[str, bytes]]:
    """The keys that a note says signed it."""
    keys = (_keys_of_line(each) for each in split(note)[1])
    return {each for each in keys if each}


def _keys_of_line(line: str) -> tuple[str, bytes] | None:
    match = _SIGNED.fullmatch(line)
    try:
        return (match[1], unb64(match[2])[:ID]) if match else None
    except NotGood:
        return None
