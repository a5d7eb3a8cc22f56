"""Patrons who are right more often, or with more money, than chance allows."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from domain.review.protection.right import LEFT, Copied
from domain.rules.protection_levels import RIGHT
from domain.rules.spots import OPPOSITE
from projections.attention.questions import answers
from projections.attention.questions.answers import About, answer
from projections.attention.questions.beside import COLUMNS, BesidePatron
from projections.attention.questions.cards import SHOES
from projections.attention.questions.question import SETTLED, Question
from projections.model import Event
from projections.rows import Page, Rows, Table, Value

SQL = f"""
-- One row a patron, under the name that they had at the table: who copies them, by what they bet.
CREATE TABLE protected_patrons (
    winner     text   NOT NULL,
    on_winner  bigint NOT NULL,  -- minor units
    on_loser   bigint NOT NULL,{COLUMNS});
"""


class ProtectedPatron(BesidePatron):
    """A patron's last coup, and who copies them as he was before it."""

    winner: str
    on_winner: int = 0
    on_loser: int = 0

    def copied(self) -> Copied:
        """Who copies them, after that coup."""
        return self.before(Copied).after(self.winner, self.on_winner, self.on_loser)

    def begin(self, coup: str, winner: str, gaming_day: date) -> None:
        """Another coup."""
        self.go_on(self.copied(), coup, gaming_day)
        self.winner, self.on_winner, self.on_loser = winner, 0, 0


PATRONS = Table("protected_patrons", ProtectedPatron, "patron")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    """The rows that a settled wager needs."""
    patron = event.fields["patron"]
    yield PATRONS.by_key, (patron,)
    yield SHOES.by_key, (_shoe_of(event),)
    yield from answers.loads(RIGHT, f"{patron} {event.gaming_day}")


def _shoe_of(event: Event) -> str:
    return str(event.fields["coup"]).rpartition("/")[0]


def _settled(event: Event, rows: Rows) -> None:
    """A wager on a side was won or lost: is it still chance?"""
    fields, shoe = event.fields, rows.get(SHOES, _shoe_of(event))
    spot, result = fields["spot"], fields["result"]
    if spot not in OPPOSITE or result == "push" or shoe is None or shoe.remaining < LEFT:
        return
    coup, winner = fields["coup"], spot if result == "win" else OPPOSITE[spot]
    patron = rows.change(PATRONS, fields["patron"])
    if patron is None:
        patron = ProtectedPatron(
            patron=fields["patron"],
            coup=coup,
            winner=winner,
            gaming_day=event.gaming_day,
        )
        rows.put(PATRONS, patron)
    if patron.coup != coup:
        patron.begin(coup, winner, event.gaming_day)
    if spot == winner:
        patron.on_winner += fields["stake"]
    else:
        patron.on_loser += fields["stake"]
    now = patron.copied()
    most = max(patron.most, now.held)
    if not answers.matters(rows, RIGHT, most, patron.patron, event.gaming_day):
        return
    detail = {"patron": patron.patron, "right": now.right, "coups": now.right + now.wrong}
    answer(event, rows, RIGHT, most, detail, About(shoe=shoe.shoe, coup=coup, patron=patron.patron))


QUESTION = Question(sql=SQL, changes=dict.fromkeys(SETTLED, _settled), loads=_loads)
