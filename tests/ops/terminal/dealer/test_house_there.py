"""What a terminal without a database says of its house server."""

import pytest

from ops.handlers.questions import WhoIsHere
from ops.kit.outcome import unsent
from ops.ledger.database import LedgerLost
from ops.terminal.dealer.house_there import HouseThere


def test_a_mistake_of_the_server_is_no_lost_ledger(monkeypatch):
    there = HouseThere("http://127.0.0.1:1")
    refused = b'{"error": "Mistake", "message": "A mistake at this request."}'
    monkeypatch.setattr(there._connection, "post", lambda *_: (500, refused))

    with pytest.raises(LedgerLost) as lost:
        there.ask(WhoIsHere())

    assert unsent(lost.value.why, "3 b 500").words == (
        "The house server made a mistake; its log says where. Look before you type it again.",
    )
