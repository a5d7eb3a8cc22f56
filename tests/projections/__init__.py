"""The read side, grown on a real PostgreSQL from what is said at a table, line by line."""
