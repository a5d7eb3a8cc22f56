"""Directories, to be compared."""

from pathlib import Path


def files_of(place: Path) -> dict[str, bytes]:
    """Every file under a directory, by its path in it."""
    files = (each for each in place.rglob("*") if each.is_file())
    return {str(each.relative_to(place)): each.read_bytes() for each in files}
