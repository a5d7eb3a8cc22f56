"""Signed notes: a published one, foreign checks, and no bit that may be another."""

import shutil
import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric import mldsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.proof import keys
from ops.proof.checkpoint import Checkpoint, opened
from ops.proof.note import (
    COSIGNATURE,
    ML_DSA,
    NotGood,
    Signer,
    Verifier,
    open_note,
    sign,
    split,
    unb64,
)
from ops.proof.tlog_proof import TlogProof
from ops.proof.tree import NotProven, inclusion
from tests.ops.proof.trees import Grown, defined_root
from tests.worlds.signing import ORIGIN, signed, signer_of

# From the documentation of Go's package note.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PUBLISHED = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb"
    "6KE6RyyBwJnAM=\n"
)


def test_the_published_note_is_good():
    opened = open_note(PUBLISHED, [Verifier.parse(PETER)])

    assert opened.text.startswith("If you think cryptography")
    assert [each.vkey for each in opened.verified] == [PETER]


def flipped(text):
    """Every text that differs from this one in a single bit."""
    content = text.encode()
    for at in range(len(content)):
        for bit in range(8):
            changed = bytearray(content)
            changed[at] ^= 1 << bit
            yield bytes(changed)


def test_no_bit_of_a_checkpoint_may_be_another():
    key = signer_of().verifier.vkey
    note = signed(41, bytes(range(32)))
    assert opened(note, ORIGIN, key).size == 41
    for changed in flipped(note):
        with pytest.raises((NotGood, UnicodeDecodeError)):
            opened(changed.decode(), ORIGIN, key)


def test_no_bit_of_a_proof_may_be_another():
    contents = [b"event %d" % n for n in range(5)]
    grown = Grown(contents)
    key, note = signer_of().verifier.vkey, signed(5, defined_root(grown.hashes))
    proof = TlogProof(3, inclusion(3, 5, grown), note).text
    assert TlogProof.parse(proof).check(contents[3], ORIGIN, key).size == 5
    for changed in flipped(proof):
        with pytest.raises((NotGood, NotProven, UnicodeDecodeError)):
            TlogProof.parse(changed.decode()).check(contents[3], ORIGIN, key)
    with pytest.raises(NotProven):
        TlogProof.parse(proof).check(contents[2], ORIGIN, key)


def test_a_key_of_another_record_does_not_count():
    note = signed(41, bytes(32), name="other.example", seed=1)
    with pytest.raises(NotGood, match="No key"):
        opened(note, ORIGIN, signer_of().verifier.vkey)
    with pytest.raises(NotGood, match=r"of other\.example"):
        opened(note, ORIGIN, signer_of("other.example").verifier.vkey)


@pytest.mark.parametrize("text", ["no end", "a bell \a\n", "a tab\there\n", "carriage return\r\n"])
def test_some_texts_are_no_notes(text):
    with pytest.raises(NotGood):
        sign(text, signer_of())
    with pytest.raises(NotGood):
        split(f"{text}\n— {ORIGIN} AAAAAAAA\n")


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u00a0b", "a\nb"])
def test_some_names_are_no_names_of_keys(name):
    with pytest.raises(NotGood, match="no name for a key"):
        Verifier.ed25519(name, bytes(32))


def test_a_note_with_a_second_key_shows_both():
    one, other = signer_of(), signer_of("witness.example", 2)
    note = sign("text\n", one, other)

    assert len(open_note(note, [one.verifier, other.verifier]).verified) == 2
    assert len(open_note(note, [one.verifier]).unknown) == 1
    with pytest.raises(NotGood, match="twice"):
        open_note(sign("text\n", one, one), [one.verifier])
    with pytest.raises(NotGood, match="too many"):
        open_note(sign("text\n", *[one] * 101), [one.verifier])


def test_cosignatures_of_both_kinds_are_checked():
    ed = Ed25519PrivateKey.from_private_bytes(bytes(32))
    ml = mldsa.MLDSA44PrivateKey.from_seed_bytes(bytes(32))
    witnesses = [
        Signer(
            Verifier("w1.example", COSIGNATURE, ed.public_key().public_bytes_raw()),
            ed.sign,
            1_700_000_000,
        ),
        Signer(
            Verifier("w2.example", ML_DSA, ml.public_key().public_bytes_raw()),
            ml.sign,
            1_700_000_000,
        ),
    ]
    text = Checkpoint(ORIGIN, 7, bytes(32)).text
    note = sign(text, signer_of(), *witnesses)
    keys_known = [Verifier.parse(each.verifier.vkey) for each in (signer_of(), *witnesses)]

    assert len(open_note(note, keys_known).verified) == 3
    for witness in witnesses:
        other = sign(Checkpoint(ORIGIN, 8, bytes(32)).text, witness)
        moved = note.partition("\n\n")[0] + "\n\n" + split(other)[1][0] + "\n"
        with pytest.raises(NotGood, match="is wrong"):
            open_note(moved, keys_known)


def test_openssl_checks_the_bare_signature(tmp_path):
    """As the README shows it; any other program for Ed25519 does the same."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    signer = signer_of()
    note = sign("text\n", signer)
    (line,) = split(note)[1]
    (tmp_path / "key.pem").write_text(keys.public_pem(signer.verifier.vkey))
    (tmp_path / "text").write_text("text\n")
    (tmp_path / "signature").write_bytes(unb64(line.split(" ")[2])[4:])
    verify = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "key.pem"]
    files = ["-in", "text", "-sigfile", "signature"]

    checked = subprocess.run([*verify, *files], cwd=tmp_path, check=False)
    (tmp_path / "text").write_text("texT\n")
    altered = subprocess.run([*verify, *files], cwd=tmp_path, check=False)

    assert (checked.returncode, altered.returncode) == (0, 1)
