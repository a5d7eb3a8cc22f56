"""The line that repeats a command whose answer did not come, so that it counts once."""

import shlex
from collections.abc import Sequence

from domain.rules.wording import N_, Words
from ops.cli import called
from ops.words.language import shown


def repeated(words: Sequence[str], sent_as: str, root: Sequence[str] = ()) -> str:
    """A sentence with the line that repeats a command; '' if it takes no id.

    `words`: as it was typed, from its name on; `root`: the options before its name. `sent_as`: the
    id with which it was sent, unless it was typed.
    """
    names, command = called(words)
    if not any("--id" in each.opts for each in command.params):
        return ""
    typed = [*words[len(names) :]]
    options = typed[: typed.index("--")] if "--" in typed else typed
    has_id = any(each == "--id" or each.startswith("--id=") for each in options)
    named = [] if has_id else ["--id", sent_as]
    line = shlex.join(["sabot", *root, *names, *named, *typed])
    return shown(Words(N_("This line repeats it, and it counts once: {line}"), line=line))
