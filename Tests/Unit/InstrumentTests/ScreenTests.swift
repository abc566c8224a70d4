import InputEvents
import Display
import Testing
import TestSupport

@testable import Instrument

/// docs/spec.md, section 2, LED by LED. Colours are given as in the spec: a colour and its opacity over the background.
@Suite("The panel")
struct ScreenTests {
    @Test("a note is its colour: accent full, normal at 0xbb/255")
    func notes() {
        var player = Player()
        player.tap(4, 7)
        player.tap(5, 7, held: 450)
        #expect(isClose(player.led(4, 7), over(0xff0000, 187.0 / 255)))
        #expect(player.led(5, 7) == RGB(0xff0000))
    }

    @Test("one LED per degree; on a shared LED accent beats normal beats sustain, then the higher note")
    func shared() {
        var player = Player()
        func show(_ cells: [Int: Cell]) -> RGB {
            var pattern = Pattern()
            for (note, cell) in cells { pattern[.bass, note: note, step: 4] = cell }
            player.instrument.load(Session(Composition(pattern: pattern)))
            return player.led(8, 17)
        }
        // C and C♯ share the row of C.
        #expect(isClose(show([0: .normal, 1: .normal]), over(0xff4500, 187.0 / 255)))
        #expect(show([0: .accent, 1: .normal]) == RGB(0xff0000))
        #expect(isClose(show([0: .normal, 1: .sustain]), over(0xff0000, 187.0 / 255)))
    }

    @Test(
        "harmonic mode orders the colours by the circle of fifths, at once",
        arguments: [
            (0, 0xff0000), (7, 0xff4500), (2, 0xff8c00), (9, 0xffc800), (4, 0xffff00), (11, 0x9acd32), (6, 0x00ff00),
            (1, 0x00ffaa),
            (8, 0x00ffff), (3, 0x00aaff), (10, 0x0055ff), (5, 0x8a2be2),
        ] as [(Int, UInt32)])
    func harmonic(note: Int, hex: UInt32) {
        var player = Player()
        player.tap(.colours, held: 700)
        player.instrument.state.session.composition.pattern.tonality.root = note
        #expect(player.led(.control(.root(note))) == RGB(hex))
    }

    @Test("a held run fades from 0.85 to 0.25, cyclic in the pattern")
    func sustain() {
        var player = Player()
        var pattern = Pattern()
        pattern[.melody, note: 0, step: 30] = .accent
        for step in [31, 0, 1, 2, 3, 4, 5, 6, 7] { pattern[.melody, note: 0, step: step] = .sustain }
        player.instrument.load(Session(Composition(pattern: pattern)))
        let expected: [(Int, Double)] = [(31, 0.85), (0, 0.85), (1, 0.85), (2, 0.64), (3, 0.55), (5, 0.37), (7, 0.25)]
        for (step, alpha) in expected {
            #expect(isClose(player.led(column(step), 7), over(0xff0000, alpha)), "step \(step)")
        }
    }

    @Test("a run of 3s without a head fades from its first 3")
    func headless() {
        var player = Player()
        var pattern = Pattern()
        for step in 8..<12 { pattern[.melody, note: 0, step: step] = .sustain }
        player.instrument.load(Session(Composition(pattern: pattern)))
        for (step, alpha) in [(8, 0.85), (9, 0.85), (10, 0.55), (11, 0.325)] {
            #expect(isClose(player.led(column(step), 7), over(0xff0000, alpha)), "step \(step)")
        }
    }

    @Test("a silent track's notes keep 40 % of their opacity, and its mute LED is dim")
    func silent() {
        var player = Player()
        player.tap(4, 7, held: 450)
        player.tap(.mute(.melody))
        #expect(isClose(player.led(4, 7), over(0xff0000, 0.4)))
        #expect(isClose(player.led(0, 2), over(0xf7dc6f, 0x33 / 255.0)))
    }

    @Test("the mute column fades down the track, and is full when soloed; the solo LED is white then")
    func heads() {
        var player = Player()
        for (place, row) in (8..<14).enumerated() {
            let alpha = ((1 - Double(place) / 6 * 0.5) * 200).rounded() / 255
            #expect(isClose(player.led(0, row), over(0x4ecdc4, alpha)))
        }
        #expect(player.led(1, 9) == RGB(0x333333))
        player.tap(.solo(.chords))
        #expect(player.led(0, 13) == RGB(0x4ecdc4))
        #expect(player.led(1, 9) == .white)
        #expect(player.led(2, 9) == RGB(0x111111))
    }

