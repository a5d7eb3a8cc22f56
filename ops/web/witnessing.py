"""The house server as the other houses' witness: it cosigns, looks, and rings at the board.

Each house that this home only sees is looked at every second. One that is not to be trusted stops;
that is recorded here, so that the board rings, whatever the house itself says of it.
"""

from contextlib import closing
from typing import TYPE_CHECKING

import anyio.to_thread
from starlette.requests import Request
from starlette.responses import Response

from ops.commands.casino import Casino
from ops.group import members, witness
from ops.group.following import Following, Looking
from ops.group.members import Member
from ops.handlers.dispatcher import Dispatcher
from ops.ledger import clock
from ops.ledger.recorder import Ledger
from ops.proof.tiles import CHECKPOINT
from ops.web.log import log, mistake
from ops.web.requests import body_of
from ops.web.turned_away import NotThere

if TYPE_CHECKING:
    from ops.web.house import House

EVERY = 1.0  # seconds between two looks at a house
_NOT_SEEN = "This witness has no checkpoint of such a record."


class Witnessing:
    """Looks at the houses that this home only sees, and answers as their witness."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._rung: dict[str, str] = {}  # by the name of a house, when it stopped
        self._looking = Looking(clock.wall_clock)
        self._following = Following(EVERY, members.seen, self._look)

    def begin(self) -> None:
        """Begins to look; a home without such houses looks at nobody."""
        self._following.begin()

    def end(self) -> None:
        """Ends it."""
        self._following.end()

    async def answer(self, request: Request) -> Response:
        """What an address under `/witness/` answers. Raises NotTrusted, NotThere, NoKey."""
        path = request.path_params["path"]
        if request.method == "POST" and path == witness.ADD:
            body = await body_of(request, witness.LARGEST)
            answer = await anyio.to_thread.run_sync(witness.add, body, clock.wall_clock)
            self._following.look(answer.doubted)
            return Response(answer.text, answer.status, media_type=answer.media_type)
        content = await anyio.to_thread.run_sync(witness.seen, path)
        if content is None or request.method == "POST" or not path.endswith(CHECKPOINT):
            raise NotThere(_NOT_SEEN)
        return Response(content, media_type=witness.TEXT)

    def _look(self, of: Member) -> None:
        """Looks at a house once; what fails now, whatever it is, is tried at the next look."""
        try:
            self._ring(of)
        except Exception as error:  # noqa: BLE001  (no house is looked at no more)
            mistake(log(), error, house=of.name)

    def _ring(self, of: Member) -> None:
        """Looks at a house, and records it if that is not to be trusted."""
        pulled = self._looking.pull(of)
        at = str(pulled.at)
        if not pulled.stopped or self._rung.get(of.name) == at:
            return
        line = {
            "command": "audit.distrusted",
            "house": of.name,
            "origin": of.origin,
            "size": pulled.events,
            "words": pulled.stopped,
            "since": at,
        }
        with closing(Casino(Ledger(self._house.database))) as casino:
            answer = Dispatcher(casino, "program").for_own_commands().dispatch(line)
        if answer.ok:
            self._rung[of.name] = at
        log().error("distrusted", house=of.name, recorded=answer.ok)
