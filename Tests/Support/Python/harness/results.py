"""Results of a check: lines `ok` and `FAIL`, and its exit status."""

import subprocess
import sys

# Exit status of a skipped check; its last line is the reason.
SKIPPED = 77


class Failure(Exception):
    """A failed expectation, with the actual state."""


class Unanswered(Failure):
    """A question that cannot be answered now, because what would answer is being replaced. It may be asked again."""


class Skip(Exception):
    """The reason why a check, or its last part, cannot run on this machine."""


def require(is_so, problem):
    if not is_so:
        raise Failure(problem)


def expect(found, wanted):
    if found != wanted:
        raise Failure(f"is {str(found)[:300]}, should be {str(wanted)[:300]}")


def ok(text):
    print(f"ok    {text}", flush=True)


def fail(text):
    print(f"FAIL  {text}", flush=True)


def run_each(checks):
    """Runs pairs of a title and a check, which may return a note; prints a line each. Returns the number of failures."""
    failures = 0
    for title, check in checks:
        try:
            note = check()
            ok(title + (f" ({note})" if note else ""))
        except Failure as failure:
            failures += 1
            fail(f"{title}: {failure}")
    return failures


def main(check):
    """Runs `check`, which may return a number of failures, and ends the program with its status."""
    try:
        status = 1 if check() else 0
    except Skip as reason:
        print(reason, flush=True)
        status = SKIPPED
    except (Failure, OSError, subprocess.SubprocessError) as error:
        fail(error)
        status = 1
    sys.exit(status)
