import Display
import InputEvents
import Testing

@testable import Instrument

@Suite("Recording is switched")
struct RecordTests {
    private func isRecording(_ player: Player) -> Bool { player.instrument.state.recording.isOn }
    private func isPlaying(_ player: Player) -> Bool { player.instrument.state.isPlaying }

    @Test(
        "by the second and third LED of Play, held 600 ms while the music runs: it runs on",
        arguments: [1, 2] as [Float])
    func whilePlaying(column: Float) {
        var player = Player()
        player.send(.key(.playStop))
        for isOn in [true, false] {
            player.finger(.down, column, 0)
            player.wait(599)
            #expect(isRecording(player) != isOn)
            player.wait(1)
            #expect(isRecording(player) == isOn && isPlaying(player))
            #expect(player.tooltip == (isOn ? "REC" : "REC OFF"))
            player.finger(.up, column, 0)
            #expect(isRecording(player) == isOn && isPlaying(player))
        }
    }

    @Test("by the same hold while the music is stopped, which begins to play as the finger lands")
    func whileStopped() {
        var player = Player()
        player.finger(.down, .control(.play))
        #expect(isPlaying(player) && !isRecording(player))
        player.wait(700)
        player.finger(.up)
        #expect(isPlaying(player) && isRecording(player))
    }

    @Test("a shorter touch of Play stops when the finger lifts, and one that slides off does nothing")
    func shortTouch() {
        var player = Player()
        player.send(.key(.playStop))
        player.finger(.down, .control(.play))
        player.wait(300)
        #expect(isPlaying(player))
        player.finger(.up)
        #expect(!isPlaying(player) && !isRecording(player))
        player.send(.key(.playStop))
        player.finger(.down, .control(.play))
        player.finger(.move, 12, 5)
        player.wait(700)
        player.finger(.up)
        #expect(isPlaying(player) && !isRecording(player))
    }

    @Test("not by the first LED, which changes the colours")
    func colours() {
        var player = Player()
        player.tap(.colours, held: 700)
        #expect(!isRecording(player) && player.instrument.state.session.colourMode == .harmonic)
    }

    @Test("by Play of a sheet, held 600 ms: the transport stays")
    func sheet() {
        var player = atSheet(.sound)
        for isOn in [true, false] {
            player.tap(.spot(.play), held: 700, pause: 100)
            #expect(isRecording(player) == isOn && !isPlaying(player))
        }
        player.tap(.spot(.play))
        #expect(!isRecording(player) && isPlaying(player))
    }

    @Test("by REC of the sync sheet, when the finger lifts from it")
    func button() {
        var player = atSheet(.sync)
        player.finger(.down, .spot(.record))
        #expect(!isRecording(player))
        player.finger(.up)
        #expect(isRecording(player) && player.tooltip == "REC")
        #expect((33..<44).allSatisfy { player.led($0, 18) == Palette.danger })
        #expect(
            player.led(33, 13) == .white && player.instrument.state.session == atSheet(.sync).instrument.state.session)
        player.tap(.spot(.record))
        #expect(
            !isRecording(player) && player.led(33, 18) == .black && player.led(33, 13).red > player.led(33, 13).green)
    }

    @Test("by the key R, but not while a name is typed", arguments: ["r", "R"] as [Character])
    func key(character: Character) {
        var player = Player()
        player.send(.type(character))
        #expect(isRecording(player) && player.tooltip == "REC")
        player.send(.type("x"))
        #expect(isRecording(player))
        player.send(.type(character))
        #expect(!isRecording(player))
        player.show(.letters(LetterSheet(pattern: 1, name: "")))
        player.send(.type(character))
        #expect(!isRecording(player))
    }

    @Test("and shown beside Play: it breathes while the music is stopped, and is steady while it runs")
    func sign() {
        var player = Player()
        player.send(.record(true))
        func looks(_ column: Int, _ row: Int) -> Set<RGB> {
            Set(
                (0..<24).map { _ in
                    player.wait(100)
                    return player.led(column, row)
                })
        }
        #expect(player.led(1, 0) == Palette.go(.chromatic) && player.led(2, 0) == Palette.background)
        let stopped = looks(3, 0)
        #expect(stopped.count > 6)
        player.send(.key(.playStop))
        let playing = looks(3, 0)
        #expect(playing == [Palette.danger] && player.led(2, 0) == Palette.background)
        player.tap(.handle)
        #expect(player.led(3, 0) == Palette.danger)
        player.tap(.menu(.sound))
        #expect([(38, 1), (37, 2), (38, 2), (39, 2), (38, 3)].allSatisfy { player.led($0, $1) == Palette.danger })
        #expect([(37, 1), (39, 3)].allSatisfy { player.led($0, $1) == .black })
        player.send(.record(false))
        #expect(player.led(38, 2) == .black)
    }
}
