"""What a coup would have been with other cards or bets, on its page."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import msgspec
from msgspec import Struct

from ops.door.fresh_id import fresh_id
from ops.web.pages.desk import Desk, words_made
from ops.web.pages.visitor import Visitor
from ops.web.shells import Asked
from ops.words import coups


class WhatIf(Struct, frozen=True):
    """What would have been: in words, and as it would have lain; no hands if it was refused."""

    words: str
    hands: dict[str, list[tuple[str, bool]]] = {}  # each card, and whether it is another one
    totals: dict[str, int | None] = {}
    outcome: str = ""
    outcome_words: str = ""


async def what_if(desk: Desk, who: Visitor, name: str, change: str) -> WhatIf:
    """The answer to one or more changes of the coup, between semicolons; nothing is recorded."""
    changes = [each.strip() for each in change.split(";")]
    typed = chain.from_iterable(("--what-if", each) for each in changes)
    answer = await desk.made(who, ["replay", *typed, "--", name])
    if answer.status:
        return WhatIf(words_made(answer))
    query = [("coup", name), *(("what-if", each) for each in changes)]
    asked = Asked(fresh_id(), ["replay"], query=query)
    read = msgspec.json.decode((await desk.house.run(who.caller, asked)).out)["what_if"]
    hands: dict[str, list[tuple[str, bool]]] = {"player": [], "banker": []}
    for each in read["cards"]:
        hands[each["hand"]].append((each["card"], each["card"] != each["recorded"]))
    return WhatIf(
        words_made(answer),
        hands,
        {hand: read[f"{hand}_total"] for hand in hands},
        read["outcome"] or "",
        _outcome_words(read),
    )


def _outcome_words(read: Mapping[str, Any]) -> str:
    if not read["outcome"]:
        return ""
    return coups.outcome(read["outcome"], read["player_total"], read["banker_total"])
