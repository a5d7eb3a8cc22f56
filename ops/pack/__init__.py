"""What surveillance hands to a regulator: a coup or a case as one file that a stranger checks.

`content` is what stands in its file, field by field; `events` chooses the events, `sections` and
`case_sections` tell them, `paper` prints them.
Imports `ops.replay` and below.
"""
