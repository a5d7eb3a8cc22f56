"""A page once more after its form was refused: filled in as it was sent, with the field marked.

Whatever the page: its HTML is read, and written again with what was typed.
"""

import re
from collections.abc import Mapping
from html import escape, unescape
from html.parser import HTMLParser

from msgspec import Struct, field

from ops.web.pages.forms import SHOWN_TO

_OF_A_SHOWING = ("id", SHOWN_TO)  # fields that a form has anew each time that it is shown
_NOT_SHOWN_AGAIN = ("hidden", "password", "submit")
_SELECTED = {"selected": ""}
_WRONG = {"aria-invalid": "true", "aria-describedby": "refused"}
Typed = Mapping[str, str]


class Sent(Struct, frozen=True):
    """The form that was sent: how, to which address, and what was in it."""

    method: str
    action: str
    typed: Typed


class FormSeen(Struct):
    """A form of a page: what it has by itself, and the words at each of its fields."""

    n: int  # of the page's forms
    hidden: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)

    def is_of(self, typed: Typed) -> bool:
        """Whether it may be the one that had this in it; what is of one showing may differ."""
        hidden = {name: value for name, value in self.hidden.items() if name not in _OF_A_SHOWING}
        return hidden.items() <= typed.items()

    def named(self, name: str) -> str:
        """Its field that a refusal names, as a command has it; '' if it has none such."""
        wanted = name.strip("-`").replace("-", "_")
        known = {each.replace("-", "_"): each for each in self.labels}
        within = (each for each in known if each.startswith(f"{wanted}_"))  # one of several
        return known.get(wanted) or known.get(next(within, ""), "")


class _Reader(HTMLParser):
    """Finds the forms of a page that are sent so."""

    def __init__(self, sent: Sent) -> None:
        super().__init__()
        self.forms: list[FormSeen] = []
        self._sent, self._n, self._within = sent, -1, False
        self._open, self._words, self._legend = "", "", ""  # the label or legend, and its words
        self._names: list[str] = []  # of the fields in the label
        self._quiet = ""  # within this nothing is a label's

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Learns of a form or of a field."""
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._n += 1
            there = Sent(has.get("method", "get"), has.get("action", ""), self._sent.typed)
            self._within = there == self._sent
            self.forms += [FormSeen(self._n)] if self._within else []
        elif tag in ("label", "legend"):
            self._open, self._words, self._names = tag, "", []
        elif self._within and tag in ("input", "select", "textarea") and has.get("name"):
            self._field(has["name"], has)
        if tag in ("select", "textarea", "datalist"):
            self._quiet = tag

    def _field(self, name: str, has: dict[str, str]) -> None:
        if has.get("type") == "hidden":
            self.forms[-1].hidden[name] = has.get("value", "")
        else:
            self._names.append(name)
            self.forms[-1].labels[name] = ""

    def handle_data(self, data: str) -> None:
        """Takes the words of a label."""
        if self._open and not self._quiet:
            self._words += data

    def handle_endtag(self, tag: str) -> None:
        """Gives the label's words to its fields; those of a legend are for all within."""
        words = " ".join(self._words.split())
        if tag == self._quiet:
            self._quiet = ""
        elif tag == "label" and self._within:
            self.forms[-1].labels.update(dict.fromkeys(self._names, self._legend or words))
        elif tag == "legend":
            self._legend = words
        elif tag == "fieldset":
            self._legend = ""
        elif tag == "form":
            self._within = False
        if tag == self._open:
            self._open = ""


