"""Signed notes in the form of C2SP: a text, and below it the signatures of named keys.

A key's name and four bytes say which key signed. Known here: Ed25519 (type 1), and the timestamped
cosignatures of witnesses, of Ed25519 (type 4) and ML-DSA-44 (type 6).
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

ED25519, COSIGNATURE, ML_DSA = 0x01, 0x04, 0x06  # types of signatures
_PUBLIC = {ED25519: 32, COSIGNATURE: 32, ML_DSA: 1312}  # bytes of a public key
_SIGNATURE = {ED25519: 64, COSIGNATURE: 64, ML_DSA: 2420}
ID = 4  # bytes of a key's id
TIME = 8  # bytes of a cosignature's moment
LONGEST = 1_000_000  # bytes of a note
MOST = 100  # signatures of a note
_LINE = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")


class NotGood(Exception):
    """A note or a key is not good; the words say what is wrong."""


class Unsigned(NotGood):
    """None of the keys that are known signed a note."""


def b64(content: bytes) -> str:
    """Base64 as text."""
    return base64.b64encode(content).decode()


def unb64(text: str) -> bytes:
    """The bytes of base64 in its only correct spelling. Raises NotGood."""
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NotGood("It has text that is not base64.") from error
    if b64(content) != text:
        raise NotGood("It has base64 in another spelling than the usual one.")
    return content


class Verifier(Struct, frozen=True):
    """A public key with its name, as everybody who checks signatures needs it."""

    name: str
    kind: int
    public: bytes

    @classmethod
    def ed25519(cls, name: str, public: bytes) -> "Verifier":
        """The key that signs notes. Raises NotGood for a name that no key may have."""
        _require_name(name)
        return cls(name, ED25519, public)

    @classmethod
    def parse(cls, vkey: str) -> "Verifier":
        """The key in its text form: name, id and key. Raises NotGood."""
        name, _, rest = vkey.partition("+")
        key_id, _, encoded = rest.partition("+")
        _require_name(name)
        content = unb64(encoded)
        if not content or len(content) - 1 != _PUBLIC.get(content[0]):
            raise NotGood(f"The key of {name} is of no kind that is known here.")
        verifier = cls(name, content[0], content[1:])
        if verifier.id.hex() != key_id:
            raise NotGood(f"The key of {name} does not belong to its id.")
        return verifier

    @property
    def id(self) -> bytes:
        """The four bytes that stand for the key in a signature."""
        named = self.name.encode() + b"\n" + bytes([self.kind]) + self.public
        return hashlib.sha256(named).digest()[:ID]

    @property
    def vkey(self) -> str:
        """The key in its text form."""
        return f"{self.name}+{self.id.hex()}+{b64(bytes([self.kind]) + self.public)}"

    def is_good(self, text: str, signature: bytes) -> bool:
        """Whether the key signed the text; of a cosignature the moment comes first."""
        moment = b"" if self.kind == ED25519 else signature[:TIME]
        raw = signature[len(moment) :]
        if len(raw) != _SIGNATURE[self.kind]:
            return False
        return _holds(self, _message(self, text, moment), raw)


def _require_name(name: str) -> None:
    if not name or "+" in name or re.search(r"\s", name) or not name.isprintable():
        raise NotGood(f"{name!r} is no name for a key: it has a blank or a plus, or is empty.")


def _message(verifier: Verifier, text: str, moment: bytes) -> bytes:
    """The bytes that a key of this kind signs."""
    if verifier.kind == ED25519:
        return text.encode()
    seconds = int.from_bytes(moment)
    if verifier.kind == COSIGNATURE:
        return f"cosignature/v1\ntime {seconds}\n{text}".encode()
    origin, size, root = (*text.split("\n"), "", "", "")[:3]
    if not size.isdecimal():
        raise NotGood("A cosignature of this kind is of checkpoints only.")
    names = verifier.name.encode(), origin.encode()
    if max(map(len, names)) > 255:
        raise NotGood("A name of more than 255 bytes cannot be signed with ML-DSA.")
    name, origin_bytes = (bytes([len(each)]) + each for each in names)
    span = (0).to_bytes(8) + int(size).to_bytes(8)
    return b"subtree/v1\n\0" + name + moment + origin_bytes + span + unb64(root)


def _holds(verifier: Verifier, message: bytes, raw: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature

    try:
        if verifier.kind == ML_DSA:
            from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey

            MLDSA44PublicKey.from_public_bytes(verifier.public).verify(raw, message)
        else:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

            Ed25519PublicKey.from_public_bytes(verifier.public).verify(raw, message)
    except (InvalidSignature, ValueError):
        return False
    return True


class Signer(Struct, frozen=True):
    """A key that signs; `raw` gives the bare signature of a message."""

    verifier: Verifier
    raw: Callable[[bytes], bytes]
    seconds: int = 0  # the moment of a cosignature, since 1970

    def line(self, text: str) -> str:
        """The line of its signature below the text, checked. Raises NotGood."""
        kind = self.verifier.kind
        moment = b"" if kind == ED25519 else self.seconds.to_bytes(TIME)
        signature = self.raw(_message(self.verifier, text, moment))
        if not self.verifier.is_good(text, moment + signature):
            raise NotGood(f"What signs for {self.verifier.name} has another key than this one.")
        return f"— {self.verifier.name} {b64(self.verifier.id + moment + signature)}\n"


def sign(text: str, *signers: Signer) -> str:
    """The signed note. Raises NotGood for a text that no note may have."""
    _require_text(text)
    return text + "\n" + "".join(each.line(text) for each in signers)


def _require_text(text: str) -> None:
    if not text.endswith("\n") or any(each < " " and each != "\n" for each in text):
        raise NotGood("The text of a note ends with a line break and has no control characters.")


class Opened(Struct, frozen=True):
    """A note of which at least one signature is good."""

    text: str
    verified: Sequence[Verifier]
    unknown: Sequence[str]  # the lines of keys that were not given


def open_note(note: str, verifiers: Iterable[Verifier]) -> Opened:
    """Checks a note against these keys. Raises NotGood, also if none of them signed it.

    A bad signature of one of these keys spoils the note; lines of other keys are passed over.
    """
    known = {(each.name, each.id): each for each in verifiers}
    text, lines = split(note)
    verified: list[Verifier] = []
    unknown: list[str] = []
    for line in lines:
        match = _LINE.fullmatch(line)
        if not match:
            raise NotGood("A line below the note is no signature.")
        content = unb64(match[2])
        verifier = known.get((match[1], content[:ID]))
        if not verifier or len(content) <= ID:
            unknown.append(line)
        elif verifier in verified:
            raise NotGood(f"{verifier.name} signed the note twice.")
        elif not verifier.is_good(text, content[ID:]):
            raise NotGood(f"The signature of {verifier.name} is wrong.")
        else:
            verified.append(verifier)
    if not verified:
        raise Unsigned("No key that is known here signed the note.")
    return Opened(text, verified, unknown)


def cosigned_at(line: str) -> tuple[str, int] | None:
    """Who cosigned by a line below a note, and the seconds since 1970; None: it has no moment.

    Nothing is checked: that takes the key.
    """
    match = _LINE.fullmatch(line)
    content = unb64(match[2])[ID:] if match else b""
    if not match or len(content) not in {TIME + _SIGNATURE[each] for each in (COSIGNATURE, ML_DSA)}:
        return None
    return match[1], int.from_bytes(content[:TIME])


def require_lines(note: str) -> None:
    """Checks that every line below the text is a signature, of whatever key. Raises NotGood."""
    for line in split(note)[1]:
        match = _LINE.fullmatch(line)
        if not match or len(unb64(match[2])) <= ID:
            raise NotGood("A line below the note is no signature.")


def split(note: str) -> tuple[str, list[str]]:
    """The text of a note, and the lines of its signatures. Raises NotGood."""
    text, gap, below = note.rpartition("\n\n")
    text += "\n"
    if not gap or not below.endswith("\n") or len(note.encode()) > LONGEST:
        raise NotGood("It is not a signed note.")
    _require_text(text)
    lines = below.removesuffix("\n").split("\n")
    if len(lines) > MOST:
        raise NotGood("The note has too many signatures.")
    return text, lines
