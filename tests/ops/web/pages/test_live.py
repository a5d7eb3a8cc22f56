"""What several windows show alike is read and drawn once; what differs is never mixed up."""

import asyncio
import re
import time
from contextlib import asynccontextmanager, closing
from itertools import product

import pytest

from domain.rules.permissions import ROLES, WATCH
from domain.rules.refusals import NotSignedOn
from ops.board.board import Board
from ops.commands.rights import OF_OPEN_HOUSE, Rights
from ops.ledger.patron_files import ERASE_NAME
from ops.ledger.secrets import People
from ops.roads import svg
from ops.simulation.run import Plan, dispatch_all
from ops.web.boards import Boards
from ops.web.pages import floor as floors
from ops.web.pages import pit, play, table, wall, watch
from ops.web.pages.counting import Counter
from ops.web.pages.floor import Floor, Watch
from ops.web.pages.live import Drawn, Live, View
from ops.web.pages.viewer import Viewer
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import GamingTable

PATIENCE = 20.0


class Floors:
    """Floors as a test gives them, in place of those that are read."""

    def __init__(self):
        self.floor, self.changed = Floor(number=1), asyncio.Condition()

    async def after(self, number, patience):
        async with self.changed:
            try:
                wait = self.changed.wait_for(lambda: self.floor.number > number)
                await asyncio.wait_for(wait, patience)
            except TimeoutError:
                pass
            return self.floor

    async def show(self, floor):
        async with self.changed:
            self.floor = floor
            self.changed.notify_all()


class Shown:
    """A view that counts how often it is drawn, and may take a while or fail."""

    def __init__(self, name="a page", shows=lambda floor: (floor.number,), wait=0.0):
        self.drawn, self.wait, self.fails = [], wait, False
        self.view = View((name,), self.draw, shows)

    def draw(self, floor, _):
        time.sleep(self.wait)
        self.drawn.append(floor.number)
        if self.fails:
            raise ValueError("cannot be drawn")
        return Drawn({"part": f"<p>{floor.number}</p>"})


async def nothing():
    pass


@asynccontextmanager
async def window(shows: Live, view, require_still=nothing):
    """A window; called, it waits for its next change."""
    events = shows.stream(view, require_still, asyncio.Event())

    async def change():
        while isinstance(message := await anext(events), dict):
            assert message["event"] == "beat", message
        return message.decode()

    async with asyncio.timeout(PATIENCE):
        yield change
        await events.aclose()


def run(scene):
    async def with_floors():
        seen = Floors()
        with closing(Live(seen)) as shows:
            return await scene(seen, shows)

    return asyncio.run(with_floors())


def test_what_several_windows_show_is_drawn_once():
    page = Shown()

    async def scene(seen, shows):
        async with window(shows, page.view) as first, window(shows, page.view) as second:
            begun = [await first(), await second()]
            await seen.show(Floor(number=2))
            return [*begun, await first(), await second()]

    changes = run(scene)

    assert page.drawn == [1, 2]
    assert changes[0] == changes[1] != changes[2] == changes[3]


def test_a_window_goes_on_as_it_was_until_the_floor_was_read_once():
    """After a restart of the server, nothing that is not known yet is drawn as closed or empty."""
    page = Shown()

    async def scene(seen, shows):
        await seen.show(Floor())
        async with window(shows, page.view) as goes_on:
            waiting = asyncio.create_task(goes_on())
            await asyncio.sleep(1.5)  # longer than a stream waits for the floor
            before = page.drawn.copy(), waiting.done()
            await seen.show(Floor(number=1))
            return before, await waiting

    before, change = run(scene)

    assert before == ([], False)
    assert "<p>1</p>" in change


def test_what_no_window_shows_is_not_drawn():
    page, other = Shown(), Shown("another")

    async def scene(seen, shows):
        async with window(shows, other.view) as goes_on:
            async with window(shows, page.view) as leaves:
                await leaves()
            await goes_on()
            await seen.show(Floor(number=2))
            await goes_on()
        await seen.show(Floor(number=3))
        await asyncio.sleep(0.05)

    run(scene)

    assert (page.drawn, other.drawn) == ([1], [1, 2])


def test_a_place_whose_table_was_never_read_says_only_why():
    assert {*play.drawn(Floor(number=1, lost="no route"), "E01", 3).parts} == {"play-lost"}
    assert {*watch.view_of("en", "E01").draw(Floor(number=1), None).parts} == {"play-lost"}


