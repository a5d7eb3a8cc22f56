"""The dealer's terminal and the pit's: a keyboard over the same commands as every other mouth.

`grammar` reads what is typed and knows no table; `said` makes lines of the feed of it, at a table
as it stands (`table_now`). `follow` keeps that true to the ledger, `session` says the lines and
knows the outcome of each. `screen`, `plain` and `training` are faces of a session, `pit` looks on.
"""
