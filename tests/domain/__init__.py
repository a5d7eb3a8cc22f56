"""The game and the floor, without a database."""
