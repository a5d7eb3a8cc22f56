"""What happens: one file a stream, with each event and what it does to the stream's state.

An event has its fields once, and is stored for years under its TOPIC: add fields with a default,
never rename or retype one. Imports `domain.rules`, and msgspec, of which events are made.
"""

STREAMS = (
    *("property", "rule-set", "staff-member", "patron", "slip-book"),
    *("table", "table-day", "shoe", "deck", "coup", "commission-account", "cash-day"),
    *("alert", "adjudication", "docket", "dispute"),
)  # the first words of all topics; the events of each are in the module of that name
