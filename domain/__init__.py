"""The game and the floor: rules, events, the objects that decide, questions afterwards.

Knows no database, no command line and no clock: time is handed in.
"""
