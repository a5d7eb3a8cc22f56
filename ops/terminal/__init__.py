"""Keyboards over the same commands as every other channel: the dealer's, training."""
