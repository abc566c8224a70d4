import InputEvents
import Testing

@testable import Instrument

/// A place on the panel, named by its function. Its position comes from the instrument's own layout, so a test still
/// touches it after it has moved.
struct Place: Sendable, CustomStringConvertible {
    /// Name, for messages.
    let description: String
    /// Column, of the 44, and row at which it is touched; nil for its middle.
    let column: Float?
    let row: Float?
    /// Whether it is at a position at a time.
    let isAt: @Sendable (Instrument, Position, Instant) -> Bool

    private init(
        _ name: String, column: Float? = nil, row: Float? = nil,
        isAt: @escaping @Sendable (Instrument, Position, Instant) -> Bool
    ) {
        (description, self.column, self.row, self.isAt) = (name, column, row, isAt)
    }

    /// A place on the grid that nothing covers.
    private init(onGrid name: String, row: Int? = nil, isAt: @escaping @Sendable (Position.LED) -> Bool) {
        self.init(name, row: row.map { Float($0) }) { instrument, position, _ in
            let led = position.led
            let isCovered = instrument.state.box.stickPrompt != nil && StickPrompt.covers(led)
            return instrument.state.view.screen == .grid && instrument.spot(at: position) == nil && !isCovered
                && isAt(led)
        }
    }

    /// An LED, for a finger that goes where nothing is.
    static func led(_ column: Float, _ row: Float) -> Place {
        Place("LED", column: column, row: row) { _, _, _ in true }
    }

    // MARK: The top row

    /// A control.
    static func control(_ control: Control) -> Place {
        Place(onGrid: "\(control)", row: 0) { control.columns.contains($0.column) }
    }

    /// Play's first LED, which changes the note colours when held.
    static let colours = Place(onGrid: "colours", row: 0) { $0.column == 0 }

    /// The menu's handle.
    static let handle = Place(onGrid: "handle", row: 1) { Menu.isHandle($0) }

    // MARK: Tracks

    /// A step of `track`, at `row` counted from its lowest.
    static func step(_ step: Int, _ track: Track, row: Int = 0) -> Place {
        Place(onGrid: "step \(step) of \(track)", row: track.rows.upperBound - 1 - row) {
            $0.column == Grid.column(ofStep: step) && Track(row: $0.row) == track
        }
    }

    /// The mute of `track`, at `row` counted from its lowest; nil for its middle.
    static func mute(_ track: Track, row: Int? = nil) -> Place { beside(track, "mute", columns: 0...0, row) }
    /// The solo of `track`, likewise.
    static func solo(_ track: Track, row: Int? = nil) -> Place { beside(track, "solo", columns: 1...1, row) }
    /// The note page of `track`, likewise.
    static func page(_ track: Track, row: Int? = nil) -> Place { beside(track, "page", columns: 3...3, row) }

    private static func beside(_ track: Track, _ name: String, columns: ClosedRange<Int>, _ row: Int?) -> Place {
        Place(onGrid: "\(name) of \(track)", row: row.map { track.rows.upperBound - 1 - $0 }) {
            columns.contains($0.column) && Track(row: $0.row) == track
        }
    }

    /// A step of the overview below the tracks.
    static func overview(_ step: Int) -> Place {
        Place(onGrid: "overview \(step)", row: Track.rhythm.rows.upperBound) {
            $0.column == Grid.column(ofStep: step)
        }
    }

    // MARK: Scenes

    /// A scene, on the grid or on the SONG sheet.
    static func scene(_ slot: Int) -> Place {
        Place("scene \(slot)") { instrument, position, _ in
            if case .song = instrument.state.view.screen { return SongSheet.slot(at: position) == slot }
            return instrument.state.view.screen == .grid && Grid.sceneColumns.contains(position.led.column)
                && SceneTouch.slot(atRow: position.row) == slot
                && (instrument.state.rules == .phone || PartTouch(at: position) == nil)
        }
    }

    /// The light of a part of a scene.
    static func part(_ track: Track, _ slot: Int) -> Place {
        Place("part \(track) of \(slot)") { instrument, position, _ in
            guard instrument.state.view.screen == .grid, let part = PartTouch(at: position) else { return false }
            return part.slot == slot && part.track == track
                && position.led == .init(column: SceneLook.column + track.rawValue, row: SceneLook.rows[slot] + 1)
        }
    }