def test_a_page_is_drawn_again_only_when_what_it_shows_changed():
    page = Shown(shows=lambda floor: (floor.lost,))

    async def scene(seen, shows):
        async with window(shows, page.view) as change:
            await change()
            for number in (2, 3):
                await seen.show(Floor(number=number))
            await seen.show(Floor(number=4, lost="gone"))
            await change()

    run(scene)

    assert page.drawn == [1, 4]


def test_what_changes_while_a_page_is_drawn_is_drawn_together():
    page = Shown(wait=0.1)

    async def scene(seen, shows):
        async with window(shows, page.view) as change:
            await change()
            for number in range(2, 20):
                await seen.show(Floor(number=number))
                await asyncio.sleep(0.002)
            while "<p>19</p>" not in await change():
                pass

    run(scene)

    assert page.drawn[0 :: len(page.drawn) - 1] == [1, 19]
    assert len(page.drawn) <= 4


def test_a_page_that_cannot_be_drawn_ends_its_own_windows_and_goes_on_for_the_next():
    page, other = Shown(), Shown("another")

    async def scene(seen, shows):
        async with window(shows, page.view) as fails, window(shows, other.view) as goes_on:
            await fails()
            await goes_on()
            page.fails = True
            await seen.show(Floor(number=2))
            await goes_on()
            with pytest.raises(ValueError, match="cannot be drawn"):
                await fails()
        page.fails = False
        await seen.show(Floor(number=3))
        async with window(shows, page.view) as again:
            return await again()

    assert "<p>3</p>" in run(scene)


def test_a_stream_ends_with_the_sign_on_of_its_reader_and_not_those_beside_it(monkeypatch):
    monkeypatch.setattr("ops.web.streams.STILL", 0.0)
    page, signed_on = Shown(), True

    async def require_still():
        if not signed_on:
            raise NotSignedOn(who="S-11")

    async def scene(seen, shows):
        nonlocal signed_on
        events = shows.stream(page.view, require_still, asyncio.Event())
        async with window(shows, page.view) as stays:
            await anext(events)
            await stays()
            signed_on = False
            await seen.show(Floor(number=2))
            ended = [each async for each in events]
            return ended[-1], await stays()

    ended, stays = run(scene)

    assert ended["event"] == "ended"
    assert "<p>2</p>" in stays


# The floor of a night
@pytest.fixture
def night(dispatcher):
    """A coup at B01 with a bet that came late, and an electronic table with two bets."""
    b01 = GamingTable(dispatcher).open().prepare()
    b01.bet(3, "banker", 100_00)
    b01.say("draw", card="KC")
    b01.ask("bet", seat=1, spot="player", amount=25_00)
    b01.deal("9S 2C QD", settle=True)
    e01 = ElectronicTable(dispatcher).begin((1, 500_00), (2, 700_00))
    coup = e01.say("open").body["coup"]
    for seat, stake in ((1, 10_00), (2, 20_00)):
        e01.say("account.bet", seat=seat, coup=coup, stakes={"banker": stake})
    return b01


def followed(database, scene):
    async def with_watch():
        with closing(Watch(database, Counter(database))) as seen:
            async with asyncio.timeout(PATIENCE):
                return await scene(seen)

    return asyncio.run(with_watch())


RIGHTS = (OF_OPEN_HOUSE, Rights("pit-boss"), Rights("surveillance"), Rights("dealer", "B01"))


def views():
    """Every page for whoever reads it in some way."""
    for language in ("en", "pt", "zh-Hant"):
        for rights in RIGHTS:
            viewer = Viewer(language, rights)
            for sort, search in product(("need", "win"), ("", "b01")):
                yield pit.view_of(viewer, pit.Wanted(search, sort))
            yield from (table.view_of(viewer, code) for code in ("B01", "E01", "B99"))
        yield from (wall.view_of(language, code, svg.Look()) for code in ("", "B01", "E01", "B99"))
        yield from (play.view_of(language, "E01", seat, 0) for seat in (1, 2, 3))
        yield watch.view_of(language, "E01")


