import Display

/// A Launchpad as a window of 8×8 LEDs of the panel. Its arrows move the window; its column at the right plays scenes,
/// and the last four buttons of its top row mute the tracks. Novation, "Launchpad Mini [MK3] / Launchpad X Programmer's
/// reference manual", programmer mode.
public struct Launchpad: Sendable {
    /// The kinds, by their numbers in messages.
    public enum Model: UInt8, CaseIterable, Sendable {
        /// Launchpad Mini MK3.
        case mini = 0x0d
        /// Launchpad X.
        case x = 0x0c

        /// The kind of the device with this name; nil for others.
        public init?(name: String) {
            if name.hasPrefix("Launchpad Mini MK3") {
                self = .mini
            } else if name.hasPrefix("Launchpad X") {
                self = .x
            } else {
                return nil
            }
        }
    }

    /// The meaning of a press or a release.
    public enum Action: Hashable, Sendable {
        /// A pad was pressed: a finger lands at this place of the panel.
        case land(pad: Int, column: Int, row: Int)
        /// The pad was released.
        case lift(pad: Int)
        /// The scene, 0 to 7, was asked for.
        case scene(Int)
        /// Mute was switched for the track at this place, 0 to 3.
        case mute(Int)
    }

    /// The light of the pads and buttons outside the window.
    public struct Buttons: Hashable, Sendable {
        /// The scenes, 8.
        public var scenes: [RGB]
        /// The tracks, 4.
        public var tracks: [RGB]

        /// Buttons with these lights.
        public init(scenes: [RGB], tracks: [RGB]) {
            self.scenes = scenes
            self.tracks = tracks
        }
    }

    /// The window's first column and row.
    public private(set) var window: (column: Int, row: Int)
    private let model: Model
    private let columns: Int
    private var pressed: Set<Int> = []
    /// The colours that the device shows, three values of seven bits each; nil for not known.
    private var shown = [[UInt8]?](repeating: nil, count: 100)

    private static let side = 8
    /// Columns and rows by which an arrow moves the window: a beat, and two rows.
    private static let step = (columns: 4, rows: 2)
    /// Lights in a message at most: ALSA's encoder has 64 bytes.
    private static let lightsMax = 11
    private static let (dark, arrow) = (RGB.black, RGB(0x303030))

    /// A Launchpad of this kind beside a panel of `columns`. Its window begins at the first step, on the lowest track.
    public init(_ model: Model, columns: Int) {
        self.model = model
        self.columns = columns
        window = (columns - Frame.panelColumns[0] + 4, Frame.panelRows - 2 - Self.side)
    }

    /// The message that lets the box have all pads, or gives them back.
    public func mode(isOn: Bool) -> [UInt8] { head + [0x0e, isOn ? 1 : 0, 0xf7] }

    private var head: [UInt8] { [0xf0, 0x00, 0x20, 0x29, 0x02, model.rawValue] }

    // MARK: Pads

    /// Handles the press or the release of a pad or a button, by its number: 11 is the lower left pad, 88 the upper
    /// right one.
    public mutating func handle(_ number: Int, isDown: Bool) -> Action? {
        guard (11...98).contains(number), number % 10 != 0 else { return nil }
        let (x, y) = (number % 10 - 1, 8 - number / 10)
        if x < Self.side, y >= 0 {
            guard isDown else { return pressed.remove(number).map { .lift(pad: $0) } }
            guard pressed.insert(number).inserted else { return nil }
            return .land(pad: number, column: window.column + x, row: window.row + y)
        }
        guard isDown else { return nil }
        if x == Self.side { return y >= 0 ? .scene(y) : nil }
        switch number {
        case 91: move(0, -Self.step.rows)
        case 92: move(0, Self.step.rows)
        case 93: move(-Self.step.columns, 0)
        case 94: move(Self.step.columns, 0)
        default: return .mute(x - 4)
        }
        return nil
    }

    private mutating func move(_ right: Int, _ down: Int) {
        window.column = min(max(0, window.column + right), columns - Self.side)
        window.row = min(max(0, window.row + down), Frame.panelRows - Self.side)
    }

    /// The pads that are pressed, which are not any more: the device has gone.
    public mutating func liftAll() -> [Action] {
        defer { pressed = [] }
        return pressed.sorted().map { .lift(pad: $0) }
    }

    // MARK: Lights

    /// The messages that make the lights equal to the panel's `picture`, row by row, and to `buttons`.
    public mutating func lights(_ picture: [RGB], _ buttons: Buttons) -> [[UInt8]] {
        var changes: [[UInt8]] = []
        func update(_ number: Int, _ colour: RGB) {
            let light: [UInt8] = [colour.red >> 1, colour.green >> 1, colour.blue >> 1]
            guard shown[number] != light else { return }
            shown[number] = light
            changes.append([3, UInt8(number)] + light)
        }
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                update(10 * (8 - y) + x + 1, picture[(window.row + y) * columns + window.column + x])
            }
            update(10 * (8 - y) + 9, buttons.scenes[y])
        }
        let isMoving = [
            window.row > 0, window.row < Frame.panelRows - Self.side, window.column > 0,
            window.column < columns - Self.side,
        ]
        for place in 0..<4 {
            update(91 + place, isMoving[place] ? Self.arrow : Self.dark)
            update(95 + place, buttons.tracks[place])
        }
        return stride(from: 0, to: changes.count, by: Self.lightsMax).map { first -> [UInt8] in
            var message = head
            message.append(3)
            message += changes[first...].prefix(Self.lightsMax).joined()
            message.append(0xf7)
            return message
        }
    }
}
