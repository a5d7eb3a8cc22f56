"""Pictures of every page: as each role, at each width, light and dark, in each language, on paper.

`python -m tests.ops.web.pages.every_picture DIR`: a picture of each page as a pit boss sees it at
1280; then each other width, theme, language and role, one at a time, and each page on paper.
`--pages`: only addresses in which this expression is found. `--only`: only these ways, as in
`--only dark,390,pt`.
`DIR/NAME.png` has all ways of one page side by side. Needs Chromium, and `pdftoppm` for paper.
"""

import argparse
import html
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path

from msgspec import Struct

from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.recorder import Ledger
from ops.ledger.secrets import People
from ops.words.language import LANGUAGES
from tests.worlds.browsers import PlainBrowser, chromium, evening_of
from tests.worlds.closed_house import PIN
from tests.worlds.house_server import house_server
from tests.worlds.pages_here import NOT_FOLLOWED, kind_of

STAFF = {
    "PB-1": "pit-boss", "S-11": "supervisor", "D-204": "dealer", "V-1": "surveillance",
    "C-1": "cage", "R-1": "security", "U-1": "auditor", "A-2": "administrator",
}  # fmt: skip
BOSS, EYE = "PB-1", "V-1"  # who sees most of the floor, and the record as well
HEIGHT = 900
PATIENCE = 120_000  # milliseconds, on a busy machine
ASKED = (
    *(
        "/",
        "/reports",
        "/cases",
        "/slips",
        "/coupons",
        "/incidents",
        "/inquiries",
        "/aml",
        "/ledger",
    ),
    *("/wall", "/sign-on", "/manual", "/nowhere", "/find?q=P-1", "/ledger?patron=P-1"),
    *("/reports/wagers?seat=3", "/reports/ratings", "/reports/protection"),
)


class Way(Struct, frozen=True):
    """How a page is looked at."""

    who: str = BOSS
    width: int = 1280
    dark: bool = False
    language: str = "en"
    paper: bool = False

    @property
    def name(self) -> str:
        """By which its picture is called: what it differs in."""
        parts = [
            "" if self.who == BOSS else STAFF[self.who],
            "" if self.width == 1280 else str(self.width),
            "dark" if self.dark else "",
            "" if self.language == "en" else self.language,
            "paper" if self.paper else "",
        ]
        return "-".join(filter(None, parts)) or "plain"


WAYS = (
    *(Way(), Way(width=390), Way(width=390, dark=True), Way(width=3840), Way(dark=True)),
    *(Way(language=each) for each in LANGUAGES if each != "en"),
    *(Way(language=each, width=390) for each in LANGUAGES if each != "en"),
    *(Way(who=each) for each in STAFF if each != BOSS),
    *(Way(paper=True), Way(paper=True, language="zh-Hant"), Way(who=EYE, paper=True)),
)


