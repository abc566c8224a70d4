import Display
import InputEvents
import Testing

@testable import Instrument

@Suite("The sync sheet")
struct SyncSheetTests {
    /// A status with these columns of errors.
    private static func status(
        _ lock: SyncStatus.Lock = .locked, tempo: Double? = 124, errors: [Int: UInt16] = [:], peers: Int = 0
    ) -> SyncStatus {
        var status = SyncStatus()
        (status.lock, status.tempo, status.peers) = (lock, tempo, peers)
        guard !errors.isEmpty else { return status }
        status.errors = Array(repeating: 0, count: SyncStatus.columns)
        for (column, number) in errors { status.errors[column] = number }
        (status.rms, status.worst) = (0.256, 1.5)
        return status
    }

    private func player(_ source: SyncSource, _ status: SyncStatus) -> Player {
        var player = atSheet(.sync)
        player.send(.sync(.source(source)))
        player.send(.syncStatus(status))
        return player
    }

    static let spots: [(Float, Float, Spot)] = [
        (0, 7, .source(.internal)), (12, 6, .source(.internal)), (0, 11, .source(.internal)),
        (13, 7, .source(.midi)), (30, 11, .source(.midi)), (31, 6, .tempo(.slower)), (37, 11, .tempo(.slower)),
        (38, 6, .tempo(.faster)), (43, 11, .tempo(.faster)), (0, 12, .source(.clock)), (12, 17, .source(.clock)),
        (13, 12, .source(.link)), (30, 17, .source(.link)), (31, 12, .record), (43, 17, .record),
        (0, 18, .syncErrors), (43, 23, .syncErrors), (5, 0, .tapTempo), (39, 5, .tapTempo), (2, 2, .back),
        (42, 2, .play),
    ]

    @Test("each LED belongs to its button", arguments: spots)
    func places(column: Float, row: Float, spot: Spot) {
        let player = atSheet(.sync)
        #expect(player.instrument.spot(at: Position(column: column, row: row)) == spot)
    }

    @Test("− and + move the tempo by one and repeat while held, and the header takes taps; it is one undo step a touch")
    func tempo() {
        var player = atSheet(.sync)
        player.tap(.spot(.tempo(.faster)))
        #expect(player.pattern.tempo == 121)
        player.finger(.down, .spot(.tempo(.slower)))
        player.wait(1000)
        player.finger(.up)
        #expect(player.pattern.tempo == Tempo(114))
        for _ in 0..<5 { player.tap(.spot(.tapTempo), held: 50, pause: 350) }
        #expect(player.pattern.tempo == 150)
        #expect(player.instrument.state.session.history.past.count == 3)
    }

    @Test("while another instrument sets the tempo, − + and taps are dark and change nothing")
    func following() {
        for (source, lock) in [(SyncSource.midi, SyncStatus.Lock.locked), (.clock, .lost)] {
            var player = player(source, Self.status(lock))
            for place in [(33, 9), (40, 9), (20, 2)] as [(Float, Float)] {
                player.finger(.down, place.0, place.1)
                player.wait(1000)
                player.finger(.up, place.0, place.1)
            }
            #expect(player.pattern.tempo == 120 && player.instrument.state.session.history.past.isEmpty)
            #expect(player.led(33, 9) == Palette.off && player.led(41, 9) == Palette.off)
        }
        // Nothing arrived yet: the box keeps its own tempo.
        var player = player(.midi, SyncStatus())
        player.tap(.spot(.tempo(.faster)))
        #expect(player.pattern.tempo == 121 && player.led(41, 9) == Palette.text)
    }

    @Test("in a Link session − + and taps change the tempo of all, and not the pattern's")
    func sessionTempo() {
        var player = player(.link, Self.status(.locked))
        let tempo = Tempo(nearest: player.instrument.state.transport.syncStatus.tempo ?? 0)
        #expect(player.led(33, 9) == Palette.text && player.instrument.state.transport.sessionTempo == nil)
        player.tap(.spot(.tempo(.faster)))
        player.tap(.spot(.tempo(.faster)))
        #expect(player.instrument.state.transport.sessionTempo?.tempo == tempo + 2)
        player.tap(.spot(.tempo(.slower)))
        #expect(player.instrument.state.transport.sessionTempo?.tempo == tempo + 1)
        for _ in 0..<5 { player.tap(.spot(.tapTempo), held: 50, pause: 350) }
        #expect(player.instrument.state.transport.sessionTempo?.tempo == 150)
        #expect(player.pattern.tempo == 120 && player.instrument.state.session.history.past.isEmpty)
    }

