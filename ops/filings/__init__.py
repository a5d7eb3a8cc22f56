"""Reports to a regulator as its own files, filled from the record and from patrons' files."""
