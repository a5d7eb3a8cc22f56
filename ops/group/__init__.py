"""Other houses' records, pulled and verified; see README.md."""
