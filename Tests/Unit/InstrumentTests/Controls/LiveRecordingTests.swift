import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// A box that records while its pattern plays: the test is the engine, and reports steps of 125 ms.
struct Recorder {
    var player = Player()
    /// When step 0 began.
    let start: Instant
    /// Number of the next step, and that of each track that runs by itself.
    private var next = 0
    private var nextOfTrack = [0, 0, 0, 0]

    init(_ player: Player = Player(), quantise: Int = 100, _ change: (inout Pattern) -> Void = { _ in }) {
        self.player = player
        change(&self.player.instrument.state.session.composition.pattern)
        self.player.send(.quantise(quantise))
        self.player.send(.record(true))
        self.player.send(.key(.playStop))
        start = self.player.now + .milliseconds(1000)
        wait(to: 0)
    }

    /// Milliseconds of a step.
    static let step = 125.0

    var pattern: Pattern { player.pattern }
    var swing: Double { Double(player.instrument.state.session.sound[.swing]) / 50 }

    /// The time at which the step `number` of `division` begins, in milliseconds from the first one's begin.
    private func begin(_ number: Int, _ division: Double) -> Double {
        Self.step * division * (Double(number / 2 * 2) + (number % 2 == 0 ? 0 : swing))
    }

    /// The first hit of the next step of `track`.
    private func hit(_ track: Track) -> (time: Double, step: Int, place: Int) {
        let shape = pattern[shape: track]
        let (numerator, denominator) = shape.division.fraction
        let division = Double(numerator) / Double(denominator)
        let number = nextOfTrack[track.rawValue]
        let place = number % pattern.length(of: track)
        let step = shape.direction == .back ? pattern.length(of: track) - 1 - place : place
        let shift = Double(pattern.lanes[track, .shift, step: step] ?? 0) / 100
        return (max(0, begin(number, division) + shift * division * Self.step), step, number * shape.division.twelfths)
    }

    /// Lets the time pass to `milliseconds` from the first step's begin.
    mutating func wait(to milliseconds: Double) {
        while true {
            var due: (time: Double, event: Instrument.Event, track: Track?) = (
                begin(next, 1), .step(next % pattern.length, number: next), nil
            )
            for track in Track.allCases where !pattern.isPlain(track) {
                let hit = hit(track)
                if hit.time < due.time {
                    due = (hit.time, .trackStep(track, step: hit.step, place: hit.place, sounds: true), track)
                }
            }
            guard due.time <= milliseconds else { break }
            go(to: due.time)
            player.send(due.event)
            if let track = due.track {
                nextOfTrack[track.rawValue] += 1
            } else {
                next += 1
                for track in Track.allCases where pattern.isPlain(track) { nextOfTrack[track.rawValue] = next }
            }
        }
        go(to: milliseconds)
        player.send(.tick)
    }

    private mutating func go(to milliseconds: Double) {
        player.now = start + Instant.Span(microseconds: Int64((milliseconds * 1000).rounded()))
    }

    /// A tap on `place` that lands at `milliseconds`.
    mutating func tap(
        _ milliseconds: Double, _ place: Place, held: Double = 60, contact: Int = 0,
        at location: SourceLocation = #_sourceLocation
    ) {
        wait(to: milliseconds)
        player.finger(.down, place, contact: contact, at: location)
        wait(to: milliseconds + held)
        player.finger(.up, contact: contact)
    }

    /// A MIDI key on the channel of `track`.
    mutating func key(_ milliseconds: Double, _ track: Track, _ key: Int, held: Double = 60, velocity: Int = 64) {
        let channel = track == .rhythm ? 9 : track.rawValue
        wait(to: milliseconds)
        player.send(.midi(.noteOn(channel: channel, key: key, velocity: velocity)))
        wait(to: milliseconds + held)
        player.send(.midi(.noteOff(channel: channel, key: key)))
    }

    func cells(_ track: Track) -> [String] { player.cells(track) }

    /// The values of the lane `shift` of `track` by step.
    func shifts(_ track: Track) -> [Int: Int] {
        Dictionary(
            uniqueKeysWithValues: (0..<Pattern.steps).compactMap { step in
                pattern.lanes[track, .shift, step: step].map { (step, $0) }
            })
    }

    var auditions: [[Instrument.Effect.Note]] {
        player.effects.compactMap { if case .audition(let notes) = $0 { notes } else { nil } }
    }

