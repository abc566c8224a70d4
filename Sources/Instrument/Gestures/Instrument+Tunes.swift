import InputEvents

// Opening the tunes of the library. While music runs a tune waits for the end of the playing pattern.

extension Instrument {
    /// Opens the library's `pattern`, at once while the music is stopped. While it runs the pattern is queued; queued it
    /// is forced; and the playing one cancels what is queued.
    mutating func openTune(_ pattern: Int64) {
        let title = state.shelf.guide.content.title(of: pattern)
        let isCurrent = pattern == state.session.pattern
        if isCurrent, !state.tunes.isEmpty {
            state.tunes.cancel()
        } else if isCurrent || !state.isPlaying {
            show(.grid)
            if !isCurrent {
                if isRefused() { return }
                effects.append(.job(.open(pattern)))
            }
        } else {
            if isRefused() { return }
            if state.tunes.pattern == pattern {
                state.tunes.force(at: now)
            } else {
                effects.append(.job(.open(pattern, tune: state.tunes.queue(pattern, at: now))))
            }
        }
        if let title { showTooltip(title) }
    }

    /// Begins a pattern in the bank at `channel` of the guide, at once or at the end of the playing pattern.
    mutating func beginPattern(inChannel channel: Int) {
        show(.grid)
        guard !isRefused() else { return }
        let tune = state.isPlaying ? state.tunes.queue(nil, at: now) : nil
        effects.append(.job(.begin(bank: channel, tune: tune)))
        showTooltip(tune == nil ? "NEW" : "NEW WAITS")
    }

    /// The playing tune ends: held notes end, and what was played into it is written.
    mutating func endTune() {
        closeRecording()
        releaseKeys()
    }

    /// The queued tune with `tag` is audible now.
    mutating func beginTune(tag: Int) {
        guard state.isPlaying, let session = state.tunes.begin(tag: tag) else { return }
        // Another tune may wait for the end of this one.
        open(session)
        beginSong()
        followSong()
        state.transport.endPlayheads()
        if let title = state.session.pattern.flatMap({ state.shelf.guide.content.title(of: $0) }) { showTooltip(title) }
    }
}
