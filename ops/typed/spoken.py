"""The commands of the feed that a dealer can type whole, by every form of their names."""

from msgspec.structs import fields

from ops.commands.command import AtTable
from ops.commands.disputes import DisputeExport, DisputeNote, OfDispute
from ops.commands.money import MoneyCorrect
from ops.commands.slips import OnSlip
from ops.commands.vocabulary import COMMANDS

# These write files, or need the time zone of a camera's clock: they are for a shell.
_ELSEWHERE = (DisputeExport, DisputeNote)


def _spoken_here(name: str) -> bool:
    kind = COMMANDS[name]
    at_coup = "coup" in (field.name for field in fields(kind))
    here = issubclass(kind, AtTable | OnSlip | OfDispute | MoneyCorrect) or at_coup
    return here and not issubclass(kind, _ELSEWHERE) and name not in ("void", "correct")


def _names() -> dict[str, str]:
    """Commands by what is typed: `table seat`, and `seat` if no other command ends so."""
    full = [name for name in COMMANDS if _spoken_here(name)]
    names = {name.replace(".", " "): name for name in full}
    last = [name.rpartition(".")[2] for name in full if issubclass(COMMANDS[name], AtTable)]
    for name in full:
        short = name.rpartition(".")[2]
        if issubclass(COMMANDS[name], AtTable) and last.count(short) == 1:
            names.setdefault(short, name)
    return names


# Commands of a shell that a dealer may try to type at a terminal.
FOR_A_SHELL = (
    *("board", "report", "replay", "rules", "rule", "road", "odds", "audit", "staff"),
    *("property", "patron", "alert", "feed", "manual", "demo", "db", "export"),
    *("box", "shift", "master"),
)
# These words have a shorter form of their own.
OWN_WORDS = ("void", "correct", "card", "waive", "walked", "misdraw", "late", "colour", "off")
SPOKEN = {typed: name for typed, name in _names().items() if typed not in OWN_WORDS}
# `limits` has a form of its own too; with an option it is the command.
SHORTEST = {
    name: min((typed for typed in SPOKEN if SPOKEN[typed] == name and typed != "limits"), key=len)
    for name in SPOKEN.values()
}
