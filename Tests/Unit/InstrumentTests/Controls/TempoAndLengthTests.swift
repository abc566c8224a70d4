import Testing

@testable import Instrument

@Suite("Tempo and length")
struct TempoAndLengthTests {
    @Test(
        "BPM moves by 5 within 20-300",
        arguments: [(.faster, 1, 125), (.slower, 1, 115), (.faster, 40, 300), (.slower, 40, 20)]
            as [(Control, Int, Int)])
    func tempo(control: Control, taps: Int, bpm: Int) {
        var player = Player()
        for _ in 0..<taps { player.tap(.control(control), pause: 50) }
        #expect(player.pattern.tempo == Tempo(bpm))
        #expect(player.tooltip == "\(bpm) BPM")
    }

    @Test("length moves by beats of 4 down to one beat, and shortening keeps the hidden notes")
    func length() {
        var player = Player()
        player.tap(.step(30, .melody))
        for _ in 0..<9 { player.tap(.control(.shorter), pause: 50) }
        #expect(player.pattern.length == 4)
        #expect(player.tooltip == "4 STEPS")
        for _ in 0..<7 { player.tap(.control(.longer), pause: 50) }
        #expect(player.pattern.length == 32)
        #expect(player.cells(.melody) == ["0@30=1"])
    }

    @Test("a drag makes the pattern shorter than a beat, and − leaves it so, also when held")
    func shorterThanABeat() {
        var player = Player()
        player.instrument.state.session.composition.pattern.length = 6
        player.instrument.state.session.composition.pattern.metre = Metre(beats: 2, steps: 6)
        player.tap(.control(.shorter), held: 900)
        #expect(player.pattern.length == 6)
        player.finger(.down, 31, 0)
        player.finger(.move, 28, 0)
        player.finger(.up)
        #expect(player.pattern.length == 3)
        player.tap(.control(.shorter), held: 900)
        #expect(player.pattern.length == 3)
        player.tap(.control(.longer))
        #expect(player.pattern.length == 6)
    }

    @Test("holding − or + repeats, and the whole touch is one undo step")
    func repeating() {
        var player = Player()
        player.finger(.down, .control(.faster))
        player.wait(400)
        #expect(player.pattern.tempo == 130)
        player.wait(360)
        #expect(player.pattern.tempo == 145)
        player.finger(.up)
        player.wait(1000)
        #expect(player.pattern.tempo == 145)
        player.send(.key(.undo))
        #expect(player.pattern.tempo == 120)
    }

    @Test("sliding off − or + ends the repeat")
    func slidingOff() {
        var player = Player()
        player.finger(.down, .control(.faster))
        player.finger(.move, 28, 5)
        player.wait(2000)
        #expect(player.pattern.tempo == 125)
    }

    @Test("tap tempo accepts any whole BPM, from the mean of the taps, as one undo step")
    func tapTempo() {
        var player = Player()
        for interval in [460, 450, 470, 460] { player.tap(.control(.tapTempo), held: 50, pause: Int64(interval - 50)) }
        #expect(player.pattern.tempo == 130)
        player.send(.key(.undo))
        #expect(player.pattern.tempo == 120)
    }

    @Test("tap tempo reaches 20 BPM, forgets after 3.2 s, and stays within 20-300")
    func tapTempoForgets() {
        var player = Player()
        for _ in 0..<3 { player.tap(.control(.tapTempo), held: 50, pause: 2950) }
        #expect(player.pattern.tempo == 20)
        player.wait(300)
        player.tap(.control(.tapTempo), held: 50, pause: 100)
        #expect(player.pattern.tempo == 20)
        player.tap(.control(.tapTempo))
        #expect(player.pattern.tempo == 300)
    }

    @Test("under the rules of the phone the tempo stays within 60-200")
    func phone() {
        var player = Player.phone
        for _ in 0..<40 { player.tap(.control(.faster), pause: 50) }
        #expect(player.pattern.tempo == 200)
        for _ in 0..<40 { player.tap(.control(.slower), pause: 50) }
        #expect(player.pattern.tempo == 60)
    }

    private static let outside: [(Control, Int, Int)] = [
        (.longer, 64, 64), (.shorter, 64, 32), (.shorter, 5, 5), (.longer, 5, 8), (.longer, 28, 32), (.shorter, 8, 8),
        (.faster, 250, 250), (.slower, 250, 200), (.slower, 30, 30), (.faster, 30, 60), (.faster, 198, 200),
    ]

