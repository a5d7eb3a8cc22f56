"""Questions about the record afterwards, from events alone: replay, adjudication, audit, what if.

Imports `domain.aggregates` for their events, and `domain.rules` to judge them.
"""
