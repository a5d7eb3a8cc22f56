"""The manual, the README and the rooms' own pages: what they say to type is run."""
