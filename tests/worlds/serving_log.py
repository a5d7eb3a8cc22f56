"""A house server that gives its record as signed tiles to who has a token.

`token` and `witness-token` in its place are the files of what it was given.
"""

from contextlib import contextmanager

import pytest

from tests.acceptance.channels import json_of, shell
from tests.worlds.held_sessions import sessions_held
from tests.worlds.house_server import house_server
from tests.worlds.signing import ORIGIN

SENT = {"Authorization": "Bearer the-token"}
SENT_BY_A_WITNESS = {"Authorization": "Bearer a-witness"}


@contextmanager
def signing(database, place):
    """A server that gives its log to who has the token, of a house with a key."""
    (place / "token").write_text("the-token\n")
    (place / "witness-token").write_text("a-witness\n")
    options = (
        *("--log-token", str(place / "token")),
        *("--witness-token", str(place / "witness-token")),
    )
    with pytest.MonkeyPatch.context() as patch, sessions_held():
        patch.setenv("SABOT_HOME", str(place / "home"))
        made = shell(database, "audit", "key", "new", "--origin", ORIGIN, "--by", "A-1")
        assert made.exit_code == 0, made.output
        with house_server(database, place / "house", *options) as house:
            yield house, json_of(database, "audit", "key", "show")["keys"][0]["key"]
