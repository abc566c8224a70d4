import InputEvents
import Display

/// The power-off question: one half of the panel keeps the box on, holding the other half switches it off.
struct PowerSheet: Sheet {
    /// Hold time that switches off.
    static let hold = Instant.Span.milliseconds(1200)

    private static let rows = 8..<24
    private static let stay = 0..<20
    private static let off = 24..<44
    private static let question = TextLine("POWER OFF?")
    private static let stayLine = TextLine("STAY")
    private static let holdLine = TextLine("HOLD")

    var screen: Instrument.Screen { .power }
    var title: TextLine? { Self.question }
    var accent: RGB { Palette.danger }
    var parent: Instrument.Screen { .settings }
    var corner: Spot? { nil }

    func spot(at position: Position) -> Spot? {
        guard position.row >= 6.5 else { return nil }
        if position.column < 20.5 { return .stay }
        return position.column >= 23.5 ? .switchOff : nil
    }

    func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.stay, .up(isOver: true)): acts.append(.show(parent))
        case (.switchOff, .down): acts.append(.awaitHold(Self.hold))
        case (.switchOff, .hold):
            acts.append(.dropFinger)
            acts.append(.effect(.powerOff))
        default: break
        }
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let stay = origin + Self.stay.lowerBound..<origin + Self.stay.upperBound
        let off = origin + Self.off.lowerBound..<origin + Self.off.upperBound
        ring(into: &frame, columns: stay, RGB(0x5a5a5a))
        Self.stayLine.draw(into: &frame, column: stay.lowerBound + 3, row: 14, colour: .white)
        // The button fills from below while held.
        let height = Int(Float(Self.rows.count) * progress(instrument, at: now))
        frame.fill(
            columns: off, rows: Self.rows.upperBound - height..<Self.rows.upperBound,
            RGB.black.blended(towards: accent, 0.3))
        ring(into: &frame, columns: off, RGB.black.blended(towards: accent, 0.9))
        Self.holdLine.draw(into: &frame, column: off.lowerBound + 3, row: 14, colour: .white)
    }

    /// Progress of the hold that switches the box off, 0-1.
    private func progress(_ instrument: Instrument, at now: Instant) -> Float {
        for contact in instrument.state.fingers.contacts where contact.isOn(.switchOff) {
            return min(1, (now - contact.motion.down).fraction(of: Self.hold))
        }
        return 0
    }

    /// Draws the frame of an answer.
    private func ring(into frame: inout Frame, columns: Range<Int>, _ colour: RGB) {
        let rows = Self.rows
        frame.fill(columns: columns, rows: rows.prefix(1), colour)
        frame.fill(columns: columns, rows: rows.suffix(1), colour)
        frame.fill(columns: columns.prefix(1), rows: rows, colour)
        frame.fill(columns: columns.suffix(1), rows: rows, colour)
    }
}
