import InputEvents
import Glibc

/// The time since the machine started.
@Sendable func monotonicNow() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
}

/// Polls until `condition` holds, for up to `seconds`; returns whether it does.
func eventually(within seconds: Int64 = 5, _ condition: () -> Bool) -> Bool {
    let deadline = monotonicNow() + .milliseconds(seconds * 1000)
    while !condition() {
        guard monotonicNow() < deadline else { return false }
        usleep(1000)
    }
    return true
}
