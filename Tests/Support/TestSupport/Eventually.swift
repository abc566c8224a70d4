import Glibc

/// Polls until `condition` holds, for up to `seconds`; returns whether it does.
public func eventually(within seconds: Int64 = 5, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < end else { return false }
        usleep(500)
    }
    return true
}
