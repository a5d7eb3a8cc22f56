"""What is dealt and bet: coups, wagers, shoes, and the tables as they are now."""
