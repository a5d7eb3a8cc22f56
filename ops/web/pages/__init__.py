"""The house in a browser: pages over the same record, permissions and words as everywhere else."""
