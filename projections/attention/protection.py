"""Protection: what is on record that chance does not explain, as soon as it is (`questions`).

Nothing here accuses anybody: each row says how seldom chance alone does as much.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from domain.events.protection import LevelChanged
from domain.rules import protection_levels
from domain.rules.permissions import WATCH, Reading
from projections.attention.questions import BY_TOPIC, QUESTIONS
from projections.model import Change, Event, Projection, Report, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Rows, Value


def _loads(event: Event) -> Iterable[tuple[Page[Any], Value]]:
    asked = BY_TOPIC[event.topic]
    if len(asked) == 1:  # of most events: the same pages again and again
        return asked[0][1](event)
    return chain.from_iterable([loads(event) for _, loads in asked])


def _ask(event: Event, rows: Rows) -> None:
    for change, _ in BY_TOPIC[event.topic]:
        change(event, rows)


def _alone(topic: str) -> Change:
    """What one question changes at events of a topic, if no other looks at them: most are such."""
    [(change, _), *others] = BY_TOPIC[topic]
    return _ask if others else change


def _set_level(event: Event, rows: Rows) -> None:
    _finish(rows)  # what came before has the level of its time
    _ask(event, rows)


def _finish(rows: Rows) -> None:
    for question in QUESTIONS:
        question.finish(rows)


PROJECTION = Projection(
    name="protection",
    schema="".join(each.sql for each in QUESTIONS),
    changes={**{topic: _alone(topic) for topic in BY_TOPIC}, LevelChanged.TOPIC: _set_level},
    loads=_loads,
    finish=_finish,
    metadata=False,
)

# What was seen about the shoes of the gaming days that are played now, the newest first.
SEEN_NOW = """
SELECT at, table_code AS "table", coup, position, detail
  FROM protection
 WHERE gaming_day >= (SELECT least(%(today)s::date, min(gaming_day)) FROM tables_now
                       WHERE closed_at IS NULL)
 ORDER BY position DESC, question
"""

# How often the two of a row were at one table at the same time, and came, or went, within minutes.
_COMPANY = """LEFT JOIN LATERAL (
    SELECT jsonb_build_object(
               'met', count(*),
               'came', count(*) FILTER (
                   WHERE abs(extract(epoch FROM one.seated_at - other.seated_at)) <= 300),
               'left', count(*) FILTER (
                   WHERE abs(extract(epoch FROM one.left_at - other.left_at)) <= 300)) AS times
      FROM stays AS one JOIN stays AS other USING (table_code, gaming_day)
     WHERE one.patron = noted.patron AND other.patron = noted.partner
       AND one.seated_at <= coalesce(other.left_at, 'infinity')
       AND other.seated_at <= coalesce(one.left_at, 'infinity')
) AS company ON noted.partner IS NOT NULL"""
# The first open inquiry that has a row as evidence.
OPEN_INQUIRY = """
    SELECT inquiry FROM inquiries
     WHERE outcome IS NULL AND rows @> jsonb_build_array(jsonb_build_object(
               'question', {question}, 'position', {position}, 'patron', {patron},
               'partner', {partner}, 'dealer', {dealer}))
     ORDER BY inquiries.position LIMIT 1
"""
_KEY = ("question", "position", "patron", "partner", "dealer")
_LOOKED_INTO = f"""LEFT JOIN LATERAL (
    {OPEN_INQUIRY.format(**{each: f"noted.{each}" for each in _KEY})}
) AS looked ON true"""
# The patron that the partner's name stands for.
PARTNER_KNOWN = "LEFT JOIN patron_identities AS also ON also.alias = noted.partner"
PARTNER = "coalesce(also.patron, noted.partner)"

REPORT = Report(
    name="protection",
    title="Protection",
    about="what is on record that chance does not explain",
    read_by=Reading(WATCH),
    projections=("protection", "patrons", "ratings", "inquiries"),
    columns=(
        *("at", "day", "table", "shoe", "coup", "position", "patron", "partner", "dealer"),
        *("question", "power", "detail", "one_in", "inquiry"),
    ),
    sql=f"""
SELECT at, gaming_day AS "day", table_code AS "table", shoe, coup, noted.position,
       {IDENTITY.format("noted")} AS patron,
       {PARTNER} AS partner, dealer, question, power,
       detail || coalesce(company.times, '{{}}') AS detail, one_in, inquiry
  FROM protection AS noted {KNOWN.format("noted")}
  {PARTNER_KNOWN}
  {_COMPANY}
  {_LOOKED_INTO}
 WHERE {narrowed(shoe="shoe", at=["at"], staff="ARRAY[dealer]")}
   AND (%(question)s::text IS NULL OR question = %(question)s)
   AND ({ASKED.format(IDENTITY.format("noted"))} OR {ASKED.format(PARTNER)})
 ORDER BY noted.position, question
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe", "patron", "staff", "question", "span"),
    shown=("at", "coup", "patron", "dealer", "question", "detail", "inquiry"),
    days_independent=False,  # a shoe or dealer is looked at beside those of days before
    words={
        "partner": ("partner", "the other patron, where two of them are asked about"),
        "question": (
            "question",
            "what was asked: about the order of the cards, patrons, or a dealer",
        ),
        "power": ("power", "by chance alone it comes in at most one of 10^power"),
        "position": ("event", "the number of the event by which it was seen"),
        "inquiry": ("inquiry", "the open inquiry that has this row"),
        "one_in": ("one in", "the house's setting when the row came: at most one of so many"),
    },
    codes={"question": {each: each for each in protection_levels.QUESTIONS}},
)
