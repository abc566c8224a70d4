import Instrument
import Overlay

/// All touch overlays of a box: what fingers do on any of them.
public struct TouchInput {
    private var overlays: [Overlay]
    private var numbers = ContactNumbers()
    private var reports: [InputReport] = []
    private let columns: Int
    private let rows: Int

    /// How the overlays lie on the panel, in the place of what their devices say; nil leaves it to those. A change lifts all
    /// fingers.
    public var matrix: [Double]? {
        didSet { if matrix != oldValue { hasChanged = true } }
    }
    private var hasChanged = false

    private struct Overlay {
        let source: any TouchSource
        var device: TouchDevice?
        var decoder: OverlayDecoder?
    }

    /// The most reports of one pass that are kept room for; more would cost an allocation, not be lost.
    private static let reportsMax = 4096

    /// The fingers on these overlays, over a panel of `columns` × `rows`.
    public init(_ sources: [any TouchSource], columns: Int, rows: Int) {
        overlays = sources.map { Overlay(source: $0) }
        self.columns = columns
        self.rows = rows
        reports.reserveCapacity(Self.reportsMax)
    }

    /// Appends what fingers have done by `now`; overlay by overlay, each in order of time.
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

    /// When something that a filter holds back is due.
    public var nextDeadline: Instant? {
        var next: Instant?
        for overlay in overlays {
            guard let due = overlay.decoder?.nextDeadline else { continue }
            next = next.map { min($0, due) } ?? due
        }
        return next
    }
}
