"""Game protection: what the recorded cards say that chance does not explain."""
