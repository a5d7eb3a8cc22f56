"""Devices of a house, with keys of their own."""

from ops.commands.signed_on import Token
from ops.door.device import Device

KEY = "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs="  # the public half of some key


def token_of(device: str, key: str = KEY) -> Token:
    """What a device is heard by that proved that it has this key."""
    return Token(device, key=key)


def new_device(directory, number: str = "DEV-1") -> Device:
    """A device with a key of its own in a file."""
    return Device.make(directory / f"{number}.key", number)
