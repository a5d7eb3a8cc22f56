"""What happened: one file per kind of stream, each event with what it does to the state.

An event has its fields once, and is stored for years under its TOPIC: add fields with a default,
never rename or retype one.
"""

STREAMS = (
    *("property", "rule-set", "staff-member", "patron", "slip-book", "form-book"),
    *("table", "table-day", "shoe", "deck", "coup", "commission-account", "cash-day"),
    *(
        "game-account",
        "open-money",
        "ticket",
        "drop-box",
        "day-audit",
        "program-day",
        "signing-keys",
        "checkpoint",
        "terminal",
        "verification",
    ),
    *("alert", "adjudication", "docket", "dispute"),
)  # the first words of all topics; the events of each are in the module of that name
