"""The game and the floor: cards, rules, wagers, money, and one aggregate a file.

Knows no database, no command line and no clock: time is handed in. Imports the standard
library, the event-sourcing model of `eventsourcing.domain`, and itself.
"""
