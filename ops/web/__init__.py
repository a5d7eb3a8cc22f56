"""The house server: the one door through which terminals, devices and browsers reach the record."""
