"""Shoe log: the report on the life of each shoe (R-SHOE-4)."""

from domain.rules.permissions import OF_A_TABLE
from projections.model import Report, narrowed

LOG = Report(
    name="shoe-log",
    title="Shoes",
    about="each shoe from loading to reconciliation",
    read_by=OF_A_TABLE,
    projections=("shoes",),
    columns=(
        *("shoe", "decks", "serials", "batch", "colour", "inspected_by", "verified_by"),
        *("shuffle_method", "shuffle_device", "cut_by", "cut_card", "burn_card", "burned"),
        *(
            "burned_face_down",
            "first_coup",
            "last_coup",
            "coups",
            "drawn",
            "discarded",
            "remaining",
        ),
        "ended_why",
        "difference",
        "verified_proved",
    ),
    sql=f"""
SELECT shoe, decks, serials, batch, colour, inspected_by, verified_by, shuffle_method,
       shuffle_device, cut_by, cut_card, burn_card, burned, face_down AS burned_face_down,
       first_coup, last_coup, coups, drawn, discarded, remaining, ended_why, difference,
       verified_proved
  FROM shoes
 WHERE {narrowed(shoe="shoe")}
 ORDER BY first_position
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe"),
    shown=(
        *("shoe", "coups", "drawn", "burn_card", "burned_face_down", "discarded", "remaining"),
        "difference",
    ),
    words={
        "decks": ("decks", "how many decks were loaded"),
        "serials": ("serials", "serials of the decks"),
        "batch": ("batch", "serial of a pre-shuffled batch"),
        "colour": ("colour", "colour of the card backs"),
        "inspected_by": ("inspected by", "who inspected the cards"),
        "verified_by": ("verified by", "the second person at the inspection or count"),
        "shuffle_method": ("shuffle method", "how the cards were shuffled"),
        "shuffle_device": ("shuffle device", "the shuffling machine"),
        "cut_by": ("cut by", "who cut the cards"),
        "cut_card": ("cut card", "cards behind the cut card"),
        "burn_card": ("burn card", "the card burned face up"),
        "burned_face_down": ("burned face down", "cards burned after it that nobody saw"),
        "first_coup": ("first coup", "the first coup of the shoe"),
        "last_coup": ("last coup", "the last coup of the shoe"),
        "ended_why": ("ended why", "why the shoe ended"),
        "verified_proved": ("verified proved", "how that person signed, as under approved proved"),
    },
)
