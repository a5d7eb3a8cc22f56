"""What people look for by what they write, and the page about it, for who may open it."""
