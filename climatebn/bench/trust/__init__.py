"""What the numbers are worth: false arcs, nulls, coverage of intervals, held-out skill, the choice of γ."""
