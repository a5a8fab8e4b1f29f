"""Half a year of a club, simulated: real passes, store and mail servers; people with habits; and a clock that jumps."""
