import Testing

@testable import Instrument

/// Every way for a player to change the kept state. Each test states the whole change, so that nothing else changed.
@Suite("The complete change of each action")
struct ChangeTests {
    /// An action of a player, its change of the session, and its effects.
    private struct Act {
        let name: String
        let act: (inout Player) -> Void
        let change: (inout Session) -> Void
        var effects: [Instrument.Effect] = []

        init(
            _ name: String, _ act: @escaping (inout Player) -> Void, effects: [Instrument.Effect] = [],
            _ change: @escaping (inout Session) -> Void
        ) {
            self.name = name
            self.act = act
            self.change = change
            self.effects = effects
        }

        static func tap(_ name: String, _ place: Place, _ change: @escaping (inout Session) -> Void) -> Act {
            Act(name, { $0.tap(place) }, change)
        }

        static func event(_ name: String, _ event: Instrument.Event, _ change: @escaping (inout Session) -> Void) -> Act
        {
            Act(name, { $0.send(event) }, change)
        }
    }

    /// The same as one undo step with the word `action`, and with a `word` if it is a gesture.
    private static func undoably(
        _ action: String, word: WordCounts.Kind? = nil, _ change: @escaping (inout Composition) -> Void
    ) -> (inout Session) -> Void {
        { session in
            _ = session.history.record(History.Step(session.composition, word: action))
            change(&session.composition)
            if let word { session.wordCounts.add(word) }
        }
    }

    /// Actions on the grid, top to bottom, by docs/spec.md, section 3 and 4.
    private static var grid: [Act] {
        [
            .tap("play", .control(.play)) { _ in },
            .tap("undo", .control(.undo)) { session in
                _ = History.undo(in: &session, withSound: true)
            },
            .tap("a scale", .control(.scale(.minor)), undoably("SCALE") { $0.pattern.tonality.scale = .minor }),
            .tap("a root", .control(.root(5)), undoably("KEY") { $0.pattern.tonality.root = 5 }),
            .tap("ghosts", .control(.ghosts), undoably("GHOSTS") { $0.showsGhosts = false }),
            .tap("slower", .control(.slower), undoably("BPM") { $0.pattern.tempo = 115 }),
            .tap("the first of taps in tempo", .control(.tapTempo)) { _ in },
            .tap("faster", .control(.faster), undoably("BPM") { $0.pattern.tempo = 125 }),
            .tap("shorter", .control(.shorter), undoably("LENGTH") { $0.pattern.length = 28 }),
            .tap("longer", .control(.longer), undoably("LENGTH") { $0.pattern.length = 48 }),
            .tap("the length", .control(.length)) { _ in },
            .tap("Clear, not held", .control(.clear)) { _ in },
            Act(
                "Clear, held", { $0.tap(.control(.clear), held: 500) }, effects: [.fade],
                undoably("CLEAR") { $0.pattern[.bass, note: 4, step: 3] = .empty }),
            .tap("the menu's handle", .handle) { $0.isMenuOpen = true },
            .tap("mute", .mute(.melody)) { $0.muted = TrackSet(.melody) },
            .tap("solo", .solo(.chords)) { $0.soloed = .chords },
            .tap("a note page", .page(.rhythm)) { $0.pages[Track.rhythm.rawValue] = 1 },
            Act("the colour mode", { $0.tap(.colours, held: 700) }) { $0.colourMode = .harmonic },
            Act(
                "a drum", { $0.tap(.step(0, .rhythm)) },
                effects: [.audition([Instrument.Effect.Note(track: .rhythm, note: 0, velocity: 1, steps: 1)])],
                undoably("HIT", word: .note) { $0.pattern[.rhythm, note: 0, step: 0] = .normal }),
            Act(
                "a note on a lit LED, whose tap removes it", { $0.tap(.step(3, .bass, row: 2)) },
                undoably("OFF", word: .removal) { $0.pattern[.bass, note: 4, step: 3] = .empty }),
            Act(
                "a copy into a scene", { $0.tap(.scene(0), held: 700) },
                undoably("SCENE") { $0.scenes.copy($0.pattern, into: 0) }),
            .tap("an empty scene", .scene(0)) { _ in },
            .tap("the chain", .chain) { $0.sceneMode = .chain },
            .tap("the overview, once", .overview(15)) { _ in },
        ]
    }

