"""Reads a house's log from where it is: a house server, any web server, or a directory."""

import os
import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit

from ops.group.members import Member

SECONDS = 10.0  # for one file
LARGEST = 17 << 20  # bytes: 256 entries of the longest
Read = Callable[[str], bytes | None]  # a path → what is there, None if nothing is


class Away(Exception):
    """A house cannot be reached; the words say why."""


@contextmanager
def source_of(of: Member) -> Iterator[Read]:
    """What reads the files of a house's log. It raises Away."""
    if re.match(r"https?://", of.address):
        with closing(_Server(of)) as server:
            yield server
    else:
        yield _Directory(Path(of.address))


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

    def __init__(self, of: Member) -> None:
        split = urlsplit(of.address)
        self._path = split.path.rstrip("/")
        self._headers = {"Accept-Encoding": "identity"}
        if of.token_file:
            try:
                token = Path(of.token_file).read_text().strip()
            except OSError as error:
                raise Away(f"its token cannot be read: {error}") from error
            self._headers["Authorization"] = f"Bearer {token}"
        self._connection: HTTPConnection
        if split.scheme == "https":
            trusted = ssl.create_default_context(cafile=os.environ.get("SABOT_HOUSE_CA"))
            self._connection = HTTPSConnection(split.netloc, timeout=SECONDS, context=trusted)
        else:
            self._connection = HTTPConnection(split.netloc, timeout=SECONDS)

    def __call__(self, path: str) -> bytes | None:
        with suppress(OSError, HTTPException):  # the server may have closed what was kept
            return self._get(path)
        self.close()
        try:
            return self._get(path)
        except (OSError, HTTPException) as error:
            raise Away(f"it cannot be reached: {error}") from error

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
