"""The house: its settings, and the rule sets that tables are dealt by."""

from typing import Annotated

import msgspec
from msgspec import Meta

from domain.rules.money import LARGEST_AMOUNT
from domain.rules.permissions import BOSSES, Permission
from ops.commands.command import Command, Reason, Text

FileText = Annotated[
    str,
    Meta(
        pattern=r"^[^\x00]+\Z",
        max_length=100_000,
        description="it is a path, or the text itself with its line breaks",
    ),
]


class PropertySet(Command, tag="property.set"):
    """A setting of the house, from now on."""

    name: Text
    value: Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT)] | Reason = msgspec.field()

    arguments = ("name", "value")
    permission = Permission(("administrator",))
    example = "property set reporting_amount 10,000"
    more_help = """
\b
NAME is one of these, and VALUE what it takes:
  name                    a text, which heads reports and papers
  currency                three letters, as in USD; before the first table
  zone                    as in Europe/Vienna: the house's clock
  day_start               when a gaming day begins there, as in 06:00
  helpline                a text, for patrons
  reporting_amount        an amount: a patron's cash of a day is reported
  variance_report         an amount: a tray off by more is reported
  variance_regulator      an amount: off by that, the regulator hears
  idle_minutes            1 to 1440: without a coup for so long is an alert
  session_hours           1 to 24: then whoever signed on signs on again
  pin_digits              4 to 12: for the PIN of supervisors and above
  regulator               nevada, singapore or none: sets the three below
  dispute_notice_from     an amount, or 0: disputes from there are notified
  dispute_notice_minutes  1 to 1440: until when
  dispute_patron_days     0 to 366: for how long a patron may turn to it
"""


class RulesApprove(Command, tag="rules.approve"):
    """A rule set of the house's own goes on record from a TOML file; it takes two people."""

    file: FileText

    arguments = ("file",)
    permission = Permission(
        ("administrator", "pit-boss"), (*BOSSES, "administrator"), must=True, two_in_open_house=True
    )
    example = "rules approve riverside.toml --with S-11"
