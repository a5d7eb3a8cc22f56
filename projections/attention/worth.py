"""Worth: the exact edge of every spot for the cards that a shoe has left, for who watches."""

from domain.rules.permissions import WATCH, Reading
from projections import no_total
from projections.model import Report, narrowed

# `ops.reports.computed` has the odds. Without a shoe that is asked for: those that are in play.
REPORT = Report(
    name="worth",
    title="Worth of the shoe",
    about="each spot's exact edge for the cards that a shoe has left",
    read_by=Reading(WATCH),
    projections=("protection",),
    columns=(
        *("shoe", "table", "day", "rules", "dealt", "face_down", "unseen"),
        *("edges", "best", "counter_money"),
    ),
    sql=f"""
SELECT shoe, table_code AS "table", gaming_day AS day, rules,
       jsonb_array_length(cards) AS dealt, hidden.many AS face_down,
       52 * decks - jsonb_array_length(cards) + hidden.many AS unseen,
       shoes.of AS edges, shoes.of AS best, shoes.of AS counter_money
  FROM protected_shoes
 CROSS JOIN LATERAL (
       SELECT count(*) AS many FROM jsonb_array_elements(cards) AS each
        WHERE each = 'null') AS hidden
 CROSS JOIN LATERAL (
       SELECT jsonb_build_object(
           'rules', rules, 'decks', decks, 'left', cards, 'numbers', numbers) AS of) AS shoes
 WHERE {narrowed(shoe="shoe")}
   AND (NOT ended OR shoe = %(shoe)s)
 ORDER BY table_code, gaming_day, shoe
""",  # noqa: S608
    money=("counter_money",),
    narrowings=("table", "shoe"),
    shown=("shoe", "dealt", "unseen", "edges", "best", "counter_money"),
    no_total=no_total.MIXED,
    newest_first=False,
    words={
        "dealt": ("dealt", "how many cards left the shoe"),
        "face_down": ("face down", "how many of them nobody saw; they count as still left"),
        "unseen": ("unseen", "how many cards may still come, those that left face down with them"),
        "edges": (
            "edges",
            "of each spot: the edge for the patron now and with the full shoe, exactly; how many "
            "coups began with one above zero, and the sum of these",
        ),
        "best": ("best", "the spot with the highest edge now"),
        "counter_money": (
            "counter",
            "what a perfect counter may expect to have made so far, with the most that each spot "
            "takes wherever its edge was above zero",
        ),
    },
)
