"""What many events, answers and metadata say alike, apart from what one of them says alone.

The database stores the former once, as a form, and of each row only the latter. It makes the whole
again, byte by byte, and uses a form only where that is what was given.

>>> parted(b'{"card":"8H","hand":"player","n":3}')
('{"card":"%s","hand":"player","n":%s}', '8H\\x1f3')
"""

from datetime import date, timedelta
from functools import lru_cache

import msgspec

BETWEEN = "\x1f"  # stands between what belongs in two places; JSON has no such character
# The names whose values are few in a house: the values are in the form, not in its places.
_ALIKE = frozenset(
    (
        *("act", "app", "by", "carried", "colour", "commission_due", "currency", "decks", "device"),
        *("differential", "due", "error", "events", "face_down", "hand", "house", "how", "kind"),
        *("limits", "machine", "method", "minimum", "moment", "mouth", "natural", "odds"),
        *("outcome", "proof", "proved", "rate", "result", "rounding", "rule", "rules"),
        *("rules_digest", "shoe_holder", "spot", "terminal", "timing", "unit"),
    )
)
_ALIKE_ANYWHERE = frozenset(("null", "true", "false", "0", '"0"', '""', "[]"))
_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


def parted(content: bytes) -> tuple[str, str]:
    """The form of a JSON object, and what belongs in its places; '' and '' of anything else."""
    try:
        members = _members.decode(content)
    except (msgspec.DecodeError, RecursionError):  # the database refuses it, and says why
        return "", ""
    parts, contents = [], []
    for name, raw in members.items():
        value, name_in_form = bytes(raw).decode(), name.replace("%", "%%")
        if name in _ALIKE or value in _ALIKE_ANYWHERE:
            parts.append(f'"{name_in_form}":{value.replace("%", "%%")}')
            continue
        before = after = ""
        if value[0] == '"':
            before, value, after = '"', value[1:-1], '"'
            if name == "at" and value[-6:-5] in ("+", "-"):  # how far it is from UTC
                value, after = value[:-6], value[-6:] + after
        parts.append(f'"{name_in_form}":{before}%s{after}')
        contents.append(value)
    return "{" + ",".join(parts) + "}", BETWEEN.join(contents)


def long(brief: str, table: str, day: date) -> str:
    """What an event alone says, with its table and its day, as `ledger.long` has it.

    >>> long("\\x0220:21:09\\x1f\\x011/17", "B01", date(2026, 11, 21)).split(BETWEEN)
    ['2026-11-21T20:21:09', 'B01/2026-11-21/1/17']
    """
    address, today, tomorrow = _of_the_day(table, day)
    return brief.replace("\3", tomorrow).replace("\2", today).replace("\1", address)


@lru_cache(maxsize=1_024)  # a day of each of some tables
def _of_the_day(table: str, day: date) -> tuple[str, str, str]:
    """What is one character each in what an event alone says."""
    return f"{table}/{day}/", f"{day}T", f"{day + timedelta(1)}T"


def whole(form: str, places: int, row: str) -> str:
    """A form with what a row says, as `ledger.whole` has it: nothing if that is too much or little.

    >>> whole('{"card":"%s","share":"5%%"}', 1, "8H"), whole('{"card":"%s"}', 1, "8H\\x1f3")
    ('{"card":"8H","share":"5%"}', '')
    """
    parts = tuple(row.split(BETWEEN)) if row else ()
    return form % parts if len(parts) == places else ""
