"""Verifies the record: every event and every command again.

`scanning` hashes ranges of the two chains, `diagnosis` names what is wrong with an event,
`matching` compares commands with their events, `verification` runs them all.
"""
