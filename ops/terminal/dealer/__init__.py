"""The dealer's terminal, on the whole screen or line by line: one session, two ways to see it.

`said` makes lines of the feed of what was typed, at a table as it stands (`table_now`); `session`
says them and knows what became of each. `journal` keeps what a kill must not lose, `presence` who
is there; `listener` and `follow` keep the table true to the ledger. `screen` and `plain` show it.
"""
