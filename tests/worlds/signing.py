"""Keys for tests: the same ones each time, and new ones."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.proof import keys
from ops.proof.checkpoint import Checkpoint
from ops.proof.keys import Statement
from ops.proof.note import Signer, Verifier, sign

ORIGIN = "casino.example/baccarat"


def signer_of(name=ORIGIN, seed=1):
    private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    verifier = Verifier.ed25519(name, private.public_key().public_bytes_raw())
    return Signer(verifier, private.sign)


def signed(size, root, *, name=ORIGIN, seed=1):
    return sign(Checkpoint(name, size, root).text, signer_of(name, seed))


def introduced(name=ORIGIN, seed=1):
    """The statement of the first key."""
    signer = signer_of(name, seed)
    return sign(Statement(name, signer.verifier.vkey).text, signer)


def signed_and_sent(dispatcher):
    """A key, and a checkpoint that is in all the places that one may be in."""
    note = signed(2, bytes(32))
    for command, fields in {
        "audit.new-key": {"statement": introduced()},
        "audit.checkpoint": {"commands": 1, "commands_head": "0" * 64},
        "audit.sent": {"place": "/media/usb"},
        "audit.cosigned": {"witness": "https://w.example/", "cosignature": "— w AAAAAAAA\n"},
        "audit.refused": {"witness": "https://v.example/", "status": 409, "answer": "3"},
    }.items():
        about = {} if command == "audit.new-key" else {"note": note}
        answer = dispatcher.dispatch({"command": command, **about, **fields})
        assert answer.ok, str(answer)


def new_key(dispatcher):
    """The house's first key, introduced."""
    made = keys.make_keys(lambda _: ORIGIN)
    line = {"command": "audit.new-key", "statement": keys.introduction(made)}
    answer = dispatcher.for_own_commands().dispatch(line)
    assert answer.ok, str(answer)
    return made
