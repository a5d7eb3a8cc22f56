"""The key that signs checkpoints: where it is, and the statements that introduce a key.

A private key is a PEM file (PKCS#8) that only its owner can read, or a command signs with a key
that it never shows. Neither is in the database.
"""

import base64
import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from ops.ledger.files import data_home, write_secret
from ops.proof.note import (
    COSIGNATURE,
    ED25519,
    ML_DSA,
    NotGood,
    Signer,
    Verifier,
    open_note,
    sign,
    split,
)
from ops.words.failure import Failure

KEYS = "SABOT_AUDIT_KEYS"
KEY_COMMAND = "SABOT_AUDIT_KEY_COMMAND"
_HEAD = "sabot signing key"
_AND, _REPLACES = "and ", "replaces "
_WORDS = (_AND, _REPLACES)
SIGNATURE = 64  # bytes
SECONDS = 60  # for a command to sign


class NoKey(Failure):
    """There is no private key here, or it cannot be used; the words say what to do."""


class Statement(Struct, frozen=True):
    """A statement about a key: which record it signs, and which key it replaces.

    `second`: a key of another kind that signs checkpoints too, so that breaking one kind is not
    enough. It can sign nothing else, so the first key vouches for it.
    """

    origin: str
    key: str  # a verifier key, of Ed25519
    second: str = ""  # a verifier key, of ML-DSA-44; '' for none
    before: str = ""  # the key that it replaces, '' for the first
    signers: tuple[str, ...] = ()  # those of these keys that signed it

    @property
    def text(self) -> str:
        """What is signed."""
        lines = [_HEAD, self.origin, self.key]
        more = ((_AND, self.second), (_REPLACES, self.before))
        lines += [word + key for word, key in more if key]
        return "\n".join(lines) + "\n"

    def signed_by(self, key: str) -> bool:
        """Whether this key signed it."""
        return key in self.signers

    @classmethod
    def read(cls, note: str) -> "Statement":
        """The statement in a note. Raises NotGood, also if its own keys did not sign it."""
        head, origin, key, *more = [*split(note)[0].removesuffix("\n").split("\n"), "", ""][:5]
        named = {
            word: each.removeprefix(word)
            for each in more
            for word in _WORDS
            if each.startswith(word)
        }
        second, before = named.get(_AND, ""), named.get(_REPLACES, "")
        parts = [Verifier.parse(each) for each in (key, before) if each]
        named_keys = [*parts, *(Verifier.parse(each) for each in (second,) if each)]
        opened = open_note(note, parts)
        signers = tuple(each.vkey for each in opened.verified)
        statement = cls(origin, key, second, before, signers)
        of_this_record = head == _HEAD and all(each.name == origin for each in named_keys)
        if statement.text != opened.text or not of_this_record or parts[0].kind != ED25519:
            raise NotGood("It is not a statement about a signing key.")
        if key not in signers:
            raise NotGood("The key did not sign the statement about itself.")
        return statement


def keys_dir() -> Path:
    """Where the private keys are."""
    return Path(os.environ.get(KEYS) or data_home() / "audit-keys")


def file_of(vkey: str) -> Path:
    """Where the private key of a verifier key is: a file named after its eight hex digits."""
    return keys_dir() / f"{vkey.split('+')[1]}.pem"


def may_sign(vkey: str) -> bool:
    """Whether this account has the private key, or a command that signs."""
    return bool(os.environ.get(KEY_COMMAND)) or os.access(file_of(vkey), os.R_OK)


def make_keys(name_of: Callable[[bytes], str]) -> tuple[str, str]:
    """Makes private keys in files that only their owner can read; returns their verifier keys.

    The first is of Ed25519, the second of ML-DSA-44, or '' where that cannot be made. `name_of`:
    the name of the keys, from the first public key.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    first = Verifier.ed25519(name_of(public), public)
    _save(first, private)
    second = _second_key(first.name)
    return first.vkey, second


def make_witness_key(name: str) -> str:
    """Makes the key by which this house cosigns others' checkpoints; its verifier key.

    Raises NotGood for a name that no key may have.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    verifier = Verifier(Verifier.ed25519(name, public).name, COSIGNATURE, public)
    _save(verifier, private)
    return verifier.vkey


