import TestSupport
import Testing

@testable import Instrument

@Suite("Scales")
struct ScaleTests {
    /// The intervals from note to note up to the octave, as textbooks print them: H is a semitone, W two, 3 and 4 that
    /// many.
    static let textbook: [(Scale.Kind, String)] = [
        (.major, "WWHWWWH"), (.minor, "WHWWHWW"), (.penta, "WW3W3"), (.dorian, "WHWWWHW"), (.phrygian, "HWWWHWW"),
        (.lydian, "WWWHWWH"), (.mixolydian, "WWHWWHW"), (.locrian, "HWWHWWW"), (.harmonicMinor, "WHWWH3H"),
        (.melodicMinor, "WHWWWWH"), (.minorPentatonic, "3WW3W"), (.blues, "3WHH3W"), (.wholeTone, "WWWWWW"),
        (.diminished, "WHWHWHWH"), (.hungarianMinor, "WH3HH3H"), (.hirajoshi, "WH4H4"), (.inSen, "H4W3W"),
        (.chromatic, "HHHHHHHHHHHH"),
    ]

    @Test("have the intervals of the textbooks", arguments: textbook)
    func intervals(kind: Scale.Kind, steps: String) {
        var notes = [0]
        for step in steps {
            let size = step == "H" ? 1 : step == "W" ? 2 : Int(String(step)) ?? 0
            notes.append((notes.last ?? 0) + size)
        }
        #expect(notes.popLast() == 12)
        #expect(Scale(kind).intervals == notes)
    }

    @Test("every kind but the player's own is in the table, with a name of its own")
    func names() {
        #expect(Self.textbook.map(\.0) == Scale.named.map(\.kind) && Scale.named.count == Scale.Kind.allCases.count - 1)
        #expect(Set(Scale.Kind.allCases.map(\.name)).count == Scale.Kind.allCases.count)
        #expect(Set(Scale.named.map(\.intervals)).count == Scale.named.count)
        #expect(Scale.shared.map(\.name) == ["major", "minor", "penta"])
        #expect(Tonality(root: 2, scale: Scale(.harmonicMinor)).title == "D HARM MIN")
    }

    @Test("a scale of the player's always has its root")
    func user() {
        #expect(Scale(user: [3, 7]).intervals == [0, 3, 7] && Scale(.user).intervals == [0])
        let own = Scale(.dorian).toggling(1)
        #expect(own.kind == .user && own.intervals == [0, 1, 2, 3, 5, 7, 9, 10])
        #expect(own.toggling(1) == Scale(.dorian).asUser && own.toggling(1) != Scale(.dorian))
        #expect(own.toggling(0) == own)
    }

    /// The scale that other versions play instead.
    static let substitutes: [(Scale, Scale)] = [
        (Scale(.dorian), .minor), (Scale(.phrygian), .minor), (Scale(.lydian), .major), (Scale(.mixolydian), .major),
        (Scale(.locrian), .minor), (Scale(.harmonicMinor), .minor), (Scale(.minorPentatonic), .minor),
        (Scale(.hirajoshi), .minor), (Scale(.inSen), .minor), (Scale(.chromatic), .major), (Scale(.major), .major),
        (Scale(.penta), .penta), (Scale(user: [0, 2, 4, 7, 9]), .penta), (Scale(user: [0, 4, 7]), .penta),
        (Scale(.user), .penta),
    ]

    @Test("the nearest known scale has the most common notes, then the fewest others", arguments: substitutes)
    func nearest(scale: Scale, known: Scale) { #expect(scale.nearestShared == known) }

    @Test("degrees, their notes and the notes' degrees agree in every scale of 1 to 12 notes")
    func degrees() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        let own = (0..<200).map { _ in
            let chance = Int.random(in: 0...12, using: &random)
            return Scale(user: (0..<12).filter { _ in Int.random(in: 0..<12, using: &random) < chance })
        }
        for scale in Scale.named + own {
            let tonality = Tonality(root: Int.random(in: 0..<12, using: &random), scale: scale)
            let notes = Track.melody.notes
            let inScale = notes.filter { scale.intervals.contains(($0 + 24 - tonality.root) % 12) }
            let degrees = tonality.degrees(within: notes)
            #expect(degrees.map { tonality.note(ofDegree: $0) } == inScale, "seed \(seed), \(tonality)")
            #expect(notes.filter { tonality.contains($0) } == inScale, "seed \(seed), \(tonality)")
            for note in notes {
                let degree = tonality.degree(atOrBelow: note)
                let range = tonality.note(ofDegree: degree)..<tonality.note(ofDegree: degree + 1)
                #expect(range.contains(note), "seed \(seed), \(tonality), \(note)")
                #expect(tonality.contains(tonality.snap((note + 12) % 12)), "seed \(seed), \(tonality), \(note)")
            }
            for place in 0..<scale.count { #expect(tonality.place(of: tonality.note(atPlace: place)) == place) }
            for tone in [Tone.third, .fifth, .seventh, .thirdBelow, .fourthBelow, .fifthBelow, .sixthBelow] {
                #expect(tonality.contains(tonality.note(of: tone, above: 0)), "seed \(seed), \(tonality), \(tone)")
            }
        }
    }

    @Test("gestures, pages, words, help and drawing work with one note and with twelve", arguments: [1, 2, 12])
    func few(count: Int) {
        for root in 0..<12 {
            for rules in [Rules.box, .phone] {
                var player = Player(instrument: Instrument(rules: rules))
                player.instrument.state.session.composition.pattern.tonality = Tonality(
                    root: root, scale: Scale(user: 0..<count))
                for track in Track.allCases {
                    for _ in 0..<4 {
                        player.tap(.page(track), pause: 300)
                        for row in track.rows {
                            player.tap(Float(4 + row % 4), Float(row), pause: 400)
                            player.drag(from: (14, row), to: (20, row), pause: 400)
                            player.drag(from: (24, row), to: (24, row - 3), pause: 400)
                        }
                        _ = player.frame()
                    }
                }
                let tonality = player.pattern.tonality
                guard rules == .box else { continue }
                for track in [Track.melody, .chords, .bass] {
                    let played = track.notes.filter { !player.pattern.cells(track, note: $0).isEmpty }
                    #expect(!played.isEmpty && played.allSatisfy(tonality.contains), "\(tonality), \(track)")
                }
            }
        }
    }
}
