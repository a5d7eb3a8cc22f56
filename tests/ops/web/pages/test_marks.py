"""What is to be typed is marked up on a page: nobody reads backquotes."""

import re

import pytest

from ops.commands.rights import Rights
from ops.web.pages.render import part
from ops.web.pages.viewer import Viewer, drawn_for
from ops.words.alerts import closed_days_words
from tests.worlds.pages_here import every_page, pages_of, ran, words_of


def raw(text):
    """The texts of a page with a backquote in them."""
    return [each for each in words_of(text) if "`" in each]


def test_no_page_of_an_evening_shows_backquotes(night):
    async def scene():
        async with pages_of(night, language="en") as ask:
            return await every_page(ask, "/", "/reports", "/alerts", of_a_kind=1)

    pages = ran(scene())

    assert len(pages) > 50
    assert {address: raw(text) for address, text in pages.items() if raw(text)} == {}


@pytest.mark.parametrize("pressing", [{}, {"closer variance": 2}])
def test_the_alerts_of_closed_days_lead_to_their_list(pressing):
    past = closed_days_words(3, pressing)

    def drawn_for_role(role):
        with drawn_for(Viewer("en", Rights(role))):
            return part(
                "pit_parts.html",
                "alerts",
                lines=[],
                more=0,
                past=past,
                unsettled=[],
                unlikely=[],
                aml=[],
                aml_title="",
                not_shown=[],
                not_shown_title="",
                pauses=[],
                pauses_title="",
            )

    boss, dealer = map(drawn_for_role, ("pit-boss", "dealer"))

    assert "`sabot report alerts`" in past
    assert raw(boss) == raw(dealer) == []
    assert '<a href="/alerts">sabot report alerts</a>' in boss
    assert re.search(r'<a href="/manual/commands#[^"]+">sabot report alerts</a>', dealer)
