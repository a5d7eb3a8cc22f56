"""Reads a house's log from where it is: a house server, any web server, or a directory.

>>> witness_at("https://riverside.example:8443/log"), witness_at("/media/usb/riverside")
('https://riverside.example:8443/witness', '')
"""

import hashlib
import os
import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit

from ops.door.connection import CERTIFICATES
from ops.group.members import Member
from ops.proof.tiles import CHECKPOINT, NEWS

SECONDS = 10.0  # for one file
SILENT = 60.0  # for a sign of life of a stream
LONGEST = 1_000  # bytes of a line of a stream
LOG, WITNESS = "/log", "/witness"  # at a house server
LARGEST = 17 << 20  # bytes: 256 entries of the longest
Read = Callable[[str], bytes | None]  # a path → what is there, None if nothing is


class Away(Exception):
    """A house cannot be reached; the words say why."""


@contextmanager
def source_of(of: Member) -> Iterator[Read]:
    """What reads the files of a house's log. It raises Away."""
    if re.match(r"https?://", of.address):
        with closing(_Server(of.address, of.token_file)) as server:
            yield server
    else:
        yield _Directory(Path(of.address))


def woken(of: Member, wake: Callable[[], object]) -> None:
    """Calls `wake` whenever a house's server says that something is signed, until it ends.

    What it says is not used. A directory, and a server that has no such stream, end at once.
    """
    if not re.match(r"https?://", of.address):
        return
    with closing(_Server(of.address, of.token_file, SILENT)) as server:
        for line in server.lines(NEWS):
            if line.startswith(b"data:"):
                wake()


def witness_at(address: str) -> str:
    """The address of the witness at the server of this log; '' for a log that is only files."""
    is_server = re.match(r"https?://", address) and address.endswith(LOG)
    return address.removesuffix(LOG) + WITNESS if is_server else ""


def seen_by(other: Member, of: Member) -> bytes | None:
    """The checkpoint of a house that another one's witness has; None if it has or answers none."""
    if not (address := witness_at(other.address)):
        return None
    with closing(_Server(address)) as server, suppress(Away):
        return server(seen_path(of.origin))
    return None


def seen_path(origin: str) -> str:
    """The path of what a witness has of a record."""
    return f"{hashlib.sha256(origin.encode()).hexdigest()}/{CHECKPOINT}"


class _Directory:
    """Files that `sabot audit export` wrote."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def __call__(self, path: str) -> bytes | None:
        if not self._place.is_dir():
            raise Away(f"{self._place} is not there")
        try:
            return (self._place / path).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Away(str(error)) from error


class _Server:
    """A web server; the connection is kept from one file to the next."""

    def __init__(self, address: str, token_file: str = "", patience: float = SECONDS) -> None:
        split = urlsplit(address)
        self._path = split.path.rstrip("/")
        self._headers = {"Accept-Encoding": "identity"}
        if token_file:
            try:
                token = Path(token_file).read_text().strip()
            except OSError as error:
                raise Away(f"its token cannot be read: {error}") from error
            self._headers["Authorization"] = f"Bearer {token}"
        self._connection: HTTPConnection
        if split.scheme == "https":
            trusted = ssl.create_default_context(cafile=os.environ.get(CERTIFICATES))
            self._connection = HTTPSConnection(split.netloc, timeout=patience, context=trusted)
        else:
            self._connection = HTTPConnection(split.netloc, timeout=patience)

    def __call__(self, path: str) -> bytes | None:
        with suppress(OSError, HTTPException):  # the server may have closed what was kept
            return self._get(path)
        self.close()
        try:
            return self._get(path)
        except (OSError, HTTPException) as error:
            raise Away(f"it cannot be reached: {error}") from error

    def lines(self, path: str) -> Iterator[bytes]:
        """The lines of an answer that goes on; none if there is no such answer, or it ends."""
        with suppress(OSError, HTTPException):
            self._connection.request("GET", f"{self._path}/{path}", headers=self._headers)
            answer = self._connection.getresponse()
            if answer.status == 200:
                yield from iter(lambda: answer.readline(LONGEST), b"")

    def close(self) -> None:
        """Ends the connection."""
        self._connection.close()

    def _get(self, path: str) -> bytes | None:
        self._connection.request("GET", f"{self._path}/{path}", headers=self._headers)
        answer = self._connection.getresponse()
        content = answer.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise Away(f"{path} has more than {LARGEST:,} bytes")
        if answer.status == 404:
            return None
        if answer.status != 200:
            raise Away(f"it answered {answer.status} to {path}")
        return content
