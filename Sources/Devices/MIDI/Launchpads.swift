import Display
import Input
import InputEvents
import Instrument
import Panel
import Runtime
import Synchronization

/// Launchpads as windows of the panel: their pads are fingers of a touch overlay, and their lights are the panel's.
/// `MIDIPorts` connects them. All but `show` is for the loop's thread.
public final class Launchpads: TouchSource, PictureOutput, @unchecked Sendable {
    private struct Pads {
        var launchpad: Launchpad
        let address: MIDIAddress
    }

    /// The connected ones, by the number of their connection.
    private var pads: [Int: Pads] = [:]
    private let columns: Int
    private let clock: any LoopClock
    /// The finger of each pad that is pressed.
    private var fingers: [Int: Int] = [:]
    private var reports: [InputReport] = []
    private var landings: Int32 = 0
    private var lastLights = Instant.zero
    private var buttons = Launchpad.Buttons(
        scenes: [RGB](repeating: .black, count: 8), tracks: [RGB](repeating: .black, count: 4))
    private let picture: Mutex<[RGB]>

    /// Time between two updates of the lights: 30 a second.
    private static let interval = Instant.Span(microseconds: 33_333)
    /// Units of the overlay's axes in an LED: the middle is the first.
    private static let units: Int32 = 2
    /// Pads at once.
    private static let fingersMax = 16

    /// None yet; beside a panel of `columns`. A pad wakes `clock`.
    public init(columns: Int, clock: any LoopClock) {
        self.columns = columns
        self.clock = clock
        picture = Mutex([RGB](repeating: .black, count: columns * Frame.panelRows))
    }

    /// Keeps the panel's picture for the lights.
    public func show(_ drawn: [RGB], by driver: PanelDriver) {
        picture.withLock { $0.replaceSubrange(0..., with: drawn) }
    }

    /// Whether any is connected.
    public var isThere: Bool { !pads.isEmpty }

    /// Sets the lights of scenes and tracks.
    public func follow(_ buttons: Launchpad.Buttons) { self.buttons = buttons }

    // MARK: Fingers

    /// One overlay, while any is connected.
    public let portCount = 1

    /// Reads the pads since the last call.
    public func read(into ports: inout [TouchPort]) {
        guard !pads.isEmpty || !reports.isEmpty else { return ports[0].device = nil }
        let (width, height) = (Int32(columns) * Self.units, Int32(Frame.panelRows) * Self.units)
        ports[0].device = TouchDevice(axes: TouchAxes(x: 0...width - 1, y: 0...height - 1))
        ports[0].reports += reports
        reports.removeAll(keepingCapacity: true)
    }

    private func report(_ slot: Int, _ values: [(code: UInt16, value: Int32)], at time: Instant) {
        func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
            reports.append(InputReport(time: time, type: type, code: code, value: value))
        }
        add(InputCode.absolute, InputCode.slot, Int32(slot))
        for (code, value) in values { add(InputCode.absolute, code, value) }
        add(InputCode.synchronisation, InputCode.report, 0)
        // The loop has read its overlays in this pass.
        clock.wake()
    }

    private func perform(_ action: Launchpad.Action, connection: Int, at time: Instant) -> Instrument.Event? {
        switch action {
        case .land(let pad, let column, let row):
            let taken = Set(fingers.values)
            guard let slot = (0..<Self.fingersMax).first(where: { !taken.contains($0) }) else { return nil }
            fingers[100 * connection + pad] = slot
            landings = (landings + 1) & 0xffff
            report(
                slot,
                [
                    (InputCode.trackingID, landings), (InputCode.positionX, Int32(column) * Self.units + 1),
                    (InputCode.positionY, Int32(row) * Self.units + 1),
                ], at: time)
        case .lift(let pad):
            guard let slot = fingers.removeValue(forKey: 100 * connection + pad) else { return nil }
            report(slot, [(InputCode.trackingID, -1)], at: time)
        case .scene(let slot): return .remote(.scene(slot))
        case .mute(let place): return Track(rawValue: place).map { .remote(.toggleMute($0)) }
        }
        return nil
    }

    // MARK: Connections

    /// Whether the port is the port of a Launchpad's pads; its first port is for other programs.
    static func isPads(_ details: MIDIPortDetails) -> Bool {
        details.isHardware && Launchpad.Model(name: details.client) != nil && details.address.port % 32 == 1
    }

    /// Whether the port is any of a Launchpad: it plays no track, and no notes are sent to it.
    static func isOwn(_ details: MIDIPortDetails) -> Bool {
        details.isHardware && Launchpad.Model(name: details.client) != nil
    }

    /// A Launchpad's pads were connected; returns the message to send to it.
    func connect(_ details: MIDIPortDetails, _ connection: Int) -> [UInt8] {
        guard let model = Launchpad.Model(name: details.client) else { return [] }
        let launchpad = Launchpad(model, columns: columns)
        pads[connection] = Pads(launchpad: launchpad, address: details.address)
        return launchpad.mode(isOn: true)
    }

    /// A Launchpad has gone: its pads are lifted.
    func disconnect(_ connection: Int, at now: Instant) {
        for action in pads[connection]?.launchpad.liftAll() ?? [] {
            _ = perform(action, connection: connection, at: now)
        }
        pads[connection] = nil
    }

    /// Handles a message of a Launchpad's pads; returns the event that it requests beside the fingers.
    func handle(_ message: MIDIMessage, from connection: Int, at time: Instant) -> Instrument.Event? {
        let action: Launchpad.Action?
        switch message {
        case .noteOn(_, let key, _): action = pads[connection]?.launchpad.handle(key, isDown: true)
        case .noteOff(_, let key): action = pads[connection]?.launchpad.handle(key, isDown: false)
        case .control(_, let number, let value): action = pads[connection]?.launchpad.handle(number, isDown: value > 0)
        default: return nil
        }
        return action.flatMap { perform($0, connection: connection, at: time) }
    }

    /// The messages of lights that are due at `now`, and where to.
    func lights(at now: Instant) -> [(bytes: [UInt8], address: MIDIAddress)] {
        guard !pads.isEmpty, now - lastLights >= Self.interval else { return [] }
        lastLights = now
        let picture = picture.withLock { $0 }
        var messages: [(bytes: [UInt8], address: MIDIAddress)] = []
        for connection in pads.keys.sorted() {
            guard let address = pads[connection]?.address else { continue }
            for bytes in pads[connection]?.launchpad.lights(picture, buttons) ?? [] {
                messages.append((bytes, address))
            }
        }
        return messages
    }

    /// The messages that give all Launchpads their pads back.
    var farewell: [(bytes: [UInt8], address: MIDIAddress)] {
        pads.values.map { ($0.launchpad.mode(isOn: false), $0.address) }
    }
}
