import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// A way to stop the music, which takes `held` milliseconds.
private struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let screen: Instrument.Screen
    let stop: @Sendable (inout Player, _ held: Int64) -> Void

    static let all = [
        Way(testDescription: "Play's first LED", screen: .grid) { $0.tap(.colours, held: $1) },
        Way(testDescription: "Play", screen: .grid) { $0.tap(.control(.play), held: $1) },
        Way(testDescription: "a sheet's Play", screen: .sound(SoundSheet(of: .bass))) {
            $0.tap(.spot(.play), held: $1)
        },
        Way(testDescription: "the Play of LANES", screen: .lanes(LanesSheet(of: .bass))) {
            $0.tap(.spot(.play), held: $1)
        },
        Way(testDescription: "the guide's Play", screen: .guide) { $0.tap(42, 2, held: $1) },
        Way(testDescription: "a double tap beside the tracks", screen: .grid) {
            $0.tap(20, 1, pause: 100)
            $0.tap(20, 1, held: $1)
        },
        Way(testDescription: "Space", screen: .grid) {
            $0.send(.key(.spaceBar))
            $0.wait($1)
            $0.send(.keyUp(.spaceBar))
        },
        Way(testDescription: "the button", screen: .settings) {
            $0.send(.key(.playStop))
            $0.wait($1)
            $0.send(.keyUp(.playStop))
        },
    ]
}

@Suite("The performance lock and Play")
struct LockTests {
    private func locked(_ screen: Instrument.Screen = .grid, stops: StopSources = .leaders) -> Player {
        var player = Player(instrument: Instrument(stops: stops))
        player.send(.lock(true))
        player.send(.remote(.play))
        player.show(screen)
        return player
    }

    @Test("only a hold of 600 ms stops; a shorter press says LOCKED", arguments: Way.all)
    fileprivate func stops(way: Way) {
        var player = locked(way.screen)
        way.stop(&player, 590)
        #expect(player.instrument.state.isPlaying && player.tooltip == "LOCKED")
        player.wait(1000)
        way.stop(&player, 610)
        #expect(!player.instrument.state.isPlaying && player.tooltip == "STOP")
        // Recording and note colours wait for the lock's end.
        #expect(!player.instrument.state.recording.isOn)
        #expect(player.instrument.state.session.colourMode == .chromatic)
    }

    @Test("starting takes no hold, and a long press does not stop what it started", arguments: Way.all)
    fileprivate func starts(way: Way) {
        for held in [80, 900] as [Int64] {
            var player = locked(way.screen)
            player.send(.lock(false))
            player.send(.key(.playStop))
            player.send(.lock(true))
            way.stop(&player, held)
            let isDoubleTap = way.testDescription.contains("double tap")
            #expect(player.instrument.state.isPlaying == !(isDoubleTap && held > 400))
            #expect(!player.instrument.state.recording.isOn)
        }
    }

    @Test("the second of two presses within 600 ms stops where a keyboard reports no releases")
    func terminal() {
        for (pause, plays) in [(600, false), (610, true)] as [(Int64, Bool)] {
            var player = locked()
            for _ in 0..<2 {
                player.send(.key(.spaceBar))
                player.send(.keyUp(.spaceBar))
                player.wait(pause)
            }
            #expect(player.instrument.state.isPlaying == plays)
        }
        // On a keyboard with releases two short presses are two short presses.
        var player = locked()
        for _ in 0..<2 {
            player.send(.key(.spaceBar))
            player.wait(60)
            player.send(.keyUp(.spaceBar))
            player.wait(60)
        }
        #expect(player.instrument.state.isPlaying)
    }

    @Test("other instruments and programs stop it if the configuration says so")
    func others() {
        let sources: [(SyncSource, StopSources)] = [(.midi, .midi), (.clock, .clock), (.link, .link)]
        for (source, bit) in sources {
            for stops in [StopSources.leaders, .leaders.subtracting(bit)] {
                var player = locked(stops: stops)
                player.send(.sync(.source(source)))
                player.send(.transport(.stop))
                #expect(player.instrument.state.isPlaying == !stops.contains(bit))
                #expect((player.tooltip == "LOCKED") == !stops.contains(bit))
            }
        }
        for stops in [StopSources.leaders, [.osc]] {
            var player = locked(stops: stops)
            player.send(.remote(.stop))
            #expect(player.instrument.state.isPlaying == !stops.contains(.osc))
        }
    }

    @Test("under the rules of the phone the lock stops nothing from stopping", arguments: Way.all.prefix(3))
    fileprivate func phone(way: Way) {
        var player = locked(way.screen)
        player.send(.rules(.phone))
        player.show(way.screen)
        way.stop(&player, 80)
        #expect(!player.instrument.state.isPlaying)
    }
}
