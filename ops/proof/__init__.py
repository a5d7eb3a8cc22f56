"""Proof for strangers: the tree over the events, signed checkpoints, and what they prove."""