    /// Actions by keys, buttons and knobs.
    private static var events: [Act] {
        [
            .event("Space", .key(.playStop)) { _ in },
            .event("up", .key(.faster), undoably("BPM") { $0.pattern.tempo = 125 }),
            .event("the tempo's knob", .turn(.tempo, by: -3), undoably("BPM") { $0.pattern.tempo = 117 }),
            .event("the length's knob", .turn(.length, by: -2), undoably("LENGTH") { $0.pattern.length = 24 }),
            .event("the volume's knob", .turn(.volume, by: -30)) { $0.volume = 70 },
            .event("the lock", .lock(true)) { $0.isLocked = true },
            .event("a step that is heard", .step(5, number: 5)) { _ in },
            .event("a scene that was never to come", .sceneBegan(2)) { _ in },
            Act(
                "the power's button, twice",
                {
                    $0.send(.power)
                    $0.send(.power)
                }, effects: [.powerOff]
            ) { _ in },
            .event("a stick", .stick(isThere: true)) { _ in },
            .event("a notice", .notice(.diskFull)) { _ in },
            .event("what the box knows of itself", .facts(Facts())) { _ in },
        ]
    }

    @Test("an action changes its own state, and nothing else")
    func changes() {
        for act in Self.grid + Self.events {
            var player = Player()
            // A composition with a past, for undo.
            player.instrument.perform("NOTE") { $0.pattern[.bass, note: 4, step: 3] = .normal }
            var expected = player.instrument.state.session
            act.change(&expected)
            act.act(&player)
            #expect(player.instrument.state.session == expected, "\(act.name)")
            #expect(player.effects == act.effects, "\(act.name)")
        }
    }

    /// On the sheets: the path there, by the menu, and a tap. Of the path only the menu's state is kept.
    private static var sheets: [(name: String, way: [Place], change: (inout Session) -> Void)] {
        [
            ("the lock", [.menu(.lock)], { $0.isLocked = true }),
            ("audition", [.menu(.settings), .spot(.toggle(.audition))], { $0.auditions = false }),
            ("sound at touch", [.menu(.settings), .spot(.toggle(.tap))], { $0.soundsTaps = false }),
            ("ghosts", [.menu(.settings), .spot(.toggle(.ghosts))], undoably("GHOSTS") { $0.showsGhosts = false }),
            ("the chain", [.menu(.song), .spot(.sceneMode)], { $0.sceneMode = .chain }),
            ("the tempo", [.menu(.sync), .spot(.tempo(.faster))], undoably("BPM") { $0.pattern.tempo = 121 }),
            ("the source", [.menu(.sync), .spot(.source(.midi))], { $0.syncSource = .midi }),
            ("recording", [.menu(.sync), .spot(.record)], { _ in }),
            ("another track's faders", [.menu(.sound), .spot(.track(.chords))], { _ in }),
            ("about", [.menu(.settings), .spot(.button(.about))], { _ in }),
            ("staying on", [.menu(.settings), .spot(.button(.power)), .spot(.stay)], { _ in }),
            ("the way back", [.menu(.settings), .spot(.back)], { _ in }),
        ]
    }

    @Test("a tap on a sheet changes its own state, and nothing else")
    func sheetChanges() {
        for (name, way, change) in Self.sheets {
            var player = Player()
            player.tap(.handle)
            var expected = player.instrument.state.session
            change(&expected)
            for place in way { player.tap(place) }
            #expect(player.instrument.state.session == expected, "\(name)")
            // The sound sheet requests the player's own sounds.
            #expect(player.effects.allSatisfy { $0 == .job(.showSounds) }, "\(name)")
        }
    }
}
