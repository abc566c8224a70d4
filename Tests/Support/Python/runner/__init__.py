"""Builds and runs the tests: `Tests/run` and `Tests/flakes` are its commands."""
