"""The state of every open table, and what needs a person, as rows, lines and words."""
