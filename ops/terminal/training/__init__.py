"""Training: a shoe and patrons made from a seed, with mistakes for the trainee to catch.

`faults` are the mistakes, `plan` makes coups and puts mistakes into them, `course` shows them and
judges what the trainee types, `score` counts; all pure. `session` puts a course before a terminal's
session.
"""
