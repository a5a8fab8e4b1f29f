"""Speed, measured on demand and as ratios within one run: `python -m tests.bench`. No test asserts a time."""