def test_pages_that_readers_see_side_by_side_are_those_that_each_sees_alone(database, night):
    """In every language, role, filter and seat; nothing of one is in another."""

    async def drawn(shows, floor, some):
        with closing(Live(shows)) as shared:
            return {view.name: await shared.draw(view, floor) for view in some}

    async def scene(seen):
        floor = await seen.begun(PATIENCE)
        every = list(views())
        alone = {view.name: (await drawn(seen, floor, [view]))[view.name] for view in every}
        return alone, await drawn(seen, floor, every), await drawn(seen, floor, every[::-1])

    alone, together, backwards = followed(database, scene)

    assert alone == together == backwards
    assert len(alone) == len(list(views()))
    acknowledges = [
        "acknowledge" in each.parts["alerts"] for name, each in alone.items() if name[0] == "pit"
    ]
    of_role = [name[2] for name in alone if name[0] == "pit"]
    assert acknowledges == [role in ("open house", "pit-boss") for role in of_role]


def named(card):
    """The name beside each seat of a table's card, '' for none."""
    rows = re.findall(r'<td class="seated">(.*?)</td>', card)
    return [" ".join(re.findall(r'"name">([^<]*)<', each)) for each in rows]


def test_a_patron_s_name_is_on_the_card_of_who_may_read_it_and_leaves_when_it_is_erased(
    database, night
):
    night.say("patron.identify", patron="grey-jacket", **{"is": "P-9"})
    people = People(night.dispatcher.casino.ledger)
    people.name_patron("P-10411", "Li Wei")
    people.name_patron("P-9", "Ana Sousa")

    async def seen_by(seen, floor, role, search=""):
        view = pit.view_of(Viewer("en", Rights(role)), pit.Wanted(search=search))
        with closing(Live(seen)) as shows:
            return (await shows.draw(view, floor)).parts.get("table-B01", "")

    async def scene(seen):
        floor = await seen.begun(PATIENCE)
        for role in ("pit-boss", "supervisor", "surveillance", "administrator"):
            assert named(await seen_by(seen, floor, role)) == ["Li Wei", "", "Ana Sousa"]
        assert named(await seen_by(seen, floor, "auditor")) == ["", "", ""]
        assert not await seen_by(seen, floor, "auditor", "li wei")  # nobody learns it by a search
        assert await seen_by(seen, floor, "pit-boss", "li wei")
        with people.ledger.connection() as connection:
            connection.execute(ERASE_NAME, ("P-10411",))
        while "P-10411" in floor.names:
            floor = await seen.after(floor.number, PATIENCE)
        return named(await seen_by(seen, floor, "pit-boss"))

    assert followed(database, scene) == ["", "", "Ana Sousa"]


def test_what_chance_does_not_explain_is_shown_to_surveillance_alone(database, dispatcher):
    """On the pit's page; never to who deals, nor in what a thin terminal is sent."""
    plan = Plan(tables=1, coups=8, seed=3, cheat="new-decks")
    lines = (line for line in plan.lines([1]) if line["command"] != "table.close")
    dispatch_all(dispatcher.dispatch, lines, lambda _: None)

    async def scene(seen):
        floor = await seen.begun(PATIENCE)
        with closing(Live(seen)) as shows:
            for role in ("surveillance", "auditor", "pit-boss", "supervisor", "administrator"):
                view = pit.view_of(Viewer("en", Rights(role)), pit.Wanted())
                alerts = (await shows.draw(view, floor)).parts["alerts"]
                assert ("order of new decks" in alerts) == (role in WATCH), role
        return floor.seen

    floor = followed(database, scene)
    assert floor.unlikely
    for code in (None, "S01"):
        assert b"new deck" not in Boards(None)._of(1, floor, code, OF_OPEN_HOUSE)
    assert "new deck" not in str(floor.as_dict())


def test_an_id_that_was_not_shown_is_shown_to_surveillance_alone_until_a_case_has_it(
    database, dispatcher
):
    pit_ = GamingTable(dispatcher).open()
    missed = pit_.say("patron.no-id", patron="P-10417", direction="in", amount=9_000_00)
    position = missed.body["position"]

    async def scene(seen):
        floor = await seen.begun(PATIENCE)
        with closing(Live(seen)) as shows:
            for role in ROLES:
                view = pit.view_of(Viewer("en", Rights(role)), pit.Wanted())
                alerts = (await shows.draw(view, floor)).parts["alerts"]
                assert ("ID was asked of P-10417" in alerts) == (role in WATCH), role
                assert (f"positions={position}" in alerts) == (role in WATCH), role
        return floor.seen

    floor = followed(database, scene)
    assert [each.position for each in floor.not_shown] == [position]
    for code in (None, "B01"):
        assert b"not shown" not in Boards(None)._of(1, floor, code, OF_OPEN_HOUSE)
    case = {"patron": "P-10417", "text": "why", "positions": [position], "by": "SV-1"}
    assert pit_.ask("aml.open", **case).ok
    assert followed(database, _seen).not_shown == []


