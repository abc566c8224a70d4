import InputEvents
import Input

/// The touches of all overlays.
public struct TouchInput {
    private var sources: [Source]
    private var numbers = ContactNumbers()
    private let columns: Int
    private let rows: Int

    /// Matrix from overlay to panel, in place of the devices' own matrices; nil uses those. A change cancels all
    /// touches.
    public var matrix: [Double]? {
        didSet { if matrix != oldValue { hasChanged = true } }
    }
    private var hasChanged = false

    private struct Source {
        let source: any TouchSource
        var ports: [TouchPort]
        /// The device and the decoder of each port.
        var decoders: [(device: TouchDevice?, decoder: OverlayDecoder?)]
    }

    /// Reserved capacity for the reports of a port in one pass.
    private static let reportsMax = 1024

    /// The touches of these overlays on a panel of `columns` × `rows`.
    public init(_ sources: [any TouchSource], columns: Int, rows: Int) {
        self.sources = sources.map { source in
            Source(
                source: source,
                ports: (0..<source.portCount).map { _ in TouchPort(capacity: Self.reportsMax) },
                decoders: Array(repeating: (nil, nil), count: source.portCount))
        }
        self.columns = columns
        self.rows = rows
    }

    /// Appends the finger reports up to `now`, by port, each in order of time.
    public mutating func read(at now: Instant, into fingers: inout [FingerReport]) {
        for index in sources.indices {
            for port in sources[index].ports.indices { sources[index].ports[port].removeInput() }
            sources[index].source.read(into: &sources[index].ports)
            for port in sources[index].ports.indices { decode(port, of: index, at: now, into: &fingers) }
        }
        hasChanged = false
    }

    private mutating func decode(_ port: Int, of index: Int, at now: Instant, into fingers: inout [FingerReport]) {
        let device = sources[index].ports[port].device
        if device != sources[index].decoders[port].device || hasChanged {
            sources[index].decoders[port].decoder?.cancelAll(at: now, &numbers, into: &fingers)
            sources[index].decoders[port] = (device, device.map { decoder(for: $0) })
        }
        for report in sources[index].ports[port].reports {
            sources[index].decoders[port].decoder?.decode(report, &numbers, into: &fingers)
        }
        if let snapshot = sources[index].ports[port].snapshot {
            sources[index].decoders[port].decoder?.decode(snapshot.state, at: snapshot.time, &numbers, into: &fingers)
        }
        sources[index].decoders[port].decoder?.advance(to: now, &numbers, into: &fingers)
    }

    private func decoder(for device: TouchDevice) -> OverlayDecoder {
        var device = device
        if let matrix { device.settings.matrix = matrix }
        return OverlayDecoder(device, columns: columns, rows: rows)
    }

    /// Time at which the earliest report delayed by a filter is due.
    public var nextDeadline: Instant? {
        var next: Instant?
        for source in sources {
            for (_, decoder) in source.decoders {
                guard let due = decoder?.nextDeadline else { continue }
                next = next.map { min($0, due) } ?? due
            }
        }
        return next
    }
}
