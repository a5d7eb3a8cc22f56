"""The pages of a house in this process, asked for without a network: what is patched here holds."""

import asyncio
import re
from collections import Counter
from contextlib import asynccontextmanager
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from ops.web.app import application
from ops.web.budget import Budget
from ops.web.house import House

NOT_FOLLOWED = re.compile(r"\.(json|csv|pdf|parquet|svg)(\?|$)|^/manual/")  # files; the manual
NOT_READ = {"script", "style", "code", "pre"}
READ_TOO = {"alt", "aria-label", "placeholder", "title"}  # attributes that are words


@asynccontextmanager
async def pages_of(database, runner=None, language="zh-Hant"):
    """Asks for a page: `await ask("/reports")` gives its status and its HTML.

    `form`: is sent there, from the page `at`.
    """
    app = application(House(database, runner, Budget(1_000)))
    async with app.others.router.lifespan_context(app.others):

        async def ask(address, cookies="", form=None, at="/"):
            place = urlsplit(address)
            scope = {
                "type": "http", "method": "GET" if form is None else "POST",
                "scheme": "http", "http_version": "1.1",
                "path": unquote(place.path), "raw_path": place.path.encode(),
                "query_string": place.query.encode(), "root_path": "",
                "headers": [(b"host", b"localhost"), (b"accept", b"text/html"),
                            (b"accept-language", language.encode()), (b"cookie", cookies.encode()),
                            *((b"origin", b"http://localhost"),
                              (b"sec-fetch-site", b"same-origin"),
                              (b"referer", f"http://localhost{at}".encode()))],
                "client": ("127.0.0.1", 1), "server": ("house", 80),
            }  # fmt: skip
            status, body = 0, b""

            async def receive():
                return {
                    "type": "http.request",
                    "body": urlencode(form or {}).encode(),
                    "more_body": False,
                }

            async def send(message):
                nonlocal status, body
                status = message.get("status", status)
                body += message.get("body", b"")

            await app(scope, receive, send)
            return status, body.decode(errors="replace")

        yield ask


def kind_of(address):
    """Addresses of a kind differ in numbers only, and in what they ask for."""
    place = urlsplit(address)
    return re.sub(r"\d+", "0", place.path), *sorted(dict(parse_qsl(place.query)))


async def every_page(ask, *first, of_a_kind=2):
    """Each page by its address, from link to link, a few of each kind."""
    waiting, seen, pages = list(first), Counter(), {}
    while waiting:
        address = waiting.pop(0)
        seen[kind_of(address)] += 1
        if address in pages or seen[kind_of(address)] > of_a_kind:
            continue
        status, text = await ask(address)
        if text.startswith("<!doctype"):
            pages[address] = text
            links = re.findall(r'<a [^>]*href="(/[^"#]*)"', text)
            waiting += [unescape(each) for each in links if not NOT_FOLLOWED.search(each)]
        assert status < 500, (address, text)
    return pages


class _Words(HTMLParser):
    def __init__(self):
        super().__init__()
        self.words, self._in = [], []

    def handle_starttag(self, tag, attrs):
        if tag in NOT_READ:
            self._in.append(tag)
        self.words += [value for name, value in attrs if name in READ_TOO and value]

    def handle_endtag(self, tag):
        if self._in and self._in[-1] == tag:
            self._in.pop()

    def handle_data(self, data):
        if data.strip() and not self._in:
            self.words.append(data.strip())


def words_of(page):
    """Every text that somebody reads or hears on a page."""
    parser = _Words()
    parser.feed(page)
    return parser.words


def ran(scene):
    """What a coroutine gives."""
    return asyncio.run(scene)
