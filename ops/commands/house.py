"""Commands about the house: its settings, and its own rule sets."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from domain.rules.money import LARGEST_AMOUNT
from domain.rules.permissions import BOSSES, WATCH, Permission
from domain.rules.protection_levels import COMPARED, LEAST, MOST, QUESTIONS
from ops.commands.command import Command, Reason, Text, one_of

FileText = Annotated[
    str,
    Meta(
        pattern=r"^[^\x00]+\Z",
        max_length=100_000,
        description="write a path, or the text itself with its line breaks",
    ),
]


class PropertySet(Command, tag="property.set"):
    """Changes a setting of the house."""

    name: Text
    value: (
        Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT, description="write what the setting takes")]
        | Reason
    ) = msgspec.field()

    arguments = ("name", "value")
    permission = Permission(("administrator",))
    example = "property set reporting_amount 10,000"
    field_help: ClassVar[Mapping[str, str]] = {
        "name": "The setting.",
        "value": "The new value; amounts are minor currency units.",
    }
    more_help = """
\b
NAME is one of these, and VALUE what it takes:
  name                    a text, printed at the head of reports and papers
  currency                three letters, as in USD; before the first table
  zone                    the time zone of the house, as in Europe/Vienna
  day_start               when a gaming day begins there, as in 06:00
  shifts                  names with the times at which they begin, as in
                          'day 06:00, swing 14:00, grave 22:00'; or one name
  helpline                a text for patrons, printed on receipts
  reporting_amount        an amount: a patron's cash above it is reported, as
                          long as the house has chosen no regime
  variance_report         an amount: a tray that is off by more is reported
  variance_regulator      an amount: off by this or more, tell the regulator
  adjustment_report       an amount: larger corrections of money are listed
  chips                   amounts: the house's own denominations, beside those
                          of its rule sets, as in '0.25, 2.50'; or none
  fill_floor              an amount: a tray below it needs a fill; 0: none
  fill_share              0 to 100: a tray needs a fill below so many per cent
                          of its opener, all in all or of one denomination
  little_play_cash        0 to 100: a patron who brings and takes so many per
                          cent of reporting_amount in a day, with little play,
                          is an alert; 0: never
  little_play_share       1 to 1000: bets below so many per cent of that cash
                          are little play
  checkpoint_to           where every signed checkpoint goes: directories,
                          mailto: addresses and https:// addresses of
                          witnesses, with blanks between; or none
  box_hours               1 to 168: a drop box taken off so long ago and not
                          counted is an alert
  idle_minutes            1 to 1440: a table idle for so long is an alert
  session_hours           1 to 24: how long a sign-on lasts
  session_idle_minutes    0 to 1440: a sign-on through the house server ends
                          after so long without a request; 0: never
  pin_digits              4 to 12: shortest PIN of supervisors and above
  regulator               nevada, singapore or none: sets the three below
  dispute_notice_from     an amount: the regulator is notified of disputes of
                          this and more; 0: of none
  dispute_notice_minutes  1 to 1440: time to notify the regulator
  dispute_patron_days     0 to 366: days a patron has to appeal to it
"""


class PropertyLevel(Command, tag="property.level"):
    """Changes how seldom chance must do as much before game protection makes a row, by two people.

    Rows that are there keep the level of their time.
    """

    question: Annotated[str, one_of((*QUESTIONS, COMPARED))]
    level: Annotated[
        int, Meta(ge=LEAST, le=MOST, description=f"write a whole number from {LEAST} to {MOST}")
    ]

    arguments = ("question", "level")
    permission = Permission(
        ("surveillance",), (*WATCH, "administrator"), must=True, two_in_open_house=True
    )
    example = "property level 'new deck' 100000 --with A-1"
    field_help: ClassVar[Mapping[str, str]] = {
        "question": "A question of `report protection`; or compared, for `dealers-compared` and "
        "`patrons-compared`.",
        "level": "A row comes by chance for at most one of so many shoes, patrons or dealers; for "
        "compared, one of so many who are named is there by chance.",
    }


class RulesApprove(Command, tag="rules.approve"):
    """Approves a rule set of the house's own, from a TOML file, by two people.

    They are shown the house edge of every spot, and what is other than in the version before and
    in the rule set that it is based on. A bet that favours the patron must be confirmed. FILE may
    be the name of a sheet, as `sabot rules shelf` lists them.
    """

    file: FileText
    confirmed: bool = False

    arguments = ("file",)
    permission = Permission(
        ("administrator", "pit-boss"), (*BOSSES, "administrator"), must=True, two_in_open_house=True
    )
    example = "rules approve riverside.toml --with S-11"
