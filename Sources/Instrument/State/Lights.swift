import InputEvents

extension Instrument {
    /// The light that comes from other machines, and the light that goes out to walls.
    public struct Lights: Sendable {
        /// The machines whose pictures the panel can show.
        public internal(set) var sources: [LightSource] = []
        /// Whether light goes out to walls.
        public internal(set) var areSent = true
        /// The number of the source that was chosen last; nil for the instrument.
        private(set) var chosen: Int?
        /// When the panel last said how to return from a picture.
        private var reminded: Instant?

        /// The place of the chosen source in a list in which the instrument is the first.
        var chosenPlace: Int { sources.firstIndex { $0.number == chosen }.map { $0 + 1 } ?? 0 }

        /// Chooses the source at `place` of that list. Returns its number, nil for the instrument; no place beyond the
        /// list.
        mutating func choose(place: Int) -> Int? {
            chosen = place > 0 ? sources[place - 1].number : nil
            return chosen
        }

        /// Whether there is a source at `place` of that list.
        func isPlace(_ place: Int) -> Bool { (0...sources.count).contains(place) }

        /// Whether the source with this number wants to know of fingers.
        func takesTouches(_ number: Int?) -> Bool {
            for source in sources where source.number == number { return source.takesTouches }
            return false
        }

        /// Whether a reminder of the way back from a picture is due at `now`; the next one is due a minute later.
        mutating func isReminderDue(at now: Instant) -> Bool {
            if let last = reminded, now - last < Limits.returnInterval { return false }
            reminded = now
            return true
        }
    }
}
