"""Other libraries that save events in PostgreSQL, used for speed as their documentation says."""