    var history: Int { player.instrument.state.session.history.past.count }
}

@Suite("Taps on the tracks while recording")
struct LiveRecordingTests {
    @Test("are written at the nearest step of their time, whatever the finger's column, and sound at once")
    func tap() {
        var recorder = Recorder()
        recorder.tap(40, .step(24, .melody))
        recorder.tap(340, .step(6, .melody))
        recorder.tap(700, .step(31, .melody))
        // 40 ms after step 0; 35 ms before step 3; 50 ms before step 6.
        #expect(recorder.cells(.melody) == ["0@0=1", "0@3=1", "0@6=1"])
        #expect(recorder.auditions.count == 3 && recorder.auditions.allSatisfy { $0.count == 1 && $0[0].steps == 1 })
    }

    /// What a tap, and a hold, of each track write at step 4; the hold's echo is two steps later.
    static let taps: [(track: Track, tap: [String], hold: [String])] = [
        (.melody, ["0@4=1"], ["0@4=2"]), (.chords, ["0@4=1", "4@4=1", "7@4=1"], ["0@4=2", "4@4=2", "7@4=2"]),
        (.bass, ["0@4=1"], ["0@4=2", "7@4=1"]), (.rhythm, ["0@4=1"], ["0@4=2", "0@6=1"]),
    ]

    @Test("make what they make when drawn: notes, triads, and accents when held", arguments: taps)
    func tracks(track: Track, tap: [String], hold: [String]) {
        for (held, cells) in [(80.0, tap), (450.0, hold)] {
            var recorder = Recorder()
            recorder.tap(510, .step(15, track), held: held)
            #expect(recorder.cells(track) == cells)
            #expect(recorder.auditions.count == 1 && recorder.auditions[0].allSatisfy { $0.velocity == 1 })
        }
    }

    @Test("make the pattern's kind of chord")
    func chordKind() {
        var recorder = Recorder { $0[shape: .chords].chordKind = .sus4 }
        recorder.tap(510, .step(15, .chords))
        #expect(recorder.cells(.chords) == ["0@4=1", "5@4=1", "7@4=1"])
        #expect(recorder.auditions.map { $0.map { $0.note } } == [[0, 5, 7]])
    }

    @Test("make what they make under the rules of the phone, whose taps are taps within a step and a note")
    func phone() {
        let made: [(Track, [String])] = [
            (.melody, ["0@4=1"]), (.chords, ["0@4=1", "4@4=1", "7@4=1"]), (.bass, ["0@4=1", "7@4=1"]),
            (.rhythm, ["0@4=1", "0@6=1"]),
        ]
        for (track, cells) in made {
            var recorder = Recorder(.phone)
            recorder.tap(510, .step(15, track))
            #expect(recorder.cells(track) == cells)
            #expect(recorder.auditions.count == 1)
        }
    }

    @Test("overdub: on a lit LED they add, an accent stays, and two quick ones are two notes")
    func overdub() {
        var recorder = Recorder {
            $0[.melody, note: 0, step: 8] = .normal
            $0[.melody, note: 0, step: 4] = .accent
        }
        let lit = Place.step(8, .melody)
        recorder.tap(10, lit)
        recorder.tap(130, lit)
        recorder.tap(510, lit)
        recorder.tap(1010, lit, held: 450)
        #expect(recorder.cells(.melody) == ["0@0=1", "0@1=1", "0@4=2", "0@8=2"])
        #expect(recorder.auditions.count == 4)
    }

    @Test("sound with TAP off too, and not on a silent track, which is recorded nevertheless")
    func sound() {
        var player = Player()
        player.send(.tapSound(false))
        var recorder = Recorder(player)
        recorder.tap(10, .step(15, .melody))
        #expect(recorder.auditions.count == 1)
        recorder.player.instrument.state.session.muted = TrackSet(.melody)
        recorder.tap(500, .step(15, .melody))
        #expect(recorder.auditions.count == 1 && recorder.cells(.melody) == ["0@0=1", "0@4=1"])
    }

    @Test("wait for a step that is yet to come, so that it does not sound twice")
    func early() {
        var recorder = Recorder()
        // The finger lifts 40 ms before step 1.
        recorder.tap(70, .step(15, .melody), held: 15)
        #expect(recorder.cells(.melody) == [])
        recorder.wait(to: 124)
        #expect(recorder.cells(.melody) == [])
        recorder.wait(to: 125)
        #expect(recorder.cells(.melody) == ["0@1=1"])
    }

