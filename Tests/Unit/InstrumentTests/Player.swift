import InputEvents
import Display
import Testing

@testable import Instrument

/// Plays the box in a test: fingers and keys at given times.
struct Player {
    var instrument = Instrument()
    var now = Instant(milliseconds: 1000)
    /// The box's effects so far.
    var effects: [Instrument.Effect] = []
    /// Last position of each finger.
    var positions: [Int: (column: Float, row: Float)] = [:]

    /// A player of a box with the phone's rules.
    static var phone: Player { Player(instrument: Instrument(rules: .phone)) }

    var pattern: Pattern { instrument.state.session.composition.pattern }
    var tooltip: String? { instrument.state.view.tooltip?.line.text }

    mutating func wait(_ milliseconds: Int64) {
        now = now + .milliseconds(milliseconds)
        send(.tick)
    }

    mutating func send(_ event: Instrument.Event) { effects += instrument.update(event, at: now) }

    /// Shows `screen`, whatever leads to it.
    mutating func show(_ screen: Instrument.Screen) {
        instrument.now = now
        instrument.show(screen)
    }

    /// Performs an act that only time requested; returns its effects.
    mutating func perform(_ act: ScreenAct) -> [Instrument.Effect] {
        instrument.now = now
        defer { instrument.effects.removeAll() }
        instrument.perform(act, contact: nil)
        return instrument.effects
    }

    mutating func finger(_ phase: Touch.Phase, _ column: Float, _ row: Float, contact: Int = 0) {
        positions[contact] = (column, row)
        send(.touch(Touch(contact: contact, phase: phase, column: column, row: row)))
    }

    /// A finger at `place`.
    mutating func finger(
        _ phase: Touch.Phase, _ place: Place, contact: Int = 0, at location: SourceLocation = #_sourceLocation
    ) {
        guard let position = position(of: place, at: location) else { return }
        finger(phase, position.column, position.row, contact: contact)
    }

    /// A finger that lifts, or is cancelled, where it is.
    mutating func finger(_ phase: Touch.Phase, contact: Int = 0) {
        // Otherwise it has not landed, which is an issue already.
        guard let position = positions[contact] else { return }
        finger(phase, position.column, position.row, contact: contact)
    }

    /// The position of `place` on the panel now; nil, and an issue at `location`, if it is not there.
    func position(of place: Place, at location: SourceLocation) -> (column: Float, row: Float)? {
        let origin = instrument.origin
        let middle = Position.middle(columns: -origin..<Grid.columns, column: place.column, row: place.row) {
            place.isAt(instrument, $0, now)
        }
        guard let middle else {
            Issue.record("no \(place) on \(instrument.state.view.screen)", sourceLocation: location)
            return nil
        }
        return (middle.column + Float(origin), middle.row)
    }

    /// A tap, `held` milliseconds long, and a pause.
    mutating func tap(_ column: Float, _ row: Float, held: Int64 = 80, pause: Int64 = 1000) {
        finger(.down, column, row)
        wait(held)
        finger(.up, column, row)
        wait(pause)
    }

    /// A tap on `place`.
    mutating func tap(
        _ place: Place, held: Int64 = 80, pause: Int64 = 1000, at location: SourceLocation = #_sourceLocation
    ) {
        guard let position = position(of: place, at: location) else { return }
        tap(position.column, position.row, held: held, pause: pause)
    }

    /// A drag from `start` to `end`.
    mutating func drag(
        from start: Place, to end: Place, held: Int64 = 0, duration: Int64 = 350, pause: Int64 = 1000,
        at location: SourceLocation = #_sourceLocation
    ) {
        guard let start = position(of: start, at: location), let end = position(of: end, at: location) else { return }
        drag(
            from: (Int(start.column), Int(start.row)), to: (Int(end.column), Int(end.row)), held: held,
            duration: duration, pause: pause)
    }

