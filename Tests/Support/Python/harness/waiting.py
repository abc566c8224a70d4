"""Waiting for a condition."""

import time

from harness.results import Failure, Unanswered

# Deadline of a wait. Only a hang reaches it: on a busy machine a reaction takes seconds.
LIMIT_SECONDS = 180
PAUSE_SECONDS = 0.02


def wait(what, condition, seconds=LIMIT_SECONDS):
    """Returns the result of `condition` once it is true; raises a Failure that names `what` if it never is. A condition that is
    Unanswered is not true yet."""
    deadline = time.monotonic() + seconds
    while not (result := _answer(condition)):
        if time.monotonic() > deadline:
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(PAUSE_SECONDS)
    return result


def _answer(condition):
    try:
        return condition()
    except Unanswered:
        return None
