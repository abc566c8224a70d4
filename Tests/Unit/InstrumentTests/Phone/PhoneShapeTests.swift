import Testing

@testable import Instrument

/// docs/spec.md, section 3's table of shapes, cell by cell. Rows of melody 2-7 and chords 8-13 are the notes 11 9 7 4 2
/// 0, of bass 14-17 and rhythm 18-21 11 7 4 0.
@Suite("The phone's rules: the cells of each shape")
struct PhoneShapeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let track: Track
        let name: String
        let from: (Int, Int)
        let to: (Int, Int)
        var held: Int64 = 0
        let cells: String
        let title: String
        var testDescription: String { "\(track) \(name)" }
    }

    static let cases: [Case] = [
        .init(track: .melody, name: "tap", from: (4, 7), to: (4, 7), cells: "0@0=1", title: "TAP"),
        .init(track: .melody, name: "held tap", from: (4, 5), to: (4, 5), held: 450, cells: "4@0=2", title: "ACCENT!"),
        .init(track: .melody, name: "one step aside is a tap", from: (4, 7), to: (5, 7), cells: "0@0=1", title: "TAP"),
        .init(
            track: .melody, name: "run to the right", from: (4, 7), to: (8, 7), cells: "0@0=1 2@1=1 4@2=1 5@3=1 7@4=1",
            title: "RUN"),
        .init(
            track: .melody, name: "run down when the drag falls", from: (4, 2), to: (9, 3),
            cells: "11@0=1 9@1=1 7@2=1 5@3=1 4@4=1 2@5=1", title: "RUN"),
        .init(
            track: .melody, name: "run to the left wraps in the pattern", from: (6, 7), to: (4, 7),
            cells: "4@0=1 2@1=1 0@2=1", title: "RUN"),
        .init(
            track: .melody, name: "held run is a sustain", from: (4, 7), to: (7, 7), held: 450,
            cells: "0@0=2 0@1=3 0@2=3 0@3=3", title: "SUSTAIN"),
        .init(track: .melody, name: "stack", from: (4, 7), to: (4, 6), cells: "0@0=1 4@0=1 7@0=1", title: "CHORD"),
        .init(
            track: .melody, name: "held stack", from: (4, 7), to: (4, 4), held: 450,
            cells: "0@0=2 4@0=2 7@0=2 11@0=2", title: "CHORD"),
        .init(
            track: .melody, name: "phrase", from: (4, 7), to: (8, 5), cells: "0@0=1 2@1=1 2@2=1 4@3=1 4@4=1",
            title: "PHRASE"),
        .init(track: .chords, name: "tap", from: (4, 13), to: (4, 13), cells: "0@0=1 4@0=1 7@0=1", title: "TAP"),
        .init(
            track: .chords, name: "arpeggio", from: (4, 13), to: (8, 13), cells: "0@0=1 4@1=1 7@2=1 11@3=1 0@4=1",
            title: "ARPEGGIO"),
        .init(
            track: .chords, name: "sustain", from: (4, 13), to: (6, 13), held: 450,
            cells: "0@0=2 4@0=2 7@0=2 0@1=3 4@1=3 7@1=3 0@2=3 4@2=3 7@2=3", title: "SUSTAIN"),
        .init(
            track: .chords, name: "stack", from: (4, 13), to: (4, 10), cells: "0@0=1 4@0=1 7@0=1 11@0=1", title: "CHORD"
        ),
        .init(
            track: .chords, name: "phrase", from: (4, 13), to: (6, 12), cells: "0@0=1 2@1=1 2@2=1", title: "PHRASE"),
        .init(track: .bass, name: "tap", from: (4, 17), to: (4, 17), cells: "0@0=1 7@0=1", title: "TAP"),
        .init(
            track: .bass, name: "held tap", from: (4, 17), to: (4, 17), held: 450, cells: "0@0=2 7@0=1",
            title: "ACCENT!"),
        .init(
            track: .bass, name: "walking line", from: (4, 17), to: (8, 17), cells: "0@0=1 7@1=1 4@2=1 7@3=1 0@4=1",
            title: "WALK"),
        .init(
            track: .bass, name: "sustain", from: (4, 17), to: (6, 17), held: 450, cells: "0@0=2 0@1=3 0@2=3",
            title: "SUSTAIN"),
        .init(track: .bass, name: "fifth", from: (4, 17), to: (4, 14), cells: "0@0=1 5@0=1", title: "ROOT+5"),
        .init(
            track: .bass, name: "held fifth", from: (4, 17), to: (4, 14), held: 450, cells: "0@0=2 5@0=1",
            title: "ROOT+5"),
        .init(
            track: .bass, name: "fill", from: (4, 17), to: (8, 16), cells: "0@0=1 1@1=1 2@2=1 3@3=1 4@4=1",
            title: "FILL"),
        .init(
            track: .bass, name: "fill drawn backwards rises all the same", from: (8, 17), to: (4, 16), held: 450,
            cells: "0@0=2 1@1=2 2@2=2 3@3=2 4@4=2", title: "FILL"),
        .init(track: .rhythm, name: "tap", from: (4, 21), to: (4, 21), cells: "0@0=1 0@2=1", title: "TAP"),
        .init(
            track: .rhythm, name: "tap near the end has no echo", from: (37, 21), to: (37, 21), cells: "0@30=1",
            title: "TAP"),
        .init(
            track: .rhythm, name: "roll", from: (4, 21), to: (8, 21), held: 450,
            cells: "0@0=2 0@1=1 0@2=1 0@3=1 0@4=2", title: "ROLL"),
        .init(
            track: .rhythm, name: "multi", from: (4, 21), to: (4, 20), cells: "0@0=1 1@0=1 2@0=1 3@0=1 4@0=1",
            title: "MULTI"),
        .init(
            track: .rhythm, name: "fill", from: (4, 21), to: (8, 20), cells: "0@0=1 1@1=1 2@2=1 3@3=1 4@4=1",
            title: "FILL"),
    ]

    @Test("a gesture writes its cells and shows its name", arguments: cases)
    func writes(_ example: Case) {
        var player = Player.phone
        player.finger(.down, Float(example.from.0), Float(example.from.1))
        player.finger(.cancel, 0, 0)
        player.drag(from: example.from, to: example.to, held: example.held, pause: 0)
        #expect(player.cells(example.track).joined(separator: " ") == example.cells)
        #expect(player.tooltip == example.title)
        for other in Track.allCases where other != example.track { #expect(player.cells(other).isEmpty) }
    }

    @Test("a horizontal drag writes up to nine steps")
    func runIsBounded() {
        var player = Player.phone
        player.drag(from: (4, 7), to: (30, 7))
        #expect(player.cells(.melody).count == 9)
    }

    @Test("a direction must be 1.3 times longer than the other", arguments: [(4, 3, false), (4, 4, true)])
    func direction(dx: Int, dy: Int, isDiagonal: Bool) {
        // On the page of the lowest notes a row is a note.
        var gesture = Gesture(
            .phone, .melody, page: 1, Tonality(), length: 32, chords: .triad, from: .init(step: 0, row: 0))
        gesture.end = .init(step: dx, row: dy)
        #expect((gesture.shape == .phrase) == isDiagonal)
    }

    @Test(
        "in minor a tap on chords is a minor triad, in penta a major one", arguments: [(Scale.minor, 3), (.penta, 4)])
    func triads(scale: Scale, third: Int) {
        var player = Player.phone
        player.instrument.state.session.composition.pattern.tonality.scale = scale
        player.tap(4, 13)
        #expect(player.cells(.chords) == ["0@0=1", "\(third)@0=1", "7@0=1"])
    }

    @Test("a note out of the scale snaps to the nearest, upwards first")
    func snapping() {
        let penta = Tonality(root: 0, scale: .penta)
        #expect((0..<12).map(penta.snap) == [0, 2, 2, 4, 4, 4, 7, 7, 9, 9, 9, 0])
        let cSharp = Tonality(root: 1, scale: .major)
        #expect((0..<12).map(cSharp.snap) == [0, 1, 3, 3, 5, 5, 6, 8, 8, 10, 10, 0])
    }

    @Test("a run on a note out of the scale begins with the scale's first")
    func runFromOutside() {
        var player = Player.phone
        player.instrument.state.session.composition.pattern.tonality = Tonality(root: 2, scale: .penta)
        player.drag(from: (4, 7), to: (6, 7))
        #expect(player.cells(.melody) == ["2@0=1", "4@1=1", "6@2=1"])
    }

    @Test("placing a note replaces that cell and no other")
    func overwrites() {
        var player = Player.phone
        player.tap(4, 7)
        player.tap(4, 5)
        player.tap(4, 7, held: 450)
        #expect(player.cells(.melody) == ["0@0=2", "4@0=1"])
    }

    @Test("a touch on a gap column counts as the step to its left", arguments: [(12, 7), (21, 15), (30, 23)])
    func gaps(gap: Int, step: Int) {
        var player = Player.phone
        player.tap(Float(gap), 7)
        #expect(player.cells(.melody) == ["0@\(step)=1"])
    }
}
