"""A wire of a terminal: signed once, and then as safe, and as strict, as a request by itself."""

import asyncio
import json
import socket
import subprocess
import sys
from contextlib import closing, contextmanager
from itertools import count
from urllib.parse import urlsplit

import pytest

from ops.commands.signed_on import Token
from ops.door.connection import Connection, WiredConnection
from ops.door.wire import LONGEST, NoWire, Wire, fresh_half, read, sealed
from ops.handlers.questions import Send, WhoIsHere
from ops.terminal.dealer.house_there import HouseThere
from ops.web import wires
from ops.web.callers import Caller
from ops.web.rooms import Rooms
from tests import ROOT
from tests.waiting import until
from tests.worlds.closed_house import PIN
from tests.worlds.house_server import house_server

COMMANDS = "/api/commands"
KEY = bytes(range(32))
BET = {"command": "bet", "table": "B09", "seat": 3, "spot": "banker", "amount": 10000}
OF_ONE = Rooms().wires._of_one
numbers = count()


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    home = tmp_path_factory.mktemp("wires") / "house"
    with server.database() as database, house_server(database, home) as house:
        yield house


@pytest.fixture
def at(monkeypatch):
    """A connection that stays open, of a terminal."""
    kept = []

    def opened(terminal, address="", patience=2.0):
        for name, value in terminal.env.items():
            monkeypatch.setenv(name, value)
        kept.append(WiredConnection(address or terminal.server.address, patience))
        return kept[-1]

    yield opened
    for each in kept:
        each.close()


def opening(table, name=""):
    line = {"command": "table.open", "table": table, "rules": "classic@1", "opener": {}}
    return {**line, "id": name or f"opening-{next(numbers)}"}


def ask(kept, *lines):
    """The status and the answers."""
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    status, content = kept.post(COMMANDS, body)
    return status, [json.loads(each) for each in content.splitlines()]


def on_wire(kept):
    """The same connection, after the request that goes by itself: the next one goes by a wire."""
    ask(kept, {"command": "no.such"})
    ask(kept, {"command": "no.such"})
    assert kept._wire
    return kept._wire


def open_now(house):
    _, _, text = house.terminal().get("/metrics")
    (line,) = [each for each in text.decode().splitlines() if each.startswith('sabot_open{room="w')]
    return float(line.rpartition(" ")[2])


def recorded(house, name):
    """How often a line is on record."""
    with house.database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT count(*) FROM ledger.commands WHERE command_id = %s", (name,)
        ).fetchone()[0]


# What goes by it
def test_what_goes_by_a_wire_is_answered_as_what_goes_by_itself(house, at):
    kept, line = at(house.terminal("pit-1")), opening("B01")
    on_wire(kept)
    status, by_wire = ask(kept, line, {"command": "nonsense", "id": "n"}, BET)
    with closing(Connection(house.address)) as connection:
        again, by_itself = ask(connection, line, {"command": "nonsense", "id": "n"}, BET)

    assert (status, again) == (200, 200)
    assert [each["ok"] for each in by_wire] == [True, False, False]
    assert by_wire[:2] == by_itself[:2]
    assert by_wire[2]["message"] == by_itself[2]["message"]
    assert recorded(house, line["id"]) == 1


def test_a_server_that_closes_after_its_first_answer_is_asked_by_a_wire_all_the_same(house, at):
    """As one does that is about to end."""
    kept = at(house.terminal("pit-1"))
    ask(kept, {"command": "no.such"})
    kept._http.close()

    assert ask(kept, {"command": "no.such"})[0] == 200
    assert kept._wire


def test_a_line_without_an_id_gets_one_of_its_own(house, at):
    kept = at(house.terminal("pit-1"))
    on_wire(kept)
    (_, (first,)), (_, (second,)) = ask(kept, BET), ask(kept, BET)

    assert len({first["id"], second["id"]}) == 2
    assert first["id"].startswith(house.terminal("pit-1").key)


def test_a_long_request_goes_by_itself_and_the_wire_stays(house, at):
    kept = at(house.terminal("pit-1"))
    wire = on_wire(kept)
    status, answers = ask(kept, *[{"command": "x" * 200, "id": f"l-{n}"} for n in range(100)])
    ask(kept, BET)

    assert (status, len(answers)) == (200, 100)
    assert kept._wire is wire
    assert wire._sent == 2


