"""Tables as they are now, followed from their events; whoever shows one reads it here."""
