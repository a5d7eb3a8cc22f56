"""Where signed checkpoints go: directories, mail addresses and witnesses.

>>> usb, mail, witness = parse_destinations("/media/usb mailto:a@b.example https://w.example/#w+1+k")
>>> usb.kind, mail.address, witness.address, witness.key
('directory', 'a@b.example', 'https://w.example/', 'w+1+k')
>>> parse_destinations("none")
()
"""

from msgspec import Struct

from domain.rules.refusals import BadValue
from domain.rules.wording import Words

DIRECTORY, MAIL, WITNESS = "directory", "mail", "witness"
NONE = "none"
_MAILTO = "mailto:"
_WEB = ("https://", "http://")


class Destination(Struct, frozen=True):
    """A place for checkpoints; `key` is a witness's verifier key, '' if it was not given."""

    kind: str
    address: str
    key: str = ""

    def __str__(self) -> str:
        return self.address

    @classmethod
    def parse(cls, text: str) -> "Destination":
        """Refuses: BadValue."""
        if text.startswith(_MAILTO) and "@" in text:
            return cls(MAIL, text.removeprefix(_MAILTO))
        if text.startswith(_WEB):
            address, _, key = text.partition("#")
            return cls(WITNESS, address, key)
        if text.startswith("/"):
            return cls(DIRECTORY, text)
        raise BadValue(
            message=Words(
                "{place} is no place for checkpoints. Write a directory from its root on, as in "
                "`/media/usb`, or an address as in `mailto:audit@board.example` or "
                "`https://witness.example/`.",
                place=repr(text),
            )
        )


def parse_destinations(text: str) -> tuple[Destination, ...]:
    """The places in a text, with blanks between them; none for `none`. Refuses: BadValue."""
    if text == NONE:
        return ()
    return tuple(Destination.parse(each) for each in text.split())
