"""Refusals of the ledger at a terminal: commands named as they are typed here.

The ledger names commands as its feed does, or as a shell would.

>>> as_typed("9H is not due. Enter it with shoe.misdraw.")
'9H is not due. Enter it with `misdraw`.'
>>> as_typed("Nobody sits at seat 9: seat the patron first, with `table seat`.")
'Nobody sits at seat 9: seat the patron first, with `seat`.'
"""

import re
from collections.abc import Mapping
from typing import Any

from domain.rules.refusals import CommissionOwed, ConfirmationNeeded
from domain.rules.wording import listed
from ops.commands.vocabulary import COMMANDS
from ops.handlers.answer import Answer
from ops.now.table_now import TableNow
from ops.typed.shell import renamed, with_typed_fields
from ops.typed.spoken import SHORTEST
from ops.typed.written import name_text, seats_text
from ops.words.language import _, shown

_OWN = {
    "void": "void",
    "correct": "correct",
    "coup.correct-card": "card",
    "shoe.misdraw": "misdraw",
    "commission.collect": "c",
    "commission.waive": "waive",
    "commission.walked": "walked",
    "staff.sign-off": "off",
}


def _typed(name: str) -> str:
    """How a command is typed at a terminal; one that is not typed there, as at a shell."""
    return _OWN.get(name) or SHORTEST.get(name) or f"sabot {name.replace('.', ' ')}"


TYPED = {name: _typed(name) for name in COMMANDS}
_AT_A_SHELL = {name.replace(".", " "): name for name in COMMANDS if "." in name}
_SHELL_NAMES = re.compile(rf"`(?:sabot )?({'|'.join(_AT_A_SHELL)})`")


def as_typed(message: str) -> str:
    """The same message with each command as it is typed here."""
    short = _SHELL_NAMES.sub(lambda match: f"`{TYPED[_AT_A_SHELL[match[1]]]}`", message)
    return renamed(short, lambda name: f"`{TYPED[name]}`")


def refusal_words(answer: Answer, line: Mapping[str, Any], now: TableNow, typed: str = "") -> str:
    """Why a line was refused, and what to type next where that is no command's name."""
    if answer.error == CommissionOwed.__name__ and answer.refusal:
        balances = answer.refusal.values["balances"]
        assert isinstance(balances, str)
        return f"{shown(balances)}. {_collecting(line, now)}"
    if answer.error == ConfirmationNeeded.__name__ and answer.refusal:
        if answer.rule == "R-CASH-2":
            return _("{so}. Type `y` when the ID was seen.", so=answer.refusal.values["so"])
        return _("{so}. Type `y` if that is right.", so=answer.refusal.values["so"])
    return as_typed(with_typed_fields(answer.words, answer.command, typed))


def _collecting(line: Mapping[str, Any], now: TableNow) -> str:
    """What to type to collect from those who owe; if somebody leaves, from them alone."""
    leaving = now.seat(line["seat"]) if "seat" in line else None
    owing = [seat.seat for seat in now.owing if leaving is None or seat.owes_at == leaving.owes_at]
    left = [
        name_text(each)
        for each in sorted(now.left_owing)
        if leaving is None or each == leaving.patron
    ]
    who = [*([seats_text(owing)] if owing else []), *left]
    if not who:
        return _("Type `c NAME` to collect it, or with a supervisor `waive NAME REASON`.")
    return _(
        "Type {lines} to collect it, or with a supervisor `waive {who} REASON` or "
        "`walked {who} REASON`.",
        lines=listed(f"`c {each}`" for each in who),
        who=owing[0] if owing else left[0],
    )
