import Runtime

/// The parts of the loop that input devices use. The loop's thread reads the devices.
struct InputLoop {
    /// The loop's clock.
    let clock: any LoopClock
    /// Adds a descriptor that ends the loop's wait while it is readable.
    let watch: (_ descriptor: Int32) -> Void
    /// Removes a descriptor, before it is closed.
    let forget: (_ descriptor: Int32) -> Void
}

extension InputLoop {
    init(_ clock: SystemClock) {
        self.init(clock: clock, watch: { clock.watch($0) }, forget: { clock.forget($0) })
    }
}
