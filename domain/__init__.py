"""The game and the floor: rules, then events, then what decides, then what is asked afterwards.

Knows no database, no command line and no clock: time is handed in. Imports the standard
library, msgspec for events, Babel for currencies, and itself.
"""
