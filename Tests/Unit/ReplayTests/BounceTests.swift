import Documents
import InputEvents
import Instrument
import Replay
import Runtime
import Testing

@Suite("A pattern rendered for a file")
struct BounceTests {
    private static let rate = 44_100

    /// A rimshot, the shortest drum, on the first of 8 steps.
    private func document(_ change: (inout PatternDocument) -> Void = { _ in }) -> PatternDocument {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.rhythm, note: 5, step: 0] = .normal
        var document = PatternDocument(pattern: pattern)
        change(&document)
        return document
    }

    private func samples(_ document: PatternDocument, loops: Int = 1) -> [Float] {
        var samples: [Float] = []
        Bounce.render(document, loops: loops, rate: Self.rate) { block, _ in samples += block }
        return samples
    }

    @Test("it ends a tenth of a second after the last loop if nothing decays", arguments: [1, 3])
    func end(loops: Int) {
        let samples = samples(document(), loops: loops)
        #expect(samples.contains { $0 != 0 })
        #expect(samples.count / 2 == Self.rate * loops + Self.rate / 10)
    }

    @Test(
        "with a send to the delay it does not end between two repeats",
        arguments: [(20, 8, 6000), (60, 8, 2000), (200, 8, 600), (120, 1, 125)])
    func repeats(bpm: Int, steps: Int, milliseconds: Int) {
        let document = document {
            $0.pattern.tempo = Tempo(bpm)
            $0.sound[.track(.rhythm, .delay)] = 1
            $0.sound[.delaySteps] = steps
            $0.sound[.delayFeedback] = 0
        }
        let loop = Self.rate * 8 * 15 / bpm
        #expect(samples(document).count / 2 >= loop + Self.rate * (milliseconds + 100) / 1000)
    }

    /// A song of two scenes with tempos and lengths of their own, of which the rimshot is all that sounds.
    private func song(_ order: [(scene: Int, repeats: Int)]) -> PatternDocument {
        var other = document().pattern
        other.tempo = 97
        other.length = 12
        return PatternDocument(
            pattern: document().pattern, scenes: Scenes([document().pattern, other, nil], current: 0),
            song: Song(order.map { Song.Entry(scene: $0.scene, repeats: $0.repeats) }))
    }

    private func songSamples(_ document: PatternDocument) -> [Float] {
        var samples: [Float] = []
        Bounce.renderSong(document, rate: Self.rate) { block, _ in samples += block }
        return samples
    }

    @Test("a song goes from its start to its end, each entry with its repeats, on the sample")
    func songEnd() {
        // 8 steps at 120 BPM are 44100 frames, 12 at 97 BPM 81835.05 …: two are 163670.1 and begin the next pattern 0.9
        // late.
        let samples = songSamples(song([(0, 2), (2, 8), (1, 2), (0, 1)]))
        let end = 2 * 44_100 + 163_671 + 44_099
        // The tail is looked at every 10 ms.
        #expect((end + Self.rate / 10...end + Self.rate / 10 + Self.rate / 100).contains(samples.count / 2))
        let begins = samples.indices.filter { $0 % 2 == 0 && samples[$0] != 0 }.map { $0 / 2 }
            .reduce(into: [Int]()) { begins, frame in
                if frame - (begins.last ?? -99_999) > 20_000 { begins.append(frame) }
            }
        // The first sample of a rimshot, a sine's, is 0.
        let expected = [0, 44_100, 88_200, 88_200 + 81_836, 88_200 + 163_671]
        #expect(begins.map { $0 - (begins.first ?? 0) } == expected)
        #expect(songSamples(song([(2, 1)])).isEmpty)
    }

    @Test("a track that is borrowed from another scene repeats with it, as sound and as MIDI")
    func parts() {
        var other = document().pattern
        other.length = 3
        other[.melody, note: 3, step: 1] = .accent
        var parts = Parts()
        parts[.melody] = 1
        let mixed = document {
            $0.scenes = Scenes([$0.pattern, other], current: 0)
            $0.parts = parts
        }
        let same = document {
            $0.pattern[.melody, note: 3, step: 1] = .accent
            $0.pattern[shape: .melody].length = 3
        }
        #expect(samples(mixed, loops: 2) == samples(same, loops: 2))
        #expect(MIDIFile.bytes(mixed, loops: 2) == MIDIFile.bytes(same, loops: 2))
        #expect(samples(mixed, loops: 2) != samples(document(), loops: 2))
    }

    @Test("a scene's own sound is rendered with its pattern, and its samples are loaded when they are needed")
    func ownSound() {
        let own = document {
            $0.scenes = Scenes([$0.pattern], current: 0)
            $0.muted = TrackSet(.rhythm)
            $0.sounds[own: 0] = SceneSound()
        }
        #expect(samples(own) == samples(document()))
        var sampled = song([(0, 1), (1, 1), (0, 1), (1, 2)])
        var sound = SceneSound()
        sound.settings[sampleOf: 5] = SoundName("HIT")
        sampled.sounds[own: 1] = sound
        let plain = songSamples(sampled)
        var loads = 0
        var heard: [Float] = []
        let load: Bounce.SampleLoading = { name, engine in
            loads += 1
            let tone = (0..<2000).map { Int16(8000 * ($0 / 50 % 2) - 4000) }
            return engine.load(tone, channels: 1, rate: Self.rate).map {
                LoadedSample(name: name, slot: $0, peaks: [])
            }
        }
        Bounce.renderSong(sampled, rate: Self.rate, load: load) { block, _ in heard += block }
        // It stays loaded while its scene plays or is next.
        #expect(loads == 1)
        // Scene 1 begins after 44100 frames, and again after 170036.
        func difference(_ begin: Int) -> Bool {
            (2 * begin..<2 * (begin + 2000)).contains { abs(heard[$0] - plain[$0]) > 0.001 }
        }
        #expect(!difference(0) && difference(44_100) && !difference(44_100 + 81_836) && difference(170_037))
    }

    @Test("stems are as long as the sound, which is the same with them, and end in silence as it does")
    func stems() throws {
        // Repeats for minutes: they are faded out half a minute after the end.
        let document = document {
            $0.sound[.track(.rhythm, .delay)] = 100
            $0.sound[.delaySteps] = 8
            $0.sound[.delayFeedback] = 90
        }
        var (sound, stems): ([Float], [Float]) = ([], [])
        Bounce.render(document, loops: 1, rate: Self.rate, stems: { stems += $0 }, take: { block, _ in sound += block })
        #expect(sound == samples(document))
        let frames = stems.count / Engine.stemSamples
        #expect(frames == sound.count / 2 && frames > 30 * Self.rate)
        let mix = (0..<frames).map { stems[$0 * Engine.stemSamples + 8] }
        #expect(mix.suffix(Self.rate / 50).allSatisfy { $0 == 0 })
        #expect(mix.contains { $0 != 0 })
    }

    @Test("a song sounds as it is played, to the bit, also with scenes' own sounds", arguments: [false, true])
    func songSound(hasOwn: Bool) throws {
        var document = song([(1, 1), (0, 3), (0, 1), (1, 2)])
        document.sceneMode = .song
        document.pattern[.melody, note: 3, step: 2] = .accent
        document.pattern[.chords, note: 3, step: 7] = .accent
        document.sound[.track(.chords, .delay)] = 40
        if hasOwn {
            var own = SceneSound(muted: TrackSet(.rhythm))
            own.settings[.track(.melody, .model)] = SoundModel.analogue.rawValue
            own.settings[.track(.chords, .volume)] = 150
            document.sounds[own: 0] = own
            var shared = document
            shared.sounds = TuneSounds(document.sounds.tune)
            #expect(songSamples(document) != songSamples(shared))
        }
        let samples = songSamples(document)
        var plan = Replay.Plan(try TouchScript(parsing: Array(#"{"at": 0, "key": "space"}"#.utf8)))
        plan.start = document
        plan.rate = Self.rate
        plan.until = Instant(milliseconds: 9600)
        var played: [Float] = []
        var observers = Replay.Observers()
        observers.sound = { played += $0 }
        _ = try Replay.run(plan, observers)
        // The limiter looks ahead of what is heard.
        let end = 2 * (3 * 81_836 + 4 * 44_100 - 2000)
        try #require(samples.count > end && played.count > end)
        let difference = (0..<end).first { samples[$0] != played[$0] }
        #expect(difference == nil)
    }
}
