import Box
import InputEvents
import Display
import Instrument
import Input
import Replay
import Runtime

/// Cost of a packet of an overlay's reports, through the loop to the panel.
struct TouchBench {
    /// Nanoseconds of CPU time from reading a packet of ten moving fingers to passing the frame on: the median.
    let median: Int
    /// The same, the 99.9th percentile.
    let p999: Int

    private static let fingers: Int32 = 10
    /// Interval between packets.
    private static let interval = Instant.Span.milliseconds(5)

    /// What the fingers are on.
    enum Surface {
        /// The steps, those of a lane, the keys, or the effects over them.
        case steps, lanes, keys, effects
    }

    /// Makes the overlay report `packets` packets over `surface`, with `pattern`.
    init(packets: Int, on surface: Surface = .steps, of pattern: BenchPattern = .typical) throws {
        guard let engine = Engine(rate: 48_000) else { throw CommandError.noMemory }
        let watch = StopWatch(Self.recording(packets, on: surface))
        var instrument = Instrument()
        instrument.load(pattern.document)
        switch surface {
        case .steps: break
        case .lanes:
            for phase in [Touch.Phase.down, .up] {
                let touch = Touch(contact: 0, phase: phase, column: 0, row: 22)
                _ = instrument.update(.touch(touch), at: .zero)
            }
        case .keys, .effects:
            var (keys, fx) = (PanelKeys(), PanelFX())
            keys.isShown = true
            fx.isOpen = surface == .effects
            instrument.show(keys, fx)
        }
        let loop = Loop(
            instrument: instrument, engine: engine, audio: VirtualAudio(engine, block: 256) { _ in }, panel: watch,
            clock: VirtualClock(inputs: [watch.overlay]), touch: [watch])
        loop.run(until: Instant.zero + Instant.Span(microseconds: Self.interval.microseconds * Int64(packets)))
        let times = watch.times.sorted()
        median = times[times.count / 2]
        p999 = times[times.count * 999 / 1000]
    }

    /// Ten fingers that land and then move up and down and left and right, by less than a shake.
    private static func recording(_ packets: Int, on surface: Surface) -> RecordedTouch {
        // On keys in one row: those on a diagonal are the same note.
        let (top, fall): (Int32, Int32) = surface == .keys ? (1500, 0) : (300, 200)
        var reports: [InputReport] = []
        reports.reserveCapacity(packets * (3 * Int(fingers) + 1))
        for packet in 0..<packets {
            let time = Instant.zero + Instant.Span(microseconds: interval.microseconds * Int64(packet))
            func add(_ type: UInt16, _ code: UInt16, _ value: Int32) {
                reports.append(InputReport(time: time, type: type, code: code, value: value))
            }
            let (across, down) = (Int32(packet % 2), Int32(packet % 7))
            for finger in 0..<fingers {
                add(InputCode.absolute, InputCode.slot, finger)
                if packet == 0 { add(InputCode.absolute, InputCode.trackingID, finger) }
                add(InputCode.absolute, InputCode.positionX, 400 + finger * 300 + across * 150)
                add(InputCode.absolute, InputCode.positionY, top + finger * fall + down * 100)
            }
            add(InputCode.synchronisation, InputCode.report, 0)
        }
        return RecordedTouch(
            device: TouchDevice(axes: TouchAxes(x: 0...4399, y: 0...2399)), reports: reports)
    }
}

/// Both ends of the loop: starts the time when it reads reports, and stops it when it passes on a frame.
private final class StopWatch: TouchSource, FrameOutput {
    let overlay: RecordedOverlay
    private(set) var times: [Int] = []
    private var start: Int?

    init(_ recording: RecordedTouch) {
        overlay = RecordedOverlay(recording)
        times.reserveCapacity(recording.reports.count)
    }

    var portCount: Int { overlay.portCount }

    func read(into ports: inout [TouchPort]) {
        let now = threadTime()
        overlay.read(into: &ports)
        if !ports[0].reports.isEmpty, start == nil { start = now }
    }

    func show(_ frame: Frame, at now: Instant) {
        guard let start else { return }
        times.append(threadTime() - start)
        self.start = nil
    }
}
