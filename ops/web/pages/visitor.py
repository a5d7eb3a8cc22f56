"""Who looks at a page: a browser that proved itself by its cookie, and who is signed on there.

A browser gets a secret of its own at its first visit, as a terminal makes a key. An administrator
approves it once by the name of that secret. A sign-on is a second cookie, and is valid in that
browser only: whoever takes one of the two cookies has nothing.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from domain.rules.place import Place
from ops.commands.rights import OF_OPEN_HOUSE, Rights
from ops.commands.signed_on import NOBODY, Token
from ops.door.signature import fingerprint
from ops.web.callers import Caller
from ops.web.pages.viewer import Viewer
from ops.web.turned_away import NotTrusted
from ops.words.language import ENGLISH, FORMS, LANGUAGES, N_

BROWSER, SIGN_ON, LANGUAGE = "sabot-browser", "sabot-sign-on", "sabot-language"  # cookies
SECRET = 32  # bytes
YEARS = 5 * 365 * 24 * 3600  # seconds for which a browser stays approved
_FOREIGN = N_("The request came from another site. Open the house's own page, and try again there.")


NOBODY_YET = Caller()


class Visitor(Struct, frozen=True):
    """Whoever asked for a page. `fresh`: a secret that the browser has to be given.

    `chosen`: the language was chosen in this browser.
    """

    caller: Caller
    language: str = ENGLISH
    chosen: bool = False
    fresh: str = ""
    rights: Rights = Rights()

    @property
    def open_house(self) -> bool:
        """Whether nobody is enrolled in the house yet."""
        return self.rights == OF_OPEN_HOUSE

    @property
    def viewer(self) -> Viewer:
        """Whom pages are drawn for."""
        return Viewer(self.language, self.rights)

    @property
    def number(self) -> str:
        """The staff number of whoever is signed on, '' for nobody; in open house unproved."""
        return self.caller.token.staff


def visitor_of(request: Request, address: str) -> Visitor:
    """Who sent a request. Raises NotTrusted if it came from a page of another site."""
    require_same_site(request.method, request.headers)
    cookies = request.cookies
    secret = cookies.get(name_of(BROWSER, request), "")
    fresh = "" if len(secret) == len(_secret()) else _secret()
    key = hashlib.sha256(b"sabot: key of a browser " + (fresh or secret).encode()).digest()
    mark = hmac.digest(b"sabot: place of a sign-on in a browser", key, hashlib.sha256).hex()
    token = cookies.get(name_of(SIGN_ON, request), "")
    name = fingerprint(key)
    caller = Caller(
        token=Token.read(token) if token and not fresh else NOBODY,
        place=Place("browser", name, mark),
        terminal=name,
        address=address,
        host=request.headers.get("host", ""),
    )
    chosen = cookies.get(name_of(LANGUAGE, request), "")
    if chosen in LANGUAGES:
        return Visitor(caller, chosen, chosen=True, fresh=fresh)
    return Visitor(caller, _language(request), fresh=fresh)


def require_same_site(method: str, headers: Mapping[str, str], *, by_browser: bool = True) -> None:
    """Refuses what a page of another site made a browser send. Raises NotTrusted.

    `by_browser`: only browsers send such requests, and they say where from.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    changes = method not in ("GET", "HEAD")
    if changes and site not in (None, "same-origin"):
        raise NotTrusted(_FOREIGN, 403)
    if origin is not None and urlsplit(origin).netloc != headers.get("host", ""):
        raise NotTrusted(_FOREIGN, 403)
    if by_browser and changes and site is None and origin is None:
        raise NotTrusted(_FOREIGN, 403)


def is_private(request: Request) -> bool:
    """Whether the request came encrypted."""
    return request.url.scheme == "https"


def name_of(cookie: str, request: Request) -> str:
    """The name of a cookie; over TLS one that no other site or plain page can set."""
    return f"__Host-{cookie}" if is_private(request) else cookie


def set_cookie(
    request: Request, response: Response, cookie: str, value: str, age: int | None = None
) -> None:
    """Gives the browser a cookie that no script reads; without `age` until the browser closes."""
    response.set_cookie(
        name_of(cookie, request),
        value,
        max_age=age,
        path="/",
        secure=is_private(request),
        httponly=True,
        samesite="strict",
    )


def remove_cookie(request: Request, response: Response, cookie: str) -> None:
    """Takes a cookie from the browser."""
    response.delete_cookie(
        name_of(cookie, request),
        path="/",
        secure=is_private(request),
        httponly=True,
        samesite="strict",
    )


def _secret() -> str:
    return secrets.token_hex(SECRET)


def _language(request: Request) -> str:
    """The first of the browser's languages that Sabot speaks."""
    tags = {tag: code for code, forms in FORMS.items() for tag in forms.browser}
    for each in request.headers.get("accept-language", "").split(","):
        asked = each.partition(";")[0].strip().lower()
        known = [tag for tag in tags if f"{asked}-".startswith(f"{tag}-")]
        if known:
            return tags[max(known, key=len)]
    return ENGLISH
