"""What changes: one aggregate a file. Each decides what may happen, and records it as an event.

Imports `domain.events` and `domain.rules`. Nothing here loads or saves: a moment and other
aggregates are handed in.
"""