    /// A drag in a straight line, LED by LED, that takes `duration` after the finger was `held`.
    mutating func drag(
        from start: (Int, Int), to end: (Int, Int), held: Int64 = 0, duration: Int64 = 350, pause: Int64 = 1000
    ) {
        finger(.down, Float(start.0), Float(start.1))
        wait(held)
        let count = max(abs(end.0 - start.0), abs(end.1 - start.1), 1)
        for i in 1...count {
            now = now + Instant.Span(microseconds: duration * 1000 / Int64(count))
            let part = Float(i) / Float(count)
            finger(
                .move, (Float(start.0) + Float(end.0 - start.0) * part).rounded(),
                (Float(start.1) + Float(end.1 - start.1) * part).rounded())
        }
        finger(.up, Float(end.0), Float(end.1))
        wait(pause)
    }

    /// The cells of `track` as "note@step=value" words, in order of step and note.
    func cells(_ track: Track) -> [String] {
        (0..<Pattern.steps).flatMap { step in
            track.notes.compactMap { note in
                let cell = pattern[track, note: note, step: step]
                return cell == .empty ? nil : "\(note)@\(step)=\(cell.rawValue)"
            }
        }
    }

    func frame() -> Frame {
        var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
        instrument.draw(into: &frame, at: now)
        return frame
    }

    /// The LED of `place` without a tooltip.
    func led(_ place: Place, at location: SourceLocation = #_sourceLocation) -> RGB {
        position(of: place, at: location).map { led(Int($0.column), Int($0.row)) } ?? .black
    }

    /// The LED at `column`, `row` without a tooltip.
    func led(_ column: Int, _ row: Int) -> RGB {
        var quiet = self
        quiet.instrument.state.view.tooltip = nil
        return quiet.frame()[column, row]
    }
}

/// The column of `step`.
func column(_ step: Int) -> Int { Grid.column(ofStep: step) }

/// A player whose menu is open.
func atMenu(columns: Int = 44) -> Player {
    var player = Player(instrument: Instrument(columns: columns))
    if columns == 44 { player.tap(.handle) }
    return player
}

/// A player on the sheet behind `item`.
func atSheet(_ item: Menu.Item) -> Player {
    var player = atMenu()
    player.tap(.menu(item))
    return player
}

/// A player on the settings sheet.
var atSettings: Player { atSheet(.settings) }

/// A player on the power sheet.
var atPower: Player {
    var player = atSettings
    player.tap(.spot(.button(.power)))
    return player
}

/// Whether `frame` shows `text` from `column`, `row` on.
func shows(_ text: String, _ frame: Frame, column: Int, row: Int = 0, room: Int = .max) -> Bool {
    let line = TextLine(text, room: room)
    var wanted = Frame(columns: frame.columns, rows: frame.rows)
    line.draw(into: &wanted, column: column, row: row, colour: .white, clip: 0..<frame.columns)
    return (column..<min(column + line.width, frame.columns)).allSatisfy { x in
        (row..<row + 5).allSatisfy { (wanted[x, $0] != .black) == (frame[x, $0] != .black) }
    }
}

/// `hex` at `alpha` over the background.
func over(_ hex: UInt32, _ alpha: Double) -> RGB {
    func channel(_ shift: UInt32) -> UInt8 {
        let value = Double(hex >> shift & 0xff)
        return UInt8((10 + (value - 10) * alpha + 0.5).rounded(.down))
    }
    return RGB(red: channel(16), green: channel(8), blue: channel(0))
}

/// Whether the colours differ by rounding only.
func isClose(_ a: RGB, _ b: RGB) -> Bool {
    func near(_ x: UInt8, _ y: UInt8) -> Bool { abs(Int(x) - Int(y)) <= 1 }
    return near(a.red, b.red) && near(a.green, b.green) && near(a.blue, b.blue)
}

/// The name `text`, which the panel can show.
func soundName(_ text: String) -> SoundName {
    guard let name = SoundName(text) else { preconditionFailure("\(text) is no name") }
    return name
}