    @Test("at the end of the pattern belong to its first step, and to the pass that begins with it")
    func wrap() {
        var recorder = Recorder()
        recorder.tap(1000, .step(15, .melody))
        recorder.tap(32 * 125 - 30, .step(15, .rhythm), held: 20)
        #expect(recorder.cells(.rhythm) == [])
        recorder.wait(to: 32 * 125)
        #expect(recorder.cells(.rhythm) == ["0@0=1"] && recorder.history == 2)
        recorder.player.send(.key(.undo))
        #expect(recorder.cells(.rhythm) == [] && recorder.cells(.melody) == ["0@8=1"])
    }

    @Test("with the music stopped, and with recording off, are drawn")
    func drawn() {
        var recorder = Recorder()
        recorder.player.send(.record(false))
        recorder.tap(10, .step(8, .melody))
        #expect(recorder.cells(.melody) == ["0@8=1"])
        recorder.player.send(.record(true))
        recorder.player.send(.key(.playStop))
        recorder.player.tap(.step(8, .melody))
        #expect(recorder.cells(.melody) == [])
    }

    @Test("in the count-in sound and write nothing, but for those at the first step")
    func countIn() {
        var player = Player()
        player.send(.record(true))
        player.send(.quantise(0))
        player.send(.key(.playStop))
        for beats in [4, 3, 2, 1] {
            player.send(.count(beats))
            player.tap(.step(15, .melody), held: 60, pause: 40)
            player.wait(360)
            if beats == 1 { player.tap(.step(15, .melody, row: 1), held: 20, pause: 20) } else { player.wait(40) }
        }
        #expect(player.effects.count == 5 && player.cells(.melody) == [])
        player.send(.step(0, number: 0))
        #expect(player.cells(.melody) == ["2@0=1"] && player.pattern.lanes[.melody, .shift, step: 0] == -32)
    }

    // MARK: Gestures that stay

    @Test("a finger that drags draws where it is, and its note is not recorded")
    func drag() {
        for isHeld in [false, true] {
            var recorder = Recorder()
            recorder.wait(to: 20)
            recorder.player.drag(
                from: (column(8), 7), to: (column(12), 7), held: isHeld ? 450 : 0, duration: 500, pause: 0)
            var drawn = Player()
            drawn.drag(from: (column(8), 7), to: (column(12), 7), held: isHeld ? 450 : 0, duration: 500, pause: 0)
            #expect(recorder.cells(.melody) == drawn.cells(.melody) && !drawn.pattern.isEmpty)
        }
    }

    @Test("a drag that returns to where it began writes nothing")
    func givenUp() {
        var recorder = Recorder()
        recorder.wait(to: 20)
        recorder.player.finger(.down, .step(15, .melody))
        for column in [22, 25, 20] as [Float] {
            recorder.player.wait(200)
            recorder.player.finger(.move, column, 7)
        }
        recorder.player.wait(200)
        recorder.player.finger(.up)
        #expect(recorder.pattern.isEmpty && recorder.history == 0)
    }

    @Test("two swipes undo, and redo, and leave no note of theirs")
    func swipes() {
        var recorder = Recorder()
        recorder.tap(10, .step(15, .melody))
        recorder.tap(510, .step(15, .melody))
        func swipe(_ player: inout Player, from start: Int, to end: Int) {
            player.drag(from: (start, 12), to: (end, 12), duration: 150, pause: 100)
        }
        swipe(&recorder.player, from: 30, to: 18)
        swipe(&recorder.player, from: 30, to: 18)
        #expect(recorder.pattern.isEmpty && recorder.player.tooltip == "UNDO REC")
        recorder.player.wait(1000)
        swipe(&recorder.player, from: 18, to: 30)
        swipe(&recorder.player, from: 18, to: 30)
        #expect(recorder.cells(.melody) == ["0@0=1", "0@4=1"] && recorder.player.tooltip == "REDO REC")
    }

    @Test("a shake clears the track")
    func shake() {
        var recorder = Recorder { $0[.melody, note: 0, step: 8] = .normal }
        recorder.wait(to: 20)
        recorder.player.finger(.down, .step(15, .melody))
        for column in [26, 20, 26, 20, 26, 20, 26] as [Float] {
            recorder.player.wait(60)
            recorder.player.finger(.move, column, 7)
        }
        recorder.player.finger(.up)
        #expect(recorder.pattern.isEmpty)
    }

