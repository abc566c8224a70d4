import InputEvents
import EvdevKernel
import Foundation
import Instrument
import Input
import Runtime
import Synchronization
import Testing

@testable import Devices

/// The result of a call that fails with the negative errno.
func result<Number: SignedInteger>(_ number: Number) -> Result<Number, SystemError> {
    number < 0 ? .failure(SystemError(errno: Int32(-number))) : .success(number)
}

/// The errors of the next calls in turn; nil, and every later call, succeeds.
final class Faults: Sendable {
    private let errors: Mutex<[Int32?]>

    init(_ errors: [Int32?]) { self.errors = Mutex(errors) }

    /// The result of `call`, or the next error in its place.
    func result<Value>(of call: () -> Result<Value, SystemError>) -> Result<Value, SystemError> {
        let error = errors.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        return error.map { .failure(SystemError(errno: $0)) } ?? call()
    }
}

/// An input device of the fake kernel.
struct FakeDevice: Sendable {
    var name: String
    var vendor: UInt16 = 0x1234
    var product: UInt16 = 0xabcd
    var properties: [Int32] = []
    var keys: [Int32] = []
    var axes: [(code: UInt16, first: Int32, last: Int32)] = []

    static let direct: Int32 = 1
    static let touchButton = Int32(InputCode.touch)
    static let pens: [Int32] = [0x140, 0x14b]
    static let letters: [Int32] = [
        1, 2, 15, 21, 28, 29, 97, 42, 54, 56, 125, 14, 111, 44, 57, 103, 105, 106, 108,
    ]

    /// An overlay with 100 units per LED.
    static func overlay(_ name: String = "Overlay", slots: Int32 = 10) -> FakeDevice {
        FakeDevice(
            name: name, properties: [direct], keys: [touchButton],
            axes: places(InputCode.x, InputCode.y) + places(InputCode.positionX, InputCode.positionY) + [
                (InputCode.slot, 0, slots - 1), (InputCode.trackingID, 0, 65_535),
            ])
    }

    /// An overlay of protocol A.
    static let anonymous = FakeDevice(
        name: "Anonymous", properties: [direct], keys: [touchButton],
        axes: places(InputCode.x, InputCode.y) + places(InputCode.positionX, InputCode.positionY))

    /// An overlay for one finger.
    static let single = FakeDevice(
        name: "Single", properties: [direct], keys: [touchButton], axes: places(InputCode.x, InputCode.y))

    static let keyboard = FakeDevice(name: "Keyboard", keys: letters)

    private static func places(_ x: UInt16, _ y: UInt16) -> [(code: UInt16, first: Int32, last: Int32)] {
        [(x, 0, 4399), (y, 0, 2399)]
    }

    /// The device with a change.
    func with(_ change: (inout FakeDevice) -> Void) -> FakeDevice {
        var device = self
        change(&device)
        return device
    }

    fileprivate func add() -> Int32 {
        let device = evdev_kernel_add(name, vendor, product)
        for property in properties { evdev_kernel_set_property(device, property) }
        for key in keys { evdev_kernel_set_code(device, Int32(InputCode.key), key) }
        for axis in axes { evdev_kernel_set_axis(device, Int32(axis.code), axis.first, axis.last) }
        return device
    }
}

/// A folder of device nodes, backed by the fake kernel's devices.
final class InputBench {
    let folder: String
    let clock = BenchClock()
    /// The calls on the folder, the real ones unless a test replaces them.
    var folderCalls = InputFolderCalls.linux
    private let record = Record()
    private var all: [Int32] = []
    /// The descriptors watched by the loop.
    var watched: [Int32] { record.state.withLock { $0.watched.sorted() } }
    /// The opened paths.
    var opened: [String] { record.state.withLock { $0.opened } }

    private struct Node {
        var device: Int32
        /// The errno of opening it, or 0.
        var errno: Int32
    }

    private final class Record: Sendable {
        struct State {
            var nodes: [String: Node] = [:]
            var watched: [Int32] = []
            var opened: [String] = []
        }
        let state = Mutex(State())
    }

    init() {
        folder =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("pixelboop-input-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
        for device in all { evdev_kernel_remove(device) }
    }

    var loop: InputLoop {
        InputLoop(
            clock: clock,
            watch: { [record] descriptor in record.state.withLock { $0.watched.append(descriptor) } },
            forget: { [record] descriptor in record.state.withLock { $0.watched.removeAll { $0 == descriptor } } })
    }

    var calls: InputCalls {
        InputCalls(
            open: { [record] path in
                let node = record.state.withLock { state in
                    state.opened.append(path)
                    return state.nodes[path]
                }
                guard let node else { return .failure(SystemError(errno: ENOENT)) }
                return node.errno != 0
                    ? .failure(SystemError(errno: node.errno)) : result(evdev_kernel_open(node.device))
            },
            close: { evdev_kernel_close($0) }, folder: folderCalls)
    }

    func path(_ number: Int) -> String { "\(folder)/event\(number)" }

    /// Plugs in a device, which does not open while `errno` is not 0.
    @discardableResult
    func plug(_ number: Int, _ device: FakeDevice, errno: Int32 = 0) -> Int32 {
        let added = device.add()
        all.append(added)
        record.state.withLock { $0.nodes[path(number)] = Node(device: added, errno: errno) }
        close(creat(path(number), 0o660))
        return added
    }

    func unplug(_ number: Int) {
        let node = record.state.withLock { $0.nodes.removeValue(forKey: path(number)) }
        if let node { evdev_kernel_unplug(node.device) }
        try? FileManager.default.removeItem(atPath: path(number))
    }

    /// Lets a device open from now on.
    func permit(_ number: Int) {
        record.state.withLock { $0.nodes[path(number)]?.errno = 0 }
        chmod(path(number), 0o660)
    }

    func link(_ name: String, to number: Int) {
        try? FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: path(number))
    }
}

