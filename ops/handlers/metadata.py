"""What is recorded beside a command's events: who sent it, from where, and how they are known."""

from socket import gethostname
from typing import Any

import msgspec

from ops import VERSION
from ops.commands.authority import Token
from ops.commands.casino import Casino
from ops.ledger import machine


def metadata(casino: Casino, token: Token, channel: str) -> str:
    """The metadata of the casino's command as JSON, in a fixed order, because it is hashed."""
    command = casino.command
    known: dict[str, Any] = {"app": VERSION, "mouth": channel}  # the stored key stays
    if casino.open_house:
        known["house"] = "open"
    known |= _sender(casino, token)
    if command.second_person:
        known["with"] = command.second_person
    if casino.second_proved:
        known["proved"] = "pin"
    if casino.shown:
        known["shown"] = casino.shown
    if command.late:
        known["late"] = True
    return msgspec.json.encode(known | _clock(casino), order="deterministic").decode()


def _sender(casino: Casino, token: Token) -> dict[str, Any]:
    """The device that sent the line, with its number; the terminal, and how it is known."""
    known: dict[str, Any] = {}
    if casino.device:
        known["device"] = casino.device
        if number := casino.command.device_n:
            known["device_n"] = number
    if terminal := machine.terminal():
        known["terminal"] = terminal
        if proof := _proof(casino, token):
            known["proof"] = proof
    return known


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
    off = {"clock_ahead": casino.clock_ahead}
    if casino.clock_behind > 1:
        off["clock_behind"] = casino.clock_behind
    known = {name: f"{seconds:.3f}" for name, seconds in off.items() if seconds}
    if known and casino.clock_off:
        known["machine"] = gethostname()
    return known
