"""The manual's Markdown as a page, and links in texts of the house.

A text names a command in backquotes, a rule or a case by its number.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from domain.rules.rulebook import RULEBOOK
from ops.finding.opening import PAGE_OF
from ops.finding.pages import page_of_command
from ops.manual.sections import slug_of
from ops.manual.topics import ORDER, Topic
from ops.web.pages.viewer import link, opens
from projections import REPORTS

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_NAMED = re.compile(
    r"`(?P<code>[^`]+)`|\b(?P<rule>R-[A-Z]+-[0-9]+)\b|\b(?P<case>(?:C|AML)-[0-9]{4}-[0-9]{4,})\b"
)
_CODE = re.compile(r"`([^`]+)`")
_ROW = re.compile(r"sabot (?P<words>[a-z -]+)")


def linked(text: str, *, cases: bool = False) -> Markup:
    """A text of the house with links where it names a command in backquotes, or a rule.

    What is no command in backquotes is a sample to type. `cases`: the text is of the record, where
    backquotes are somebody's own; it also has a link where it names a case, for who may open it.
    """
    parts, last = [], 0
    for each in _NAMED.finditer(text):
        words = each["code"] or each[0]
        report = _report_of(each["code"] or "")
        href = report if report and opens(report) else _page_of(each)
        if (cases or not each["case"]) and href:
            shown = link(href, words)
        elif each["code"] and not cases:
            shown = Markup("<code>{}</code>").format(words)
        else:
            continue
        parts += [escape(text[last : each.start()]), shown]
        last = each.end()
    return Markup("").join([*parts, escape(text[last:])])


def _report_of(code: str) -> str:
    """The page of a report that a text names as one types it at a shell; or ''.

    Whoever may not open it is led to the manual, as for any other command.
    """
    name = code.removeprefix("sabot report ")
    if name == code or name not in REPORTS:
        return ""
    return "/alerts" if name == "alerts" else f"/reports/{name}"


def coded(text: str) -> Markup:
    """The same without links, for what is in a link itself."""
    code = Markup("<code>{}</code>")
    parts = _CODE.split(text)  # every other one was in backquotes
    return Markup("").join(code.format(each) if n % 2 else each for n, each in enumerate(parts))


def _page_of(named: re.Match[str]) -> str:
    if named["code"]:
        return page_of_command(named["code"])
    if named["case"]:
        return PAGE_OF["aml_case" if named["case"].startswith("AML") else "case"] + named["case"]
    return _page_of_rule(named["rule"])


def _page_of_rule(number: str) -> str:
    return f"/rules/{number}" if number in RULEBOOK else ""


@cache
def page_of(topic: Topic) -> Markup:
    """A topic of the manual as HTML; what is no Markdown in it is text."""
    parser = _parser()
    tokens = parser.parse(topic.text)
    for heading, inline in pairwise(tokens):
        if heading.type == "heading_open":
            heading.attrSet("id", slug_of(inline.content.replace("`", "")))
        if heading.type == "tr_open" and topic.name == "commands":
            _name_row(heading, tokens)
    for token in tokens:
        if token.children:
            token.children = [*_with_links(token.children)]
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704  (our own page)


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _name_row(row: "Token", tokens: list["Token"]) -> None:
    """Gives a command's row its name, by which links lead to it."""
    after = tokens[tokens.index(row) :]
    first = next(each for each in after if each.type == "inline")
    if named := _ROW.fullmatch(first.content.strip("`")):
        row.attrSet("id", slug_of(named["words"]))


def _with_links(children: list["Token"]) -> Iterator["Token"]:
    """The parts of a line, with a link around each command in code and around each rule."""
    from markdown_it.token import Token

    inside = 0  # a link already
    for each in children:
        if each.type == "link_open":
            _lead_into_the_manual(each)
        inside += {"link_open": 1, "link_close": -1}.get(each.type, 0)
        href = ""
        if each.type == "code_inline" and not inside and each.content.startswith("sabot "):
            href = page_of_command(each.content)
        if href:
            yield Token("link_open", "a", 1, attrs={"href": href})
            yield each
            yield Token("link_close", "a", -1)
        elif each.type == "text" and not inside:
            yield from _rules_in(each)
        else:
            yield each


def _lead_into_the_manual(link: "Token") -> None:
    """A link to another page of the manual; one to a file that is not in it leads to the topics."""
    name = str(link.attrGet("href")).partition(".md")[0]
    if "://" not in name:
        link.attrSet("href", f"/manual/{name}" if name in ORDER else "/manual")


def _rules_in(text: "Token") -> Iterator["Token"]:
    from markdown_it.token import Token

    last = 0
    for each in _NAMED.finditer(text.content):
        href = _page_of_rule(each["rule"] or "")
        if href:
            yield Token("text", "", 0, content=text.content[last : each.start()])
            yield Token("link_open", "a", 1, attrs={"href": href})
            yield Token("text", "", 0, content=each["rule"])
            yield Token("link_close", "a", -1)
            last = each.end()
    yield Token("text", "", 0, content=text.content[last:])
