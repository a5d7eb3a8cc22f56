"""A witness that answers as none should, and a signer with another key."""

import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.proof import witness
from ops.proof.note import ML_DSA, NotGood, Signer, Verifier, sign
from ops.proof.witness import LONGEST, WitnessAway, WitnessRefuses, ask


@contextmanager
def answering(status, content, pause=0.0):
    """The address of a server that gives this answer, waiting before each byte if asked."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Location", "http://127.0.0.1:9/")
            self.end_headers()
            try:
                for each in (
                    [content[n : n + 1] for n in range(len(content))] if pause else [content]
                ):
                    self.wfile.write(each)
                    time.sleep(pause)
            except OSError:
                pass  # nobody listens any more

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("words", ["9" * 5_000, "٧", "07", "-1", ""])
def test_a_conflict_without_a_size_is_a_refusal(words):
    with answering(409, words.encode()) as url, pytest.raises(WitnessRefuses) as refused:
        ask(url, 0, [], "note\n")

    assert WitnessRefuses is type(refused.value)


@pytest.mark.parametrize(
    ("status", "content"),
    [(200, b"x" * (LONGEST + 1)), (302, b""), (307, b""), (200, b"\xff\n"), (500, b"")],
)
def test_an_answer_that_is_not_a_witness_s(status, content):
    with answering(status, content) as url, pytest.raises(WitnessAway):
        ask(url, 0, [], "note\n")


def test_an_answer_that_comes_byte_by_byte(monkeypatch):
    monkeypatch.setattr(witness, "SECONDS", 0.3)
    begun = time.monotonic()
    with answering(200, b"x" * 12, pause=0.1) as url, pytest.raises(WitnessAway, match="too long"):
        ask(url, 0, [], "note\n")

    assert time.monotonic() - begun < 3


def test_a_signature_by_another_key_is_not_used():
    one, other = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    verifier = Verifier.ed25519("casino.example", one.public_key().public_bytes_raw())
    with pytest.raises(NotGood, match="has another key"):
        sign("text\n", Signer(verifier, other.sign))


def test_a_name_that_is_too_long_for_ml_dsa():
    verifier = Verifier("x" * 256, ML_DSA, bytes(1312))
    with pytest.raises(NotGood, match="more than 255 bytes"):
        verifier.is_good("casino.example\n1\nAA==\n", bytes(8 + 2420))
