"""Compiled loops over arrays and integers. They know no names, no criteria and no xarray."""
