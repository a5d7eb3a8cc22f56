"""A supervisor at a browser: a table's coups are dealt by lines, and disputed by forms of pages."""

import time
from collections.abc import Generator, Iterator, Sequence
from hashlib import sha256
from http.client import HTTPException
from random import Random
from typing import Any

from ops.commands.read import Line
from tests.worlds.browsers import PlainBrowser

Body = dict[str, Any]
BY_FORM = "refused by a page"  # which says why in words only
SUPERVISOR, BOSS = "S-11", "P-1"
BUSY = (401, 429, 500, 503)  # answers after which a form is sent again, under its id


def is_form(line: Line) -> bool:
    """Whether it is what a form sends."""
    return str(line["command"]).startswith("dispute.")


def disputes(
    lines: Iterator[Line], name: str, random: Random
) -> Generator[list[Line], list[Body], None]:
    """The lines of a table; now and then the coup that was settled last is disputed."""
    seated: dict[object, object] = {}
    patron, forms = None, 0
    for line in lines:
        [body] = yield [line]
        if line["command"] == "table.seat":
            seated[line["seat"]] = line["patron"]
        patron = seated.get(line.get("seat"), patron)
        settles = line["command"] == "settle" or line.get("settle")
        if settles and body.get("coup") and patron and random.random() < 0.25:
            opened = {"coup": body["coup"], "patron": patron, "complaint": "I was not paid"}
            said = _case(opened, random)
            fields: Body = {}
            while (act := said.send(fields or None)) is not None:
                forms += 1
                digest = sha256(f"{name}-{forms}".encode()).hexdigest()[:32]
                [fields] = yield [{**act, "id": digest}]


def _case(opened: Line, random: Random) -> Generator[Line | None, Body | None, None]:
    """What is done about a coup, from the complaint to the closed case; None at its end."""
    body = yield {"command": "dispute.open", **opened}
    if body and body["ok"]:
        case = {"case": body["case"]}
        for _ in range(random.randrange(3)):
            yield {"command": "dispute.note", **case, "text": "The patron shows his chips."}
        reason = {"reason": "The camera shows it.", "with": BOSS}
        yield {"command": "dispute.decide", **case, "decision": "stand", **reason}
        yield {"command": "dispute.tell", **case}
        yield {"command": "dispute.close", **case}
    yield None


class Browser:
    """Sends each form until it is answered, and looks at pages in between."""

    def __init__(self, address: str) -> None:
        self._browser = PlainBrowser(address)
        self._signed_on = False

    def answers(self, lines: Sequence[Line]) -> Iterator[Body]:
        """What the pages say to each form."""
        for line in lines:
            while (body := self._sent(line)) is None:
                time.sleep(0.05)
            yield {"id": line["id"], **body}

    def _sent(self, line: Line) -> Body | None:
        """What a form was answered; None if that is not known yet."""
        fields = {name: each for name, each in line.items() if name != "command"}
        act = str(line["command"]).removeprefix("dispute.")
        place = "/cases" if act == "open" else f"/cases/{fields.pop('case')}/{act}"
        try:
            self._sign_on()
            status, headers, text = self._browser.send("POST", place, fields)
            self._look(place)
        except (OSError, HTTPException):
            return None
        if status in BUSY:
            return None
        assert status in (303, 404, 422), (status, line, text)
        if status != 303:
            return {"ok": False, "error": BY_FORM}
        return {"ok": True, "case": headers["Location"].rpartition("/")[2]}

    def _sign_on(self) -> None:
        if not self._signed_on:
            self._browser.get("/")
            status, text = self._browser.sign_on(SUPERVISOR)
            self._signed_on = status == 303
            assert status in (303, *BUSY), (status, text)

    def _look(self, place: str) -> None:
        for page in ("/", place if place.count("/") == 1 else place.rpartition("/")[0]):
            status, text = self._browser.get(page)
            assert status in (200, 404, 503), (page, status, text)
