import InputEvents

extension Instrument {
    /// The screen that the panel shows, the text on it, and the choices that other screens were left with.
    public struct View: Sendable {
        /// The screen that the panel shows.
        public internal(set) var screen = Screen.grid
        /// When that screen was opened.
        private(set) var screenSince = Instant.zero
        /// When the menu last began to open or to close.
        var menuSince = Instant(microseconds: .min / 2)
        /// The text on the panel.
        public internal(set) var tooltip: Tooltip?
        /// The place that the keyboard's finger touches.
        public internal(set) var cursor = Cursor(column: 0, row: Cursor.firstRow)
        /// The track that the sound sheet showed last.
        private(set) var soundTrack = Track.melody
        /// The window of a pattern longer than 32 steps, 0-3; of a shorter one the last that it has is shown.
        public internal(set) var window = 0
        /// Whether the window goes with the playhead.
        public internal(set) var follows = true
        /// The keys in place of the steps.
        public internal(set) var keys = PanelKeys()
        /// The effects over the steps.
        public internal(set) var fx = PanelFX()
        /// The evenly spread hits that the TRACK sheet writes.
        var euclid = Euclid()
        /// The scale that is being heard on the scale sheet.
        var scaleRun: ScaleRun?

        /// Shows `screen` from `now` on, without a text.
        mutating func show(_ next: Screen, at now: Instant) {
            if let track = screen.soundTrack { soundTrack = track }
            (screen, screenSince, tooltip) = (next, now, nil)
        }

        /// Removes a text whose time is over at `now`, unless it is `kept`.
        mutating func expireTooltip(at now: Instant, isKept: (Tooltip) -> Bool) {
            if let shown = tooltip, shown.hasEnded(on: screen, at: now), !isKept(shown) { tooltip = nil }
        }
    }
}
