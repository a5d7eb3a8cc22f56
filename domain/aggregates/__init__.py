"""The objects that decide, one a file: each refuses what may not happen, or records an event.

Nothing here loads or saves: a moment and other aggregates are handed in.
"""
