"""Waiting for events. Every limit is generous: only failures reach one."""

import time

LIMIT_SECONDS = 60


class Failure(Exception):
    """A failed expectation, with the actual state."""


class Skipped(Exception):
    """A missing, optional part."""


def nanoseconds():
    """The time base of the kernel's recordings: CLOCK_MONOTONIC."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def until(condition, what, seconds=LIMIT_SECONDS, detail=lambda: ""):
    """Returns the result of `condition` once it is true; raises a Failure naming `what` if it never is."""
    end = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > end:
            raise Failure(f"{what}: not within {seconds} s{detail()}")
        time.sleep(0.02)


def check(is_so, what):
    """Raises a Failure of `what` unless `is_so`."""
    if not is_so:
        raise Failure(what)
