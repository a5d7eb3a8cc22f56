"""Requests to the house server, over one connection, each signed by this terminal."""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    RemoteDisconnected,
)
from socket import SHUT_RDWR, socket
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from ops.door.session_file import read_token
from ops.door.signature import Terminal
from ops.door.wire import LONGEST, NoWire, Wire

if TYPE_CHECKING:
    from ssl import SSLContext

    from ops.door.acknowledged import LinesHere
    from ops.door.device import Device

HOUSE = "SABOT_HOUSE"  # the address of its server, as in https://sabot.example, or of several
CERTIFICATES = "SABOT_HOUSE_CA"  # a file with the certificate of the house's own authority
QUESTIONS = "/api/questions"
PATIENCE = 15.0  # seconds for which a lost server is tried again
ANSWER = 120.0  # seconds for an answer
_OF_AN_AUTHORITY = (2, 18, 19, 20, 21)  # OpenSSL: nobody known here has signed the certificate


class HouseLost(Exception):
    """The house server cannot be reached; the words say why.

    `sent`: something was sent, so that it may have arrived.
    """

    def __init__(self, words: str, *, sent: bool = True) -> None:
        super().__init__(words)
        self.sent = sent

    @property
    def may_be_recorded(self) -> str:
        """What is known about a command whose answer did not come."""
        if not self.sent:
            return "Nothing was sent."
        return "The command may be recorded or not: look before you type it again."


class HouseRestored(HouseLost):
    """The house's record was restored, and lacks what this terminal had acknowledged."""


class NoHouse(Exception):
    """The house cannot be asked as it was named here; the words say what to write."""


class _NotReady(HTTPException):
    def __init__(self, status: int, content: bytes) -> None:
        super().__init__(f"the server is not ready ({status})")
        self.status = status
        self.content = content


class _Missing(HTTPException):
    """A restored record about which nobody decided."""


def _server(address: str) -> SplitResult:
    """The server with this address. Raises NoHouse."""
    with suppress(ValueError):  # of a port that is no number, as of much else
        split = urlsplit(address)
        if split.scheme in ("http", "https") and split.hostname and split.port != 0:
            return split
    raise NoHouse(
        f"{address} is no address of a house. Write it as https://sabot.example; several with a "
        "blank between them."
    )


