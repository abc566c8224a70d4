import InputEvents

/// A command of a program on the network.
public enum RemoteCommand: Hashable, Sendable {
    /// Start the transport, if it is stopped.
    case play
    /// Stop the transport, if it runs.
    case stop
    /// Set the tempo, within `Tempo.range` under any rules.
    case tempo(Tempo)
    /// Play this filled scene, 0 to 7: from the next bar on while the transport runs.
    case scene(Int)
    /// Play this track's part of the scene, 0 to 7, alone: from the next bar on while the transport runs.
    case part(Track, Int)
    /// Mute a track, or not.
    case mute(Track, Bool)
    /// Mute a track if it is not, or else not.
    case toggleMute(Track)
    /// Play a track alone, or not.
    case solo(Track, Bool)
}

extension Instrument {
    /// Performs `command`, as a player would.
    mutating func perform(_ command: RemoteCommand) {
        switch command {
        case .play: if !state.isPlaying { togglePlay() }
        case .stop:
            guard state.isPlaying else { break }
            if stops(by: .osc) { togglePlay() } else { showTooltip("LOCKED") }
        case .tempo(let tempo):
            guard !isRefused(), !isLed(to: tempo) else { return }
            var action = state.transport.remoteTempo
            perform("BPM", extending: &action) { $0.pattern.tempo = tempo.clamped(to: Tempo.range) }
            state.transport.remoteTempo = action
        case .scene(let slot):
            guard state.session.composition.scenes.isFilled(slot), state.songPlay.queuedScene != slot else { return }
            choose(scene: slot)
        case .part(let track, let slot):
            guard state.rules == .box, state.songPlay.coming(track, in: state.session.composition) != slot else {
                return
            }
            choose(track, of: slot)
        case .mute(let track, let isOn):
            if state.session.muted.contains(track) != isOn {
                state.session.muted = state.session.muted.toggling(track)
            }
        case .toggleMute(let track): state.session.muted = state.session.muted.toggling(track)
        case .solo(let track, let isOn):
            if isOn {
                state.session.soloed = track
            } else if state.session.soloed == track {
                state.session.soloed = nil
            }
        }
    }

    /// Wants `tempo` of those who lead the box; false if nobody does.
    private mutating func isLed(to tempo: Tempo) -> Bool {
        follows(changeBy: tempo - Tempo(nearest: state.transport.syncStatus.tempo ?? 0))
    }
}
