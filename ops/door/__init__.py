"""The house server from outside: what a terminal needs to speak to it, and nothing more.

Nothing here imports the database's driver or the event sourcing library: a terminal that has no
login begins in a tenth of a second.
"""
