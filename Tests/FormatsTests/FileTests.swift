import Display
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
        #expect(bytes.count == WaveFile.headerSize)
        #expect(Array(bytes[0..<4]) == Array("RIFF".utf8) && Array(bytes[8..<16]) == Array("WAVEfmt ".utf8))
        #expect(little(bytes[4..<8]) == 100 * 8 + WaveFile.headerSize - 8)
        #expect(little(bytes[20..<22]) == 3 && little(bytes[22..<24]) == 2 && little(bytes[24..<28]) == 48_000)
        #expect(little(bytes[28..<32]) == 384_000 && little(bytes[32..<34]) == 8 && little(bytes[34..<36]) == 32)
        #expect(Array(bytes[38..<42]) == Array("fact".utf8) && little(bytes[46..<50]) == 100)
        #expect(Array(bytes[50..<54]) == Array("data".utf8) && little(bytes[54..<58]) == 800)
    }

    // MARK: MIDI

    private struct Message: Equatable {
        var tick: Int
        var bytes: [UInt8]
    }

    /// The tracks of a Standard MIDI File, by a reader independent of the writer.
    private func read(_ file: [UInt8]) throws -> (type: Int, division: Int, tracks: [[Message]]) {
        #expect(Array(file[0..<4]) == Array("MThd".utf8) && big(file[4..<8]) == 6)
        var tracks: [[Message]] = []
        var at = 14
        while at < file.count {
            try #require(Array(file[at..<at + 4]) == Array("MTrk".utf8))
            let end = at + 8 + big(file[at + 4..<at + 8])
            at += 8
            var messages: [Message] = []
            var tick = 0
            func number() -> Int {
                var value = 0
                while true {
                    let byte = file[at]
                    at += 1
                    value = value << 7 | Int(byte & 0x7f)
                    if byte < 0x80 { return value }
                }
            }
            while at < end {
                tick += number()
                let start = at
                if file[at] == 0xff {
                    at += 2
                    let count = number()
                    at += count
                } else {
                    at += 3
                }
                messages.append(Message(tick: tick, bytes: Array(file[start..<at])))
            }
            tracks.append(messages)
        }
        #expect(tracks.count == big(file[10..<12]))
        return (big(file[8..<10]), big(file[12..<14]), tracks)
    }

    private func notes(_ messages: [Message]) -> [Message] { messages.filter { $0.bytes[0] < 0xf0 } }

    @Test("a MIDI file has type 1, a tempo track and four tracks on channels 1, 2, 3 and 10")
    func midi() throws {
        var pattern = Pattern()
        pattern.bpm = 150
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
