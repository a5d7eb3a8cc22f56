"""Evenings that never were: made from a seed, or from recorded shoes, and said to a dispatcher."""
