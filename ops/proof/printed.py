"""A checkpoint on paper: its text, and the same as a QR code, for whoever has only paper."""

import io

from ops.proof.note import ED25519, Verifier, open_note, split

_LINE = 46  # letters of a line of the signature


def printed(note: str, vkey: str) -> dict[str, object]:
    """What a template of a paper prints of a checkpoint: its lines, and the code as SVG.

    Both have the note with the house's signature of Ed25519 alone; other kinds are too long.
    Raises NotGood.
    """
    import segno

    text, lines = split(note)
    mine = next(line for line in lines if line.startswith(f"— {vkey.partition('+')[0]} "))
    short = f"{text}\n{mine}\n"
    assert open_note(short, [Verifier.parse(vkey)]).verified[0].kind == ED25519
    image = io.BytesIO()
    segno.make(short, error="m", micro=False).save(image, kind="svg", border=2, xmldecl=False)
    parts = [mine[at : at + _LINE] for at in range(0, len(mine), _LINE)]
    return {"lines": [*text.splitlines(), *parts], "code": image.getvalue().decode()}
