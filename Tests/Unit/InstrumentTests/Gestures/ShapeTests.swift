import Testing

@testable import Instrument

/// The table of docs/spec.md, section 3, row by row and track by track.
@Suite("The box's gesture table")
struct ShapeTests {
    /// A gesture on a pattern, and the cells of its track afterwards.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let track: Track
        let before: String
        let from: (Int, Int)
        let to: (Int, Int)
        let held: Int64
        let tonality: Tonality
        let cells: String

        init(
            _ name: String, _ track: Track, _ from: (Int, Int), _ to: (Int, Int)? = nil, held: Int64 = 0,
            before: String = "", root: Int = 0, scale: Scale = .major, gives cells: String
        ) {
            (self.name, self.track, self.before, self.from, self.to) = (name, track, before, from, to ?? from)
            (self.held, tonality, self.cells) = (held, Tonality(root: root, scale: scale), cells)
        }

        var testDescription: String { "\(track.name): \(name)" }
    }

    private static let all: [Case] = still + lit + along + held + upright + lines + ends

    /// Still, on a dark LED.
    private static let still: [Case] = [
        Case("still, a note", .melody, (4, 6), gives: "2@0=1"),
        Case("still, a triad of the scale", .chords, (4, 12), gives: "2@0=1 5@0=1 9@0=1"),
        Case("still, a triad of the minor scale", .chords, (4, 13), scale: .minor, gives: "0@0=1 3@0=1 7@0=1"),
        Case("still, the nearest tones of five notes", .chords, (4, 12), scale: .penta, gives: "2@0=1 7@0=1 9@0=1"),
        Case("still, a note", .bass, (4, 15), gives: "4@0=1"),
        Case("still, a hit", .rhythm, (4, 20), gives: "3@0=1"),
        Case("still and held, an accent", .melody, (4, 6), held: 450, gives: "2@0=2"),
        Case("still and held, an accented triad", .chords, (4, 11), held: 450, gives: "4@0=2 7@0=2 11@0=2"),
        Case("still and held, an accent and the fifth", .bass, (4, 17), held: 450, gives: "0@0=2 7@0=1"),
        Case(
            "still and held, where the fifth is taken", .bass, (4, 17), held: 450, before: "7@0=2", gives: "0@0=2 7@0=2"
        ),
        Case("still and held, an accent and an echo", .rhythm, (4, 21), held: 450, gives: "0@0=2 0@2=1"),
        Case(
            "still and held, where the echo is taken", .rhythm, (4, 21), held: 450, before: "0@2=2",
            gives: "0@0=2 0@2=2"),
        Case("still and held, where the echo is beyond the end", .rhythm, (38, 21), held: 450, gives: "0@31=2"),
        Case("still, for a root from F♯ on an octave lower", .melody, (4, 7), root: 6, gives: "-6@0=1"),
        Case("still, for a root up to F in the middle octave", .melody, (4, 7), root: 5, gives: "5@0=1"),
    ]

    /// Still, on a lit LED.
    private static let lit: [Case] = [
        Case("still on a note removes it whole", .melody, (4, 7), before: "0@0=2 0@1=3 0@2=3 2@0=1", gives: "2@0=1"),
        Case(
            "still on its sustain removes it whole", .chords, (6, 13), before: "0@0=2 0@1=3 0@2=3 4@0=1", gives: "4@0=1"
        ),
        Case(
            "still on a note round the end removes it whole", .bass, (4, 17), before: "0@30=1 0@31=3 0@0=3 0@1=3",
            gives: ""),
        Case("still on a hit removes it", .rhythm, (4, 21), before: "0@0=1 0@2=1", gives: "0@2=1"),
        Case("still on two notes of an LED removes both", .melody, (4, 7), before: "0@0=1 1@0=1 2@0=1", gives: "2@0=1"),
        Case(
            "still and held on a note accents it", .melody, (4, 7), held: 450, before: "0@0=1 0@1=3",
            gives: "0@0=2 0@1=3"),
        Case(
            "still and held on an accent makes it normal", .rhythm, (4, 21), held: 450, before: "0@0=2", gives: "0@0=1"),
        Case(
            "still and held on its sustain accents the note", .chords, (5, 13), held: 450, before: "0@0=1 0@1=3",
            gives: "0@0=2 0@1=3"),
        Case("still and held on a sustain without a head", .bass, (5, 17), held: 450, before: "0@1=3", gives: "0@1=3"),
    ]

    /// Along the steps, with |dx| > 2·|dy|.
    private static let along: [Case] = [
        Case("RUN upwards", .melody, (4, 7), (7, 7), gives: "0@0=1 2@1=1 4@2=1 5@3=1"),
        Case("RUN that ends one row lower goes down", .melody, (4, 6), (7, 7), gives: "2@0=1 0@1=1 -1@2=1 -3@3=1"),
        Case("RUN to the left", .melody, (8, 7), (6, 7), gives: "4@2=1 2@3=1 0@4=1"),
        Case("RUN over the gap", .melody, (11, 7), (13, 7), gives: "0@7=1 2@8=1"),
        Case(
            "RUN over an octave", .melody, (4, 7), (11, 7), gives: "0@0=1 2@1=1 4@2=1 5@3=1 7@4=1 9@5=1 11@6=1 12@7=1"),
        Case("ARPEGGIO upwards", .chords, (4, 12), (8, 12), gives: "2@0=1 5@1=1 9@2=1 12@3=1 2@4=1"),
        Case("ARPEGGIO downwards", .chords, (4, 12), (8, 13), gives: "12@0=1 9@1=1 5@2=1 2@3=1 12@4=1"),
        Case("WALK upwards", .bass, (4, 16), (8, 16), gives: "2@0=1 9@1=1 5@2=1 9@3=1 2@4=1"),
        Case("WALK downwards", .bass, (4, 16), (8, 17), gives: "2@0=1 -3@1=1 -7@2=1 -3@3=1 2@4=1"),
        Case("ROLL", .rhythm, (4, 21), (7, 21), gives: "0@0=1 0@1=1 0@2=1 0@3=1"),
        Case(
            "RUN in five notes", .melody, (4, 7), (9, 7), scale: .penta, gives: "0@0=1 2@1=1 4@2=1 7@3=1 9@4=1 12@5=1"),
        Case("ARPEGGIO in five notes", .chords, (4, 13), (7, 13), scale: .penta, gives: "0@0=1 4@1=1 7@2=1 12@3=1"),
        Case(
            "WALK downwards in five notes", .bass, (4, 16), (8, 17), scale: .penta,
            gives: "2@0=1 -3@1=1 -5@2=1 -3@3=1 2@4=1"),
    ]

    /// The same, held first.
    private static let held: [Case] = [
        Case("SUSTAIN", .melody, (4, 6), (7, 6), held: 450, gives: "2@0=2 2@1=3 2@2=3 2@3=3"),
        Case(
            "SUSTAIN to the left begins at the lowest step", .melody, (7, 6), (5, 6), held: 450,
            gives: "2@1=2 2@2=3 2@3=3"),
        Case(
            "SUSTAIN of the triad", .chords, (4, 12), (5, 12), held: 450,
            gives: "2@0=2 5@0=2 9@0=2 2@1=3 5@1=3 9@1=3"),
        Case("SUSTAIN", .bass, (4, 17), (6, 17), held: 450, gives: "0@0=2 0@1=3 0@2=3"),
        Case(
            "ROLL, held: accents at both ends", .rhythm, (4, 21), (7, 21), held: 450, gives: "0@0=2 0@1=1 0@2=1 0@3=2"),
    ]

    /// Upwards or downwards, with |dy| > 2·|dx|.
    private static let upright: [Case] = [
        Case("STACK of three", .melody, (4, 7), (4, 5), gives: "0@0=1 4@0=1 7@0=1"),
        Case("STACK of four at most", .melody, (4, 7), (4, 2), gives: "0@0=1 4@0=1 7@0=1 11@0=1"),
        Case("STACK downwards", .melody, (4, 5), (4, 7), gives: "-3@0=1 0@0=1 4@0=1"),
        Case("STACK, held", .chords, (4, 12), (4, 9), held: 450, gives: "2@0=2 5@0=2 9@0=2 12@0=2"),
        Case("STACK downwards in five notes", .chords, (4, 11), (4, 13), scale: .penta, gives: "-3@0=1 0@0=1 4@0=1"),
        Case("ROOT+5", .bass, (4, 17), (4, 15), gives: "0@0=1 7@0=1"),
        Case("ROOT+5 downwards, held", .bass, (4, 15), (4, 17), held: 450, gives: "-1@0=1 4@0=2"),
        Case("MULTI", .rhythm, (4, 21), (4, 19), gives: "0@0=1 3@0=1 7@0=1"),
        Case("MULTI downwards, held", .rhythm, (4, 19), (4, 21), held: 450, gives: "0@0=2 3@0=2 7@0=2"),
    ]

    /// Any other direction.
    private static let lines: [Case] = [
        Case("LINE", .melody, (4, 7), (8, 4), gives: "0@0=1 2@1=1 4@2=1 4@3=1 5@4=1"),
        Case("LINE, held: the first accented", .chords, (4, 13), (6, 12), held: 450, gives: "0@0=2 2@1=1 2@2=1"),
        Case("LINE downwards", .melody, (4, 5), (6, 7), gives: "4@0=1 2@1=1 0@2=1"),
        Case("LINE, held: all accented", .bass, (4, 17), (6, 15), held: 450, gives: "0@0=2 2@1=2 4@2=2"),
        Case("LINE to the left", .rhythm, (6, 21), (4, 19), gives: "7@0=1 3@1=1 0@2=1"),
        Case("twice as long as high is a LINE", .melody, (4, 7), (6, 6), gives: "0@0=1 2@1=1 2@2=1"),
        Case("twice as high as long is a LINE", .melody, (4, 7), (5, 5), gives: "0@0=1 4@1=1"),
    ]

    /// Cells that a written one replaces, and notes that it ends.
    private static let ends: [Case] = [
        Case(
            "a drag may begin on a lit LED", .melody, (4, 7), (5, 7), before: "0@0=2", gives: "0@0=1 2@1=1"),
        Case(
            "a written cell ends the note into which it falls", .melody, (6, 7), (6, 5),
            before: "4@0=1 4@1=3 4@2=3 4@3=3",
            gives: "4@0=1 4@1=3 0@2=1 4@2=1 7@2=1"),
        Case(
            "a written cell ends a note round the end", .melody, (38, 7), (38, 5), before: "4@31=2 4@0=3 4@1=3",
            gives: "0@31=1 4@31=1 7@31=1"),
        Case(
            "the sustain of the same gesture stays", .melody, (7, 7), (5, 7), held: 450,
            before: "0@0=1 0@1=3 0@2=3",
            gives: "0@0=1 0@1=2 0@2=3 0@3=3"),
        Case("a note that is not in the scale keeps its place", .melody, (4, 6), before: "1@0=1", gives: "1@0=1 2@0=1"),
    ]

    @Test("a gesture writes its cells", arguments: all)
    func writes(_ example: Case) {
        var player = Player()
        player.instrument.state.session.composition.pattern.tonality = example.tonality
        for word in example.before.split(separator: " ") {
            let parts = word.split { $0 == "@" || $0 == "=" }.compactMap { Int($0) }
            player.instrument.state.session.composition.pattern[example.track, note: parts[0], step: parts[1]] =
                Cell(rawValue: UInt8(parts[2])) ?? .empty
        }
        let before = player.pattern
        if example.from == example.to {
            player.tap(Float(example.from.0), Float(example.from.1), held: max(example.held, 80))
        } else {
            // Slow enough for no swipe, and at rest before it lifts.
            player.finger(.down, Float(example.from.0), Float(example.from.1))
            player.wait(example.held + 20)
            player.finger(.move, Float(example.to.0), Float(example.to.1))
            player.wait(300)
            player.finger(.up, Float(example.to.0), Float(example.to.1))
        }
        #expect(player.cells(example.track).joined(separator: " ") == example.cells)
        for other in Track.allCases where other != example.track { #expect(player.cells(other).isEmpty) }
        // One step of the history, which gives back the pattern before.
        let isSame = player.pattern == before
        #expect(player.instrument.state.session.history.past.count == (isSame ? 0 : 1))
        player.send(.key(.undo))
        #expect(player.pattern == before)
    }
}
