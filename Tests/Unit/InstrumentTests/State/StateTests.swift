import InputEvents
import TestSupport
import Testing

@testable import Instrument

private func time(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

@Suite("The values of the state, without a panel")
struct StateTests {
    // MARK: Transport

    @Test("a transport forgets its steps when it stops, and numbers the beginnings of others")
    func transport() {
        var transport = Instrument.Transport()
        transport.toggle()
        transport.count(3, at: time(10))
        #expect(transport.isPlaying && transport.begun == nil && transport.counted?.beats == 3)
        transport.beginStep(5, number: 37, at: time(20))
        #expect(transport.counted == nil && transport.playhead?.step == 5 && transport.playhead?.number == 37)
        transport.beginStep(6, number: 38, at: time(30))
        #expect(transport.playhead?.previous == 37)
        transport.begin(at: 16)
        transport.begin(at: 0)
        #expect(transport.begun == Instrument.Transport.Begin(step: 0, number: 2) && transport.playhead == nil)
        transport.stop()
        #expect(!transport.isPlaying && transport.begun?.number == 2)
        transport.toggle()
        #expect(transport.begun == nil)
    }

    @Test("a track with a shape has a step of its own")
    func trackSteps() {
        var transport = Instrument.Transport()
        var pattern = Pattern()
        pattern[shape: .bass].length = 5
        transport.beginStep(7, number: 7, at: time(0))
        transport.beginStep(2, of: .bass, number: 7, sounds: false, at: time(0))
        #expect(transport.playhead(of: .melody, in: pattern)?.step == 7)
        #expect(transport.playhead(of: .bass, in: pattern)?.step == 2)
        #expect(transport.playhead(of: .bass, in: pattern)?.sounds == false)
        pattern[shape: .bass].length = nil
        #expect(transport.playhead(of: .bass, in: pattern)?.step == 7)
    }

    @Test("wishes for a session's tempo are clamped, numbered, and count from one another until the session follows")
    func wishes() {
        var transport = Instrument.Transport()
        #expect(transport.tempoToChange == nil && transport.ledTempo == nil)
        transport.syncStatus.tempo = 100.4
        #expect(transport.tempoToChange == Tempo(hundredths: 10_040))
        var wishes = [transport.wish(forTempo: 103)]
        #expect(transport.tempoToChange == 103)
        transport.syncStatus.tempo = 103
        #expect(transport.tempoToChange == 103)
        wishes.append(transport.wish(forTempo: 5000))
        #expect(wishes == [103, 999])
        #expect(transport.sessionTempo?.number == 1)
    }

    @Test(
        "a led tempo is heard at the octave of the box",
        arguments: [(15.0, 30.0), (30, 30), (250, 250), (401, 200.5)])
    func octaves(tempo: Double, heard: Double) {
        var transport = Instrument.Transport()
        transport.syncStatus.tempo = tempo
        #expect(transport.ledTempo == heard)
    }

    // MARK: The line of steps

    /// A line at 120 BPM, 125 ms a step, on which step 4 began at second 1.
    private func line(_ pattern: Pattern = Pattern()) -> StepLine {
        var transport = Instrument.Transport()
        transport.beginStep(3, number: 3, at: time(875))
        transport.beginStep(4, number: 4, at: time(1000))
        for track in Track.allCases { transport.followPattern(track) }
        return StepLine(transport: transport, pattern: pattern, swing: 50, tempo: 120)
    }

    @Test(
        "a note is played to the nearest step, which it has at once if that has begun",
        arguments: [
            (1000, 4, 4), (1062, 4, 4), (1063, 5, nil), (938, 4, 4), (937, 3, 3), (1187, 5, nil), (1188, 6, nil),
        ])
    func nearest(milliseconds: Int64, number: Int, step: Int?) {
        let target = line().target(at: time(milliseconds), on: .melody, quantise: 100)
        #expect(target?.number == number && target?.step == step && target?.shift == nil)
    }

    @Test("what quantise leaves of the distance is the shift", arguments: [(0, 40), (50, 20), (75, 10)])
    func shift(quantise: Int, expected: Int) {
        #expect(line().target(at: time(1050), on: .melody, quantise: quantise)?.shift == expected)
    }

    @Test("nothing has a step before the music, nor in a count-in but for its last half step")
    func countIn() {
        let silent = StepLine(transport: Instrument.Transport(), pattern: Pattern(), swing: 50, tempo: 120)
        #expect(!silent.isRunning && silent.target(at: time(0), on: .bass, quantise: 100) == nil)
        var transport = Instrument.Transport()
        transport.count(1, at: time(0))
        let counting = StepLine(transport: transport, pattern: Pattern(), swing: 50, tempo: 120)
        #expect(counting.isRunning && counting.target(at: time(437), on: .bass, quantise: 100) == nil)
        #expect(counting.target(at: time(438), on: .bass, quantise: 100)?.number == 0)
    }

    @Test("a step that will not begin is written all the same, or is the next scene's first behind the end")
    func closed() {
        let line = line()
        let waiting = StepLine.Target(number: 5, time: time(1070))
        #expect(line.closed(waiting, on: .melody, carries: .nowhere).step == 5)
        let carried = line.closed(waiting, on: .melody, carries: .toScene)
        #expect(carried.isCarried && carried.number == 0 && carried.step == nil)
        // A part begins on the same line.
        let toPart = line.closed(waiting, on: .melody, carries: .toPart)
        #expect(toPart.isCarried && toPart.number == 5 && toPart.step == nil)
        let written = StepLine.Target(number: 4, time: time(1000), step: 4)
        #expect(line.closed(written, on: .melody, carries: .toScene) == written)
    }

    // MARK: Recording

    private func tap(_ number: Int, at milliseconds: Int64) throws -> Instrument.Recording.WaitingTap {
        let led = Position.LED(column: Grid.column(ofStep: number), row: Track.melody.rows.lowerBound)
        let gesture = try #require(Gesture(.box, at: led, pages: [0, 0, 0, 0], Pattern(), StepWindow(index: 0)))
        return .init(gesture: gesture, target: StepLine.Target(number: number, time: time(milliseconds)))
    }

    private func key(_ number: Int, at milliseconds: Int64) -> Instrument.Recording.PlayedKey {
        var key = Instrument.Recording.PlayedKey(
            channel: 0, key: 60, note: .init(track: .melody, note: 0, velocity: 1, steps: 1), velocity: 64,
            since: time(milliseconds))
        key.recording = .waiting(StepLine.Target(number: number, time: time(milliseconds)), steps: 1)
        return key
    }

    @Test("waiting taps and keys come in the order in which they were played, once their step has begun")
    func waiting() throws {
        var recording = Instrument.Recording()
        recording.wait(try tap(4, at: 980))
        recording.wait(try tap(5, at: 1090))
        recording.keys = [key(4, at: 970), key(4, at: 990)]
        var transport = line().transport
        var orders = [recording.writeReached()]
        recording.reach(.melody, on: line())
        orders.append(recording.writeReached())
        transport.beginStep(5, number: 5, at: time(1125))
        let next = StepLine(transport: transport, pattern: Pattern(), swing: 50, tempo: 120)
        for track in [Track.bass, .melody] {
            recording.reach(track, on: next)
            orders.append(recording.writeReached())
        }
        #expect(orders == [[], ["key 970", "tap 980", "key 990"], [], ["tap 1090"]])
    }

    @Test(
        "a pass that ends forgets what waits, but for notes of the next scene; a key that is up is gone with its note")
    func endPass() throws {
        var recording = Instrument.Recording()
        recording.wait(try tap(4, at: 980))
        recording.wait(try tap(5, at: 1090))
        recording.keys = [key(4, at: 970), key(5, at: 1095)]
        recording.remove(0)
        recording.remove(1)
        #expect(recording.keys.map(\.channel) == [-1, -1])
        // Step 4 has its step, step 5 is carried.
        recording.close(TrackSet(.melody), on: line(), carries: .toScene)
        recording.endPass()
        #expect(recording.keys.count == 1 && recording.keys[0].since == time(1095) && recording.taps.count == 1)
        recording.endPass()
        #expect(recording.keys.isEmpty && recording.taps.isEmpty)
    }

    @Test("no more taps wait than there is room for")
    func fullOfTaps() throws {
        var recording = Instrument.Recording()
        let tap = try tap(4, at: 980)
        for _ in 0..<100 { recording.wait(tap) }
        #expect(recording.taps.count == Instrument.Recording.WaitingTap.countMax)
    }

    @Test("a pedal is of its channel")
    func pedals() {
        var recording = Instrument.Recording()
        recording.setPedal(of: 3, isDown: true)
        #expect((0..<16).filter(recording.isPedalDown) == [3])
        recording.setPedal(of: 2, isDown: false)
        recording.setPedal(of: 3, isDown: false)
        #expect((0..<16).filter(recording.isPedalDown) == [])
    }

    // MARK: Fingers

    private func landed(_ places: [(id: Int, column: Float, at: Int64)]) -> Instrument.Fingers {
        var fingers = Instrument.Fingers()
        for place in places {
            fingers.land(place.id, at: Position(column: place.column, row: 5), time(place.at), .box)
            fingers[place.id].isDown = true
        }
        return fingers
    }

    @Test("a landing knows its number and whether it was alone")
    func landing() {
        var fingers = landed([(0, 5, 0), (1, 9, 10)])
        #expect(fingers.landings == 2 && fingers[0].landing.isAlone && !fingers[1].landing.isAlone)
        fingers[1].role = .chain
        fingers[1].due = time(400)
        #expect(fingers.nextHold == time(400) && fingers.holder(at: time(400)) == 1)
        fingers.release(1)
        #expect(fingers.nextHold == nil && fingers[1].role == nil)
    }

    @Test("two taps on one LED within 300 ms are a double tap, once", arguments: [(299, true), (300, false)])
    func doubleTap(gap: Int64, isPair: Bool) {
        var fingers = landed([(0, 5, 0)])
        let first = Instrument.Fingers.Tap(landing: fingers[0].landing, target: .outsideTracks)
        fingers.remember(first)
        fingers[0].isDown = false
        fingers.land(0, at: Position(column: 5, row: 5), time(gap), .box)
        let second = Instrument.Fingers.Tap(landing: fingers[0].landing, target: .outsideTracks)
        let pairs = (0..<2).map { _ in fingers.doubleTap(with: second, .box, isLocked: false) != nil }
        #expect(pairs == [isPair, false])
    }

    @Test("fingers that land within 60 ms share their step of the history; the phone's do not")
    func groups() throws {
        let gesture = try gesture
        for (rules, shared) in [(Rules.box, [true, true, false]), (.phone, [true, false, false])] {
            var fingers = landed([(0, 5, 0), (1, 9, 60), (2, 13, 61)])
            for id in 0..<3 {
                fingers.joinGroup(id, rules, at: fingers[id].landing.time)
                fingers[id].role = .gesture(gesture)
            }
            var history = History()
            fingers[0].action = history.record(History.Step(Composition()))
            fingers.shareAction(of: 0)
            #expect((0..<3).map { fingers[$0].action != nil } == shared)
        }
    }

    private var gesture: Gesture {
        get throws {
            try #require(
                Gesture(
                    .box, at: Position.LED(column: 5, row: 5), pages: [0, 0, 0, 0], Pattern(), StepWindow(index: 0)))
        }
    }

    @Test("another screen, pattern or rules end just the roles on them")
    func roles() throws {
        let part = PartTouch(at: Position(column: 41, row: 3))
        let roles: [Contact.Role] = [
            .gesture(try gesture), .control(.clear), .spot(.back, isOver: true), .guide, .colourHold,
            .play(stops: true),
            .scene(SceneTouch(slot: 1, isOnSheet: false, hold: .copy)), .ordering(2), .chain,
            .page(PageTouch(track: .bass, row: 3, page: 1)), .pickedUp(TrackSet(.bass)), .outsideTracks, .nothing,
            .scrolling, .part(try #require(part)),
        ]
        func ended(_ end: (inout Instrument.Fingers) -> Void) -> [Int] {
            var fingers = Instrument.Fingers()
            for (id, role) in roles.enumerated() { fingers[id].role = role }
            end(&fingers)
            return roles.indices.filter { fingers[$0].role != roles[$0] }
        }
        #expect(ended { $0.leaveScreen() } == [2, 3, 6, 7, 9, 10, 13, 14])
        #expect(ended { $0.leavePattern() } == [0, 1])
        #expect(ended { $0.leave(TrackSet(.melody, .chords, .bass, .rhythm)) } == [0])
        #expect(ended { $0.leave(TrackSet()) } == [])
        #expect(ended { $0.leavePages() } == [9])
    }

    @Test("tap tempo is the mean of the last eight taps, and forgets a tap after 3.2 s")
    func tapTempo() {
        var taps = TempoTaps()
        var tempos = [taps.tap(at: time(0), steps: 4), taps.tap(at: time(500), steps: 4)]
        for beat in 0..<8 { _ = taps.tap(at: time(1000 + 600 * Int64(beat)), steps: 4) }
        tempos += [taps.tap(at: time(5800), steps: 4), taps.tap(at: time(9001), steps: 4)]
        #expect(tempos == [nil, 120, 100, nil])
    }

    // MARK: Song

    private func session(_ order: [Int], playing: Int = 0, _ mode: SceneMode = .song) -> Session {
        var session = Session()
        session.composition.scenes = Scenes([Pattern(), Pattern(), nil, Pattern()], current: playing)
        session.composition.song = Song(order.map { Song.Entry(scene: $0) })
        session.sceneMode = mode
        return session
    }

    @Test("a queue is for what can play: the current scene and a second touch cancel it")
    func queue() {
        var play = Instrument.SongPlay()
        play.queue(scene: 3, plays: 0)
        #expect(play.upcomingScene(in: session([])) == .init(slot: 3, isAtBar: true))
        play.queue(scene: 3, plays: 0)
        #expect(play.queuedScene == nil)
        play.queue(entry: 1)
        #expect(play.upcomingScene(in: session([0, 1])) == .init(slot: 1, isAtBar: true))
        play.update(for: session([0, 2]), isPlaying: true)
        #expect(play.queuedEntry == nil)
        play.queue(scene: 1, plays: 0)
        play.update(for: session([]), isPlaying: false)
        #expect(play.queuedScene == nil)
    }

    @Test("a scene begins as the song's next entry, as a queued one, or aside")
    func places() {
        var play = Instrument.SongPlay()
        play.begin(entry: 0)
        play.update(for: session([0, 2, 1, 3]), isPlaying: true)
        #expect(play.expects(1) && !play.expects(3))
        // Entry 1 has an empty scene.
        play.begin(scene: 1, in: session([0, 2, 1, 3]))
        #expect(play.place == .entry(2) && !play.expects(1))
        play.queue(scene: 0, plays: 1)
        play.begin(scene: 0, in: session([0, 2, 1, 3], playing: 1))
        #expect(play.place == .aside(after: 2) && play.nextEntry(in: session([0, 2, 1, 3]).composition) == 3)
        play.queue(entry: 0)
        play.begin(scene: 0, in: session([0, 2, 1, 3], playing: 1))
        #expect(play.place == .entry(0) && play.queuedEntry == nil)
    }

    @Test("the place, the queue and the touched entry stay with their entries when the order changes")
    func order() {
        var play = Instrument.SongPlay()
        play.begin(entry: 2)
        play.queue(entry: 3)
        play.touchedEntry = 1
        play.moveEntries(from: 2, by: 1)
        #expect(play.place == .entry(3) && play.queuedEntry == 4 && play.touchedEntry == 1)
        play.remove(entry: 3)
        play.moveEntries(from: 4, by: -1)
        #expect(play.place == .aside(after: 2) && play.queuedEntry == 3)
        play.remove(entry: 1)
        #expect(play.touchedEntry == nil)
    }

    // MARK: The rest

    @Test("samples are requested once, replace their namesakes, and leave when no pad plays them")
    func samples() throws {
        var (samples, sound) = (Instrument.Samples(), SoundSettings.factory)
        let name = try #require(SoundName("KICK"))
        sound[sampleOf: 3] = name
        var effects: [Instrument.Effect] = []
        let sounds = [4, 3].map { samples.awaitSample(of: $0, sound) }
        #expect(sounds == [true, false])
        for _ in 0..<2 { samples.load(for: sound, and: nil, &effects) }
        #expect(effects == [.job(.loadSample(name))])
        var pads: [Int?] = []
        for slot in [7, 8] {
            pads.append(samples.add(LoadedSample(name: name, slot: slot, peaks: []), sound, &effects))
        }
        #expect(pads == [3, nil])
        #expect(samples.sample(of: 3, sound)?.slot == 8 && effects.last == .unload(slot: 7))
        sound[sampleOf: 3] = nil
        samples.load(for: sound, and: nil, &effects)
        #expect(samples.loaded.isEmpty && effects.last == .unload(slot: 8))
        sound[sampleOf: 3] = name
        samples.load(for: sound, and: nil, &effects)
        samples.list([name])
        samples.load(for: sound, and: nil, &effects)
        #expect(effects.suffix(2) == [.job(.loadSample(name)), .job(.loadSample(name))])
    }

    @Test("the shelf restores a deleted pattern to the panel only if it was playing, once")
    func shelf() {
        var shelf = Instrument.Shelf()
        shelf.delete(5, isPlaying: false)
        var plays = [shelf.restore(5)]
        shelf.delete(6, isPlaying: true)
        for _ in 0..<2 { plays.append(shelf.restore(6)) }
        #expect(plays == [false, true, false])
        #expect(shelf.tuning(after: nil) == nil)
    }

    @Test("the power-off question is asked once, answered by the second press, and expires")
    func power() {
        var box = Instrument.BoxFacts()
        let asked = [10, 20].map { box.askPower(at: time($0)) }
        #expect(asked == [true, false])
        #expect(!box.hasPowerExpired(at: time(5009)) && box.hasPowerExpired(at: time(5010)))
        let withdrawn = (0..<2).map { _ in box.withdrawPower() }
        #expect(withdrawn == [time(10), nil] && !box.hasPowerExpired(at: time(9000)))
    }

    @Test("the list of lights begins with the instrument; a reminder comes once a minute")
    func lights() {
        var lights = Instrument.Lights()
        lights.sources = [LightSource(number: 4, name: "A"), LightSource(number: 9, name: "B", takesTouches: true)]
        var numbers = [lights.choose(place: 2)]
        #expect(lights.chosenPlace == 2 && lights.takesTouches(9))
        #expect(!lights.takesTouches(4) && !lights.takesTouches(nil) && lights.isPlace(2) && !lights.isPlace(3))
        numbers.append(lights.choose(place: 0))
        #expect(numbers == [9, nil] && lights.chosenPlace == 0)
        let reminders = [0, 59_999, 60_000].map { lights.isReminderDue(at: time($0)) }
        #expect(reminders == [true, false, true])
    }

    @Test("settings of the clocks out of range change nothing or are clamped")
    func defaults() {
        var defaults = Instrument.Defaults()
        defaults.set(.pulsesPerQuarter(3))
        defaults.set(.pulseMilliseconds(5000))
        defaults.set(.pulseLevel(-1))
        #expect(defaults.sync.pulsesPerQuarter == SyncSettings().pulsesPerQuarter)
        #expect(defaults.sync.pulseMilliseconds == SyncSettings.pulseLengths.upperBound)
        #expect(defaults.sync.pulseLevel == SyncSettings.pulseLevels.lowerBound)
    }
}

extension Instrument.Recording {
    /// Writes the notes that have reached their step; returns them in order.
    fileprivate mutating func writeReached() -> [String] {
        var words: [String] = []
        while let note = nextReached() {
            switch note {
            case .tap(let tap): words.append("tap \(tap.target.time.microseconds / 1000)")
            case .key(let index, let target, _):
                words.append("key \(target.time.microseconds / 1000)")
                write(index, .written(step: 0, note: 0, nil))
            }
        }
        return words
    }
}