    @Test("a melodic track's note is a ghost on the free LEDs of the others, by its number, while ghosts are on")
    func ghosts() {
        var player = Player()
        player.tap(5, 7)
        player.tap(7, 21)
        #expect(isClose(player.led(5, 13), over(0xf7dc6f, 0x22 / 255.0)))
        #expect(isClose(player.led(5, 17), over(0xf7dc6f, 0x22 / 255.0)))
        // Drums neither cast nor receive them.
        #expect(player.led(5, 21) == RGB(0x0a0a0a) && player.led(7, 17) == RGB(0x0a0a0a))
        // A note of another octave is another number.
        player.tap(.page(.bass))
        #expect(player.led(5, 17) == RGB(0x0a0a0a))
        player.tap(.control(.ghosts))
        #expect(player.led(5, 13) == RGB(0x0a0a0a))
    }

    @Test("empty LEDs: dots on the rows of the root, bar steps, rows without notes, background")
    func empty() {
        var player = Player()
        #expect(player.led(4, 7) == RGB(0x242424) && player.led(8, 7) == RGB(0x242424))
        #expect(player.led(5, 7) == RGB(0x0a0a0a))
        #expect(player.led(4, 2) == RGB(0x111111) && player.led(8, 2) == RGB(0x0a0a0a))
        #expect(player.led(4, 21) == RGB(0x111111))
        #expect(player.led(12, 5) == RGB(0x0a0a0a))
        #expect(player.led(41, 5) == RGB(0x0a0a0a))
        // The top page of the bass ends with B: degrees 13 to 16, of which one exists.
        player.finger(.down, .page(.bass))
        player.finger(.move, 3, -20)
        player.finger(.up)
        #expect(player.led(4, 16) == .black && player.led(5, 14) == .black)
        #expect(player.led(5, 17) == RGB(0x0a0a0a))
    }

    @Test("a gesture's preview is white at 0x88/255 over the cells, and follows the finger")
    func preview() {
        var player = Player()
        player.finger(.down, 5, 7)
        #expect(isClose(player.led(5, 7), over(0xffffff, 0x88 / 255.0)))
        player.finger(.move, 7, 7)
        #expect(isClose(player.led(7, 5), over(0xffffff, 0x88 / 255.0)))
        player.finger(.cancel, 7, 7)
        #expect(player.led(5, 7) == RGB(0x0a0a0a))
    }

    @Test("the playhead: its column, its notes 20 % whiter, and a pulse of 100 ms at the trigger")
    func playhead() {
        var player = Player()
        player.tap(9, 7, held: 450)
        player.send(.key(.playStop))
        player.send(.step(5, number: 5))
        #expect(player.led(9, 7) == .white)
        #expect(player.led(9, 1) == .white)
        #expect(player.led(9, 4) == RGB(0x1a1a1a))
        #expect(player.led(10, 22) == RGB(0x0a0a0a))
        player.wait(50)
        #expect(isClose(player.led(9, 7), RGB(0xff9999)))
        player.wait(60)
        #expect(player.led(9, 7) == RGB(0xff3333))
        #expect(player.led(9, 1) == RGB(0xaaaaaa))
        player.send(.step(6, number: 6))
        #expect(player.led(9, 7) == RGB(0xff0000))
        #expect(player.led(10, 22) == RGB(0x222222))
    }

    @Test("row 1 marks bars, beats and steps within the length")
    func steps() {
        var player = Player()
        player.instrument.state.session.composition.pattern.length = 12
        #expect(player.led(4, 1) == RGB(0x555555))
        #expect(player.led(8, 1) == RGB(0x333333))
        #expect(player.led(5, 1) == RGB(0x1a1a1a))
        #expect(player.led(column(12), 1) == RGB(0x0a0a0a))
        #expect(player.led(2, 1) == RGB(0xa6a6a6))
        player.send(.rules(.phone))
        #expect(player.led(2, 1) == RGB(0x222222))
    }

