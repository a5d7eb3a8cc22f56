"""Quick hashes: the house's are slow so that guessing is, and `test_staff_command` sees that."""

from functools import partial

from argon2 import PasswordHasher

QUICK = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
