"""What surveillance hands to a regulator: a coup or a case as one file that a stranger checks.

`content` has the fields of its file; `events` chooses the events, `sections` and `case_sections`
put them into tables, `paper` prints them.
"""
