import Devices
import Display
import InputEvents
import Instrument
import Panel
import Runtime

/// The first light of a start: the LEDs get their supply and show a picture before the rest of the box is made.
enum FirstLight {
    /// Maximum time from the supply to the light, longer than a supply may take to rise (`SupplySequence.riseMax`).
    private static let timeMax = Instant.Span.milliseconds(1200)
    /// Time between two looks at the supply.
    private static let pause = Instant.Span.milliseconds(2)

    /// Switches the LEDs of `panel` on, if it has any, and shows the start picture. Passes on to `events` what the
    /// controls do meanwhile. LEDs that take no data stay as they are; a supply that does not rise is the loop's to try
    /// again.
    static func show(_ panel: PanelParts, columns: Int, clock: SystemClock, events: ControlMailbox) {
        guard let wires = panel.wires, wires.hasSent else { return }
        let (writer, wiring) = (panel.writer, panel.wiring)
        var isGood = true
        var read: [ControlEvent] = []
        var end: Instant?
        while true {
            let now = clock.now
            read.removeAll(keepingCapacity: true)
            wiring.controls?.read(into: &read)
            for event in read {
                if case .fault(let isFaulty) = event.event { isGood = !isFaulty }
                events.post(event.event, at: event.time)
            }
            let phase = wiring.switchLEDs(
                hasFrame: true, darkFrames: writer.darkFrames, isGood: isGood, at: now)
            writer.follow(phase)
            if phase == .lit {
                var picture = Frame(columns: columns, rows: PanelConfiguration.rows)
                StartPicture.draw(into: &picture)
                return writer.show(picture, at: now)
            }
            guard phase != .failed else { return }
            // The first pass takes long: it opens the lines.
            let last = end ?? clock.now + timeMax
            guard now < last else { return }
            end = last
            clock.wait(until: now + pause)
        }
    }
}
