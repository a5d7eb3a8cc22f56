"""A checkpoint on paper: nine lines to type, and the note as a QR code."""

import io

from ops.proof.by_hand import lines_of
from ops.proof.checkpoint import Checkpoint
from ops.proof.note import ED25519, Verifier, open_note, split


def printed(note: str, vkey: str) -> dict[str, object]:
    """What a template of a paper prints of a checkpoint: its lines, and the code as SVG.

    `scanned`: what the code says. All have the house's signature of Ed25519 alone; other kinds are
    too long. Raises NotGood.
    """
    import segno

    text, lines = split(note)
    mine = next(line for line in lines if line.startswith(f"— {vkey.partition('+')[0]} "))
    short = f"{text}\n{mine}\n"
    assert open_note(short, [Verifier.parse(vkey)]).verified[0].kind == ED25519
    image = io.BytesIO()
    segno.make(short, error="m", micro=False).save(image, kind="svg", border=2, xmldecl=False)
    checkpoint = Checkpoint.of(short)
    return {
        "of": f"{checkpoint.origin}, {checkpoint.size:,} events",
        "lines": lines_of(short, vkey),
        "scanned": short,
        "code": image.getvalue().decode(),
    }
