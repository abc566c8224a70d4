import Display
import Documents
import Formats
import Instrument
import TestSupport
import Testing

@Suite("Files for other programs")
struct FileTests {
    private func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    private func little(_ bytes: ArraySlice<UInt8>) -> Int { big(ArraySlice(bytes.reversed())) }

    @Test("an event is one line: MIDI note, or drum index for rhythm")
    func event() {
        let note = NoteEvent(milliseconds: 1500, step: 4, track: .melody, note: 2, velocity: 80, steps: 3)
        #expect(note.line == #"{"at":1500, "note":62, "step":4, "steps":3, "track":"melody", "velocity":1}"# + "\n")
        let drum = NoteEvent(milliseconds: 1001.0625, step: 0, track: .rhythm, note: 11, velocity: 127, steps: 1)
        #expect(drum.line == #"{"at":1001.063, "note":11, "step":0, "steps":1, "track":"rhythm", "velocity":2}"# + "\n")
    }

    @Test("a WAVE file's header describes its data")
    func wave() {
        let bytes = WaveFile.header(frames: 100, rate: 48_000)
        #expect(bytes.count == WaveFile.Sample.float.headerSize)
        #expect(Array(bytes[0..<4]) == Array("RIFF".utf8) && Array(bytes[8..<16]) == Array("WAVEfmt ".utf8))
        #expect(little(bytes[4..<8]) == 100 * 8 + WaveFile.Sample.float.headerSize - 8)
        #expect(little(bytes[20..<22]) == 3 && little(bytes[22..<24]) == 2 && little(bytes[24..<28]) == 48_000)
        #expect(little(bytes[28..<32]) == 384_000 && little(bytes[32..<34]) == 8 && little(bytes[34..<36]) == 32)
        #expect(Array(bytes[38..<42]) == Array("fact".utf8) && little(bytes[46..<50]) == 100)
        #expect(Array(bytes[50..<54]) == Array("data".utf8) && little(bytes[54..<58]) == 800)
    }

    // MARK: MIDI

    private typealias Message = ReadMIDIFile.Message

    /// The tracks of a Standard MIDI File.
    private func read(_ file: [UInt8]) throws -> ReadMIDIFile {
        let read = try #require(ReadMIDIFile(file))
        #expect(read.tracks.count == read.trackCount)
        return read
    }

    private func notes(_ messages: [Message]) -> [Message] { messages.filter(\.isOfChannel) }

