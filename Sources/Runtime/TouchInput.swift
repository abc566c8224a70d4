import Instrument
import Overlay

/// The touches of all overlays.
public struct TouchInput {
    private var overlays: [Overlay]
    private var numbers = ContactNumbers()
    private var reports: [InputReport] = []
    private let columns: Int
    private let rows: Int

    /// Matrix from overlay to panel, in place of the devices' own matrices; nil uses those. A change cancels all touches.
    public var matrix: [Double]? {
        didSet { if matrix != oldValue { hasChanged = true } }
    }
    private var hasChanged = false

    private struct Overlay {
        let source: any TouchSource
        var device: TouchDevice?
        var decoder: OverlayDecoder?
    }

    /// Reserved capacity for the reports of one pass. More reports cost an allocation, but are not lost.
    private static let reportsMax = 4096

    /// The touches of these overlays on a panel of `columns` × `rows`.
    public init(_ sources: [any TouchSource], columns: Int, rows: Int) {
        overlays = sources.map { Overlay(source: $0) }
        self.columns = columns
        self.rows = rows
        reports.reserveCapacity(Self.reportsMax)
    }

    /// Appends the finger reports up to `now`, by overlay, each in order of time.
    public mutating func read(at now: Instant, into fingers: inout [FingerReport]) {
        for index in overlays.indices {
            reports.removeAll(keepingCapacity: true)
            overlays[index].source.read(into: &reports)
            let device = overlays[index].source.device
            if device != overlays[index].device || hasChanged {
                overlays[index].decoder?.cancelAll(at: now, &numbers, into: &fingers)
                overlays[index].device = device
                overlays[index].decoder = device.map { decoder(for: $0) }
            }
            for report in reports { overlays[index].decoder?.take(report, &numbers, into: &fingers) }
            overlays[index].decoder?.advance(to: now, &numbers, into: &fingers)
        }
        hasChanged = false
    }

    private func decoder(for device: TouchDevice) -> OverlayDecoder {
        var device = device
        if let matrix { device.settings.matrix = matrix }
        return OverlayDecoder(device, columns: columns, rows: rows)
    }

    /// Time at which the earliest report delayed by a filter is due.
    public var nextDeadline: Instant? {
        var next: Instant?
        for overlay in overlays {
            guard let due = overlay.decoder?.nextDeadline else { continue }
            next = next.map { min($0, due) } ?? due
        }
        return next
    }
}
