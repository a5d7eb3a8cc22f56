"""The manual as pages: commands and rules are links, and every link in it leads somewhere."""

import re
from html import unescape

import pytest

from domain.rules.rulebook import RULEBOOK
from ops.manual.sections import commands, search, slug_of
from ops.manual.topics import ORDER, topic, topics
from ops.web.pages.markdown import linked, page_of, page_of_command

PAGES = {name: page_of(topic(name)) for name in ORDER}
IDS = {name: re.findall(r'id="([^"]+)"', page) for name, page in PAGES.items()}


@pytest.mark.parametrize("name", ORDER)
def test_every_link_of_a_page_leads_to_something(name):
    for href in map(unescape, re.findall(r'href="(/[^"]*)"', PAGES[name])):
        place, _, part = href.partition("#")
        kind, _, named = place[1:].partition("/")
        if href == "/manual":
            continue
        assert named in (RULEBOOK if kind == "rules" else ORDER), href
        assert not part or part in IDS[named], href


def test_every_command_has_a_line_that_can_be_linked():
    assert {slug_of(name) for name in commands()} <= set(IDS["commands"])
    assert len(commands()) > 100


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("sabot dispute decide C-2026-0001", "/manual/commands#dispute-decide"),
        ("dispute decide", "/manual/commands#dispute-decide"),
        ("sabot manual server", "/manual/server"),
        ("sabot dispute", "/manual/commands#dispute-close"),
        ("rm -rf", ""),
    ],
)
def test_a_command_leads_to_its_line(words, page):
    assert page_of_command(words) == page


def test_the_words_of_a_refusal_link_to_the_command_and_the_rule_they_name():
    text = "Nobody <b>is</b> signed on: `sabot staff sign-on`, as R-BET-1 and `x` say."

    assert linked(text) == (
        'Nobody &lt;b&gt;is&lt;/b&gt; signed on: <a href="/manual/commands#staff-sign-on">'
        'sabot staff sign-on</a>, as <a href="/rules/R-BET-1">R-BET-1</a> and <code>x</code> say.'
    )
    assert linked("complaint: `x` of `sabot bet`", cases=True).startswith("complaint: `x` of <a")


def test_what_is_no_markdown_is_text():
    assert "<script" not in "".join(PAGES.values())
    for each in topics():
        assert f'<h1 id="{slug_of(each.title)}">' in PAGES[each.name]
        assert "|---" not in PAGES[each.name]


def test_a_search_finds_the_sections_that_have_every_word():
    found = search("cookie script")

    assert [(section.topic, section.heading) for section, _ in found] == [
        ("browser", "What a browser may do")
    ]
    assert "script" in found[0][1]
    assert search("") == search("nosuchwordanywhere") == []
