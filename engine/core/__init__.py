"""The rules machine: types, log, dice and play. It knows no title, no clock, no network and no language."""
