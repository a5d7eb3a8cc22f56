"""The filter of a list: lines with all words that were typed, or only what needs a person."""

from msgspec import Struct


class Sieve(Struct, frozen=True):
    """A filter; without words it shows every line."""

    typed: str = ""
    only_needs: bool = False

    def __bool__(self) -> bool:
        return bool(self.typed) or self.only_needs

    def __str__(self) -> str:
        """The filter's words for the head."""
        typed = f"/{self.typed}" if self.typed else ""
        return " ".join(filter(None, (typed, "! only" if self.only_needs else "")))

    def lets(self, words: str, *, needs: bool) -> bool:
        """Whether a line with these words is shown."""
        if self.only_needs and not needs:
            return False
        text = words.casefold()
        return all(each in text for each in self.typed.casefold().split())
