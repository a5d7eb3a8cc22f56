"""What people read: events, amounts, cards and columns in words; paper, and its templates.

The lowest room: imports `domain` and `projections`, and nothing else of `ops`.
"""
