"""The board: how every open table stands now, and what needs a person, as rows, lines and words."""
