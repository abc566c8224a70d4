"""Errors: each is one line that says what is wrong, where, and what to do."""


class BenchError(Exception):
    """Base of all errors of this package."""


class ProgramMissing(BenchError):
    """The program `pixelboop` was not found, or is not executable."""


class ProgramEnded(BenchError):
    """`pixelboop drive` has ended, or closed its socket."""


class Refused(BenchError):
    """A request that the box refused; it changed nothing.

    `place` is the key of the request that is wrong, `problem` what is wrong and what to do.
    """

    def __init__(self, do: str, place: str, problem: str) -> None:
        super().__init__(f"{do}: {place}: {problem}" if place else f"{do}: {problem}")
        self.place, self.problem = place, problem


class DeadlinePassed(BenchError, TimeoutError):
    """A condition was not met within its time."""


class ConnectionLost(BenchError, ConnectionError):
    """The connection to a live box was refused or has ended.

    `code` is the close code of the WebSocket (RFC 6455, 7.4), or the HTTP status of a refused opening; None if the network failed.
    """

    def __init__(self, problem: str, code: int | None = None) -> None:
        super().__init__(problem)
        self.code = code
