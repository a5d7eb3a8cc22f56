"""The text of a rule file from what it states; `rule_files` reads it back.

>>> print(written({"name": "riverside@1", "spots": {"tie": {"pays": {"tie": "9:1"}}}}), end="")
name = "riverside@1"
<BLANKLINE>
[spots.tie]
pays = {"tie" = "9:1"}
"""

import json
from collections.abc import Iterator

from ops.commands.rule_file_tables import Toml

_LONGEST = 100  # letters of a line


def written(stated: Toml) -> str:
    """A rule file that states this: terms by themselves, then tables, then each bet."""
    tables = {name: each for name, each in stated.items() if isinstance(each, dict) and each}
    alone = {name: each for name, each in stated.items() if not isinstance(each, dict)}
    parts = ["\n".join(_each(alone)), *(_table(name, each) for name, each in tables.items())]
    return "\n\n".join(parts) + "\n"


def _table(name: str, stated: Toml) -> str:
    bets = {each: terms for each, terms in stated.items() if name == "spots" and terms != "none"}
    rest = {each: terms for each, terms in stated.items() if each not in bets}
    head = ["\n".join((f"[{name}]", *_each(rest)))] if rest else []
    return "\n\n".join((*head, *(_bet(spot, terms) for spot, terms in bets.items())))


def _bet(spot: str, terms: object) -> str:
    if not isinstance(terms, dict):
        return f"[spots]\n{spot} = {_value(terms)}"
    others = {name: each for name, each in terms.items() if name != "pays"}
    lines = [f"[spots.{spot}]", *_each(others)]
    pays = terms.get("pays")
    if not isinstance(pays, dict):
        return "\n".join(lines)
    each = [f"{_value(when)} = {_value(odds)}" for when, odds in pays.items()]
    in_a_line = f"pays = {{{', '.join(each)}}}"
    if len(in_a_line) <= _LONGEST:
        return "\n".join((*lines, in_a_line))
    return "\n".join((*(lines if others else []), f"[spots.{spot}.pays]", *each))


def _each(stated: Toml) -> Iterator[str]:
    return (f"{name} = {_value(each)}" for name, each in stated.items())


def _value(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(_each(value))}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
