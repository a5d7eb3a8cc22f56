"""What is recorded beside a command's events: who sent it, from where, and how they are known."""

from socket import gethostname

import msgspec
from msgspec import Struct

from ops import VERSION
from ops.commands.casino import Casino
from ops.commands.signed_on import Token
from ops.ledger import machine

_STORED = {"channel": "mouth", "second": "with"}  # the keys in the ledger


class Metadata(Struct, frozen=True, kw_only=True, omit_defaults=True, rename=_STORED.get):
    """What a command's metadata may say; what does not apply is left out."""

    app: str  # the program's version
    channel: str
    house: str = ""  # `open`: nobody types a PIN in this house
    device: str = ""  # that sent the line
    device_n: int = 0  # the line's number at the device
    terminal: str = ""
    proof: str = ""  # how the house server knows who acts there
    second: str = ""  # the second person's staff number
    proved: str = ""  # `pin`: the second person typed theirs
    shown: str = ""  # the digest of what the second person was shown
    late: bool = False
    again: int = 0  # where the line was on record before a restore lost it
    again_at: str = ""  # when it was acknowledged there
    again_id: str = ""  # the id that it had
    clock_ahead: str = ""  # seconds
    clock_behind: str = ""  # seconds
    machine: str = ""  # whose clock is wrong


def metadata(casino: Casino, token: Token, channel: str) -> str:
    """The metadata of the casino's command as JSON, in a fixed order, because it is hashed."""
    command = casino.command
    terminal = machine.terminal()
    known = Metadata(
        app=VERSION,
        channel=channel,
        house="open" if casino.open_house else "",
        device=casino.device,
        device_n=command.device_n or 0 if casino.device else 0,
        terminal=terminal,
        proof=_proof(casino, token) if terminal else "",
        second=command.second_person,
        proved="pin" if casino.second_proved else "",
        shown=casino.shown,
        late=command.late,
        again=casino.again[0],
        again_at=casino.again[1],
        again_id=casino.again[2],
        **_clock(casino),
    )
    return msgspec.json.encode(known, order="sorted").decode()


def _proof(casino: Casino, token: Token) -> str:
    """How a house server knows who acts: by `key`, `token`, `pin`, or '' for not at all."""
    if casino.open_house:
        return ""
    if casino.device:
        return "key"
    if casino.proof:
        return casino.proof.how or "pin"
    return "token" if token.staff else ""


def _clock(casino: Casino) -> dict[str, str]:
    """How wrong this machine's clock is, and which machine it is."""
    off = {"clock_ahead": casino.time.ahead(casino.act)}
    behind = casino.time.behind(casino.act, casino.asked)
    if behind > 1:
        off["clock_behind"] = behind
    known = {name: f"{seconds:.3f}" for name, seconds in off.items() if seconds}
    if known and casino.time.off:
        known["machine"] = gethostname()
    return known