@contextmanager
def house_at_night(place: Path) -> Iterator[tuple[str, dict[str, PlainBrowser]]]:
    """A closed house with an evening, and the browser of somebody of each role."""
    os.environ["SABOT_HOME"] = str(place / "home")
    embedded = Embedded(place / "home")
    database = Database(home=embedded)
    try:
        with database.session("sabot_auditor"):  # it is made and started now
            pass
        with house_server(database, place / "house") as house:
            boss = house.terminal("pit-1")
            lines = list(evening_of(4, 30))
            ends = next(n for n, line in enumerate(lines) if line["command"] == "table.close")
            boss.send(*lines[: ends * 4 // 5])
            coup = next(each["coup"] for each in boss.ask("board")["tables"] if each["coup"])
            first = f"{coup.rpartition('/')[0]}/1"
            patron = boss.ask("replay", first)["wagers"][0]["patron"]
            _name_some(database, boss)
            _cases(boss, coup, first, patron)
            boss.run("staff", "approve-terminal", boss.key, "pit 1")
            boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
            yield house.address, {who: _signed_on(house, boss, who) for who in STAFF}
    finally:
        embedded.destroy()


def _name_some(database: Database, boss) -> None:
    """Names for every second patron who sits, among them a long one."""
    seated = [who for each in boss.ask("board")["tables"] for who in each["seats"]["by"].values()]
    names = cycle(
        ("Li Wei", "Ana Sousa", "Maria da Conceição Albuquerque de Vasconcelos", "陳大文")
    )
    with closing(Ledger(database)) as ledger:
        for who, name in zip(seated[::2], names, strict=False):
            People(ledger).name_patron(who, name)


def _cases(boss, coup: str, first: str, patron: str) -> None:
    """What waits for somebody: a dispute that is decided and one that is not, an inquiry, …"""
    table, camera = coup.partition("/")[0], f"CAM-14 {datetime.now(UTC):%Y-%m-%dT%H:%M:%S} +850"
    for words in (
        ("property", "set", "regulator", "singapore"),
        ("dispute", "open", first, patron, "I was paid too little", "--amount", "50"),
        ("dispute", "note", "C-2026-0001", "the chips lay on Player", "--evidence", camera),
        ("dispute", "decide", "C-2026-0001", "stand", "the camera shows it", "--with", "S-11"),
        ("dispute", "open", first, patron, "the dealer took my chips", "--amount", "1200"),
        ("inquiry", "open", "coup", first, "who looks at the cards?", "--by", EYE),
        ("aml", "open", patron, "small notes, little play", "--by", EYE),
        (
            *("incident", "open", "conduct", "shouted at the dealer", "--table", table),
            *("--involved", patron, "--staff", "D-204", "--evidence", camera),
        ),
        ("patron", "limit", patron, "loss", "day", "2000"),
        ("slip", "request", table, "fill", "--chips", "100=5"),
        ("coupon", "issue", "MP-1", "match-play", "25"),
    ):
        done = boss.run(*words, *(() if "--by" in words else ("--by", BOSS)))
        if done.exit_code:
            print(words, done.output)


def _signed_on(house, boss, who: str) -> PlainBrowser:
    code = boss.ask("staff", "enrol", who, f"N {who}", STAFF[who])["code"]
    plain = PlainBrowser(house.address).approved_by(boss)
    form = {"staff": who, "pin": code, "new": PIN, "again": PIN}
    status, text = plain.post("/sign-on", form)
    assert status == 303, text
    return plain


def addresses(browser: PlainBrowser, wanted: str) -> list[str]:
    """One page of each kind that somebody comes to by links."""
    waiting, seen, found = list(ASKED), set(), []
    while waiting:
        address = waiting.pop(0)
        if kind_of(address) in seen:
            continue
        seen.add(kind_of(address))
        _, text = browser.get(address)
        if text.startswith("<!doctype"):
            found.append(address)
            links = re.findall(r'<a [^>]*href="(/[^"#]*)"', text)
            waiting += [html.unescape(each) for each in links if not NOT_FOLLOWED.search(each)]
    return [each for each in found if re.search(wanted, each)]


def pictured(browser, address: str, page: str, browsers, way: Way, file: Path) -> None:
    """Draws one page in one way; also what is wider than the window."""
    context = browser.new_context(
        viewport={"width": way.width, "height": HEIGHT},
        color_scheme="dark" if way.dark else "light",
    )
    cookies = {**browsers[way.who].cookies, "sabot-language": way.language}
    context.set_default_timeout(PATIENCE)
    context.add_cookies(
        [{"name": name, "value": value, "url": address} for name, value in cookies.items()]
    )
    window = context.new_page()
    window.goto(f"{address}{page}")
    window.wait_for_load_state("load")
    window.wait_for_timeout(400)
    if way.paper:
        _on_paper(window, file)
    else:
        if window.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            print(f"wider than {way.width}: {page} {way.name}")
        window.screenshot(path=file, full_page=way.width < 2000)
    context.close()


def _on_paper(window, file: Path) -> None:
    """The first two sheets that would be printed."""
    printed = file.with_suffix(".pdf")
    window.pdf(path=printed, prefer_css_page_size=True)
    subprocess.run(
        ["pdftoppm", "-png", "-r", "60", "-l", "2", str(printed), str(file.with_suffix(""))],
        check=True,
    )


def contact_sheet(browser, place: Path, name: str) -> None:
    """All pictures of one page on one sheet."""
    pictures = sorted((place / name).glob("*.png"))
    shown = "".join(
        f"<figure><img src='file://{each}'><figcaption>{each.stem}</figcaption></figure>"
        for each in pictures
    )
    style = "body{display:flex;flex-wrap:wrap;gap:8px;background:#888;font:12px sans-serif}"
    style += "figure{margin:0;background:#fff}img{max-width:460px;max-height:620px;display:block}"
    sheet = place / f"{name}.html"
    sheet.write_text(f"<meta charset=utf-8><style>{style}</style>{shown}")
    window = browser.new_page(viewport={"width": 1900, "height": 800})
    window.goto(f"file://{sheet}")
    window.screenshot(path=place / f"{name}.png", full_page=True)
    window.close()


def main() -> None:
    """All pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("place", type=Path)
    parser.add_argument("--pages", default="")
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    only = set(filter(None, asked.only.split(",")))
    ways = [each for each in WAYS if not only or each.name in only]
    if not shutil.which("pdftoppm"):
        ways = [each for each in ways if not each.paper]
    with (
        tempfile.TemporaryDirectory() as place,
        house_at_night(Path(place)) as (address, browsers),
        chromium() as browser,
    ):
        looks = {way.who for way in ways}
        pages = {who: set(addresses(browsers[who], asked.pages)) for who in looks}
        for page in sorted(set().union(*pages.values())):
            name = re.sub(r"[^A-Za-z0-9]+", "-", page).strip("-") or "pit"
            folder = asked.place.resolve() / name
            folder.mkdir(parents=True, exist_ok=True)
            for way in (each for each in ways if page in pages[each.who]):
                pictured(browser, address, page, browsers, way, folder / f"{way.name}.png")
            contact_sheet(browser, asked.place.resolve(), name)
            print(name)


if __name__ == "__main__":
    main()
