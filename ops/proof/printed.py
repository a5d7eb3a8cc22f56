"""A checkpoint on paper: nine lines to type, and the note as a QR code."""

import io

from msgspec import Struct

from ops.proof.by_hand import lines_of
from ops.proof.checkpoint import Checkpoint
from ops.proof.note import ED25519, Verifier, open_note, split


class PrintedCheckpoint(Struct, frozen=True):
    """What a template of a paper prints of a checkpoint."""

    of: str
    lines: list[str]
    scanned: str  # what the code says
    code: str  # as SVG


def printed(note: str, vkey: str) -> PrintedCheckpoint:
    """The checkpoint with the house's signature of Ed25519 alone; other kinds are too long.

    Raises NotGood.
    """
    import segno

    text, lines = split(note)
    mine = next(line for line in lines if line.startswith(f"— {vkey.partition('+')[0]} "))
    short = f"{text}\n{mine}\n"
    assert open_note(short, [Verifier.parse(vkey)]).verified[0].kind == ED25519
    image = io.BytesIO()
    segno.make(short, error="m", micro=False).save(image, kind="svg", border=2, xmldecl=False)
    checkpoint = Checkpoint.of(short)
    return PrintedCheckpoint(
        of=f"{checkpoint.origin}, {checkpoint.size:,} events",
        lines=lines_of(short, vkey),
        scanned=short,
        code=image.getvalue().decode(),
    )
