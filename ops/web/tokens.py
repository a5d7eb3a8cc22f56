"""Words by which programs on other machines may read, without a terminal or a sign-on."""

from hmac import compare_digest

from msgspec import Struct
from starlette.requests import Request

COUNTS = (
    "The counters are for this machine. From elsewhere they are asked for with the token of "
    "`sabot serve --metrics-token FILE`, as `Authorization: Bearer TOKEN`."
)
LOG = (
    "The log is for whoever has the token of `sabot serve --log-token FILE`, as "
    "`Authorization: Bearer TOKEN`."
)
EVENTS = (
    "This token is that of a witness, for checkpoints and hashes. Events are for whoever has the "
    "token of `sabot serve --log-token FILE`."
)


class Tokens(Struct, frozen=True):
    """Words by which programs elsewhere may read; '': nobody may.

    `metrics`: the counters. `log`: the record, as signed tiles. `witness`: of these the checkpoints
    and hashes, and no event.
    """

    metrics: str = ""
    log: str = ""
    witness: str = ""


NOBODY = Tokens()


def has(request: Request, token: str) -> bool:
    """Whether a request comes with this token; nobody has ''."""
    _, _, given = request.headers.get("authorization", "").partition(" ")
    return bool(token) and compare_digest(given.encode(), token.encode())
