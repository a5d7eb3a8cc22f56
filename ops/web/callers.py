"""Who sends a request: the terminal that signed it, and the token of the sign-on there.

A terminal signs each request with its own key, and a sign-on is valid only at the terminal where it
was made. A request that was sent before, was signed by another key, or comes with a wrong clock is
refused here, before anything else of it is read.
"""

import hashlib
import hmac
import ipaddress
import threading
import time
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from domain.rules.place import NOWHERE, Place
from ops.commands.signed_on import NOBODY, Token
from ops.door.signature import SIGNED, TERMINAL, fingerprint, signed_text
from ops.ledger import machine
from ops.web.turned_away import NotTrusted

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MOST_OFF = 120.0  # seconds that a terminal's clock may differ from the server's
MOST_REMEMBERED = 200_000  # random numbers of signed requests, the newest
KEY = 32  # bytes
MOMENT, ONCE = 15, 32  # letters: milliseconds, and a number
NAME = 64  # letters of a machine's name
_UNSIGNED = "The request is not signed by this terminal's key."


class Caller(Struct, frozen=True):
    """Who sends a request; `terminal`: the fingerprint of its key, '' for none.

    `once`: the random number that it signed with the request; '' for none.
    """

    token: Token = NOBODY
    place: Place = NOWHERE
    terminal: str = ""
    address: str = ""
    host: str = ""  # the name by which the house was asked for
    once: str = ""
    idle: int = 0  # minutes without a request after which their sign-on has ended; 0: it has not

    def acts(self) -> None:
        """From now on, in this context, the server acts for this caller."""
        machine.act_at(machine.Acting(self.place, self.terminal, self.idle))

    def id_of(self, n: int) -> str:
        """The id of a request's line without one: the ledger takes it once, whoever receives it."""
        return f"{self.terminal}/{self.once}/{n}"

    @property
    def is_here(self) -> bool:
        """Whether the request comes from the server's own machine."""
        try:
            return ipaddress.ip_address(self.address).is_loopback
        except ValueError:  # a socket of this machine has no address
            return self.address == ""

    @property
    def names_this_machine(self) -> bool:
        """Whether the house was asked for by a name that is always this machine's own.

        Any site can have a name that leads here, and a browser then takes its pages for ours.
        """
        host = urlsplit(f"//{self.host}").hostname or ""
        try:
            return host == "localhost" or ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False


class Callers:
    """Checks who sends; remembers what was signed, so that nothing is taken twice."""

    def __init__(self) -> None:
        self._seen: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()

    def caller(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes, address: str
    ) -> Caller:
        """Who sends this request. Raises NotTrusted."""
        authorization = headers.get("authorization", "")
        token, device = _token(authorization), _device(authorization)
        named = headers.get(TERMINAL.lower(), "")
        if not named:
            return Caller(token=token, address=address, host=headers.get("host", ""))
        public, machine, user = _terminal(named)
        once = self._once(public, method, target, headers.get(SIGNED.lower(), ""), body)
        if device:
            token = Token(device, key=b64encode(public).decode())
        mark = hmac.digest(b"sabot: place of a sign-on by a key", public, hashlib.sha256).hex()
        place = Place(machine, user, mark)
        return Caller(token, place, fingerprint(public), address, headers.get("host", ""), once)

    def _once(self, public: bytes, method: str, target: str, signed: str, body: bytes) -> str:
        """The random number of a request that is signed and new. Raises NotTrusted."""
        from cryptography.exceptions import InvalidSignature

        try:
            moment, once, signature = signed.split(" ")
            if len(moment) > MOMENT or len(once) != ONCE:
                raise ValueError
            given, bits = int(moment) / 1000, b64decode(signature, validate=True)
            _key_of(public).verify(bits, signed_text(method, target, moment, once, body))
        except (ValueError, NotBase64):
            raise NotTrusted(_UNSIGNED, 400) from None
        except InvalidSignature:
            raise NotTrusted(_UNSIGNED) from None
        if abs(time.time() - given) > MOST_OFF:
            raise NotTrusted(
                "This terminal's clock differs from the house's by more than two minutes. Set it, "
                "best over the network, then try again."
            )
        self._require_new(f"{public.hex()} {once}", given)
        return once

    def _require_new(self, name: str, moment: float) -> None:
        """Refuses a signed request that came before."""
        with self._lock:
            if name in self._seen:
                raise NotTrusted("This request was sent before: nothing is done twice.", 409)
            self._seen[name] = moment
            oldest = time.time() - 2 * MOST_OFF
            while self._seen:
                first = next(iter(self._seen))
                if len(self._seen) <= MOST_REMEMBERED and self._seen[first] > oldest:
                    break
                del self._seen[first]


@lru_cache(maxsize=1_000)
def _key_of(public: bytes) -> "Ed25519PublicKey":
    """The key with these bytes. Raises ValueError."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(public)


def _token(header: str) -> Token:
    kind, _, text = header.partition(" ")
    return Token.read(text) if kind.lower() == "bearer" else NOBODY


def _device(header: str) -> str:
    """The staff number of the device that sends, or '' for none."""
    kind, _, number = header.partition(" ")
    return number.strip() if kind.lower() == "device" else ""


def _terminal(named: str) -> tuple[bytes, str, str]:
    """The key of a terminal, and the names of its machine and account."""
    try:
        key, machine, user = named.split(" ")
        public = b64decode(key, validate=True)
    except (ValueError, NotBase64):
        raise NotTrusted("The terminal's name in the request cannot be read.", 400) from None
    if len(public) != KEY or max(len(machine), len(user)) > NAME:
        raise NotTrusted("The terminal's name in the request cannot be read.", 400)
    return public, machine, user