    /// The switch of the scenes' order.
    static let chain = Place(onGrid: "chain") {
        Grid.sceneColumns.contains($0.column) && Float($0.row) >= SceneTouch.bottom
    }

    // MARK: Menu and sheets

    /// A part of the menu or of a sheet, at `column` and `row`; nil for its middle.
    static func spot(_ spot: Spot, column: Float? = nil, row: Float? = nil) -> Place {
        Place("\(spot)", column: column, row: row) { instrument, position, _ in instrument.spot(at: position) == spot }
    }

    /// An item of the menu.
    static func menu(_ item: Menu.Item) -> Place { .spot(.menu(item)) }
    /// A fader, at `row` of the panel.
    static func fader(_ fader: Fader, row: Float) -> Place { .spot(.fader(fader), row: row) }
    /// The letter under a fader.
    static func letter(_ fader: Fader) -> Place { .spot(.letter(fader)) }

    /// A lane of the LANES screen's chooser.
    static func lane(_ lane: Lane) -> Place {
        Place("lane \(lane)") { instrument, position, _ in
            guard case .lanes(let sheet) = instrument.state.view.screen else { return false }
            return instrument.spot(at: position) == .laneChooser && sheet.choice(at: position).place == lane.place
        }
    }

    /// A step on the LANES screen, at `row` of the panel.
    static func laneStep(_ step: Int, row: Float) -> Place {
        Place("lane's step \(step)", row: row) { instrument, position, _ in
            instrument.spot(at: position) == .laneSteps && position.led.column == Grid.column(ofStep: step)
        }
    }

    /// An answer to the question about a USB stick.
    static func answer(_ answer: StickPrompt.Answer) -> Place {
        Place("\(answer)") { instrument, position, _ in
            instrument.state.box.stickPrompt != nil && StickPrompt.answer(at: position.led) == answer
        }
    }

    // MARK: The guide

    /// A part of the guide.
    static func guide(_ place: GuidePlace) -> Place {
        Place("\(place)") { instrument, position, now in
            instrument.state.view.screen == .guide && instrument.state.shelf.guide.has(place, at: position, now)
        }
    }
}

/// A place on the guide.
enum GuidePlace: Sendable {
    /// A button, the header or the rail.
    case target(GuideLayout.Target)
    /// The cell of a channel and a day.
    case cell(Int, daysAgo: Int = 0)
}

extension Guide {
    /// Whether `place` is at `position` at `now`.
    func has(_ place: GuidePlace, at position: Position, _ now: Instant) -> Bool {
        switch place {
        case .target(let wanted): return target(at: position) == wanted
        case .cell(let channel, let daysAgo):
            guard target(at: position) == .grid, let cell = cell(at: position, now) else { return false }
            return cell.channel == channel && cell.day == content.today - daysAgo
        }
    }
}

extension Position {
    /// The LED in the middle of those for which `isPart` is true; nil for none. `column` and `row` limit the search.
    static func middle(
        columns: Range<Int>, column: Float? = nil, row: Float? = nil, of isPart: (Position) -> Bool
    ) -> Position? {
        func only(_ place: Float?, _ all: Range<Int>) -> Range<Int> {
            guard let led = place.map({ Int($0.rounded()) }) else { return all }
            return led..<led + 1
        }
        let leds = only(row, 0..<Instrument.rows).flatMap { row in
            only(column, columns).map { Position(column: Float($0), row: Float(row)) }
        }.filter(isPart)
        guard !leds.isEmpty else { return nil }
        let middle = Position(
            column: leds.map(\.column).reduce(0, +) / Float(leds.count),
            row: leds.map(\.row).reduce(0, +) / Float(leds.count))
        let nearest = leds.min { $0.distance(to: middle) < $1.distance(to: middle) }
        return nearest.map { Position(column: column ?? $0.column, row: row ?? $0.row) }
    }

    private func distance(to other: Position) -> Float {
        let (columns, rows) = (column - other.column, row - other.row)
        return columns * columns + rows * rows
    }
}
