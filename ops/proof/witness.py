"""Asks a witness to cosign a checkpoint, by C2SP's tlog-witness."""

import os
import re
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException, HTTPMessage
from typing import IO, Any
from urllib.request import HTTPSHandler

from ops.door.connection import CERTIFICATES
from ops.proof.note import b64

SECONDS = 20  # for everything
LONGEST = 64_000  # bytes of an answer
_MARK = "— "


class WitnessAway(Exception):
    """The witness could not be asked, or gave an answer that cannot be read."""


class WitnessRefuses(Exception):
    """The witness did not cosign; `status`: the HTTP status that it gave."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class WitnessBehind(WitnessRefuses):
    """The witness knows the record at another size."""

    def __init__(self, size: int) -> None:
        super().__init__(409, f"It knows this record with {size} events.")
        self.size = size


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: a witness is where its address says."""

    def redirect_request(
        self, req: Any, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        """Gives no request, so that the redirect is an error."""


def ask(address: str, old: int, proof: Sequence[bytes], note: str) -> str:
    """The lines by which the witness cosigned the checkpoint in the note.

    `old`: the size that it cosigned last, 0 for none; `proof`: that the record continues it. Raises
    WitnessBehind, WitnessRefuses, WitnessAway.
    """
    lines = [f"old {old}", *map(b64, proof)]
    body = ("\n".join(lines) + "\n\n" + note).encode()
    request = urllib.request.Request(  # noqa: S310  (http and https only: Destination reads them)
        f"{address.rstrip('/')}/add-checkpoint", data=body, method="POST"
    )
    trusted = ssl.create_default_context(cafile=os.environ.get(CERTIFICATES))
    opener = urllib.request.build_opener(_NoRedirect, HTTPSHandler(context=trusted))
    try:
        with opener.open(request, timeout=SECONDS) as answer:
            text = _read(answer).decode()
    except urllib.error.HTTPError as error:
        raise _refusal(error) from error
    except (OSError, ValueError, HTTPException) as error:
        raise WitnessAway(f"it cannot be reached: {error}") from error
    if not text.endswith("\n") or not all(each.startswith(_MARK) for each in text.splitlines()):
        raise WitnessAway("it gave an answer that is no cosignature")
    return text


def _read(answer: Any) -> bytes:
    """What the witness answers. Raises OSError if it is too long, or comes too slowly."""
    until, content = time.monotonic() + SECONDS, b""
    while piece := answer.read1(LONGEST):
        content += piece
        if len(content) > LONGEST:
            raise OSError(f"its answer has more than {LONGEST:,} bytes")
        if time.monotonic() > until:
            raise TimeoutError("its answer takes too long")
    return content


def _refusal(error: urllib.error.HTTPError) -> Exception:
    try:
        words = _read(error).decode(errors="replace").strip()
    except (OSError, HTTPException):
        words = ""
    if error.code == 409 and re.fullmatch(r"0|[1-9][0-9]{0,18}", words):
        return WitnessBehind(int(words))
    words = "".join(each if each.isprintable() else " " for each in words)
    if error.code in (403, 404, 409, 422):
        return WitnessRefuses(error.code, words or error.reason)
    return WitnessAway(f"it answered {error.code} {error.reason}")
