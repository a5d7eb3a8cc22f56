"""The messages of the program, as gettext catalogues: `python -m tests.catalogue` brings them up.

A message is what `_`, `N_`, `Words`, `worded` and `counted` are called with, the docstring of
a refusal, a rule's sentence, and the label of a spot. A translation is kept as long as its message
is there; a new message has none, and is shown in English until somebody writes one. `--missing`
writes nothing, names what has none, and ends with 1 if there is any: what a release asks for.
"""

import ast
import importlib
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

import ops
from domain.rules.refusals import Refusal
from domain.rules.rulebook import RULEBOOK
from domain.rules.spots import SPOT
from ops.web.turned_away import TurnedAway
from ops.words.columns import HEADED, TITLED, heading, meanings
from projections import REPORTS

ROOT = Path(__file__).parents[1]
LANGUAGES = ROOT / "ops" / "words" / "languages"
WIDTH = 100
# How many of a call's first arguments are the message, and where they begin.
CALLS = {"_": (0,), "N_": (0,), "Words": (0,), "worded": (0, 1), "counted": (1, 2)}


@cache
def messages() -> Catalog:
    """Every message, each with the files that it is in."""
    catalogue = Catalog(project="Sabot", version="", fuzzy=False)
    for path in sorted([*ROOT.glob("domain/**/*.py"), *ROOT.glob("ops/**/*.py")]):
        if path.name == "wording.py" and "def N_" not in path.read_text():
            continue
        for template, about in _called(ast.parse(path.read_text())):
            catalogue.add(template, context=about, locations=[(str(path.relative_to(ROOT)), 0)])
    for where, template in _declared():
        catalogue.add(template, locations=[(where, 0)])
    for where, about, template in _of_reports():
        catalogue.add(template, context=about, locations=[(where, 0)])
    return catalogue


def _called(tree: ast.AST) -> Iterator[tuple[str | tuple[str, str], str | None]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in CALLS:
            continue
        texts = [_text(node.args[n]) if n < len(node.args) else None for n in CALLS[name]]
        if not all(texts):
            continue  # looked up by name; the table that it is in is marked with N_
        if name == "worded":
            yield texts[1] or "", texts[0]
        elif name == "counted":
            yield (texts[0] or "", texts[1] or ""), None
        else:
            yield texts[0] or "", None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _declared() -> Iterator[tuple[str, str]]:
    for module in pkgutil.walk_packages(ops.__path__, "ops."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    yield from sorted(
        (f"{kind.__module__.replace('.', '/')}.py", kind.__doc__ or "")
        for kind in (*_below(Refusal), *_below(TurnedAway))
        if kind.__doc__ and not kind.__subclasses__()
    )
    for rule in RULEBOOK.values():
        yield "domain/rules/rulebook", rule.sentence
    for spot in SPOT.values():
        yield from (("domain/rules/spots.py", label) for label in {spot.label, spot.printed})


def _of_reports() -> Iterator[tuple[str, str | None, str]]:
    """The title of each report, what it shows, and the words of its columns and codes."""
    where = "projections/model.py"
    for report in REPORTS.values():
        yield where, TITLED, report.title
        yield where, None, report.about
        for key, meaning in meanings(report).items():
            yield where, HEADED, heading(key)
            if meaning:
                yield where, None, meaning
        for codes in report.codes.values():
            yield from ((where, None, called) for called in codes.values())


def _below(kind: type[Exception]) -> Iterator[type[Exception]]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def written(catalogue: Catalog) -> bytes:
    """A catalogue as it is stored: the same messages make the same bytes."""
    out = BytesIO()
    write_po(
        out, catalogue, width=WIDTH, sort_output=True, ignore_obsolete=True, include_lineno=False
    )
    return out.getvalue()


def template() -> bytes:
    """`sabot.pot`: every message in English."""
    return _without_dates(written(messages()))


def brought_up(language: Path) -> bytes:
    """A language's file with the messages of today; what was translated stays."""
    before = read_po(BytesIO(language.read_bytes()), locale=language.stem.replace("-", "_"))
    after = Catalog(
        locale=before.locale, header_comment=before.header_comment, fuzzy=False, project="Sabot"
    )
    for message in messages():
        if message.id:
            old = before.get(message.id, message.context)
            after.add(
                message.id,
                old.string if old else "",
                context=message.context,
                locations=message.locations,
                user_comments=old.user_comments if old else (),
            )
    return _without_dates(written(after))


def _without_dates(text: bytes) -> bytes:
    gone = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By', b'"Last-Translator')
    gone += (b'"Report-Msgid-Bugs-To', b'"Language-Team', b'"Project-Id-Version')
    return b"".join(line for line in text.splitlines(keepends=True) if not line.startswith(gone))


def main(arguments: Sequence[str]) -> int:
    """Brings the template and every language up; or only says what is not translated."""
    only_missing = list(arguments) == ["--missing"]
    if not only_missing:
        (LANGUAGES / "sabot.pot").write_bytes(template())
    found = 0
    for language in sorted(LANGUAGES.glob("*.po")):
        up_to_date = brought_up(language)
        if not only_missing:
            language.write_bytes(up_to_date)
        missing = untranslated(up_to_date)
        found += len(missing)
        print(f"{language.name}: {len(messages())} messages, {len(missing)} not translated")
        if only_missing:
            print(*(f"  {each}" for each in missing), sep="\n", end="\n" * bool(missing))
    return int(bool(found and only_missing))


def untranslated(language: bytes) -> list[str]:
    """The messages, in English, that a language's file leaves empty."""
    every = (each for each in read_po(BytesIO(language)) if each.id)
    return [_singular(each.id) for each in every if not _said(each.string)]


def _singular(message: str | Sequence[str]) -> str:
    return message if isinstance(message, str) else message[0]


def _said(string: str | tuple[str, ...]) -> bool:
    return all(string) if isinstance(string, tuple) else bool(string)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
