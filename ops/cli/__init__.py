def main() -> None:
    """."""