class Connection:
    """A connection to the house server; it is made again when it breaks."""

    def __init__(
        self,
        address: str,
        patience: float = PATIENCE,
        device: "Device | None" = None,
        token: Callable[[], str] = read_token,
        acknowledged: "LinesHere | None" = None,
    ) -> None:
        """`address`: of a server of the house, or of several, with blanks or commas between them.

        Where one is away the next one is asked. `device`: whose requests these are, in place of
        this terminal's. `token`: gives the text of the token of the sign-on here, '' for none.
        `acknowledged`: the lines with which each new connection is compared. Raises NoHouse.
        """
        addresses = address.replace(",", " ").split() or [address]
        self._servers = deque(map(_server, addresses))
        self._patience = patience
        self._device = device
        self._terminal = device or Terminal()
        self._token = token
        self._http: HTTPConnection | None = None
        self._streams: socket | None = None  # of the stream that is open
        encrypts = any(each.scheme == "https" for each in self._servers)
        self._trusts: SSLContext | None = _trusted() if encrypts else None
        self._sent = False  # something of what is sent now may have arrived
        self._acknowledged = acknowledged
        self._compared = acknowledged is None  # whether this connection was

    def post(
        self, target: str, body: bytes, headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        """The status and the body of the answer; a lost request is sent again. Raises HouseLost.

        Whatever is sent must count once, however often it arrives: by its id.
        """
        gives_up, pause = time.monotonic() + self._patience, 0.0  # an idle one may have been closed
        self._sent = False
        while True:
            try:
                self._compare()
                return self._post(target, body, headers or {})
            except (OSError, HTTPException) as error:
                self._turn_to_the_next()
                if _is_untrusted(error) or time.monotonic() + pause > gives_up:
                    if isinstance(error, _Missing):
                        raise HouseRestored(str(error), sent=self._sent) from error
                    if isinstance(error, _NotReady) and error.content.startswith(b"{"):
                        return error.status, error.content
                    raise HouseLost(why(error), sent=self._sent) from error
            time.sleep(pause)
            pause = min(max(pause * 2, 0.05), 1.0)

    def _compare(self) -> None:
        """Asks on a new connection whether the newest acknowledged line is on record.

        If it is not, all that a restore may have lost are offered. A house that does not answer
        the question refuses the rest. Raises OSError, HTTPException.
        """
        if self._compared or self._acknowledged is None:
            return
        status, content = self._by_itself(QUESTIONS, self._acknowledged.question, {})
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            raise _NotReady(status, content)
        answered, missing = True, ""
        if status == HTTPStatus.OK:
            answered, missing = self._acknowledged.hear(content)
            for offer in self._acknowledged.offers():
                self._by_itself(QUESTIONS, offer, {})
        if missing:
            raise _Missing(missing)
        self._compared = answered

    def _post(self, target: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        self._http = self._http or self._connected()
        self._sent = True
        return self._by_itself(target, body, headers)

    def _by_itself(self, target: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        self._http = self._http or self._connected()
        self._http.request("POST", target, body, {**self.signed("POST", target, body), **headers})
        answer = self._http.getresponse()
        return _ready(answer.status, answer.read())

    def get(self, target: str) -> bytes:
        """The content of an address. Raises HouseLost."""
        try:
            with self.stream(target, ANSWER) as answer:
                return answer.read()
        except (OSError, HTTPException) as error:
            raise HouseLost(why(error)) from error

    @contextmanager
    def stream(self, target: str, silence: float) -> Iterator[HTTPResponse]:
        """An answer that does not end. Raises OSError, also after so many seconds of silence."""
        http = self._connect()
        http.timeout = silence
        try:
            with closing(http):
                http.request("GET", target, headers=self.signed("GET", target, b""))
                self._streams = http.sock
                yield http.getresponse()
        except (OSError, HTTPException):
            self._turn_to_the_next()
            raise
        finally:
            self._streams = None

    def cut(self) -> None:
        """Breaks the stream that is open, from any thread."""
        if streams := self._streams:
            with suppress(OSError):
                streams.shutdown(SHUT_RDWR)

    def signed(self, method: str, target: str, body: bytes) -> dict[str, str]:
        """The headers that say which terminal sends, and who is signed on there."""
        token = "" if self._device else self._token()
        who = {"Authorization": f"Bearer {token}"} if token else {}
        return {**who, **self._terminal.headers(method, target, body)}

    def _connected(self) -> HTTPConnection:
        http = self._connect()
        http.connect()
        return http

    def _connect(self) -> HTTPConnection:
        server = self._servers[0]
        host, port = server.hostname or "", server.port
        if server.scheme == "http":
            return _Plain(host, port, timeout=ANSWER)
        return _Encrypted(host, port, timeout=ANSWER, context=self._trusts)

    def _turn_to_the_next(self) -> None:
        """From now on another server of the house is asked, if there are several."""
        self.close()
        self._servers.rotate(-1)

    def close(self) -> None:
        """Closes the connection."""
        if self._http:
            self._http.close()
            self._http = None
        self._compared = self._acknowledged is None


class WiredConnection(Connection):
    """The connection of a program that stays open: its requests go by a wire, but for the first.

    A long request still goes by itself, and so does every one where the server opens no wire.
    """

    _wire: Wire | None = None
    _wired = True  # as far as is known, the server opens wires
    _first = True  # nothing but the question of `_compare` was sent on this connection

    def _post(self, target: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        first, self._first = self._first, False
        if first or len(body) > LONGEST or not (wire := self._opened()):
            return super()._post(target, body, headers)
        self._sent = True
        return _ready(*wire.ask(target, body))

    def _opened(self) -> Wire | None:
        """The wire, for whoever is signed on here now; None, if the server opens none."""
        token = "" if self._device else self._token()
        if not self._wired or (self._wire and self._wire.token == token):
            return self._wire
        if self._wire:
            self._wire.close()
        http, self._wire, self._http = self._http or self._connect(), None, None
        try:
            if http.sock is None:  # the server closed it after its last answer
                http.connect()
            self._wire = Wire(
                http.sock, self._servers[0].netloc, token, lambda to: self.signed("GET", to, b"")
            )
        except NoWire:
            self._wired = False
        finally:
            if not self._wire:
                http.close()
        return self._wire

    def close(self) -> None:
        """Closes the connection, and the wire."""
        super().close()
        self._first = True
        if self._wire:
            self._wire.close()
            self._wire = None


class _Plain(HTTPConnection):
    """Sends a request in one piece: its head and its body arrive together."""

    _pieces: list[bytes] | None = None  # of a request that is being made

    def request(self, *args: Any, **more: Any) -> None:
        """Sends a request."""
        self._pieces = []
        try:
            super().request(*args, **more)
            whole = b"".join(self._pieces)
        finally:
            self._pieces = None
        self.send(whole)

    def send(self, data: Any) -> None:
        """Sends some bytes, or keeps them for the whole."""
        if self._pieces is None:
            super().send(data)
        else:
            self._pieces.append(data)


class _Encrypted(_Plain, HTTPSConnection):
    """The same, with TLS."""


def _ready(status: int, content: bytes) -> tuple[int, bytes]:
    """An answer, if the server can answer now."""
    if status in (502, 503, 504):  # no ledger, a proxy without a server, a full one
        raise _NotReady(status, content)
    return status, content


def _trusted() -> "SSLContext":
    """Whose certificates are trusted. Raises NoHouse."""
    import ssl

    trusted = os.environ.get(CERTIFICATES)
    try:
        return ssl.create_default_context(cafile=trusted or None)
    except OSError as error:  # an SSLError is one
        raise NoHouse(
            f"{CERTIFICATES} names {trusted}, which is no file of a certificate (PEM)."
        ) from error


def _is_untrusted(error: Exception) -> bool:
    """Whether the server's certificate is not trusted, which waiting does not change."""
    return bool(getattr(error, "verify_message", ""))


def why(error: Exception) -> str:
    """What went wrong, in one line."""
    if untrusted := getattr(error, "verify_message", ""):
        words = f"its certificate is not trusted here ({untrusted})"
        if getattr(error, "verify_code", 0) not in _OF_AN_AUTHORITY:
            return words
        return f"{words}. If it is the house's own, let {CERTIFICATES} name the file of it"
    if getattr(error, "reason", "") == "WRONG_VERSION_NUMBER":
        return "it has no certificate (its address may begin with http)"
    if isinstance(error, RemoteDisconnected):
        return "it closed the connection (its address may begin with https)"
    words = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return str(words).splitlines()[0].lower()
