extension Instrument {
    /// Settings that hold until the player chooses others, which the session keeps.
    struct Defaults: Sendable {
        /// The master volume in per cent, within `Session.volumes`.
        var volume = Session.volumes.upperBound
        /// The rules of the gestures.
        var rules = Rules.box
        /// The source of the tempo. The other settings of the clocks are not the session's.
        var sync = SyncSettings()
        /// Sources that stop the music at once while the performance lock is on.
        var stops = StopSources.leaders

        /// Changes a setting of the clocks except their source; a value out of range changes nothing or is clamped.
        mutating func set(_ setting: SyncSetting) {
            let rates = SyncSettings.pulsesPerQuarter
            switch setting {
            case .source: break
            case .pulse(let output): sync.pulse = output
            case .pulsesPerQuarter(let count): if rates.contains(count) { sync.pulsesPerQuarter = count }
            case .clockPerQuarter(let count): if rates.contains(count) { sync.clockPerQuarter = count }
            case .pulseMilliseconds(let length): sync.pulseMilliseconds = length.clamped(to: SyncSettings.pulseLengths)
            case .pulseLevel(let level): sync.pulseLevel = level.clamped(to: SyncSettings.pulseLevels)
            }
        }
    }
}
