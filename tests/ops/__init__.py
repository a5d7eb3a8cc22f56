"""The outside, tried on a real PostgreSQL: what breaks, what races, what is tampered with."""
