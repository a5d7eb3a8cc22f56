"""Merges two branches' catalogues message by message, where git sees lines: a driver for git.

`python -I tests/merged_catalogues.py BASE OURS THEIRS` writes into OURS: what either added, without
what either took away, and a translation that either changed. It imports nothing of the program,
which may be in pieces while branches are merged.
"""

import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po


def merged(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """The catalogue of both."""
    before, one, other = (read_po(BytesIO(each)) for each in (base, ours, theirs))
    for message in filter(_named, other):
        was, here = (each.get(message.id, message.context) for each in (before, one))
        if here is None and was is None:
            one.add(
                message.id, message.string, message.locations, message.flags,
                user_comments=message.user_comments, context=message.context,
            )  # fmt: skip
        elif here and _said(message) and (was is None or message.string != was.string):
            here.string = message.string
    for message in filter(_named, before):
        if other.get(message.id, message.context) is None:
            one.delete(message.id, message.context)
    return _with_the_head_of(ours, one)


def _named(message) -> bool:
    return bool(message.id)  # the head has none


def _said(message) -> bool:
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def _with_the_head_of(text: bytes, catalogue: Catalog) -> bytes:
    """As it is stored, under the head that a file has."""
    out = BytesIO()
    write_po(
        out, catalogue, width=100, sort_output=True, ignore_obsolete=True, include_lineno=False
    )
    return text.partition(b"\n\n")[0] + b"\n\n" + out.getvalue().partition(b"\n\n")[2]


if __name__ == "__main__":
    base, ours, theirs = map(Path, sys.argv[1:4])
    ours.write_bytes(merged(*(each.read_bytes() for each in (base, ours, theirs))))
