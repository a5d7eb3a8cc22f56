"""The pages of the manual that are about a command."""

from ops.manual.sections import command_in, slug_of
from ops.manual.topics import ORDER


def page_of_command(words: str) -> str:
    """The address of the manual's line about a command, or of a topic that is asked for."""
    name = command_in(words)
    asked = words.removeprefix("sabot ").split()
    if name == "manual" and len(asked) > 1 and asked[1] in ORDER:
        return f"/manual/{asked[1]}"
    return f"/manual/commands#{slug_of(name)}" if name else ""