def test_nobody_is_reminded_of_an_id_once_two_people_withdrew_it(database, dispatcher):
    pit_ = GamingTable(dispatcher).open()
    missed = pit_.say("patron.no-id", patron="P-10417", direction="in", amount=9_000_00)
    assert len(followed(database, _seen).not_shown) == 1
    two = {"reason": "another patron", "with": "S-12"}
    pit_.say("patron.withdraw-no-id", position=missed.body["position"], **two)
    assert followed(database, _seen).not_shown == []


async def _seen(seen):
    return (await seen.begun(PATIENCE)).seen


def test_a_report_that_is_due_soon_is_shown_to_surveillance_alone(database, dispatcher):
    pit_ = GamingTable(dispatcher).open()
    pit_.say("regime.choose", file="united-states", day="2026-11-22", **{"with": "S-12"})
    noticed = {"detected": "2026-10-01", "at": "2026-11-22T12:00:00+00:00"}
    for text in ("one", "another"):
        assert pit_.ask("aml.open", patron="P-10417", text=text, by="SV-1", **noticed).ok
    of = {"aml_case": "AML-2026-0002", "by": "SV-1", "with": "A-1"}
    assert pit_.ask("aml.decide", decision="no-report", text="explained", **of).ok

    async def scene(seen):
        floor = await seen.begun(PATIENCE)
        with closing(Live(seen)) as shows:
            for role in ROLES:
                view = pit.view_of(Viewer("en", Rights(role)), pit.Wanted())
                alerts = (await shows.draw(view, floor)).parts["alerts"]
                assert ("AML-2026-0001" in alerts) == (role in WATCH), role
                assert "AML-2026-0002" not in alerts
        return floor.seen

    floor = followed(database, scene)
    assert [each.aml_case for each in floor.aml_due] == ["AML-2026-0001"]
    for code in (None, "B01"):
        assert b"AML-" not in Boards(None)._of(1, floor, code, OF_OPEN_HOUSE)
    assert "AML-" not in str(floor.as_dict())


def test_a_burst_of_events_is_read_together(database, night, monkeypatch):
    monkeypatch.setattr(floors, "BREATH", 0.8)

    async def scene(seen):
        before = await seen.begun(PATIENCE)
        bets = [(seat, spot, 100_00) for seat in (1, 3, 5) for spot in ("banker", "tie")]
        for bet in bets:
            await asyncio.to_thread(night.bet, *bet)
            await asyncio.sleep(0.05)
        after = before
        while wagers(after) < len(bets):
            after = await seen.after(after.number, PATIENCE)
        return after.number - before.number

    assert followed(database, scene) <= 2  # the first bet may have been alone


def wagers(floor):
    now = floor.tables["B01"]
    return sum(len(seat.wagers) for seat in now.seats) if now.coup.phase == "betting" else 0


def test_nothing_is_read_while_nobody_looks_and_whoever_looks_next_sees_what_is(
    database, night, monkeypatch
):
    monkeypatch.setattr(floors, "RESTS", 0.0)
    monkeypatch.setattr(floors, "POLL", 0.05)
    looks = []
    look = Board.look
    monkeypatch.setattr(Board, "look", lambda *a, **k: looks.append(1) or look(*a, **k))

    async def scene(seen):
        while "B01" not in (before := await seen.begun(1.0)).tables:
            pass  # a busy machine reads it later
        at_rest = -1
        while at_rest != len(looks):  # and rests later
            at_rest = len(looks)
            await asyncio.sleep(1.3)
        await asyncio.to_thread(night.bet, 3, "banker", 100_00)
        await asyncio.sleep(0.3)
        assert len(looks) == at_rest
        return before, await seen.begun(PATIENCE)

    before, after = followed(database, scene)

    assert (wagers(before), wagers(after)) == (0, 1)
