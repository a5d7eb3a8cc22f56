"""What is measured: side by side in one run, as ratios; never as an assertion on a clock."""