    @Test("the overview shows the first audible track and its lowest note")
    func overview() {
        var player = Player()
        player.tap(5, 11)
        player.tap(5, 21)
        #expect(player.led(5, 22) == RGB(0x4ecdc4))
        #expect(player.led(5, 23) == RGB(0xffff00))
        #expect(player.led(6, 22) == RGB(0x0a0a0a))
        #expect(player.led(6, 23) == RGB(0x050505))
        player.tap(.mute(.chords))
        #expect(player.led(5, 22) == RGB(0xff6b6b))
        // Left of it: LANES and FILL, in the colour of the track touched last.
        #expect(isClose(player.led(0, 22), RGB.black.blended(towards: RGB(0x4ecdc4), 0.8)))
        #expect(player.led(2, 23) == RGB(0x0a0a0a) && player.led(3, 23) == RGB(0x1c1c1c))
    }

    @Test("row 0 shows the state of its controls")
    func controls() {
        var player = Player()
        let expected: [Int: UInt32] = [
            1: 0x44ff44, 2: 0x44ff44, 3: 0x0a0a0a, 4: 0x333333, 5: 0x333333, 7: 0xffaa00, 8: 0x002244, 9: 0x220044,
            11: 0xff0000,
            24: 0x666666, 26: 0x444444, 27: 0x26d926, 28: 0x444444, 30: 0x444444, 31: 0x5626d9, 32: 0x444444,
            34: 0x003c36, 35: 0x003c36, 36: 0x341c40,
            37: 0x341c40, 38: 0x0a0a0a, 40: 0x662222, 43: 0x662222,
        ]
        for (column, hex) in expected { #expect(isClose(player.led(column, 0), RGB(hex)), "column \(column)") }
        #expect(isClose(player.led(12, 0), over(0xff4500, 0x44 / 255.0)))
        player.tap(4, 7)
        #expect(player.led(4, 0) == RGB(0x888888))
        player.send(.key(.undo))
        #expect(player.led(5, 0) == RGB(0x888888))
        player.send(.key(.playStop))
        #expect(player.led(0, 0) == RGB(0xff4444))
    }

    @Test("the LED at 0, 0 pulses in Play's colour while the box is idle")
    func breathing() {
        var player = Player()
        player.instrument.state.session.composition.pattern.tonality.root = 6
        let greens = (0..<48).map { _ in
            player.wait(50)
            return player.led(0, 0).green
        }
        #expect((greens.max() ?? 0) > 240)
        #expect((greens.min() ?? 0) < 110)
        #expect(player.led(0, 0).red <= 0x44)
    }

    @Test("the shake meter shows the reversals")
    func meter() {
        var player = Player()
        player.finger(.down, 10, 5)
        for column in [14, 10, 14] { player.finger(.move, Float(column), 5) }
        #expect(player.led(34, 0) == .hsl(240, 1, 0.5) && player.led(35, 0) == .hsl(240, 1, 0.5))
        #expect(player.led(36, 0) == RGB(0x222222))
        player.finger(.up, 14, 5)
        #expect(player.led(34, 0) == RGB(0x003c36))
    }

    @Test("column 3 shows which part of its notes a page shows; column 2 glows if notes are off it")
    func pages() {
        var player = Player()
        func bar() -> [Int] { (2...7).map { Int(player.led(3, $0).red) } }
        // 21 degrees on six LEDs, 3.5 on each: page 0 shows the eighth to the thirteenth.
        let home = bar()
        #expect(home[3] == 211 && home[2] == 211)
        #expect([0, 1, 4, 5].allSatisfy { home[$0] == 0x16 })
        player.tap(4, 7)
        #expect(player.led(2, 2) == RGB(0x111111) && player.led(2, 7) == RGB(0x111111))
        player.tap(.page(.melody))
        #expect(player.tooltip == "PAGE +6" && player.instrument.state.session.pages[0] == 6)
        #expect(player.led(2, 7) != RGB(0x111111) && player.led(2, 2) == RGB(0x111111))
        #expect(bar() != home && bar()[3] < 211)
        player.tap(.page(.melody))
        #expect(player.led(2, 2) != RGB(0x111111) && player.led(2, 7) == RGB(0x111111))
        // It is bright while the note sounds.
        let quiet = player.led(2, 2)
        player.send(.key(.playStop))
        player.send(.step(0, number: 0))
        #expect(player.led(2, 2) == RGB(0xf7dc6f))
        player.wait(150)
        #expect(player.led(2, 2) == quiet)
        // Rhythm: three lights from the lowest row.
        #expect(player.led(3, 21).red > player.led(3, 20).red && player.led(3, 18) == RGB(0x0a0a0a))
    }

    @Test("panels of 46 and 50 columns have the menu's columns at the left, and a black divider", arguments: [46, 50])
    func wide(columns: Int) {
        var player = Player()
        player.instrument = Instrument(columns: columns)
        let offset = columns - 44
        player.tap(Float(4 + offset), 7)
        #expect(player.cells(.melody) == ["0@0=1"])
        #expect(isClose(player.led(4 + offset, 7), over(0xff0000, 187.0 / 255)))
        #expect(player.led(offset - 1, 7) == .black)
        player.tap(0, 7)
        #expect(player.instrument.state.session.muted == TrackSet())
    }

    // MARK: Tooltips

    @Test("a tooltip shows for 1200 ms in rows 2-6, centred; the newest replaces older ones")
    func tooltip() {
        var player = Player()
        player.send(.key(.playStop))
        #expect(player.tooltip == "PLAY")
        // P is at column 14: 15 columns, centred in 44.
        #expect(player.frame()[14, 2].red > 200)
        #expect(player.frame()[14, 1].red < 30)
        player.wait(1199)
        #expect(player.tooltip == "PLAY")
        player.send(.key(.faster))
        #expect(player.tooltip == "125 BPM")
        player.wait(1200)
        #expect(player.tooltip == nil)
    }

    @Test("the text's box and one LED around it dim to 28 %, and its LEDs blend 85 % towards white")
    func tooltipColours() {
        var player = Player()
        player.instrument.state.view.tooltip = Tooltip(line: TextLine("I"), since: player.now)
        let frame = player.frame()
        var plain = player
        plain.instrument.state.view.tooltip = nil
        let behind = plain.frame()
        // "I" is three columns wide at column 20; its stem is column 21.
        #expect(isClose(frame[19, 1], behind[19, 1].blended(towards: .black, 0.72)))
        #expect(frame[18, 1] == behind[18, 1])
        let stem = behind[21, 4].blended(towards: .black, 0.72).blended(towards: .white, 0.85)
        #expect(isClose(frame[21, 4], stem))
        #expect(isClose(frame[23, 7], behind[23, 7].blended(towards: .black, 0.72)))
        #expect(frame[23, 8] == behind[23, 8])
    }

    @Test("text wider than the panel scrolls to its end")
    func scrolling() {
        var player = Player()
        player.instrument.state.view.tooltip = Tooltip(line: TextLine("AN ERROR THAT IS LONG"), since: player.now)
        let first = player.frame()
        player.wait(1300)
        #expect(player.tooltip != nil)
        #expect(player.frame() != first)
        player.wait(3000)
        #expect(player.tooltip == nil)
    }

    // MARK: Time

    @Test("a fast frame rate is requested only while something moves")
    func frameRate() {
        var player = Player()
        #expect(player.instrument.nextFrame(after: player.now) - player.now == .milliseconds(50))
        player.send(.key(.playStop))
        #expect(player.instrument.nextFrame(after: player.now) - player.now == Instrument.frameInterval)
    }

    @Test("random fingers and keys never trap, and leave a valid pattern")
    func randomPlay() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SplitMix(seed: seed)
            var player = Player()
            for _ in 0..<1500 {
                player.wait(Int64.random(in: 0...120, using: &random))
                if Int.random(in: 0..<12, using: &random) == 0 {
                    player.send(.key(Key.allCases.randomElement(using: &random) ?? .playStop))
                } else {
                    let phases: [Touch.Phase] = [.down, .move, .move, .move, .up, .cancel]
                    player.finger(
                        phases.randomElement(using: &random) ?? .move, Float.random(in: -60...60, using: &random),
                        Float.random(in: -30...30, using: &random), contact: Int.random(in: -1...16, using: &random))
                }
                if player.instrument.state.isPlaying {
                    player.send(.step(Int.random(in: 0..<32, using: &random), number: 0))
                }
            }
            _ = player.frame()
            #expect(Tempo.range.contains(player.pattern.tempo), "seed \(seed)")
            #expect(Pattern.lengths.contains(player.pattern.length) && player.pattern.length % 4 == 0, "seed \(seed)")
            #expect(player.instrument.state.session.history.past.count <= History.levels, "seed \(seed)")
        }
    }
}
