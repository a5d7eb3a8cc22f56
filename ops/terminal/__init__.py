"""The dealer's terminal and the pit's: a keyboard over the same commands as every other mouth.

`grammar` reads what is typed (`tokens`, `acts`) and knows no table; `said` makes lines of the feed
of it, at a table as it stands (`table_now`). `in_question` tells a second person what they would
change, `refused` why the ledger would not. `session` says the lines and knows the outcome of each;
`journal` keeps what a kill must not lose, `presence` who is there, and `listener` and `follow` the
table true to the ledger. `screen` and `plain` are the faces of a session, `training` is a session
that judges, `pit` looks on; `hang_up` ends each of them with its terminal. `face`, `pane` and
`keyboard` are what the faces on a whole screen share on Textual; `figures`, `inks`, `due` and all
else that they show know nothing of it.
"""
