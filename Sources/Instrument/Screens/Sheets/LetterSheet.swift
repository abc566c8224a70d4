import InputEvents
import Display

/// A keyboard for a name: three rows of keys, and the name above them.
public struct LetterSheet: Sheet, Hashable, Sendable {
    /// The named thing. This order of the properties keeps the sheet within three words.
    private let subject: Subject
    /// Whether the keys show digits and signs.
    private var showsDigits = false
    /// The letters so far, each laid out.
    private(set) var name: [TextLine]

    /// Things that have names.
    private enum Subject: Hashable {
        /// The pattern with this number in the library.
        case pattern(Int64)
        /// The sound of this track, to be saved.
        case sound(Track)
    }

    /// Maximum letters of a pattern's name.
    static let lengthMax = 16
    /// Maximum letters of the name.
    private var lettersMax: Int { if case .sound = subject { SoundName.lettersMax } else { Self.lengthMax } }
    /// Columns in which the name is visible: its last letters, and a cursor behind them.
    private static let nameColumns = 6..<37
    private static let cursorWidth = 3

    /// A key.
    enum Key: Hashable, Sendable {
        case letter(Character)
        case space
        case back
        /// Toggles between letters and digits.
        case shift
    }

    /// A sheet to name `pattern`; `name` is its current name.
    init(pattern: Int64, name: String) {
        subject = .pattern(pattern)
        self.name = name.uppercased().prefix(Self.lengthMax).map { TextLine(String($0)) }
    }

    /// A sheet to name the sound of `track`; `name` is a proposal.
    init(soundOf track: Track, name: String) {
        subject = .sound(track)
        self.name = name.map { TextLine(String($0)) }
    }

    var screen: Instrument.Screen { .letters(self) }
    var title: TextLine? { nil }
    var accent: RGB { if case .sound = subject { Palette.sound } else { Palette.library } }
    var parent: Instrument.Screen {
        switch subject {
        case .pattern: .guide
        case .sound(let track): .presets(PresetSheet(of: track))
        }
    }
    var corner: Spot? { .done }

    /// Handles a press of `key`.
    mutating func press(_ key: Key) {
        switch key {
        case .letter(let letter): append(letter)
        case .space: if !name.isEmpty { append(" ") }
        case .back: _ = name.popLast()
        case .shift: showsDigits.toggle()
        }
    }

    private mutating func append(_ letter: Character) {
        if name.count < lettersMax { name.append(TextLine(String(letter))) }
    }