def _second_key(name: str) -> str:
    """Makes a key of ML-DSA-44; '' if the installed library cannot."""
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey

        private = MLDSA44PrivateKey.generate()
    except (ImportError, UnsupportedAlgorithm):
        return ""
    verifier = Verifier(name, ML_DSA, private.public_key().public_bytes_raw())
    _save(verifier, private)
    return verifier.vkey


def _save(verifier: Verifier, private: Any) -> None:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_secret(file_of(verifier.vkey), pem)


def public_pem(vkey: str) -> str:
    """The public key as PEM, for `openssl`."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = Ed25519PublicKey.from_public_bytes(Verifier.parse(vkey).public)
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def read_public(path: Path) -> bytes:
    """The 32 bytes of a public key in a PEM file. Raises NoKey."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        public = load_pem_public_key(path.read_bytes())
    except (OSError, ValueError) as error:
        raise NoKey(f"{path} has no public key that can be read: {error}.") from error
    if not isinstance(public, Ed25519PublicKey):
        raise NoKey(f"The key in {path} is no Ed25519 key. Name another file.")
    return public.public_bytes_raw()


def signers(*vkeys: str) -> list[Signer]:
    """The signers of these keys, each from its file or by the command; '' is none. Raises NoKey."""
    return [_signer(Verifier.parse(each)) for each in vkeys if each]


def introduction(made: tuple[str, str], before: str = "", *, lost: bool = False) -> str:
    """The signed statement about new keys; the key before signs too, unless it is lost.

    Raises NoKey.
    """
    key, second = made
    statement = Statement(key.partition("+")[0], key, second, before)
    return sign(statement.text, *signers(key, "" if lost else before))


def _signer(verifier: Verifier) -> Signer:
    command = os.environ.get(KEY_COMMAND)
    by_command = command and verifier.kind == ED25519
    return Signer(verifier, _by_command(str(command)) if by_command else _by_file(verifier))


def _by_command(command: str) -> Callable[[bytes], bytes]:
    """Signs by a command: it reads the message, and writes the 64 bytes of the signature."""

    def sign(message: bytes) -> bytes:
        try:
            done = subprocess.run(
                shlex.split(command),
                input=message,
                capture_output=True,
                timeout=SECONDS,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise NoKey(f"`{command}` did not sign: {error}. Check {KEY_COMMAND}.") from error
        raw = done.stdout
        if len(raw) != SIGNATURE:
            raw = _decoded(raw)
        if len(raw) != SIGNATURE:
            raise NoKey(f"`{command}` gave no signature of {SIGNATURE} bytes. Check {KEY_COMMAND}.")
        return raw

    return sign


def _decoded(raw: bytes) -> bytes:
    """The bytes of a signature that was written as base64; empty if it was not."""
    try:
        return base64.b64decode(raw.strip(), validate=True)
    except ValueError:
        return b""


def _by_file(verifier: Verifier) -> Callable[[bytes], bytes]:
    """Signs with the key in its file. Raises NoKey."""
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    path = file_of(verifier.vkey)
    try:
        pem = path.read_bytes()
        open_to_others = path.stat().st_mode & 0o077
    except OSError as error:
        raise NoKey(
            f"The signing key {path} cannot be read: {error.strerror}. Put it there, or set {KEYS} "
            f"or {KEY_COMMAND}."
        ) from error
    if open_to_others:
        raise NoKey(f"Others can read the signing key {path}. Give it the mode 0600.")
    try:
        private: Any = load_pem_private_key(pem, None)
        public = private.public_key().public_bytes_raw()
    except (ValueError, TypeError, AttributeError) as error:
        raise NoKey(f"{path} has no key that can sign here. Put the house's key there.") from error
    if public != verifier.public:
        raise NoKey(f"{path} has another key than its name says. Put the house's key there.")
    raw: Callable[[bytes], bytes] = private.sign
    return raw
