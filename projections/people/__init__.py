"""People: patrons and what they bet, dealers, who signed on, who read what."""
