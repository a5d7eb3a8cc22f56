"""What stands there when a test begins: tables, houses, evenings, ledgers.

One world a class, with one way to say a line and get its answer (`ask`; `say`, where it must be
accepted). Whatever tests share beside a world is a helper module in their own room.
"""
