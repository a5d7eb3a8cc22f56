"""Twenty houses in one view: their records pulled, counted, asked, and shown on pages.

Twenty houses with 50,000 events each, from directories, each event verified, beside a copy of the
same files. Then their events are counted, and reports over all of them compared with twenty reports
of a house's own; they have to be the same sums, or the part fails. Last a year of twenty houses
that is made up, of a tenth and of all of a hundred million facts.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from ops.group import members
from ops.group.asking import Narrowed, ask, rows_of
from ops.group.counting import count
from ops.group.members import Member
from ops.group.pulling import pull
from ops.group.questions import REPORTS as OF_A_GROUP
from ops.ledger import clock
from ops.ledger.database import Database
from ops.ledger.files import to_disk
from ops.ledger.reading import head_of
from ops.proof.checkpoint import Checkpoint
from ops.proof.stored import entries_of
from ops.proof.tiles import CHECKPOINT
from ops.reports.ask import ask as ask_a_house
from ops.reports.moments import Typed
from projections import REPORTS
from tests.bench.figures import Figure, in_turn, timed
from tests.bench.made_year import NOON, MadeYear
from tests.bench.multiplied import multiply
from tests.bench.setting import Setting
from tests.worlds.house_server import house_server
from tests.worlds.other_house import OtherHouse
from tests.worlds.signing import signed

PART = "group"
HOUSES = 20
EVENTS = 50_000  # of each
FACTS_A_TABLE_DAY = (23, 229)  # of sixty tables: ten million and a hundred million in a year
COPIED, PULLED = "a copy of the files", "pulled and verified"
TWENTY, ONE_REPORT = "twenty reports of a house", "one report of the group"
PAGES = ("/group", "/group/win", "/group/win?per=property,table,day", "/group/patrons")
ASKED = ("from sums", "as of the middle of a month", "from facts alone")
SMALL, LARGE = "10⁷ facts", "10⁸ facts"


def measure(setting: Setting) -> Iterator[Figure]:
    """Pulls, counts, asks and shows twenty houses; then asks a year of them."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(TemporaryDirectory(prefix="sabot-bench-")))
        stack.enter_context(_home(place / "group"))
        database = _ledger(setting)
        houses = _houses(setting, place, database)
        yield _pulled(setting, place, houses)
        setting.say("counting what was pulled")
        counted = timed(lambda: [count(each) for each in members.pulled()])
        yield Figure(PART, "counting of all events", "ms", {"counted": [counted()]}, base="counted")
        _require_same_sums(database)
        yield _asked(setting, database)
        yield _shown(setting, place)
    yield from _years(setting)


@contextmanager
def _home(place: Path) -> Iterator[None]:
    """This process has that home until the block ends."""
    before = os.environ.get("SABOT_HOME")
    os.environ["SABOT_HOME"] = str(place)
    try:
        yield
    finally:
        os.environ.pop("SABOT_HOME")
        os.environ.update({"SABOT_HOME": before} if before is not None else {})


def _ledger(setting: Setting) -> Database:
    events = EVENTS // 10 if setting.quick else EVENTS
    database = setting.new_database(setting.dealt)
    setting.say(f"making a ledger of {events:,} events")
    multiply(database, setting.evening, events, lambda _: None)
    return database


def _houses(setting: Setting, place: Path, database: Database) -> list[OtherHouse]:
    """Houses that have the same events, each of which signed them under its own name."""
    setting.say(f"signing them as {HOUSES} houses")
    first = OtherHouse(place / "house-00", "house-00.example/baccarat")
    with database.session("sabot_auditor") as connection:
        first.entries = [*entries_of(connection, 0, head_of(connection))]
    first.sign()
    written = Checkpoint.of((first.place / CHECKPOINT).read_text())
    houses = [first]
    for n in range(1, HOUSES):
        house = OtherHouse(place / f"house-{n:02}", f"house-{n:02}.example/baccarat")
        shutil.copytree(first.place, house.place)
        note = signed(written.size, written.root, name=house.name)
        (house.place / CHECKPOINT).write_text(note)
        houses.append(house)
    for each in houses:
        members.add(Member(each.place.name, str(each.place), (each.key,)))
    return houses


