"""What a report needs and nobody has written: each field, why, and the command that fills it."""

from msgspec import Struct

from domain.rules.wording import Words

ON_FILE = Words("It is on file, so it is not unknown.")


class Lack(Struct, frozen=True):
    """A field that is missing or cannot be read; `how`: the command or the line that fills it."""

    field: str
    words: Words
    how: str


class Lacks(Exception):
    """A report cannot be made yet."""

    def __init__(self, every: list[Lack]) -> None:
        super().__init__(", ".join(each.field for each in every))
        self.every = every
