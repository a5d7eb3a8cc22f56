"""Others who save events in PostgreSQL, each as its documentation has it used for speed."""
