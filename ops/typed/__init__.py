"""Reads what a dealer types: `grammar` makes an act of a line, without the state of a table.

`tokens` are its smallest parts; `bets` and `words` read the two kinds of line; `acts` are what
they ask for.
"""
