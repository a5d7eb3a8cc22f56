"""What a dealer types, read: `grammar` makes an act of a line, and knows no table.

`tokens` are its smallest parts; `bets` and `words` read the two kinds of line; `acts` are what
they ask for. Imports `domain` and `ops.commands`.
"""