    @Test("the performance lock says so, and nothing is written; the finger sounds")
    func lock() {
        var recorder = Recorder()
        recorder.player.send(.lock(true))
        recorder.tap(10, .step(15, .melody))
        #expect(recorder.player.tooltip == "LOCKED" && recorder.auditions.count == 1)
        recorder.key(500, .bass, 40)
        #expect(recorder.player.tooltip == "LOCKED" && recorder.pattern.isEmpty)
    }

    @Test("the panel shows where the note will be written, and its word")
    func preview() {
        var recorder = Recorder()
        recorder.wait(to: 510)
        let before = recorder.player.led(.step(4, .melody))
        let finger = recorder.player.led(.step(24, .melody))
        recorder.player.finger(.down, .step(24, .melody))
        #expect(recorder.player.led(.step(4, .melody)) != before && recorder.player.led(.step(24, .melody)) == finger)
        #expect(recorder.player.tooltip == "C4")
        recorder.wait(to: 950)
        #expect(recorder.player.tooltip == "C4!")
        recorder.player.finger(.up)
        #expect(recorder.cells(.melody) == ["0@4=2"])
    }

    @Test("a finger that is down when the music stops still records its note")
    func stop() {
        var recorder = Recorder()
        recorder.wait(to: 100)
        recorder.player.finger(.down, .step(15, .melody))
        recorder.player.finger(.down, .step(15, .rhythm), contact: 1)
        recorder.player.finger(.up, contact: 1)
        recorder.player.send(.key(.playStop))
        recorder.player.finger(.up)
        #expect(recorder.cells(.melody) == ["0@1=1"] && recorder.cells(.rhythm) == ["0@1=1"])
    }

    // MARK: Quantise

    /// Per cent of quantise, and the shifts that taps 30 ms after step 1 and 40 ms before step 3 leave.
    static let shifts: [(quantise: Int, after: Int?, before: Int?)] = [
        (100, nil, nil), (75, 6, -8), (50, 12, -16), (0, 24, -32), (99, nil, nil),
    ]

    @Test("below 100 % the rest of the distance is kept in the step's shift", arguments: shifts)
    func shift(quantise: Int, after: Int?, before: Int?) {
        for isKey in [false, true] {
            var recorder = Recorder(quantise: quantise)
            for time in [155.0, 335] {
                if isKey {
                    recorder.key(time, .melody, 60, held: 30)
                } else {
                    recorder.tap(time, .step(15, .melody), held: 30)
                }
            }
            recorder.wait(to: 600)
            #expect(recorder.cells(.melody) == ["0@1=1", "0@3=1"])
            #expect(recorder.shifts(.melody)[1] == after && recorder.shifts(.melody)[3] == before)
        }
    }

    @Test("of several notes at a step the last one sets the shift; at 100 % the lane stays as it is")
    func lastNote() {
        var recorder = Recorder(quantise: 0)
        recorder.tap(510, .step(15, .melody))
        recorder.tap(4510, .step(15, .melody, row: 1))
        #expect(recorder.shifts(.melody) == [4: 8])
        recorder.tap(8540, .step(15, .melody))
        #expect(recorder.shifts(.melody) == [4: 32])
        recorder.player.send(.quantise(100))
        recorder.tap(12_510, .step(15, .melody, row: 2))
        #expect(recorder.shifts(.melody) == [4: 32])
        // On the step, its value goes.
        recorder.player.send(.quantise(1))
        recorder.tap(16_500, .step(15, .melody))
        #expect(recorder.shifts(.melody) == [:] && recorder.cells(.melody).count == 3)
    }

    @Test("with swing the distance is that from the step as it swings")
    func swing() {
        var player = Player()
        player.send(.sound(.swing, 66))
        var recorder = Recorder(player, quantise: 0)
        // Step 5 swings to 665 ms; the middle between it and step 4 is at 582.5 ms.
        recorder.tap(580, .step(15, .melody), held: 20)
        recorder.tap(650, .step(15, .melody, row: 1), held: 40)
        recorder.wait(to: 700)
        #expect(recorder.cells(.melody) == ["0@4=1", "2@5=1"])
        #expect(recorder.shifts(.melody) == [4: 50, 5: -12])
    }

