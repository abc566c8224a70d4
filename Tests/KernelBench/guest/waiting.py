"""Waiting for what is to happen. Every limit is generous: emulation is slow, and only failures reach one."""

import time

LIMIT_SECONDS = 60


class Failure(Exception):
    """What was expected, and what there was instead."""


class Stalled(Exception):
    """The machine stood still for so long that what was to be done or seen could not be: that is no result."""


class Skipped(Exception):
    """What there is not, and is not needed."""


def nanoseconds():
    """The time that the kernel's recordings have: CLOCK_MONOTONIC."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def until(condition, what, seconds=LIMIT_SECONDS, detail=lambda: ""):
    """Returns what `condition` says as soon as it is true; a Failure that names `what` if it never becomes so."""
    end = time.monotonic() + seconds
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > end:
            raise Failure(f"{what}: not within {seconds} s{detail()}")
        time.sleep(0.005)


def check(is_so, what):
    """A Failure that says `what` there was, unless `is_so`."""
    if not is_so:
        raise Failure(what)
