"""What every full screen is made of: the app, its keys and colours, lines of text, how it ends."""