    @Test("a track with a division and a length has steps of its own; a step with a shift is still where it was")
    func shape() {
        var recorder = Recorder(quantise: 0) {
            $0[shape: .bass].division = .double
            $0[shape: .bass].length = 3
            $0[shape: .chords].length = 5
            $0[shape: .chords].direction = .back
            $0.lanes[.chords, .shift, step: 2] = 40
        }
        // Bass: steps of 250 ms. The fourth is the first cell again.
        recorder.tap(800, .step(15, .bass))
        #expect(recorder.cells(.bass) == ["0@0=1"] && recorder.shifts(.bass) == [0: 20])
        // Chords run back: number 7 is cell 2, which is heard 50 ms late. The tap comes before.
        recorder.tap(885, .step(15, .chords), held: 20)
        #expect(recorder.cells(.chords) == [])
        recorder.wait(to: 924)
        #expect(recorder.cells(.chords) == [])
        recorder.wait(to: 925)
        #expect(recorder.cells(.chords) == ["0@2=1", "4@2=1", "7@2=1"])
        #expect(recorder.shifts(.chords) == [2: 8])
    }

    @Test("while the box follows a clock its steps are those that are heard")
    func following() {
        var player = Player()
        player.send(.sync(.source(.midi)))
        var status = SyncStatus()
        (status.lock, status.tempo) = (.locked, 60)
        player.send(.syncStatus(status))
        player.send(.record(true))
        player.send(.quantise(0))
        player.send(.transport(.begin(step: 0)))
        player.send(.step(0, number: 0))
        // 100 ms are 40 % of a step at 60 BPM, and 80 % at the pattern's 120.
        player.wait(100)
        player.tap(.step(15, .melody), held: 50, pause: 0)
        #expect(player.cells(.melody) == ["0@0=1"] && player.pattern.lanes[.melody, .shift, step: 0] == 40)
    }

    // MARK: Undo

    @Test("taps and keys of one pass are one undo step; each pass has its own")
    func passes() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<40 {
            let quantise = [0, 50, 100].randomElement(using: &random) ?? 0
            var recorder = Recorder(quantise: quantise) { $0.length = 8 }
            var states: [Pattern] = [recorder.pattern]
            for pass in 0..<5 {
                let start = 1000.0 * Double(pass)
                var time = start + .random(in: 10...100, using: &random)
                while time < start + 900 {
                    let track = Track.allCases.randomElement(using: &random) ?? .melody
                    if Bool.random(using: &random) {
                        let row = Int.random(in: 0..<track.rows.count, using: &random)
                        recorder.tap(
                            time, .step(.random(in: 0..<8, using: &random), track, row: row), held: 20)
                    } else {
                        recorder.key(
                            time, track, track == .rhythm ? 36 : .random(in: 36...72, using: &random), held: 20)
                    }
                    time += .random(in: 30...300, using: &random)
                }
                recorder.wait(to: start + 999)
                if recorder.pattern != states.last { states.append(recorder.pattern) }
            }
            recorder.player.send(.key(.playStop))
            var undone: [Pattern] = []
            while recorder.history > 0 {
                recorder.player.send(.key(.undo))
                undone.append(recorder.pattern)
            }
            // A note that waits at the end of a pass is written in the next, so the states are compared at the last
            // step.
            #expect(undone.count == states.count - 1, "seed \(seed)")
            #expect(undone.last == states.first, "seed \(seed)")
        }
    }

    @Test("a key held into the next pass lengthens its note there where it was recorded")
    func heldKey() {
        var recorder = Recorder { $0.length = 8 }
        recorder.key(760, .melody, 60, held: 500)
        recorder.key(1500, .melody, 64)
        #expect(recorder.cells(.melody).contains("0@7=3") && recorder.cells(.melody).contains("0@0=3"))
        recorder.player.send(.key(.undo))
        #expect(recorder.cells(.melody).count == 4)
        recorder.player.send(.key(.undo))
        #expect(recorder.pattern.isEmpty && recorder.history == 0)
        // Undone while it is down, a note stays away.
        recorder.wait(to: 2000)
        recorder.player.send(.midi(.noteOn(channel: 0, key: 60, velocity: 64)))
        recorder.player.send(.key(.undo))
        recorder.wait(to: 2500)
        recorder.player.send(.midi(.noteOff(channel: 0, key: 60)))
        #expect(recorder.pattern.isEmpty)
    }
}
