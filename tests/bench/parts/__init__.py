"""What is measured, a file for each part: `measure` takes the run's setting and gives figures."""
