"""The parts of the bench, a file for each: `measure` takes the run's setting and yields figures."""
