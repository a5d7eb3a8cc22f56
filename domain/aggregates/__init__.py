"""What changes: one aggregate a file. Each decides what may happen, and states it as an event.

Imports `domain.rules`. Nothing here loads or saves: a moment and other aggregates are handed in.
"""