    @Test("a button chooses its source when the finger lifts from it; sliding off cancels")
    func choice() {
        var player = atSheet(.sync)
        for source in [.midi, .clock, .link, .internal] as [SyncSource] {
            player.finger(.down, .spot(.source(source)))
            player.finger(.move, 40, 21)
            player.finger(.up)
            #expect(player.instrument.state.sync.source != source)
            player.tap(.spot(.source(source)))
            #expect(player.instrument.state.sync.source == source)
            #expect(player.instrument.state.session.syncSource == source)
        }
        #expect(player.instrument.state.session.history.past.isEmpty)
    }

    @Test("the player's choice counts before the configured source, and is the same from a script")
    func configured() {
        var sync = SyncSettings()
        (sync.source, sync.clockPerQuarter) = (.clock, 4)
        var player = Player(instrument: Instrument(sync: sync))
        #expect(player.instrument.state.sync == sync && player.instrument.state.session.syncSource == nil)
        player.send(.sync(.source(.link)))
        #expect(player.instrument.state.sync.source == .link && player.instrument.state.sync.clockPerQuarter == 4)
        player.instrument.load(Session())
        #expect(player.instrument.state.sync.source == .clock)
        var session = Session()
        session.syncSource = .internal
        player.instrument.load(session)
        #expect(player.instrument.state.sync.source == .internal)
    }

    @Test("another source forgets the status of the one before")
    func otherSource() {
        var player = player(.midi, Self.status(errors: [22: 3]))
        player.tap(.spot(.source(.link)))
        #expect(player.instrument.state.transport.syncStatus == SyncStatus())
    }

    // MARK: Drawings

    @Test("the header shows the tempo of the source, the pattern's if it has none, or LOST in amber")
    func header() {
        for (source, status, text) in [
            (SyncSource.internal, SyncStatus(), "120 BPM"), (.midi, SyncStatus(), "120 BPM"),
            (.midi, Self.status(tempo: 248.6), "249 BPM"), (.clock, Self.status(tempo: 31), "31 BPM"),
            (.link, Self.status(tempo: 999), "999 BPM"), (.midi, Self.status(.lost), "LOST"),
        ] {
            var player = player(source, status)
            player.instrument.state.view.tooltip = nil
            #expect(shows(text, player.frame(), column: 6), "\(text)")
            #expect(player.frame()[6, 4] == (text == "LOST" ? Palette.warning : player.frame()[6, 4]))
        }
    }

