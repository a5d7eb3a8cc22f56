"""What is asked of the record afterwards, of events alone: replay, adjudication, audit, what if.

Imports `domain.aggregates` for their events, and `domain.rules` to judge them by.
"""
