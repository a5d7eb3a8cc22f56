"""A wire: a connection that a terminal signs once, when it opens, and that carries its requests.

It is a WebSocket. Its ends agree on a key (X25519), and the terminal signs its half of that, so
nobody else can have the key. Each request on the wire bears a code, made with the key, of its
number and of all that it says: none can be changed, left out or sent again.

>>> one = sealed(bytes(32), 1, "/api/commands?first=1", b"{}")
>>> read(bytes(32), 1, one), read(bytes(32), 2, one)
(('/api/commands?first=1', b'{}'), None)
"""

import hmac
from collections import deque
from collections.abc import Callable, Mapping
from http.client import HTTPException, RemoteDisconnected
from socket import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from websockets.protocol import Event

TARGET = "/api/wire"
HALF = "Sabot-Wire"  # the header with the server's half of the key
LONGEST = 8 << 10  # bytes of a request; what is longer goes by itself
FRAME = LONGEST + 1024  # with its code and its address
CODE = 16  # bytes
PIECE = 1 << 16  # bytes in one read
_USE = b"sabot-wire-1"


class NoWire(HTTPException):
    """The server, or something in front of it, opens no wire."""


def fresh_half() -> "tuple[X25519PrivateKey, str]":
    """The secret of one end, for one wire, and the half of the key that the other end gets."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    secret = X25519PrivateKey.generate()
    return secret, secret.public_key().public_bytes_raw().hex()


def key_of(secret: "X25519PrivateKey", theirs: str, opening: str) -> bytes:
    """The key of a wire; `opening`: the address that was signed. Raises ValueError."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    shared = secret.exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(theirs)))
    return HKDF(SHA256(), 32, salt=None, info=_USE + opening.encode()).derive(shared)


def sealed(key: bytes, n: int, target: str, body: bytes) -> bytes:
    """The `n`th request of a wire as it is sent."""
    request = target.encode() + b"\n" + body
    return _code(key, n, request) + request


def read(key: bytes, n: int, frame: bytes) -> tuple[str, bytes] | None:
    """The address and the body of the `n`th request; None if it is not that one."""
    code, request = frame[:CODE], frame[CODE:]
    if not hmac.compare_digest(code, _code(key, n, request)):
        return None
    target, _, body = request.partition(b"\n")
    return target.decode("latin-1"), body


def _code(key: bytes, n: int, request: bytes) -> bytes:
    return hmac.digest(key, n.to_bytes(8) + request, "sha256")[:CODE]


class Wire:
    """The terminal's end, on a connection that is open; `token`: of the sign-on it was opened with.

    Nothing is sent before the answer to the request before.
    """

    def __init__(
        self, line: socket, place: str, token: str, headers: Callable[[str], Mapping[str, str]]
    ) -> None:
        """`place`: the server, as in `sabot.example:8443`. `headers`: of a request to an address.

        Raises NoWire, OSError.
        """
        from websockets.client import ClientProtocol
        from websockets.http11 import Response
        from websockets.uri import parse_uri

        self.token = token
        self._line, self._sent = line, 0
        self._come: deque[Event] = deque()  # and not looked at
        secret, mine = fresh_half()
        opening = f"{TARGET}?half={mine}"
        self._protocol = ClientProtocol(parse_uri(f"ws://{place}{opening}"), max_size=None)
        request = self._protocol.connect()
        request.headers.update(headers(opening))
        self._protocol.send_request(request)
        opened = self._next()
        if self._protocol.handshake_exc or not isinstance(opened, Response):
            raise NoWire
        try:
            self._key = key_of(secret, opened.headers.get(HALF, ""), opening)
        except ValueError:
            raise NoWire from None

    def ask(self, target: str, body: bytes) -> tuple[int, bytes]:
        """The status and the body of the answer to a request. Raises HTTPException, OSError."""
        self._sent += 1
        self._protocol.send_binary(sealed(self._key, self._sent, target, body))
        status, _, content = self._message().partition(b" ")
        return int(status), content

    def _message(self) -> bytes:
        """The next message, whose pieces may come one by one."""
        from websockets.frames import Frame, Opcode

        pieces = []
        while True:
            frame = self._next()
            if not isinstance(frame, Frame) or frame.opcode is Opcode.CLOSE:
                raise RemoteDisconnected("the wire ended")
            if frame.opcode in (Opcode.BINARY, Opcode.CONT):
                pieces.append(frame.data)
                if frame.fin:
                    return b"".join(pieces)

    def _next(self) -> "Event":
        """What comes next, after everything was sent."""
        while not self._come:
            self._line.sendall(b"".join(self._protocol.data_to_send()))
            heard = self._line.recv(PIECE)
            if not heard:
                raise RemoteDisconnected("the wire ended")
            self._protocol.receive_data(heard)
            self._come.extend(self._protocol.events_received())
        return self._come.popleft()

    def close(self) -> None:
        """Closes the connection."""
        self._line.close()