    @Test("the chosen source is white and underlined: orange, or breathing amber while it waits and when it is lost")
    func chosen() {
        let lines: [(SyncSource, Int, Int)] = [(.internal, 0, 12), (.midi, 14, 12), (.clock, 0, 18), (.link, 14, 18)]
        for (source, column, row) in lines {
            var player = player(source, Self.status(peers: 8))
            #expect(player.led(column, row) == Palette.sync, "\(source)")
            #expect(lines.filter { player.led($0.1, $0.2) == .black }.count == 3, "\(source)")
            #expect(
                shows(
                    source == .internal ? "INT" : source == .clock ? "CLK" : source.rawValue.uppercased(),
                    player.frame(), column: column, row: row - 5))
            guard source != .internal else { continue }
            for lock in [SyncStatus.Lock.waiting, .lost] {
                player.send(.syncStatus(Self.status(lock)))
                let looks = (0..<24).map { _ in
                    player.wait(100)
                    return player.led(column, row)
                }
                #expect(Set(looks).count > 6, "\(source) \(lock)")
                #expect(looks.allSatisfy { $0.red > $0.green && $0.green > $0.blue && $0.blue == 0 })
            }
        }
    }

    @Test(
        "LINK has a light for each other member, at most eight, and a finger on it counts them", arguments: [1, 3, 12])
    func peers(number: Int) {
        var player = player(.link, Self.status(peers: number))
        let bright = (14..<29).filter { player.led($0, 18) == Palette.sync }
        #expect(bright == (0..<min(number, 8)).map { 14 + 2 * $0 })
        player.finger(.down, .spot(.source(.link)))
        #expect(player.tooltip == (number == 1 ? "1 PEER" : "\(number) PEERS"))
        player.finger(.up)
        player.tap(.spot(.source(.internal)))
        player.finger(.down, .spot(.source(.link)))
        #expect(player.tooltip == "LINK")
    }

    @Test("the fullest column of errors is five LEDs high, the others in proportion, above a dim row")
    func histogram() {
        let player = player(.midi, Self.status(errors: [21: 10, 22: 50, 23: 25, 40: 1]))
        func column(_ x: Int) -> [Bool] {
            (19...23).map { player.led(x, $0) != .black }
        }
        #expect(column(22) == [true, true, true, true, true])
        #expect(column(21).suffix(2) == [false, true] && player.led(21, 23).red > 200)
        // Two and a half LEDs.
        #expect(column(23) == [false, false, true, true, true])
        #expect(player.led(23, 21).red < player.led(23, 23).red && player.led(23, 22).red > 200)
        // One of fifty is dim, but it is seen.
        #expect(player.led(40, 23).red > player.led(40, 23).blue && player.led(0, 23) == RGB(0x1c1c1c))
        #expect(player.led(21, 19) == RGB(0x4a4a4a))
        #expect(player.led(11, 19) == Palette.off && player.led(32, 19) == Palette.off)
    }

    @Test("a finger on the errors says their size, or that there are none")
    func errorWords() {
        var player = player(.midi, Self.status(errors: [22: 3]))
        player.finger(.down, .spot(.syncErrors))
        #expect(player.tooltip == "0.26 MS")
        player.finger(.up)
        player.send(.syncStatus(SyncStatus()))
        player.finger(.down, .spot(.syncErrors))
        #expect(player.tooltip == "NO TICKS")
    }

    @Test("a finger on the source says what it means, in words that pass by to their end, and changes nothing")
    func source() {
        var player = atSheet(.sync)
        let before = player.instrument.state.session
        player.finger(.down, .spot(.source(.internal)))
        #expect(player.tooltip == "INTERNAL: THE BOX KEEPS TIME")
        let start = player.frame()
        #expect(shows("INTERNA", start, column: 6))
        player.finger(.cancel)
        // 28 letters of four columns; 31 columns are visible, 25 pass in a second.
        player.wait(400 + 80 * 40 + 300)
        #expect(player.tooltip != nil)
        #expect((36...36).contains { column in (0..<5).contains { player.frame()[column, $0] != .black } })
        player.wait(400)
        #expect(player.tooltip == nil && player.instrument.state.session == before)
    }

    @Test("the place under the cursor has a name, with the state of the source")
    func placeNames() {
        let places: [(Int, Int, String)] = [
            (2, 8, "INTERNAL"), (16, 8, "MIDI CLOCK LOST"), (2, 14, "CLOCK JACK"), (16, 14, "LINK"),
            (33, 8, "SLOWER"), (41, 8, "FASTER"), (20, 2, "TAP TEMPO"), (35, 14, "REC"), (20, 21, "ERRORS NO TICKS"),
        ]
        var player = player(.midi, Self.status(.lost))
        player.instrument.state.view.cursor.isShown = true
        for (column, row, name) in places {
            (player.instrument.state.view.cursor.column, player.instrument.state.view.cursor.row) = (column, row)
            #expect(player.instrument.words.place == name)
        }
        #expect(player.instrument.words.title == "SYNC")
        player.send(.sync(.source(.link)))
        player.send(.syncStatus(Self.status(peers: 3)))
        (player.instrument.state.view.cursor.column, player.instrument.state.view.cursor.row) = (16, 14)
        #expect(player.instrument.words.place == "LINK ON 3 PEERS")
    }
}
