"""The words for people: events, amounts, cards and columns; also paper, with its templates.

The lowest room of `ops`: imports `domain` and `projections` only.
"""
