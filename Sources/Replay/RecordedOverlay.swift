import InputEvents
import Instrument
import Input
import Runtime

/// A recording of a touch device: its reports in order of time.
public struct RecordedTouch: Sendable {
    /// The recorded device.
    public var device: TouchDevice
    /// The reports; the first is not before time 0.
    public var reports: [InputReport]

    /// A recording of `device`.
    public init(device: TouchDevice, reports: [InputReport]) {
        self.device = device
        self.reports = reports
    }

    /// Time of the last report.
    public var end: Instant { reports.last?.time ?? .zero }
}

/// A touch source that plays a recording back.
public final class RecordedOverlay: TouchSource, ScriptedInput {
    /// One overlay.
    public let portCount = 1

    private let device: TouchDevice
    private let reports: [InputReport]
    private let start: Instant
    private var next = 0
    private var unread = 0

    /// A source that begins to play `recording` at `start`.
    public init(_ recording: RecordedTouch, from start: Instant = .zero) {
        device = recording.device
        reports = recording.reports
        self.start = start
    }

    /// Time of the next report; nil at the end.
    public var nextInput: Instant? { next < reports.count ? time(of: next) : nil }

    /// Plays all reports that are due by `now`.
    public func play(until now: Instant) {
        while next < reports.count, time(of: next) <= now { next += 1 }
    }

    /// Reads the device and the reports played since the last call.
    public func read(into ports: inout [TouchPort]) {
        ports[0].device = device
        for index in unread..<next {
            var report = reports[index]
            report.time = time(of: index)
            ports[0].reports.append(report)
        }
        unread = next
    }

    private func time(of index: Int) -> Instant { start + (reports[index].time - .zero) }
}
