import Testing

@testable import Instrument

@Suite("Tempo and length")
struct TempoAndLengthTests {
    @Test("BPM moves by 5 within 60-200", arguments: [(28, 1, 125), (26, 1, 115), (28, 40, 200), (26, 40, 60)])
    func tempo(column: Int, taps: Int, bpm: Int) {
        var player = Player()
        for _ in 0..<taps { player.tap(Float(column), 0, pause: 50) }
        #expect(player.pattern.bpm == bpm)
        #expect(player.tooltip == "\(bpm) BPM")
    }

    @Test("length moves by 4 within 8-32, and shortening keeps the hidden notes")
    func length() {
        var player = Player()
        player.tap(37, 7)
        for _ in 0..<9 { player.tap(30, 0, pause: 50) }
        #expect(player.pattern.length == 8)
        #expect(player.tooltip == "8 STEPS")
        for _ in 0..<9 { player.tap(32, 0, pause: 50) }
        #expect(player.pattern.length == 32)
        #expect(player.cells(.melody) == ["0@30=1"])
    }

    @Test("holding − or + repeats, and the whole touch is one undo step")
    func repeating() {
        var player = Player()
        player.finger(.down, 28, 0)
        player.wait(400)
        #expect(player.pattern.bpm == 130)
        player.wait(360)
        #expect(player.pattern.bpm == 145)
        player.finger(.up, 28, 0)
        player.wait(1000)
        #expect(player.pattern.bpm == 145)
        player.send(.key(.undo))
        #expect(player.pattern.bpm == 120)
    }

    @Test("sliding off − or + ends the repeat")
    func slidingOff() {
        var player = Player()
        player.finger(.down, 28, 0)
        player.finger(.move, 28, 5)
        player.wait(2000)
        #expect(player.pattern.bpm == 125)
    }

    @Test("tap tempo accepts any whole BPM, from the mean of the taps, as one undo step")
    func tapTempo() {
        var player = Player()
        for interval in [460, 450, 470, 460] { player.tap(27, 0, held: 50, pause: Int64(interval - 50)) }
        #expect(player.pattern.bpm == 130)
        player.send(.key(.undo))
        #expect(player.pattern.bpm == 120)
    }

    @Test("tap tempo forgets after two seconds, and stays within 60-200")
    func tapTempoForgets() {
        var player = Player()
        player.tap(27, 0, held: 50, pause: 2100)
        player.tap(27, 0, held: 50, pause: 100)
        #expect(player.pattern.bpm == 120)
        player.tap(27, 0)
        #expect(player.pattern.bpm == 200)
    }
}