    @Test("a MIDI file has type 1, a tempo track and four tracks on channels 1, 2, 3 and 10")
    func midi() throws {
        var pattern = Pattern()
        pattern.tempo = 150
        pattern.length = 8
        pattern[.melody, note: 2, step: 0] = .accent
        pattern[.melody, note: 2, step: 1] = .sustain
        pattern[.melody, note: 2, step: 2] = .sustain
        pattern[.rhythm, note: 7, step: 4] = .normal
        pattern[.bass, note: 0, step: 7] = .normal
        pattern[.bass, note: 0, step: 0] = .sustain
        pattern[.chords, note: 0, step: 0] = .normal
        var document = PatternDocument(pattern: pattern)
        document.muted = TrackSet(.chords)
        let file = try read(MIDIFile.bytes(document, loops: 2))
        #expect(file.type == 1 && file.division == 480 && file.tracks.count == 5)
        #expect(file.tracks[0].contains(Message(tick: 0, bytes: [0xff, 0x51, 3, 0x06, 0x1a, 0x80])))
        #expect(
            notes(file.tracks[1]) == [
                Message(tick: 0, bytes: [0x90, 62, 127]), Message(tick: 360, bytes: [0x80, 62, 64]),
                Message(tick: 960, bytes: [0x90, 62, 127]), Message(tick: 1320, bytes: [0x80, 62, 64]),
            ])
        #expect(notes(file.tracks[2]).isEmpty)
        // The run wraps around the pattern; at the end of the file it is cut.
        #expect(
            notes(file.tracks[3]) == [
                Message(tick: 840, bytes: [0x92, 36, 80]), Message(tick: 1080, bytes: [0x82, 36, 64]),
                Message(tick: 1800, bytes: [0x92, 36, 80]), Message(tick: 1920, bytes: [0x82, 36, 64]),
            ])
        #expect(notes(file.tracks[4]).first == Message(tick: 480, bytes: [0x99, 42, 80]))
        #expect(file.tracks.allSatisfy { $0.last == Message(tick: 1920, bytes: [0xff, 0x2f, 0]) })
    }

    @Test(
        "swing delays every second step of the file, and the ends of notes",
        arguments: [(50, 120), (51, 122), (54, 130), (66, 158), (75, 180)])
    func swing(percent: Int, second: Int) throws {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.melody, note: 0, step: 0] = .normal
        pattern[.melody, note: 1, step: 1] = .normal
        pattern[.melody, note: 1, step: 2] = .sustain
        pattern[.melody, note: 2, step: 7] = .normal
        var document = PatternDocument(pattern: pattern)
        document.sound[.swing] = percent
        let file = try read(MIDIFile.bytes(document, loops: 2))
        let loop = [
            Message(tick: 0, bytes: [0x90, 60, 80]), Message(tick: second, bytes: [0x80, 60, 64]),
            Message(tick: second, bytes: [0x90, 61, 80]), Message(tick: 240 + second, bytes: [0x80, 61, 64]),
            Message(tick: 720 + second, bytes: [0x90, 62, 80]), Message(tick: 960, bytes: [0x80, 62, 64]),
        ]
        #expect(notes(file.tracks[1]) == loop + loop.map { Message(tick: 960 + $0.tick, bytes: $0.bytes) })
        #expect(file.tracks.allSatisfy { $0.last == Message(tick: 1920, bytes: [0xff, 0x2f, 0]) })
    }

    @Test("a song has the tempo and the key of each entry where they change, and a note goes on into the next entry")
    func song() throws {
        var (one, two) = (Pattern(), Pattern())
        (one.tempo, one.length, one.tonality) = (150, 8, Tonality(root: 2, scale: .minor))
        one[.bass, note: 0, step: 6] = .normal
        for step in [7, 0, 1] { one[.bass, note: 0, step: step] = .sustain }
        (two.tempo, two.length, two.tonality) = (100, 12, one.tonality)
        two[.bass, note: 0, step: 1] = .accent
        var document = PatternDocument(
            pattern: one, scenes: Scenes([nil, one, two], current: 1),
            song: Song([(2, 1), (1, 2), (0, 8), (2, 1)].map { Song.Entry(scene: $0.0, repeats: $0.1) }))
        let file = try read(MIDIFile.songBytes(document))
        let tempos = file.tracks[0].filter { $0.bytes[1] == 0x51 }
        #expect(
            tempos == [
                Message(tick: 0, bytes: [0xff, 0x51, 3, 0x09, 0x27, 0xc0]),
                Message(tick: 1440, bytes: [0xff, 0x51, 3, 0x06, 0x1a, 0x80]),
                Message(tick: 3360, bytes: [0xff, 0x51, 3, 0x09, 0x27, 0xc0]),
            ])
        #expect(file.tracks[0].filter { $0.bytes[1] == 0x59 } == [Message(tick: 0, bytes: [0xff, 0x59, 2, 0xff, 1])])
        #expect(
            notes(file.tracks[3]) == [
                Message(tick: 120, bytes: [0x92, 36, 127]), Message(tick: 240, bytes: [0x82, 36, 64]),
                Message(tick: 2160, bytes: [0x92, 36, 80]), Message(tick: 2640, bytes: [0x82, 36, 64]),
                // The last run ends where the next entry strikes the same key.
                Message(tick: 3120, bytes: [0x92, 36, 80]), Message(tick: 3480, bytes: [0x82, 36, 64]),
                Message(tick: 3480, bytes: [0x92, 36, 127]), Message(tick: 3600, bytes: [0x82, 36, 64]),
            ])
        #expect(file.tracks.allSatisfy { $0.last == Message(tick: 4800, bytes: [0xff, 0x2f, 0]) })
        document.muted = TrackSet(.bass)
        #expect(notes(try read(MIDIFile.songBytes(document)).tracks[3]).isEmpty)
    }

    @Test("scenes with their own sound have its swing and its mutes")
    func ownSounds() throws {
        var pattern = Pattern()
        pattern.length = 8
        pattern[.melody, note: 0, step: 1] = .normal
        var document = PatternDocument(
            pattern: pattern, muted: TrackSet(.melody), scenes: Scenes([pattern, pattern, pattern], current: 1),
            song: Song([0, 1, 2, 1].map { Song.Entry(scene: $0) }))
        var own = SceneSound()
        own.settings[.swing] = 75
        document.sounds[own: 1] = own
        document.sounds[own: 2] = SceneSound()
        func begins(_ bytes: [UInt8]) throws -> [Int] {
            notes(try read(bytes).tracks[1]).filter { $0.bytes[0] == 0x90 }.map(\.tick)
        }
        #expect(try begins(MIDIFile.songBytes(document)) == [960 + 180, 1920 + 120, 2880 + 180])
        #expect(try begins(MIDIFile.bytes(document, loops: 2)) == [180, 960 + 180])
        document.scenes = Scenes([pattern, pattern], current: 0)
        #expect(try begins(MIDIFile.bytes(document, loops: 1)) == [])
    }

    @Test("each drum has its key of General MIDI's map")
    func drums() {
        #expect(Set(Track.drumKeys).count == 12 && Track.drumKeys.allSatisfy { (35...59).contains($0) })
    }

    @Test("a repeated note ends before it is struck again")
    func repeated() throws {
        var pattern = Pattern()
        for step in 0..<4 { pattern[.melody, note: 0, step: step] = .normal }
        let messages = notes(try read(MIDIFile.bytes(PatternDocument(pattern: pattern), loops: 1)).tracks[1])
        #expect(messages.map { $0.bytes[0] } == [0x90, 0x80, 0x90, 0x80, 0x90, 0x80, 0x90, 0x80])
    }

    // MARK: PNG

    @Test("a picture has exactly one pixel per LED")
    func png() throws {
        var frame = Frame(columns: 44, rows: 24)
        for row in 0..<24 {
            for column in 0..<44 { frame[column, row] = RGB(red: UInt8(column * 5), green: UInt8(row * 10), blue: 200) }
        }
        let image = try #require(PNGImage(Picture.png(frame)))
        #expect(image.columns == 44 && image.rows == 24)
        #expect(image.rgb == frame.pixels.flatMap { [$0.red, $0.green, $0.blue] })
    }

    /// A chunk of a PNG file.
    @Test("a film shows each frame for its time, and its composed parts are the frames")
    func film() throws {
        var film = Film(pitch: 4, interval: 40)
        var frame = Frame(columns: 44, rows: 24)
        let times = [0, 10, 30, 100, 140, 1000]
        for (index, time) in times.enumerated() {
            frame[3 * index, 2 * index] = RGB(red: 200, green: UInt8(40 * index), blue: 9)
            frame[3 * index + 5, 2 * index + 7] = .white
            film.show(frame, at: time)
            // A frame equal to the last is skipped.
            film.show(frame, at: time)
        }
        let made = film.png(until: 1500)
        let file = try #require(made)
        let image = try #require(FilmImage(file))
        // The second came too soon; the third replaced it from 40 on.
        #expect(image.pictures.map(\.milliseconds) == [40, 60, 40, 860, 500])
        // A viewer without animation shows the first picture.
        #expect(image.pictures[0].image == PNGImage(file))
        #expect(image.last == PNGImage(Picture.portrait(frame, pitch: 4))?.rgb)
    }
}
