"""Keys for tests: the same ones each time."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.proof.checkpoint import Checkpoint
from ops.proof.note import Signer, Verifier, sign

ORIGIN = "casino.example/baccarat"


def signer_of(name=ORIGIN, seed=1):
    private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    verifier = Verifier.ed25519(name, private.public_key().public_bytes_raw())
    return Signer(verifier, private.sign)


def signed(size, root, *, name=ORIGIN, seed=1):
    return sign(Checkpoint(name, size, root).text, signer_of(name, seed))
