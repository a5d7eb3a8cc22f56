"""Training: a shoe and patrons made from a seed, and somebody else's mistakes to catch.

`faults` are the mistakes, `plan` makes coups and puts mistakes into them, `course` hands them out
and judges what the trainee says, `score` counts, `lessons` are the rules in a sentence each; all
pure. `session` puts a course before a terminal's session.
"""
