"""Seats, names and reasons as they are typed, so that each is read again as the same."""

import re
import shlex
from collections.abc import Iterable, Sequence
from itertools import pairwise

_NUMBERED = re.compile(r"[0-9][0-9,.-]*[km]?", re.ASCII | re.IGNORECASE)


def spaced(*parts: str) -> str:
    """The parts that are not empty, with a blank between them."""
    return " ".join(part for part in parts if part)


def seats_text(seats: Sequence[int]) -> str:
    """Seats as a list, three or more in a row as a range: `1-4,6`."""
    runs: list[list[int]] = [[seats[0]]]
    for before, seat in pairwise(seats):
        if seat == before + 1:
            runs[-1].append(seat)
        else:
            runs.append([seat])
    return ",".join(_run(run) for run in runs)


def _run(seats: list[int]) -> str:
    return f"{seats[0]}-{seats[-1]}" if len(seats) > 2 else ",".join(map(str, seats))


def name_text(patron: str) -> str:
    """A name, in quotes where it would be read as something else."""
    plain = not re.search(r"\s", patron) and not _misread([patron])
    return patron if plain else _quoted(patron)


def word_text(word: str) -> str:
    """A word of a command, in quotes where a blank or a comma would divide it."""
    quoted = shlex.quote(word)
    if quoted == word:
        return f"'{word}'" if "," in word else word
    return f'"{word}"' if "'" in word and not {*word} & {'"', "\\"} else quoted


def reason_text(text: str) -> str:
    """A reason, in quotes where its first word would be read as something else."""
    return _quoted(text) if _misread(text.split()) or text != text.strip() else text


def _misread(words: Iterable[str]) -> bool:
    first, *rest = words
    options = any(word.startswith("--") for word in (first, *rest))
    sign = first[0] in "\"'" or first.lower() == "as" or "/" in first
    return options or sign or bool(_NUMBERED.fullmatch(first))


def _quoted(text: str) -> str:
    mark = "'" if '"' in text else '"'
    return f"{mark}{text}{mark}"
