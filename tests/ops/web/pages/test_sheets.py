"""Pages of several reports about one thing: what each of them has."""

import re

from tests.worlds.gaming_table import DAY, PLAYER_WINS, GamingTable
from tests.worlds.pages_here import pages_of, ran

COUP = f"B01/{DAY}/1/1"


def test_a_dealer_s_page_and_the_patron_s_have_the_cases_of_their_coups(dispatcher, database):
    table = GamingTable(dispatcher, "B01").open().prepare()
    table.say("table.dealer", staff="D-210", by="S-11")
    table.play(PLAYER_WINS, (3, "player", 100_00))
    disputed = {"coup": COUP, "patron": "P-10417", "complaint": "too little"}
    table.say("dispute.open", **disputed, by="S-11")

    async def scene():
        async with pages_of(database, language="en") as ask:
            return [
                await ask(f"/{each}") for each in ("staff/D-210", "staff/D-299", "patrons/P-10417")
            ]

    dealer, other, patron = (
        re.findall(r'href="/cases/(C-[0-9-]+)"', text) for _, text in ran(scene())
    )

    assert dealer == patron == ["C-2026-0001"]
    assert other == []


def test_who_may_not_play_is_marked_on_their_page_by_whatever_name_they_are_opened(
    dispatcher, database
):
    table = GamingTable(dispatcher, "B01").open().prepare()
    table.say("patron.identify", patron="grey-jacket", **{"is": "P-10502"})
    table.say("patron.bar", patron="P-10502", reason="on the list STATE", kind="self-excluded")

    async def scene():
        async with pages_of(database, language="en") as ask:
            return [
                (await ask(f"/patrons/{each}"))[1] for each in ("P-10502", "grey-jacket", "P-10417")
            ]

    marks = [re.findall(r'class="reply refused">([^<]*)<', text) for text in ran(scene())]

    assert [len(each) for each in marks] == [1, 1, 0]
    assert marks[0][0].startswith("P-10502 may not play, since ")