def _pulled(setting: Setting, place: Path, houses: list[OtherHouse]) -> Figure:
    setting.say("pulling them, beside a copy of the files")

    def pull_all() -> None:
        for each in members.pulled():
            shutil.rmtree(each.log, ignore_errors=True)
            held = pull(each, clock.wall_clock())
            assert held.events == len(houses[0].entries), held

    def copy_all() -> None:
        for each in houses:
            there = place / "copies" / each.place.name
            shutil.rmtree(there, ignore_errors=True)
            shutil.copytree(each.place, there)
            for file in there.rglob("*"):
                to_disk(file)

    ways = {PULLED: timed(pull_all), COPIED: timed(copy_all)}
    return Figure(PART, "all houses", "ms", in_turn(ways, 1), base=COPIED)


def _require_same_sums(database: Database) -> None:
    """Requires that the group's sums are twenty times a house's own, now and as of a moment."""
    with database.session("sabot_auditor") as connection:
        row = connection.execute(
            "SELECT recorded_at FROM ledger.events ORDER BY position OFFSET"
            " (SELECT count(*) / 2 FROM ledger.events) LIMIT 1"
        ).fetchone()
    assert row
    for as_of in (None, Typed(row[0])):
        own = ask_a_house(database, REPORTS["table-win"], as_of).rows
        [ours] = ask(OF_A_GROUP["win"], members.pulled(), (), as_of=as_of).rows
        for each in ("opener", "fills", "credits", "closer", "drop", "win", "win_by_wagers"):
            expected = HOUSES * sum(row[each] or 0 for row in own)
            assert (ours[each] or 0) == expected, (each, as_of, ours[each], expected)


def _asked(setting: Setting, database: Database) -> Figure:
    setting.say("asking them")
    report = partial(ask, OF_A_GROUP["win"], members.pulled())
    own = partial(ask_a_house, database, REPORTS["table-win"])
    ways = {
        ONE_REPORT: timed(report),
        TWENTY: timed(lambda: [own() for _ in range(HOUSES)]),
    }
    return Figure(PART, "win of all houses", "ms", in_turn(ways, setting.repeats), base=TWENTY)


def _shown(setting: Setting, place: Path) -> Figure:
    setting.say("opening pages of the group")
    office = setting.new_database()
    with house_server(office, place / "group") as server:

        def opened(page: str) -> None:
            with urlopen(f"{server.address}{page}", timeout=60) as answer:
                assert answer.status == 200
                answer.read()

        ways = {page: timed(partial(opened, page)) for page in PAGES}
        runs = in_turn(ways, setting.repeats)
    return Figure(PART, "pages of the group", "ms", runs, base=PAGES[0])


def _years(setting: Setting) -> Iterator[Figure]:
    """A year of each size, asked in each way."""
    sizes = (FACTS_A_TABLE_DAY[0] // 10,) if setting.quick else FACTS_A_TABLE_DAY
    with TemporaryDirectory(prefix="sabot-bench-") as directory:
        runs: dict[str, dict[str, list[float]]] = {}
        for name, each in zip((SMALL, LARGE), sizes, strict=False):
            year = MadeYear(Path(directory, str(each)), HOUSES, each)
            setting.say(f"making a year of {year.facts:,} facts")
            year.write()
            setting.say(f"  {sum(year.in_bytes()) / 1e6:,.0f} MB; asking it")
            runs[name] = _asked_year(setting, year)
        for way in ASKED:
            of = {name: each[way] for name, each in runs.items()}
            yield Figure(PART, f"a year of the group, {way}", "ms", of, base=SMALL)


def _asked_year(setting: Setting, year: MadeYear) -> dict[str, list[float]]:
    whole = Narrowed.of({})

    def asked(home: Path, houses: list, per: tuple[str, ...] = ("property",)) -> None:
        with _home(home):
            rows = rows_of(OF_A_GROUP["win"], houses, per, whole)
            assert len(rows) == HOUSES, rows

    alone = year.without_sums()
    ways = {
        ASKED[0]: timed(lambda: asked(year.home, year.houses())),
        ASKED[1]: timed(lambda: asked(year.home, year.houses(NOON))),
        ASKED[2]: timed(lambda: asked(alone, year.houses())),
    }
    return in_turn(ways, setting.repeats)