class _Writer(HTMLParser):
    """Writes a page again with one form filled in."""

    def __init__(self, form: FormSeen, typed: Typed, wrong: str, reply: str, address: str) -> None:
        super().__init__(convert_charrefs=False)
        self.written: list[str] = []
        self._form, self._typed, self._wrong = form, typed, wrong
        self._reply, self._address = reply, address
        self._n, self._chosen, self._skips, self._bare = -1, "", False, False

    @property
    def _within(self) -> bool:
        return self._n == self._form.n

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Writes a tag; a field with what was typed."""
        text, has = self.get_starttag_text() or "", {name: value or "" for name, value in attrs}
        self._n += tag == "form"
        if tag == "body":
            text = _with(text, {"data-address": self._address})
        elif self._within and tag in ("input", "select", "textarea"):
            text = self._field(tag, text, has)
        elif self._within and tag == "option":
            text = self._option(text, has.get("value"))
        self.written.append(text)
        if tag == "main":
            self.written.append(self._reply)
        if tag == "textarea" and self._within and has.get("name") in self._typed:
            self.written.append(escape(self._typed[has["name"]], quote=False))
            self._skips = True

    def _field(self, tag: str, text: str, has: dict[str, str]) -> str:
        name, kind = has.get("name", ""), has.get("type", "text")
        if not name or kind in _NOT_SHOWN_AGAIN:
            return text
        if tag == "select":
            self._chosen = name if name in self._typed else ""
        elif kind == "checkbox":
            text = _without(text, "checked")
            text = _with(text, {"checked": ""}) if name in self._typed else text
        elif tag == "input" and name in self._typed:
            text = _with(_without(text, "value"), {"value": self._typed[name]})
        return _with(text, _WRONG) if name == self._wrong else text

    def _option(self, text: str, value: str | None) -> str:
        """A choice; one without a value has its words for it, which come next."""
        if not self._chosen:
            return text
        text, self._bare = _without(text, "selected"), value is None
        return _with(text, _SELECTED) if value == self._typed[self._chosen] else text

    def handle_endtag(self, tag: str) -> None:
        """Writes the end of an element."""
        if tag == "textarea":
            self._skips = False
        elif tag == "select":
            self._chosen = ""
        elif tag == "form" and self._within:
            self._form = FormSeen(-2)  # it is over
        self.written.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Writes text, but what stood in a field before."""
        if self._bare and unescape(data).strip() == self._typed[self._chosen]:
            self.written[-1] = _with(self.written[-1], _SELECTED)
        self._bare = False
        if not self._skips:
            self.written.append(data)

    def handle_entityref(self, name: str) -> None:
        """Writes it as it was."""
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        """Writes it as it was."""
        self.handle_data(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        """Writes it as it was."""
        self.written.append(f"<!{decl}>")


def form_in(page: str, sent: Sent) -> FormSeen | None:
    """The form of a page that was sent, or None: it has none that is sent so."""
    reader = _Reader(sent)
    reader.feed(page)
    return next((each for each in reader.forms if each.is_of(sent.typed)), None)


def filled_in(page: str, form: FormSeen, typed: Typed, wrong: str, reply: str, address: str) -> str:
    """The page with its form as it was sent. `wrong`: the field that is marked, or ''.

    `reply`: HTML that says why it was refused. `address`: of the page, to load it again.
    """
    writer = _Writer(form, typed, wrong, reply, address)
    writer.feed(_opened(page, form.n))
    return "".join(writer.written)


def _opened(page: str, n: int) -> str:
    """The page, with what a reader would have to unfold to see its form."""
    starts = [each.start() for each in re.finditer(r"<form\b", page)]
    before = page[: starts[n]]
    at = before.rfind("<details>")
    if at < 0 or "</details>" in before[at:]:
        return page
    return f"{page[:at]}<details open>{page[at + len('<details>') :]}"


def _with(tag: str, more: Mapping[str, str]) -> str:
    each = (f'{name}="{escape(value)}"' if value else name for name, value in more.items())
    added = "".join(f" {attribute}" for attribute in each)
    return f"{tag[:-1]}{added}>"


def _without(tag: str, attribute: str) -> str:
    return re.sub(rf'\s{attribute}(?:="[^"]*"|(?=[\s>]))', "", tag)