def test_one_request_opens_no_wire_and_imports_nothing_for_it(house):
    program = (
        "import sys; from ops.cli import cli\n"
        "try: cli(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print('websockets' in sys.modules)"
    )
    for words in (["feed"], ["bet", "B01", "3", "tie", "5"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=ROOT,
            env=house.terminal("pit-1").env | {"PATH": ""},
            input=json.dumps(BET),
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.endswith("False\n"), done


def test_a_wire_leaves_its_room_when_it_is_closed(house, at):
    before = open_now(house)
    kept = at(house.terminal("pit-2"))
    on_wire(kept)
    during = open_now(house)
    kept.close()

    assert during == before + 1
    until(lambda: open_now(house) == before)


def test_where_no_wire_is_to_be_had_all_goes_by_itself(house, at, monkeypatch):
    monkeypatch.setattr("ops.door.wire.TARGET", "/api/no-wire")
    kept = at(house.terminal("pit-3"))
    for _ in range(3):
        assert ask(kept, BET)[0] == 200

    assert kept._wire is None


def test_one_terminal_does_not_take_all_the_room_for_wires(house, at):
    terminal = house.terminal("pit-4")
    full = [at(terminal) for _ in range(OF_ONE + 1)]
    for each in full:
        ask(each, BET)
        ask(each, BET)
    on_wire(at(house.terminal("pit-5")))

    assert [each._wire is None for each in full] == [False] * OF_ONE + [True]


def test_a_wire_on_which_nothing_comes_ends(monkeypatch):
    monkeypatch.setattr(wires, "IDLE", 0.05)
    said = []

    async def nothing():
        await asyncio.Event().wait()

    async def send(message):
        said.append(message)

    async def carry():
        with pytest.raises(TimeoutError):
            await wires.Wires(None, {}, None)._carry(Caller(), KEY, nothing, send)

    asyncio.run(asyncio.wait_for(carry(), 10))

    assert said == []


def test_a_wire_that_was_idle_too_long_is_opened_again_and_nobody_waits_for_it(
    house, at, monkeypatch
):
    waits = []
    monkeypatch.setattr("ops.door.connection.time.sleep", waits.append)
    kept, line = at(house.terminal("pit-1")), opening("B03")
    first = on_wire(kept)
    first._line.shutdown(socket.SHUT_RDWR)  # as the server does
    status, (answer,) = ask(kept, line)
    second = on_wire(kept)

    assert (status, answer["ok"]) == (200, True)
    assert first is not second
    assert waits == [0.0]
    assert recorded(house, line["id"]) == 1


# Who may go on
@pytest.fixture
def closed(database, tmp_path):
    """A house with an administrator at pit-1, and a dealer at pit-2."""
    with house_server(database, tmp_path / "house") as house:
        boss, dealer = house.terminal("pit-1"), house.terminal("pit-2")
        boss.run("board", "--once")
        boss.run("staff", "approve-terminal", boss.key, "pit 1")
        boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
        dealer.approved_by(boss).sign_on(
            "D-204", boss.ask("staff", "enrol", "D-204", "Dan", "dealer")["code"]
        )
        yield house


def test_a_terminal_that_is_retired_is_refused_at_its_next_line(closed, at):
    boss, dealer = closed.terminal("pit-1"), closed.terminal("pit-2")
    kept = at(dealer)
    wire = on_wire(kept)
    before = ask(kept, {"command": "no.such"})[0]
    boss.run("staff", "retire-terminal", dealer.key, "--reason", "stolen")
    status, (refused,) = ask(kept, {"command": "no.such"})

    assert kept._wire is wire
    assert (before, status, refused["error"]) == (200, 403, "NotTrusted")
    assert "This terminal was retired" in refused["message"]
    with pytest.raises(NoWire), wire_of(closed, kept):
        pass


def test_whoever_signs_off_or_on_elsewhere_does_so_for_an_open_wire_too(closed, at):
    dealer = closed.terminal("pit-2")
    session, kept = dealer.home / "session", at(dealer)
    token = session.read_text()
    wire = on_wire(kept)
    named = ask(kept, {"command": "table.limits", "table": "B01", "minimum": 1})[1][0]["error"]
    dealer.run("staff", "sign-off", "D-204")
    session.write_text(token)
    off = ask(kept, {"command": "table.limits", "table": "B01", "minimum": 2})[1][0]["error"]
    same = kept._wire is wire
    session.unlink()
    dealer.run("staff", "sign-on", "D-204", types=(PIN,))
    on = ask(kept, {"command": "table.limits", "table": "B01", "minimum": 3})[1][0]["error"]

    assert (off, same) == ("NotSignedOn", True)
    assert on == named != off
    assert kept._wire is not wire


# Whose it is
def test_a_request_of_a_wire_is_read_by_its_number_only():
    sent = sealed(KEY, 7, f"{COMMANDS}?first=1", b"{}\n")

    assert read(KEY, 7, sent) == (f"{COMMANDS}?first=1", b"{}\n")
    assert read(KEY, 8, sent) is None
    assert read(bytes(32), 7, sent) is None
    assert read(KEY, 7, sent[:-2] + b" \n") is None
    assert read(KEY, 7, b"") is None


def changed(frame):
    return frame.replace(b"banker", b"player")


def cut(frame):
    return frame[:-1]


def of_another_key(frame):
    return sealed(KEY, 2, COMMANDS, frame[16:].partition(b"\n")[2])


def without_code(frame):
    return frame[16:]


@pytest.mark.parametrize("alter", [changed, cut, of_another_key, without_code])
def test_a_request_that_was_changed_on_its_way_ends_the_wire_and_is_not_decided(house, at, alter):
    kept, line = at(house.terminal("pit-1")), {**BET, "id": f"altered-{next(numbers)}"}
    wire = on_wire(kept)
    wire._sent += 1
    frame = sealed(wire._key, wire._sent, COMMANDS, json.dumps(line).encode())
    wire._protocol.send_binary(alter(frame))

    with pytest.raises(ConnectionError):
        wire._message()
    assert recorded(house, line["id"]) == 0


def test_a_request_that_is_sent_again_ends_the_wire_and_counts_once(house, at):
    kept, line = at(house.terminal("pit-1")), opening("B02")
    wire = on_wire(kept)
    frame = sealed(wire._key, 2, COMMANDS, json.dumps(line).encode())
    wire._protocol.send_binary(frame)
    first = wire._message()
    wire._protocol.send_binary(frame)

    assert b'"ok":true' in first
    with pytest.raises(ConnectionError):
        wire._message()
    assert recorded(house, line["id"]) == 1


@contextmanager
def wire_of(house, kept, headers=None):
    """A wire, opened by hand."""
    split = urlsplit(house.address)
    signed = headers or (lambda target: kept.signed("GET", target, b""))
    with socket.create_connection((split.hostname, split.port), 10) as line:
        yield Wire(line, split.netloc, "", signed)


def test_an_opening_that_was_recorded_opens_nothing(house, at):
    kept = at(house.terminal("pit-1"))
    signed = []

    def once(target):
        signed.append(kept.signed("GET", target, b""))
        return signed[0]

    with wire_of(house, kept, once):
        pass

    with pytest.raises(NoWire), wire_of(house, kept, once):
        pass


def test_whoever_has_the_opening_but_not_its_secret_can_send_nothing(house, at, monkeypatch):
    """Somebody between the two passes the opening on, and then speaks for the terminal."""
    kept = at(house.terminal("pit-1"))
    _, half = fresh_half()
    stranger, _ = fresh_half()
    monkeypatch.setattr("ops.door.wire.fresh_half", lambda: (stranger, half))

    with wire_of(house, kept) as wire, pytest.raises(ConnectionError):
        wire.ask(COMMANDS, json.dumps({**BET, "id": "stranger"}).encode())
    assert recorded(house, "stranger") == 0


@pytest.mark.parametrize("half", ["", "00" * 31, "zz" * 32, "00" * 32])
def test_half_a_key_that_is_none_opens_nothing(house, at, monkeypatch, half):
    kept = at(house.terminal("pit-1"))
    secret, _ = fresh_half()
    monkeypatch.setattr("ops.door.wire.fresh_half", lambda: (secret, half))

    with pytest.raises(NoWire), wire_of(house, kept):
        pass


@pytest.mark.parametrize("target", ["/health", "/", "/api/no-such"])
def test_no_other_address_opens_a_wire(house, at, monkeypatch, target):
    monkeypatch.setattr("ops.door.wire.TARGET", target)
    with pytest.raises(NoWire), wire_of(house, at(house.terminal("pit-1"))):
        pass
    assert house.terminal().get("/health")[0] == 200


def test_without_a_key_nobody_opens_a_wire(house, at):
    with pytest.raises(NoWire), wire_of(house, at(house.terminal("pit-1")), lambda _: {}):
        pass


def test_a_dealer_s_terminal_asks_by_a_wire_and_anew_with_each_sign_on(house, at, monkeypatch):
    at(house.terminal("pit-1"))  # whose environment it is
    with closing(HouseThere(house.address)) as there:
        opened = [there.ask(Send([opening(f"D{n}")]))[0].ok for n in (1, 2, 3)]
        wire = there._connection._wire
        there.use(Token("D-204", "secret"))
        after = there.ask(WhoIsHere())

        assert opened == [True] * 3
        assert wire._sent == 2
        assert (after.staff, there._connection._wire is wire) == ("", False)


def test_only_lines_and_questions_go_by_a_wire(house, at):
    kept = at(house.terminal("pit-1"))
    on_wire(kept)

    assert kept.post("/api/shell", b"{}")[0] == 404


def test_a_request_that_is_too_large_for_a_wire_ends_it(house, at):
    wire = on_wire(at(house.terminal("pit-1")))

    with pytest.raises(ConnectionError):
        wire.ask(COMMANDS, b"x" * (2 * LONGEST))
