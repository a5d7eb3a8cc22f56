"""Browsers: one that only sends and keeps cookies, and Debian's Chromium and Firefox, driven by
Playwright.
"""

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode, urlsplit

import pytest

from domain.aggregates.property import Property
from tests import ROOT
from tests.worlds.closed_house import PIN
from tests.worlds.firefox import FIREFOX

# The same engine without a browser's own windows asks two thirds of the processor's time.
CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))),
    None,
)
REQUIRED = "SABOT_BROWSER_REQUIRED"  # then a machine without a browser fails, as CI must
STARTS = 120_000  # milliseconds in which Firefox is there on a busy machine
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
AXE = ROOT / "tests" / "worlds" / "axe" / "axe.min.js"
OF_COLOURS = ["color-contrast", "link-in-text-block"]
NAMED = re.compile(r"approve-terminal ([0-9A-F-]{19}) NAME")


class PlainBrowser:
    """Sends requests as a browser does, and has cookies; nothing is drawn."""

    def __init__(self, address: str, cookies: dict[str, str] | None = None) -> None:
        self.address = address
        self.cookies = dict(cookies or {})

    def send(self, method: str, path: str, form=None, headers=None):
        """Status, headers and text of the answer; no redirect is followed."""
        body = urlencode(form or {}) if method == "POST" else None
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if method == "POST":
            sent |= {
                "Content-Type": "application/x-www-form-urlencoded",
                "Origin": self.address,
                "Sec-Fetch-Site": "same-origin",
            }
        given = {name: value for name, value in {**sent, **(headers or {})}.items() if value}
        with closing(HTTPConnection(urlsplit(self.address).netloc, timeout=60)) as http:
            http.request(method, path, body, given)
            answer = http.getresponse()
            text = answer.read().decode(errors="replace")
        for header in answer.headers.get_all("Set-Cookie") or ():
            for name, morsel in SimpleCookie(header).items():
                self.cookies[name] = morsel.value
                if morsel["max-age"] == "0" or not morsel.value:
                    del self.cookies[name]
        return answer.status, answer.headers, text

    def get(self, path: str, **headers):
        """Status and text of a page."""
        status, _, text = self.send("GET", path, headers=headers)
        return status, text

    def post(self, path: str, form=None, **headers):
        """Status and text after a form was sent."""
        status, _, text = self.send("POST", path, form, headers)
        return status, text

    def post_json(self, path: str, body):
        """Status and body after a page's own program sent something."""
        sent = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Content-Type": "application/json",
            "Origin": self.address,
            "Sec-Fetch-Site": "same-origin",
        }
        with closing(HTTPConnection(urlsplit(self.address).netloc, timeout=60)) as http:
            http.request("POST", path, json.dumps(body), sent)
            answer = http.getresponse()
            text = answer.read().decode()
        is_json = "json" in answer.headers.get("Content-Type", "")
        return answer.status, json.loads(text) if is_json else text

    @property
    def name(self) -> str:
        """The name of its secret, as the page shows it while it is not approved."""
        _, text = self.get("/")
        named = NAMED.search(text)
        assert named, text
        return named[1]

    def approved_by(self, boss, name: str = "a browser") -> "PlainBrowser":
        """An administrator approves it at their terminal."""
        done = boss.run("staff", "approve-terminal", self.name, name)
        assert done.exit_code == 0, done.output
        return self

    def sign_on(self, staff: str, pin: str = PIN):
        """Status and text after somebody typed their number and PIN."""
        return self.post("/sign-on", {"staff": staff, "pin": pin})


@contextmanager
def chromium() -> Iterator:
    """Debian's Chromium; a test is skipped without it, unless the machine must have it."""
    _require_here("Chromium", CHROMIUM)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def firefox() -> Iterator:
    """The same with Debian's Firefox, through the program that `tests.worlds.firefox` is."""
    _require_here("Firefox", FIREFOX)
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as place, sync_playwright() as playwright:
        starts = Path(place) / "firefox"
        words = shlex.join([sys.executable, "-m", "tests.worlds.firefox"])
        starts.write_text(f'#!/bin/sh\ncd {shlex.quote(str(ROOT))} && exec {words} "$@"\n')
        starts.chmod(0o700)
        browser = playwright.firefox.launch(
            executable_path=starts, channel="moz-firefox", timeout=STARTS
        )
        yield browser
        browser.close()


def _require_here(name: str, program: str | None) -> None:
    if not program:
        missing = f"There is no {name} on this machine."
        if os.environ.get(REQUIRED):
            pytest.fail(missing)
        pytest.skip(missing)


# Rows that differ only in letters and in where they lead are alike for axe-core: one of each stays.
ALIKE = """() => {
    const seen = new Set();
    for (const row of document.querySelectorAll("table.rows > tbody > tr")) {
        const made = row.outerHTML.replace(/>[^<]*[^<\\s][^<]*</g, ">x<")
            .replace(/ (href|datetime|id|value)="[^"]*"/g, " $1");
        if (seen.has(made)) row.remove();
        seen.add(made);
    }
}"""


# Words that are wider than what shows them, and cannot be scrolled to; .unseen is for who listens.
CUT_OFF = """() => [...document.querySelectorAll("body *")]
    .filter(each => each.clientWidth > 1 && each.innerText?.trim()
        && each.scrollWidth > each.clientWidth + 1
        && ["hidden", "clip"].includes(getComputedStyle(each).overflowX))
    .map(each => each.outerHTML.slice(0, 120))"""


def press(page, key):
    """Press a key at a page whose script has run: before, no key is heard."""
    page.wait_for_load_state()
    page.keyboard.press(key)


def hard_to_use(page) -> list[str]:
    """What axe-core calls serious or critical, light and dark, a page too wide, words cut off.

    The page's context bypasses its policy: what axe-core adds to a page is no script of its own.
    """
    grave = []
    for width in (320, 390, 1280, 3840):  # 320: twice as large on a small screen
        page.set_viewport_size({"width": width, "height": 844})
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            grave.append(f"wider than {width}")
        grave += [f"cut off at {width}: {each}" for each in page.evaluate(CUT_OFF)]
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    page.evaluate(ALIKE)
    for scheme, rules in (("light", {}), ("dark", {"runOnly": OF_COLOURS})):  # no more differs
        page.emulate_media(color_scheme=scheme)
        asked = {"resultTypes": ["violations"], **rules}
        grave += [
            f"{scheme}: {each['id']}: {each['nodes'][0]['html'][:120]}"
            for each in page.evaluate("asked => axe.run(asked)", asked)["violations"]
            if each["impact"] in ("serious", "critical")
        ]
    return grave


MADE_UP = "2026-11-23"  # a day whose evening has two alerts and a long road


def evening_of(tables: int, coups: int, seed: int = 1):
    """The lines of a made-up evening of today, without the moments at which they happened.

    The same evening every day: what is made up depends on its day.
    """
    from click.testing import CliRunner

    from ops.cli import cli

    now = datetime.now(UTC)
    day = str(Property.establish(now).clock.day_of(now))
    words = [
        "simulate",
        "--day",
        MADE_UP,
        "--tables",
        str(tables),
        "--coups",
        str(coups),
        "--seed",
        str(seed),
    ]
    result = CliRunner().invoke(cli, [*words, "--out", "-"])
    assert result.exit_code == 0, result.output
    for line in result.stdout.splitlines():
        if line.startswith("{"):
            fields = json.loads(line.replace(MADE_UP, day))
            fields.pop("at", None)
            yield fields
