import InputEvents

extension Instrument {
    /// The complete state of the instrument.
    public struct State: Sendable {
        /// The part that survives a power cut.
        public var session = Session()
        /// Settings until the player chooses others.
        var defaults = Defaults()
        /// The transport and the audible steps.
        public internal(set) var transport = Transport()
        /// The scene that plays next, and the place in the song.
        public internal(set) var songPlay = SongPlay()
        /// The tune that was chosen while the music runs.
        public internal(set) var tunes = TuneQueue()
        /// The recording, and the keys of MIDI keyboards.
        public internal(set) var recording = Recording()
        /// The sound and the round that were just heard.
        public internal(set) var takes = Takes()
        /// The samples of the pads.
        public internal(set) var samples = Samples()
        /// The player's own sounds, tunings and patterns.
        public internal(set) var shelf = Shelf()
        /// Facts and questions of the box.
        public internal(set) var box = BoxFacts()
        /// Light that comes from other machines and goes out to walls.
        public internal(set) var lights = Lights()
        /// The effects on the whole sound that fingers play.
        public internal(set) var fx = FXPlays()
        /// The screen and the text on it.
        public internal(set) var view = View()
        /// The hints for a player who has not found everything.
        var hints = Hints()
        /// The fingers.
        var fingers = Fingers()
    }
}

// MARK: Values of several parts

extension Instrument.State {
    /// Whether the music runs.
    public var isPlaying: Bool { transport.isPlaying }

    /// Number of fingers on the overlay.
    public var fingerCount: Int { fingers.contacts.count { $0.isDown } }

    /// The current scene, 0 to 7; nil while the pattern belongs to none.
    public var scene: Int? { session.scene }

    /// The song.
    var song: Song { session.composition.song }

    /// The scene that plays next while the transport runs: queued, chained, or the next of the song; nil for none.
    public var upcomingScene: Instrument.SongPlay.UpcomingScene? {
        isPlaying ? songPlay.upcomingScene(in: session) : nil
    }

    /// The parts that begin with the next bar, while the transport runs, and those of them that come back to their scene,
    /// which is current: they go on with it.
    public var upcomingParts: (parts: Parts, returning: TrackSet) {
        // Asked on each pass of the loop, and mostly there are none: a list of tracks would be allocated.
        guard isPlaying, !songPlay.queuedParts.isEmpty else { return (Parts(), TrackSet()) }
        let parts = songPlay.queuedParts
        return (parts, TrackSet(parts.tracks.tracks.filter { parts[$0] == scene }))
    }

    /// The scene or tune that plays next, in place of the current pattern.
    public enum Upcoming: Hashable, Sendable {
        /// A scene.
        case scene(Instrument.SongPlay.UpcomingScene)
        /// A tune of the library.
        case tune(Instrument.TuneQueue.Upcoming)

        /// Whether it is a tune.
        public var isTune: Bool { if case .tune = self { true } else { false } }
    }

    /// The scene or tune that plays next while the transport runs; nil for none. A scene that was queued by hand comes before a
    /// tune, unless that is forced.
    public var upcoming: Upcoming? {
        guard isPlaying else { return nil }
        if let tune = tunes.upcoming, tune.isAtBeat || !songPlay.isQueued { return .tune(tune) }
        return songPlay.upcomingScene(in: session).map { .scene($0) }
    }

    /// The sound with which the scene or tune that plays next begins, if it is not the one that plays, and the track that is
    /// soloed then; nil for none.
    public var upcomingSound: (sound: SceneSound, soloed: Track?)? {
        switch upcoming {
        case nil: return nil
        case .tune(let tune):
            let session = tune.tune.session
            return (session.sounds[of: session.soundOwner], session.soloed)
        case .scene(let scene):
            let owner = session.soundOwner(in: scene.slot)
            return owner == session.soundOwner ? nil : (session.sounds[of: owner], session.soloed)
        }
    }

    /// The audible step of `track`.
    @inline(never)  // Inlined, it copies the whole state for each of the rows that are drawn.
    func playhead(of track: Track) -> Instrument.Transport.Playhead? {
        transport.playhead(of: track, in: session.composition.pattern)
    }

    /// The sample that `pad` plays, in the engine's memory; nil for a drum, and while it is absent.
    public func sample(of pad: Int) -> LoadedSample? { samples.sample(of: pad, session.sound) }

    /// The master volume in per cent, within `Session.volumes`.
    public var volume: Int { session.volume ?? defaults.volume }

    /// The brightness of the LEDs in per cent of the configured brightness, within `Session.brightnesses`.
    public var brightness: Int { session.brightness ?? Session.brightnesses.upperBound }

    /// The rules of the gestures.
    public var rules: Rules { session.rules ?? defaults.rules }

    /// The source of the tempo, and what goes to other instruments.
    public var sync: SyncSettings {
        var settings = defaults.sync
        if let source = session.syncSource { settings.source = source }
        return settings
    }

    /// Whether another instrument sets the tempo. While it is lost its last tempo stays.
    var isFollowing: Bool { sync.source != .internal && transport.syncStatus.tempo != nil }

    /// The tempo that is heard, in beats per minute. The box follows a source at the octave within the tempos of a
    /// pattern.
    public var heardTempo: Double {
        (isFollowing ? transport.ledTempo : nil) ?? session.composition.pattern.tempo.bpm
    }

    /// The window of the pattern that the grid shows.
    var window: StepWindow {
        @inline(never) get { window(of: session.composition.pattern.length) }  // As above.
    }

    /// The shown window of `length` steps, or the last that they have.
    func window(of length: Int) -> StepWindow { StepWindow(index: min(view.window, (length - 1) / Pattern.window)) }

    /// The tempo for the eyes: the pattern's own, a Link session's, or another source's in whole beats per minute, since
    /// its ticks jitter.
    var shownTempo: Tempo {
        guard isFollowing, let tempo = transport.syncStatus.tempo else { return session.composition.pattern.tempo }
        return sync.source == .link ? Tempo(nearest: tempo) : Tempo(nearest(tempo))
    }

    /// Whether a finger that lands on a step sounds at once: under the rules of the box it does unless the player has
    /// switched that off, under the phone's rules it does not unless the player has switched it on.
    public var soundsTaps: Bool { session.soundsTaps ?? (rules == .box) }

    /// Silent tracks: muted, or another track is soloed.
    public var silent: TrackSet { session.muted.silent(soloed: session.soloed) }
}
