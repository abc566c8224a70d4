import Runtime

/// What touch devices, keyboards and GPIO lines need of the loop, whose thread reads them.
struct InputLoop {
    /// Its clock.
    let clock: any Clock
    /// Lets a descriptor end the loop's wait.
    let watch: (_ descriptor: Int32) -> Void
    /// Forgets a descriptor, which is about to be closed.
    let forget: (_ descriptor: Int32) -> Void
}

extension InputLoop {
    init(_ clock: SystemClock) {
        self.init(clock: clock, watch: { clock.watch($0) }, forget: { clock.forget($0) })
    }
}
