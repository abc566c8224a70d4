import Instrument
import Overlay
import Runtime

/// What a touch device reported, in order of time.
public struct RecordedTouch: Sendable {
    /// The device.
    public var device: TouchDevice
    /// Its reports; the first is not before time 0.
    public var reports: [InputReport]

    /// What `device` reported.
    public init(device: TouchDevice, reports: [InputReport]) {
        self.device = device
        self.reports = reports
    }

    /// The moment of the last report.
    public var end: Instant { reports.last?.time ?? .zero }
}

/// An overlay that reports what it did when it was recorded.
public final class RecordedOverlay: TouchSource, ScriptedInput {
    /// The device that was recorded.
    public let device: TouchDevice?

    private let reports: [InputReport]
    private let start: Instant
    private var next = 0
    private var unread = 0

    /// An overlay that begins to play `recording` at `start`.
    public init(_ recording: RecordedTouch, from start: Instant = .zero) {
        device = recording.device
        reports = recording.reports
        self.start = start
    }

    /// When the next report is due; nil when there is no more.
    public var nextInput: Instant? { next < reports.count ? time(of: next) : nil }

    /// Plays every report that is due by `now`.
    public func play(until now: Instant) {
        while next < reports.count, time(of: next) <= now { next += 1 }
    }

    /// Appends what has been played since the last call.
    public func read(into reports: inout [InputReport]) {
        for index in unread..<next {
            reports.append(self.reports[index])
            reports[reports.count - 1].time = time(of: index)
        }
        unread = next
    }

    private func time(of index: Int) -> Instant { start + (reports[index].time - .zero) }
}
