"""What of a list is shown: lines with all words that were typed, or only what needs a person."""

from msgspec import Struct


class Sieve(Struct, frozen=True):
    """Lets everything through, until something is asked for."""

    typed: str = ""
    only_needs: bool = False

    def __bool__(self) -> bool:
        return bool(self.typed) or self.only_needs

    def __str__(self) -> str:
        """As it stands in the head."""
        typed = f"/{self.typed}" if self.typed else ""
        return " ".join(filter(None, (typed, "! only" if self.only_needs else "")))

    def lets(self, words: str, *, needs: bool) -> bool:
        """Whether a line is shown that says these words."""
        if self.only_needs and not needs:
            return False
        said = words.casefold()
        return all(each in said for each in self.typed.casefold().split())
