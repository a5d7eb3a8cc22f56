"""This machine and account: a sign-on is valid only here, and wrong PINs are counted here."""

import hashlib
import hmac
import os
import socket
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import NamedTuple
from uuid import getnode

from domain.rules.place import Place

_MACHINE_IDS = (Path("/etc/machine-id"), Path("/var/lib/dbus/machine-id"))


class Acting(NamedTuple):
    """The terminal that a house server acts for.

    `key`: the fingerprint of its key. `idle`: the minutes without a request after which the sign-on
    there has ended; 0 if it has not.
    """

    place: Place
    key: str = ""
    idle: int = 0


_IN_CONTEXT: ContextVar[Acting | None] = ContextVar("acting", default=None)
_in_process: Acting | None = None


def here() -> Place:
    """This machine and account; in a house server the terminal that it acts for."""
    acting = _acting()
    return acting.place if acting else _own()


def act_at(terminal: Acting) -> None:
    """From now on, in this context, `here` is the terminal of whoever sent a request."""
    _IN_CONTEXT.set(terminal)


def act_only_at(terminal: Acting) -> None:
    """From now on, in all threads of this process, `here` is this terminal."""
    global _in_process  # noqa: PLW0603
    _in_process = terminal


def is_another() -> bool:
    """Whether a house server acts for another machine, whose files are not here."""
    return _acting() is not None


def terminal() -> str:
    """The fingerprint of the key of the terminal that a house server acts for; '' for none."""
    acting = _acting()
    return acting.key if acting else ""


def idle() -> int:
    """The minutes without a request that ended the sign-on of whoever sent this one; 0: none."""
    acting = _acting()
    return acting.idle if acting else 0


def _acting() -> Acting | None:
    return _IN_CONTEXT.get() or _in_process


@cache
def _own() -> Place:
    """This machine and account, the same for all of its processes."""
    machine, user = socket.gethostname() or "localhost", _account()
    text = "\n".join((_machine_id(), machine, user))
    mark = hmac.digest(b"sabot: place of a sign-on", text.encode(errors="replace"), hashlib.sha256)
    return Place(machine, _name_of(user), mark.hex())


def _machine_id() -> str:
    """The machine's own identifier, which does not change with its name; only its hash is used."""
    for path in _MACHINE_IDS:
        try:
            if machine_id := path.read_text(errors="replace").strip():
                return machine_id
        except OSError:
            continue
    node = getnode()
    return "" if node >> 40 & 1 else f"{node:012x}"  # that bit marks a random number, not a card's


def _account() -> str:
    """The account's number, or its name on a system without numbers."""
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "")


def _name_of(account: str) -> str:
    """The account's name, or its number if it has none."""
    try:
        import pwd

        return pwd.getpwuid(int(account)).pw_name
    except (ImportError, KeyError, ValueError):
        return account
