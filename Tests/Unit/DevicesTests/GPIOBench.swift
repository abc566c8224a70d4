import InputEvents
import CGPIO
import Glibc
import Instrument
import Runtime
import Synchronization

@testable import Devices

/// A GPIO chip of 54 lines whose edges the test generates; selected calls fail.
final class FakeGPIO: Sendable {
    struct State {
        var names: [String: UInt32] = ["GPIO3": 3, "OE": 27]
        var consumers: [UInt32: String] = [:]
        /// Active lines; all others are inactive.
        var active: Set<UInt32> = []
        var edges: [gpio_edge] = []
        var settings: [gpio_line_setting] = []
        /// The calls, with the reason of opening and requesting.
        var log: [String] = []
        /// Results of the next calls of each kind, in place of the real ones.
        var opens: [Int32] = []
        var requests: [Int32] = []
        var reads: [Int32] = []
        var values: [Int32] = []
        var writes: [Int32] = []
        var next = 100
    }

    let state = Mutex(State())

    var log: [String] { state.withLock { $0.log } }
    func count(_ word: String) -> Int { log.count { $0.hasPrefix(word) } }
    func fail(_ errors: [Int32], _ calls: WritableKeyPath<State, [Int32]>) {
        state.withLock { $0[keyPath: calls] = errors }
    }

    /// Makes the line at `offset` active or inactive; the kernel queues the edge unless it `isLost`.
    func edge(_ offset: UInt32, _ isActive: Bool, at microseconds: Int64, isLost: Bool = false) {
        state.withLock { state in
            if isActive { state.active.insert(offset) } else { state.active.remove(offset) }
            guard !isLost else { return }
            state.edges.append(gpio_edge(offset: offset, is_active: isActive, nanoseconds: microseconds * 1000 + 999))
        }
    }

    private static func failure(_ errors: inout [Int32]) -> SystemError? {
        guard let first = errors.first else { return nil }
        errors.removeFirst()
        return first == 0 ? nil : SystemError(errno: first)
    }

    private func number(_ errors: WritableKeyPath<State, [Int32]>, _ entry: String) -> Result<Int, SystemError> {
        state.withLock { state in
            state.log.append(entry)
            if let failure = Self.failure(&state[keyPath: errors]) { return .failure(failure) }
            state.next += 1
            return .success(state.next)
        }
    }

    var calls: GPIOCalls {
        GPIOCalls(
            open: { self.number(\.opens, "open \($0)") },
            close: { _ in self.state.withLock { $0.log.append("close") } },
            find: { _, name in
                self.state.withLock { $0.names[name].map { .success($0) } ?? .failure(SystemError(errno: ENOENT)) }
            },
            describe: { _, offset in
                guard offset < 54 else { return .failure(SystemError(errno: EINVAL)) }
                return .success(GPIOLineDetails(name: "", consumer: self.state.withLock { $0.consumers[offset] }))
            },
            request: { _, direction, lines in
                self.state.withLock { $0.settings = lines }
                return self.number(\.requests, "request \(direction) \(lines.map(\.offset))")
            },
            descriptor: { Int32($0) },
            read: { _, edges in
                self.state.withLock { state in
                    if let failure = Self.failure(&state.reads) { return .failure(failure) }
                    let count = min(edges.count, state.edges.count)
                    for index in 0..<count { edges[index] = state.edges[index] }
                    state.edges.removeFirst(count)
                    return .success(count)
                }
            },
            value: { _, offset in
                self.state.withLock { state in
                    if let failure = Self.failure(&state.values) { return .failure(failure) }
                    return .success(state.active.contains(offset))
                }
            },
            setValue: { _, offset, value in
                self.state.withLock { state in
                    if let failure = Self.failure(&state.writes) { return .failure(failure) }
                    state.log.append("set \(offset) \(value)")
                    return .success(())
                }
            },
            release: { _ in self.state.withLock { $0.log.append("release") } },
            switchOffAtDeath: { request, offsets in
                self.state.withLock { $0.log.append(request == 0 ? "live" : "at death \(offsets)") }
            })
    }
}

/// A clock set by the test.
final class SetClock: LoopClock {
    private let time = Mutex(Instant.zero)
    var now: Instant { time.withLock { $0 } }
    func set(_ now: Instant) { time.withLock { $0 = now } }
    func wait(until deadline: Instant) {}
    func wake() {}
}

/// Descriptors registered with the loop's clock.
final class Watched {
    var log: [String] = []
}

/// Buttons and knobs on a fake chip.
final class Bench {
    let gpio = FakeGPIO()
    let clock = SetClock()
    private let watch = Watched()
    var watched: [String] { watch.log }
    let controls: GPIOControls

    init(_ change: (inout GPIOControls.Wiring) -> Void = { _ in }) {
        var wiring = GPIOControls.Wiring()
        wiring.play = .init(.number(5))
        wiring.shift = .init(.number(6), isActiveLow: false)
        wiring.power = .init(.name("GPIO3"))
        wiring.tempo = .init(a: .number(22), b: .number(23))
        wiring.volume = .init(a: .number(24), b: .number(25))
        change(&wiring)
        // Open contacts are pulled up.
        gpio.state.withLock { $0.active = [22, 23, 24, 25] }
        controls = GPIOControls(
            wiring,
            InputLoop(
                clock: clock, watch: { [watch] in watch.log.append("+\($0)") },
                forget: { [watch] in watch.log.append("-\($0)") }), gpio.calls)
    }

    /// The events read at `milliseconds`.
    @discardableResult
    func read(at milliseconds: Int64) -> [ControlEvent] {
        clock.set(Instant(milliseconds: milliseconds))
        var events: [ControlEvent] = []
        controls.read(into: &events)
        return events
    }

    /// Turns the knob at `a` and `b` by one detent, its last edge at `milliseconds`.
    func turn(_ a: UInt32, _ b: UInt32, way: Int, at milliseconds: Int64) {
        let (first, second) = way > 0 ? (a, b) : (b, a)
        for (offset, isActive, before) in [(first, false, 3), (second, false, 2), (first, true, 1), (second, true, 0)] {
            gpio.edge(offset, isActive, at: milliseconds * 1000 - Int64(before))
        }
    }
}

func event(_ microseconds: Int64, _ event: Instrument.Event) -> ControlEvent {
    ControlEvent(time: Instant(microseconds: microseconds), event: event)
}