/// A clock set by the test.
final class BenchClock: LoopClock {
    private let state = Mutex<(now: Instant, wakes: Int)>((.zero, 0))
    var now: Instant { state.withLock { $0.now } }
    /// Number of interrupted waits.
    var wakes: Int { state.withLock { $0.wakes } }
    func set(_ milliseconds: Int64) { state.withLock { $0.now = Instant(milliseconds: milliseconds) } }
    func wait(until deadline: Instant) {}
    func wake() { state.withLock { $0.wakes += 1 } }
}

/// Overlays on a bench, and their fingers.
final class OverlayBench {
    let bench = InputBench()
    var overlays: TouchOverlays { observed.overlays }
    private(set) var fingers: [FingerReport] = []
    private let observed: ObservedOverlays
    private var input: TouchInput

    /// Passes reading on, and keeps what was read.
    private final class ObservedOverlays: TouchSource {
        let overlays: TouchOverlays
        var ports: [TouchPort]

        init(_ overlays: TouchOverlays) {
            self.overlays = overlays
            ports = Array(repeating: TouchPort(), count: overlays.portCount)
        }

        var portCount: Int { overlays.portCount }

        func read(into ports: inout [TouchPort]) {
            overlays.read(into: &ports)
            self.ports = ports
        }
    }

    init(
        _ selections: [TouchOverlays.Selection] = [.init(.any)], _ folderCalls: InputFolderCalls = .linux,
        screenMatrix: @escaping @Sendable () -> [Double]? = { nil }
    ) {
        let bench = bench
        bench.folderCalls = folderCalls
        observed = ObservedOverlays(
            TouchOverlays(
                selections, screenMatrix: screenMatrix, folder: bench.folder, bench.loop, bench.calls))
        input = TouchInput([observed], columns: 44, rows: 24)
    }

    /// A pass of the loop; returns the fingers' events.
    @discardableResult
    func read(at milliseconds: Int64) -> [FingerReport] {
        bench.clock.set(milliseconds)
        var new: [FingerReport] = []
        input.read(at: bench.clock.now, into: &new)
        fingers += new
        return new
    }

    var phases: [Touch.Phase] { fingers.map(\.touch.phase) }

    /// Positions of the fingers that are down, in hundredths of an LED; nil if they have not alternated landing and
    /// lifting.
    var down: [[Int]]? {
        var places: [Int: [Int]] = [:]
        for touch in fingers.map(\.touch) {
            guard (places[touch.contact] == nil) == (touch.phase == .down) else { return nil }
            let place = [Int((touch.column * 100).rounded()), Int((touch.row * 100).rounded())]
            places[touch.contact] = touch.phase == .down || touch.phase == .move ? place : nil
        }
        return places.values.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The device of each port at the last reading.
    var devices: [TouchDevice?] { observed.ports.map(\.device) }

    /// The input of the first port, bypassing decoding.
    func port(at milliseconds: Int64) -> TouchPort {
        bench.clock.set(milliseconds)
        var ports = Array(repeating: TouchPort(), count: overlays.portCount)
        overlays.read(into: &ports)
        return ports[0]
    }
}

/// One value of a packet.
struct Value: Hashable, Sendable {
    var type: UInt16
    var code: UInt16
    var value: Int32

    static func axis(_ code: UInt16, _ value: Int32) -> Value {
        Value(type: InputCode.absolute, code: code, value: value)
    }
    static func key(_ code: UInt16, _ value: Int32) -> Value { Value(type: InputCode.key, code: code, value: value) }
    static let end = Value(type: InputCode.synchronisation, code: InputCode.report, value: 0)
}

/// Makes the driver of `device` report a packet.
func report(_ device: Int32, _ values: [Value], at microseconds: Int64 = 0) {
    for value in values + [.end] {
        evdev_kernel_report(device, microseconds, Int32(value.type), Int32(value.code), value.value)
    }
}

/// A finger that lands on LED `column`, `row`, or moves to it.
func finger(_ slot: Int32, _ id: Int32?, _ column: Int32, _ row: Int32) -> [Value] {
    var values = [Value.axis(InputCode.slot, slot)]
    if let id { values.append(.axis(InputCode.trackingID, id)) }
    return values + [.axis(InputCode.positionX, 100 * column + 50), .axis(InputCode.positionY, 100 * row + 50)]
}

/// A finger that lifts.
func lift(_ slot: Int32) -> [Value] { [.axis(InputCode.slot, slot), .axis(InputCode.trackingID, -1)] }

/// The result of an overlay's packets.
struct Playback {
    /// Final positions of the fingers; nil if they have not alternated landing and lifting.
    let down: [[Int]]?
    /// Number of times that the kernel's buffer was full.
    let overflows: Int

    /// Plays `packets`, a millisecond apart; the kernel's buffer is full at the value `lost`. Reads after every
    /// `interval` packets.
    init(_ packets: [[Value]], lost: Int? = nil, interval: Int, _ overlay: FakeDevice = .overlay()) {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, overlay)
        rig.read(at: 0)
        var index = 0
        for (number, packet) in packets.enumerated() {
            let microseconds = Int64(number + 1) * 1000
            for value in packet + [.end] {
                if index == lost { evdev_kernel_overflow(device) }
                evdev_kernel_report(device, microseconds, Int32(value.type), Int32(value.code), value.value)
                index += 1
            }
            if number % interval == interval - 1 { rig.read(at: Int64(number + 1)) }
        }
        for pass in 1...2 as ClosedRange<Int64> { rig.read(at: Int64(packets.count) + pass) }
        down = rig.down
        overflows = Int(evdev_kernel_overflows(device))
    }
}
