import InputEvents
import Input

/// A decoder, and its reports of a device's fingers.
struct Fingers {
    private(set) var reports: [FingerReport] = []
    private var decoder: OverlayDecoder
    private var numbers = ContactNumbers()

    init(_ device: TouchDevice, columns: Int = 44, rows: Int = 24) {
        decoder = OverlayDecoder(device, columns: columns, rows: rows)
    }

    var touches: [Touch] { reports.map(\.touch) }

    mutating func read(_ report: InputReport) { decoder.decode(report, &numbers, into: &reports) }

    /// Decodes reports of absolute axes, and ends of packets, which are code 0.
    mutating func read(_ values: [(code: UInt16, value: Int32)], at time: Instant = .zero) {
        for (code, value) in values {
            let type = code == InputCode.report ? InputCode.synchronisation : InputCode.absolute
            read(InputReport(time: time, type: type, code: code, value: value))
        }
    }

    mutating func advance(to now: Instant) { decoder.advance(to: now, &numbers, into: &reports) }

    mutating func unplug(at now: Instant = .zero) { decoder.cancelAll(at: now, &numbers, into: &reports) }
}
