"""Training: a shoe and patrons made from a seed, and somebody else's mistakes to catch.

`faults` are the mistakes, `plan` makes coups and puts mistakes into them, `course` hands them out
and judges what the trainee types, `score` counts; all pure. `session` puts a course before a
terminal's session.
"""
