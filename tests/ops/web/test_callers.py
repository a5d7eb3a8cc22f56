"""Who sends a request: forged, replayed and late ones are refused before anything is read."""

import time
from base64 import b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.commands.signed_on import NOBODY, Token
from ops.door.signature import SIGNED, TERMINAL, Terminal, fingerprint
from ops.web.callers import MOST_OFF, Caller, Callers
from ops.web.turned_away import NotTrusted

TARGET, BODY = "/api/commands?late=1", b'{"command": "bet"}\n'


@pytest.fixture
def callers():
    return Callers()


@pytest.fixture
def terminal(tmp_path):
    return Terminal(tmp_path / "key")


def headers_of(terminal, *, target=TARGET, body=BODY):
    signed = terminal.headers("POST", target, body)
    return {name.lower(): value for name, value in signed.items()}


def ask(callers, headers, *, method="POST", target=TARGET, body=BODY, address="10.0.0.7"):
    return callers.caller(method, target, headers, body, address)


def test_a_terminal_is_known_by_its_key_and_the_person_by_the_token(callers, terminal):
    first = ask(callers, headers_of(terminal) | {"authorization": "Bearer D-204:s3:cret"})
    again = ask(callers, headers_of(terminal))

    assert (first.token, again.token) == (Token("D-204:s3", "cret"), NOBODY)
    assert first.place == again.place
    assert first.place.mark != ""
    public = terminal._key().public_key().public_bytes_raw()
    assert first.terminal == fingerprint(public)


def test_two_terminals_are_two_places(callers, terminal, tmp_path):
    other = Terminal(tmp_path / "other")

    assert ask(callers, headers_of(terminal)).place != ask(callers, headers_of(other)).place


def test_the_key_is_read_by_its_owner_only(terminal, tmp_path):
    headers_of(terminal)

    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


def test_without_a_key_a_request_has_no_place(callers):
    assert ask(callers, {"authorization": "Bearer X-1:key"}) == Caller(
        Token("X-1", "key"), address="10.0.0.7"
    )


@pytest.mark.parametrize(
    "forged",
    [
        {"method": "GET"},
        {"target": "/api/commands"},
        {"target": "/api/shell"},
        {"body": b""},
        {"body": BODY + b" "},
    ],
)
def test_what_was_signed_is_what_is_done(callers, terminal, forged):
    with pytest.raises(NotTrusted, match="not signed"):
        ask(callers, headers_of(terminal), **forged)


def test_the_same_request_is_taken_once(callers, terminal):
    signed = headers_of(terminal)
    ask(callers, signed)

    with pytest.raises(NotTrusted, match="sent before") as refused:
        ask(callers, signed)
    assert refused.value.status == 409


def test_another_key_in_the_header_is_not_the_one_that_signed(callers, terminal):
    signed = headers_of(terminal)
    other = Ed25519PrivateKey.generate().public_key().public_bytes_raw()
    _, *names = signed[TERMINAL.lower()].split(" ")
    signed[TERMINAL.lower()] = " ".join([b64encode(other).decode(), *names])

    with pytest.raises(NotTrusted, match="not signed"):
        ask(callers, signed)


@pytest.mark.parametrize("off", [-MOST_OFF - 5, MOST_OFF + 5])
def test_a_clock_that_is_wrong_is_named(callers, terminal, off, monkeypatch):
    moment = time.time_ns
    monkeypatch.setattr("time.time_ns", lambda: moment() + int(off * 1e9))
    signed = headers_of(terminal)

    with pytest.raises(NotTrusted, match="clock differs"):
        ask(callers, signed)


def test_a_request_that_is_forgotten_is_too_old_to_be_sent_again(callers, terminal, monkeypatch):
    old = headers_of(terminal)
    ask(callers, old)
    now = time.time
    monkeypatch.setattr("time.time", lambda: now() + 3 * MOST_OFF)
    moment = time.time_ns
    monkeypatch.setattr("time.time_ns", lambda: moment() + int(3 * MOST_OFF * 1e9))
    ask(callers, headers_of(terminal))

    assert len(callers._seen) == 1
    with pytest.raises(NotTrusted, match="clock differs"):
        ask(callers, old)


@pytest.mark.parametrize(
    "named",
    [
        "x",
        "AAAA pit-1 ann",
        f"{b64encode(bytes(32)).decode()} pit-1",
        f"{b64encode(bytes(31)).decode()} pit-1 ann",
        f"{b64encode(bytes(32)).decode()} {'p' * 65} ann",
        f"{b64encode(bytes(32)).decode()}\n pit-1 ann",
    ],
)
def test_a_name_that_is_none_is_refused(callers, named):
    with pytest.raises(NotTrusted, match="cannot be read") as refused:
        ask(callers, {TERMINAL.lower(): named})
    assert refused.value.status == 400


@pytest.mark.parametrize(
    "signed",
    ["", "1 2 3", "now aa bb", f"1e9 {'a' * 32} {b64encode(bytes(64)).decode()}", "1 2 3 4"],
)
def test_a_signature_that_is_none_is_refused(callers, terminal, signed):
    with pytest.raises(NotTrusted, match="not signed"):
        ask(callers, headers_of(terminal) | {SIGNED.lower(): signed})


@pytest.mark.parametrize(
    ("address", "here"),
    [("127.0.0.1", True), ("::1", True), ("", True), ("10.0.0.7", False), ("evil", False)],
)
def test_the_server_s_own_machine(address, here):
    assert Caller(address=address).is_here is here
