"""Hashes that are quick: the house's own are slow so that guessing is, as `test_staff_command` sees."""

from functools import partial

from argon2 import PasswordHasher

QUICK = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
