"""Game protection: what the record shows that chance does not explain."""
