import Testing

@testable import Instrument

@Suite("Tempo and length")
struct TempoAndLengthTests {
    @Test(
        "BPM moves by 5 within 60-200",
        arguments: [(.faster, 1, 125), (.slower, 1, 115), (.faster, 40, 200), (.slower, 40, 60)]
            as [(Control, Int, Int)])
    func tempo(control: Control, taps: Int, bpm: Int) {
        var player = Player()
        for _ in 0..<taps { player.tap(.control(control), pause: 50) }
        #expect(player.pattern.bpm == bpm)
        #expect(player.tooltip == "\(bpm) BPM")
    }

    @Test("length moves by 4 within 8-32, and shortening keeps the hidden notes")
    func length() {
        var player = Player()
        player.tap(.step(30, .melody))
        for _ in 0..<9 { player.tap(.control(.shorter), pause: 50) }
        #expect(player.pattern.length == 8)
        #expect(player.tooltip == "8 STEPS")
        for _ in 0..<9 { player.tap(.control(.longer), pause: 50) }
        #expect(player.pattern.length == 32)
        #expect(player.cells(.melody) == ["0@30=1"])
    }

    @Test("holding − or + repeats, and the whole touch is one undo step")
    func repeating() {
        var player = Player()
        player.finger(.down, .control(.faster))
        player.wait(400)
        #expect(player.pattern.bpm == 130)
        player.wait(360)
        #expect(player.pattern.bpm == 145)
        player.finger(.up)
        player.wait(1000)
        #expect(player.pattern.bpm == 145)
        player.send(.key(.undo))
        #expect(player.pattern.bpm == 120)
    }

    @Test("sliding off − or + ends the repeat")
    func slidingOff() {
        var player = Player()
        player.finger(.down, .control(.faster))
        player.finger(.move, 28, 5)
        player.wait(2000)
        #expect(player.pattern.bpm == 125)
    }

    @Test("tap tempo accepts any whole BPM, from the mean of the taps, as one undo step")
    func tapTempo() {
        var player = Player()
        for interval in [460, 450, 470, 460] { player.tap(.control(.tapTempo), held: 50, pause: Int64(interval - 50)) }
        #expect(player.pattern.bpm == 130)
        player.send(.key(.undo))
        #expect(player.pattern.bpm == 120)
    }

    @Test("tap tempo forgets after two seconds, and stays within 60-200")
    func tapTempoForgets() {
        var player = Player()
        player.tap(.control(.tapTempo), held: 50, pause: 2100)
        player.tap(.control(.tapTempo), held: 50, pause: 100)
        #expect(player.pattern.bpm == 120)
        player.tap(.control(.tapTempo))
        #expect(player.pattern.bpm == 200)
    }
}