    @Test("under the rules of the phone + makes nothing smaller, and − nothing greater", arguments: outside)
    func phoneOutside(control: Control, before: Int, after: Int) {
        var player = Player.phone
        if control == .faster || control == .slower {
            player.instrument.state.session.composition.pattern.tempo = Tempo(before)
            player.tap(.control(control))
            #expect(player.pattern.tempo == Tempo(after))
        } else {
            player.instrument.state.session.composition.pattern.length = before
            player.tap(.control(control))
            #expect(player.pattern.length == after)
        }
    }

    @Test("a drag on the light between − and + is one BPM an LED, and one undo step")
    func dial() {
        var player = Player()
        player.finger(.down, 27, 0)
        player.finger(.move, 28.4, 0)
        #expect(player.pattern.tempo == 120)
        player.finger(.move, 30.1, 0)
        #expect(player.pattern.tempo == 123 && player.tooltip == "123 BPM")
        player.finger(.move, 20, 1)
        player.finger(.up)
        #expect(player.pattern.tempo == 113)
        player.send(.key(.undo))
        #expect(player.pattern.tempo == 120)
    }

    @Test("with a finger on − or + it is a hundredth of a BPM", arguments: [Control.slower, .faster])
    func fineDial(beside: Control) {
        var player = Player()
        player.finger(.down, 27, 0)
        player.finger(.down, Float(beside.columns.lowerBound), 0, contact: 1)
        player.wait(1000)
        player.finger(.move, 32, 0)
        #expect(player.pattern.tempo == Tempo(hundredths: 12005) && player.tooltip == "120.05 BPM")
        player.finger(.up, contact: 1)
        player.finger(.move, 33, 0)
        player.finger(.up)
        #expect(player.pattern.tempo == Tempo(hundredths: 12105))
        player.send(.key(.undo))
        #expect(player.pattern.tempo == 120)
    }

    @Test("what − or + has changed before the drag is taken back, and neither repeats after it, as one undo step")
    func fineDialAfterLanding() {
        for (held, steps) in [(100, 1), (600, 3)] as [(Int64, Int)] {
            var player = Player()
            player.instrument.state.session.composition.pattern.tempo = Tempo(hundredths: 11725)
            player.finger(.down, .control(.faster), contact: 1)
            player.wait(held)
            player.finger(.down, 27, 0)
            #expect(player.pattern.tempo == Tempo(hundredths: 11725 + 500 * steps))
            player.finger(.move, 37, 0)
            player.finger(.up)
            #expect(player.pattern.tempo == Tempo(hundredths: 11735))
            player.wait(1000)
            player.finger(.up, contact: 1)
            #expect(player.pattern.tempo == Tempo(hundredths: 11735))
            player.send(.key(.undo))
            #expect(player.pattern.tempo == Tempo(hundredths: 11725))
        }
    }

    @Test("− or + that lands during the drag does not repeat after it")
    func fineDialDuring() {
        var player = Player()
        player.finger(.down, 27, 0)
        player.finger(.move, 30, 0)
        player.finger(.down, .control(.faster), contact: 1)
        player.finger(.move, 33, 0)
        player.finger(.up)
        player.wait(1000)
        #expect(player.pattern.tempo == Tempo(hundredths: 12303))
    }

    @Test("undo while a finger is on + leaves nothing that the drag takes back")
    func fineDialAfterUndo() {
        var player = Player()
        player.finger(.down, .control(.faster), contact: 1)
        player.send(.key(.undo))
        player.finger(.down, 27, 0)
        player.finger(.move, 32, 0)
        #expect(player.pattern.tempo == Tempo(hundredths: 12005))
    }

    @Test("a finger that dials does not tap")
    func dialIsNoTap() {
        var player = Player()
        player.finger(.down, 27, 0)
        player.finger(.move, 25, 0)
        player.finger(.up)
        player.wait(400)
        player.tap(.control(.tapTempo))
        #expect(player.pattern.tempo == 118)
    }

    @Test("the text of a tempo has the decimals that it needs")
    func text() {
        #expect(
            [2000, 9750, 12345, 12305, 30000].map { Tempo(hundredths: $0).text } == [
                "20", "97.5", "123.45", "123.05", "300",
            ])
    }
}
