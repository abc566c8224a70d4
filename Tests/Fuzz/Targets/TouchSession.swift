import InputEvents
import Display
import Instrument
import Input

/// Two overlays over one panel, with reports determined by the bytes, and the instrument.
struct TouchSession {
    private let records: ArraySlice<UInt8>
    private let columns: Int
    private let devices: [TouchDevice]
    private var decoders: [OverlayDecoder]
    private var numbers = ContactNumbers()
    private var instrument: Instrument
    private var frame: Frame
    private var now = Instant.zero
    /// Time of the instrument's last event.
    private var lastTime = Instant.zero
    private var fingers: [FingerReport] = []
    /// The contacts that are down, by overlay.
    private var held: [Int: Int] = [:]
    private var drawings = 0

    /// Bytes before the records, which describe the panel, the overlays and the rules.
    static let headerSize = 8
    /// Maximum number of drawings, which are slow.
    private static let drawingsMax = 4
    /// Maximum number of times at which a scale sounds: twelve notes, the octave and the end.
    private static let scaleTimesMax = 14

    init(_ bytes: [UInt8]) {
        let header = Array(bytes.prefix(Self.headerSize)) + [UInt8](repeating: 0, count: Self.headerSize)
        records = bytes.dropFirst(Self.headerSize)
        columns = [44, 46, 50][Int(header[0] % 3)]
        devices = [Self.device(header[1...3]), Self.device(header[4...6])]
        let panelColumns = columns
        decoders = devices.map { OverlayDecoder($0, columns: panelColumns, rows: Instrument.rows) }
        instrument = Instrument(columns: columns, rules: header[7] & 1 == 0 ? .box : .phone)
        frame = Frame(columns: columns, rows: Instrument.rows)
    }

    private static let axes = [
        TouchAxes(x: 0...799, y: 0...479), TouchAxes(x: 0...32767, y: 0...32767),
        TouchAxes(x: Int32.min...Int32.max, y: Int32.min...Int32.max), TouchAxes(x: -1...0, y: 5...6),
    ]

    private static let matrices: [[Double]] = [
        OverlaySettings.identity, [0, -1, 1, 1, 0, 0], [-1, 0, 1, 0, -1, 1], [1.1, 0, -0.05, 0, 1.1, -0.05],
        [100, 100, -100, 100, -100, 100], [0.01, 0, 0.5, 0, 0.01, 0.5],
    ]

    private static func device(_ header: ArraySlice<UInt8>) -> TouchDevice {
        let start = header.startIndex
        var settings = OverlaySettings()
        settings.matrix = matrices[Int(header[start] >> 2) % matrices.count]
        settings.hysteresis = Double(header[start + 1] & 15) / 30
        settings.debounce = .milliseconds(min(Int64(header[start + 1] >> 4) * 7, 100))
        settings.jitter = Double(header[start + 2] & 15) / 8
        settings.hasMedian = header[start + 2] & 16 != 0
        return TouchDevice(axes: axes[Int(header[start] & 3)], settings: settings)
    }

    // MARK: Playing

    mutating func run() throws(Violation) {
        var device = 0
        var rest = records
        while rest.count >= ReportRecord.size {
            let (record, after) = ReportRecord.parse(rest.prefix(ReportRecord.size), devices[device].axes)
            rest = rest.dropFirst(ReportRecord.size)
            now = now + .milliseconds(after)
            switch record {
            case .otherDevice: device = 1 - device
            case .replug: try replug(device)
            case .wait: try wait()
            case .report(let type, let code, let value):
                let report = InputReport(time: now, type: type, code: code, value: value)
                decoders[device].decode(report, &numbers, into: &fingers)
                try play(device)
                if type == InputCode.synchronisation, code == InputCode.report { draw() }
            }
        }
        for device in devices.indices { try replug(device) }
        try require(held.isEmpty, "contacts \(held) are held when every overlay has gone")
        // A scale that was chosen sounds to its end.
        for _ in 0..<Self.scaleTimesMax {
            guard let due = instrument.nextDeadline else { break }
            (now, lastTime) = (max(now, due), max(lastTime, due))
            _ = instrument.update(.tick, at: lastTime)
        }
        try require(instrument.nextDeadline == nil, "the instrument waits for a finger when every overlay has gone")
        draw()
    }

    private mutating func replug(_ device: Int) throws(Violation) {
        decoders[device].cancelAll(at: now, &numbers, into: &fingers)
        try play(device)
        try require(!held.values.contains(device), "contacts \(held) are held when overlay \(device) has gone")
        try require(decoders[device].nextDeadline == nil, "overlay \(device) waits for a finger when it has gone")
        decoders[device] = OverlayDecoder(devices[device], columns: columns, rows: Instrument.rows)
    }

    private mutating func wait() throws(Violation) {
        for device in devices.indices {
            decoders[device].advance(to: now, &numbers, into: &fingers)
            try play(device)
            if let due = decoders[device].nextDeadline {
                try require(due > now, "overlay \(device) is due at \(due), which is not after \(now)")
            }
        }
        lastTime = max(lastTime, now)
        _ = instrument.update(.tick, at: lastTime)
    }

    /// Passes the overlay `device`'s touches to the instrument.
    private mutating func play(_ device: Int) throws(Violation) {
        for finger in fingers {
            try check(finger, on: device)
            lastTime = max(lastTime, finger.time)
            _ = instrument.update(.touch(finger.touch), at: lastTime)
        }
        fingers.removeAll(keepingCapacity: true)
    }

    private mutating func draw() {
        guard drawings < Self.drawingsMax else { return }
        drawings += 1
        instrument.draw(into: &frame, at: lastTime)
    }

    // MARK: Requirements

    private mutating func check(_ finger: FingerReport, on device: Int) throws(Violation) {
        let touch = finger.touch
        let panel = -0.5..<Float(columns) - 0.5
        try require((0..<Touch.contactsMax).contains(touch.contact), "there is a contact \(touch.contact)")
        try require(finger.time <= now, "\(finger) is of the future, it is \(now)")
        try require(
            panel.contains(touch.column) && (-0.5..<Float(Instrument.rows) - 0.5).contains(touch.row),
            "\(touch) is not on the panel")
        try require((0...1).contains(finger.x) && (0...1).contains(finger.y), "\(finger) is not within 0-1")
        if touch.phase == .down {
            try require(held[touch.contact] == nil, "\(touch) is down already")
            held[touch.contact] = device
        } else {
            try require(held[touch.contact] == device, "\(touch) is not down on overlay \(device)")
            if touch.phase != .move { held[touch.contact] = nil }
        }
    }
}
