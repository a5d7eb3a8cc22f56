"""Which machine this is, and whose account: where a sign-on works, and where PINs are counted."""

import hashlib
import hmac
import os
import socket
from functools import cache
from pathlib import Path
from uuid import getnode

from domain.rules.place import Place

_MACHINE_IDS = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))


@cache
def here() -> Place:
    """This machine and this account; the same for every process of both."""
    machine, user = socket.gethostname() or "localhost", _account()
    told = "\n".join((_machine_id(), machine, user))
    mark = hmac.digest(b"sabot: place of a sign-on", told.encode(errors="replace"), hashlib.sha256)
    return Place(machine, _name_of(user), mark.hex())


def _machine_id() -> str:
    """What the machine calls itself, whatever its name on the network; it never leaves here."""
    for path in _MACHINE_IDS:
        try:
            if said := path.read_text(errors="replace").strip():
                return said
        except OSError:
            continue
    node = getnode()
    return "" if node >> 40 & 1 else f"{node:012x}"  # that bit: no card has it, it was made up now


def _account() -> str:
    """The number of the account; on a machine without such numbers its name."""
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "")


def _name_of(account: str) -> str:
    """As the machine calls it; its number, when that has no name."""
    try:
        import pwd

        return pwd.getpwuid(int(account)).pw_name
    except (ImportError, KeyError, ValueError):
        return account
