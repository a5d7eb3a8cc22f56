"""A coup or a case as one file for a regulator, which a stranger can check.

`content` has the fields of the file; `events` chooses the events, `sections` and `case_sections`
put them into tables, `paper` prints them. Imports `ops.replay` and below.
"""
