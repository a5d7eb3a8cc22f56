"""How soon each cheat is seen, and how often an honest shoe or patron is taken for one.

A file a question: `CHEATS`, after how many coups the evening of a seed is seen (None: never), and
`HONEST`, whether the honest shoe or patron of a seed has a row. Nothing is recorded.
"""