    /// The name without surrounding spaces; nil if empty.
    var result: String? {
        let letters = name.map { $0.text }.reversed().drop { $0 == " " }.reversed().drop { $0 == " " }
        return letters.isEmpty ? nil : letters.joined()
    }

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        guard touch.phase == .up(isOver: true) else { return }
        switch touch.spot {
        case .key(let place): press(key(place))
        case .done: confirm(into: &acts)
        default: break
        }
    }

    /// Takes the name as it is, and closes the sheet.
    func confirm(into acts: inout [ScreenAct]) {
        switch (subject, result) {
        case (.sound(let track), let result?): acts.append(.saveSound(track, result))
        case (.pattern(let pattern), let result?):
            acts.append(.effect(.job(.rename(pattern, result))))
            acts.append(.show(parent))
        case (_, nil): acts.append(.show(parent))
        }
    }

    /// Appends a character typed on a keyboard, if one of the sheet's keys has it.
    mutating func type(_ character: Character) {
        let capital = character.uppercased()
        if let letter = capital.first, capital.count == 1, Self.lines[letter] != nil { append(letter) }
    }

    // MARK: Keys

    private static let letters = ["QWERTYUIOP", "ASDFGHJKL-.", "ZXCVBNM"].map(Array.init)
    private static let digits = ["1234567890", "+-/=%#♯♭!?.", ":<>~■▶✓"].map(Array.init)
    /// The characters in the name, and on keys, which have three columns each.
    private static let lines = lines(room: .max)
    private static let keyLines = lines(room: 3)

    private static func lines(room: Int) -> [Character: TextLine] {
        Dictionary(
            uniqueKeysWithValues: Set((letters + digits).joined()).map { ($0, TextLine(String($0), room: room)) })
    }

    private static let digitsLine = TextLine("12")
    private static let lettersLine = TextLine("AB")
    private static let backLine = TextLine("←")
    private static let spaceIcon = Icon("..... ..... ..... #...# #####")

    private static let top = 7
    private static let pitch = (columns: 4, rows: 6)

    /// The key at `position`: every LED below the name belongs to one.
    func spot(at position: Position) -> Spot? {
        let row = Int((position.row - 5.5) / Float(Self.pitch.rows)).clamped(to: 0...2)
        let place = Int((position.column + 0.5) / Float(Self.pitch.columns)).clamped(to: 0...10)
        return .key(Key(row: row, place: place))
    }

    /// The key shown at `place`: a letter, or a digit while digits are shown.
    private func key(_ place: Key) -> Key {
        guard case .letter(let letter) = place, showsDigits else { return place }
        for (row, letters) in Self.letters.enumerated() {
            if let index = letters.firstIndex(of: letter) {
                return .letter(Self.digits[row][index])
            }
        }
        return place
    }

    /// The last letters that fit; with the cursor, unless no letter can follow.
    private var shownLetters: ArraySlice<TextLine> {
        let room = Self.nameColumns.count + 1 - (name.count < lettersMax ? Self.cursorWidth + 1 : 0)
        var (first, width) = (name.count, 0)
        while first > 0, width + name[first - 1].width + 1 <= room {
            first -= 1
            width += name[first].width + 1
        }
        return name[first...]
    }

    /// Colour of the line below the letters and their places.
    private static let line = RGB(0x2a2a2a)

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let clip = origin + Self.nameColumns.lowerBound..<origin + Self.nameColumns.upperBound
        var next = clip.lowerBound
        for letter in shownLetters {
            letter.draw(into: &frame, column: next, row: 0, colour: .white, clip: clip)
            frame.fill(columns: next..<next + letter.width, rows: 5..<6, Self.line)
            next += letter.width + 1
        }
        for column in stride(from: next, through: clip.upperBound - Self.cursorWidth, by: Self.cursorWidth + 1) {
            frame.fill(columns: column..<column + Self.cursorWidth, rows: 5..<6, Self.line)
        }
        // The cursor, and above it a preview of the touched letter.
        if next < clip.upperBound {
            if now.microseconds % 1_000_000 < 600_000 {
                frame.fill(columns: next..<next + Self.cursorWidth, rows: 5..<6, .white)
            }
            for contact in instrument.state.fingers.contacts {
                guard case .key(let place)? = contact.spot, case .letter(let letter) = key(place) else { continue }
                Self.lines[letter]?.draw(
                    into: &frame, column: next, row: 0, colour: .white, alpha: 0.5, clip: clip)
            }
        }
        for (row, letters) in Self.letters.enumerated() {
            for (place, letter) in letters.enumerated() {
                draw(
                    .letter(letter), instrument, into: &frame, column: origin + 4 * place, row: row,
                    (place + row) % 2 == 0)
            }
        }
        draw(.back, instrument, into: &frame, column: origin + 40, row: 0, false)
        draw(.space, instrument, into: &frame, column: origin + 29, row: 2, false)
        draw(.shift, instrument, into: &frame, column: origin + 36, row: 2, false)
    }

    private func draw(
        _ place: Key, _ instrument: Instrument, into frame: inout Frame, column: Int, row: Int, _ isEven: Bool
    ) {
        let isTouched = instrument.isTouched(.key(place))
        let top = Self.top + Self.pitch.rows * row
        let width = place == .shift ? 7 : place == .space ? 5 : 3
        if isTouched {
            frame.fill(columns: column - 1..<column + width + 1, rows: top - 1..<top + 6, RGB(0x303030))
        }
        switch key(place) {
        case .letter(let letter):
            let colour = isTouched ? RGB.white : isEven ? RGB(0x9a9a9a) : RGB(0x5f7fa8)
            Self.keyLines[letter]?.draw(into: &frame, column: column, row: top, colour: colour)
        case .back:
            Self.backLine.draw(
                into: &frame, column: column, row: top, colour: isTouched ? .white : Palette.warning,
                alpha: isTouched ? 1 : 0.8)
        case .space:
            if place == .space {
                Self.spaceIcon.draw(into: &frame, column: column, row: top, colour: isTouched ? .white : RGB(0x8c8c8c))
            }
        case .shift:
            (showsDigits ? Self.lettersLine : Self.digitsLine).draw(
                into: &frame, column: column, row: top, colour: isTouched ? .white : Palette.warning,
                alpha: isTouched ? 1 : 0.8)
        }
    }
}

extension LetterSheet.Key {
    /// The key in `row` at `place`, four columns each; the right end of the last row is divided between two keys.
    fileprivate init(row: Int, place: Int) {
        switch (row, place) {
        case (0, 10): self = .back
        case (2, 9...): self = .shift
        case (2, 7...): self = .space
        default: self = .letter(LetterSheet.letter(row: row, place: place))
        }
    }
}

extension LetterSheet {
    fileprivate static func letter(row: Int, place: Int) -> Character { letters[row][place] }
}
