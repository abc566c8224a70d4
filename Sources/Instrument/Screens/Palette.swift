import InputEvents
import Display

/// The colours of docs/spec.md, section 2.
enum Palette {
    static let background = RGB(0x0a0a0a)
    static let playhead = RGB(0x1a1a1a)
    static let barStep = RGB(0x111111)
    static let outOfScale = RGB(0x060606)
    /// An empty fourth step on the row of a root.
    static let rootStep = RGB(0x242424)
    /// Lights of the three scales of row 0: chosen, and not.
    static let scales = [RGB(0xffaa00), RGB(0x00aaff), RGB(0xaa00ff)]
    static let otherScales = [RGB(0x442200), RGB(0x002244), RGB(0x220044)]
    /// The bar of a track's note pages.
    static let pageBar = RGB(0x161616)

    /// Colours of the menu's handle while the menu is closed and open. Under the rules of the box the closed handle has
    /// three times the luminance of step 0 beside it (WCAG 2.2, contrast of controls).
    static func handle(_ rules: Rules) -> (closed: RGB, open: RGB) {
        rules == .box ? (RGB(0xa6a6a6), .white) : (RGB(0x222222), RGB(0x555555))
    }

    /// Colours of a row of steps by their weights.
    struct Steps {
        let strong, beat, other: RGB

        subscript(weight: Metre.Weight) -> RGB { weight == .strong ? strong : weight == .beat ? beat : other }
    }
    static let steps = Steps(strong: RGB(0x555555), beat: RGB(0x333333), other: RGB(0x1a1a1a))
    /// Colours of the steps in a sheet's header.
    static let headerSteps = Steps(strong: RGB(0x444444), beat: RGB(0x262626), other: RGB(0x121212))
    /// Colours of the steps of a bar on the sheet of the metre.
    static let metreSteps = Steps(strong: text, beat: RGB(0x8a8a8a), other: RGB(0x3c3c3c))
    /// The playhead's step, before its flash.
    static let heardStep = RGB(0xaaaaaa)

    // Colours of texts and sections.
    static let text = RGB(0xc8c8c8)
    static let quiet = RGB(0x6a6a6a)
    static let off = RGB(0x262626)
    static let rail = RGB(0x1e1e1e)
    static let library = RGB(0x2e8bff)
    static let sound = RGB(0xff3fa4)
    static let song = RGB(0x9b5cff)
    static let sync = RGB(0xff9500)
    static let settings = RGB(0xb8b8b8)
    static let danger = RGB(0xff2828)
    static let warning = RGB(0xffaa00)
    /// Faders shared by all tracks.
    static let shared = RGB(0xd0d0d0)

    /// KEYS and FX on row 0, open and closed.
    static let (keys, fx, closedKeys, closedFX) = (RGB(0x00c8b4), RGB(0xd070ff), RGB(0x003c36), RGB(0x341c40))

    /// The colour of an effect; each row of effects goes from light to dark, for eyes and modes without colours.
    static func fx(_ fx: FX) -> RGB { effects[fx.rawValue] }
    private static let effects = [
        0xffc04d, 0xff7a3d, 0xff4d6a, 0xc94dff, 0x7ae06a, 0x3dc8e0, 0x4d8cff, 0xd8d8d8,
    ].map { RGB($0) }

    /// Play, and what is on.
    static func go(_ mode: ColourMode) -> RGB { schemes[mode.place].go }
    /// Stop.
    static func stop(_ mode: ColourMode) -> RGB { schemes[mode.place].stop }
    static func track(_ track: Track, _ mode: ColourMode) -> RGB { schemes[mode.place].tracks[track.rawValue] }

    /// The colour of a note's pitch class, the same on every track.
    static func note(_ note: Int, _ mode: ColourMode) -> RGB {
        schemes[mode.place].notes[Pattern.pitchClass(of: note)]
    }

    /// The colour of a note on an LED: normal or accented, on an audible or a silent track.
    static func note(_ note: Int, _ cell: Cell, isSilent: Bool, _ mode: ColourMode) -> RGB {
        let scheme = schemes[mode.place]
        let pitchClass = Pattern.pitchClass(of: note)
        return (cell == .accent ? scheme.accents : scheme.normals)[isSilent ? Pattern.octave + pitchClass : pitchClass]
    }

    /// The colour of a ghost of `track`.
    static func ghost(_ track: Track, _ mode: ColourMode) -> RGB { schemes[mode.place].ghosts[track.rawValue] }

    /// The colours that depend on the mode.
    private struct Scheme {
        /// By pitch class.
        let notes: [RGB]
        /// From the top.
        let tracks: [RGB]
        let go, stop: RGB

        // Shades used often in every frame, blended once.
        let accents, normals, ghosts: [RGB]

        init(notes: [UInt32], tracks: [UInt32], go: UInt32, stop: UInt32) {
            self.notes = notes.map { RGB($0) }
            self.tracks = tracks.map { RGB($0) }
            self.go = RGB(go)
            self.stop = RGB(stop)
            accents = Self.shades(self.notes, 1)
            normals = Self.shades(self.notes, Opacity.normalNote)
            ghosts = self.tracks.map { background.blended(towards: $0, Opacity.ghost) }
        }

        /// The note colours at `alpha`, then the same for a silent track.
        private static func shades(_ notes: [RGB], _ alpha: Float) -> [RGB] {
            [alpha, alpha * Opacity.silentNote].flatMap { alpha in
                notes.map { background.blended(towards: $0, alpha) }
            }
        }
    }

    /// In the order of `ColourMode.allCases`.
    private static let schemes = [
        Scheme(notes: semitones, tracks: tracks, go: 0x44ff44, stop: 0xff4444),
        Scheme(notes: fifths.map { semitones[$0] }, tracks: tracks, go: 0x44ff44, stop: 0xff4444),
        // Chosen so that they differ for protan, deutan and tritan eyes too: `ClearSightTests` has the differences.
        Scheme(
            notes: [
                0xe25810, 0xa35c4f, 0xeb83ad, 0xbeff03, 0xaac929, 0x8ae6bc,
                0xe1f69a, 0x79ba83, 0x189688, 0x536e9c, 0xaa6bfd, 0xc6adff,
            ],
            tracks: [0xecef33, 0x389798, 0x9ae7f9, 0xf6454a], go: 0x5ad1ff, stop: 0xff7a00),
    ]

    private static let tracks: [UInt32] = [0xf7dc6f, 0x4ecdc4, 0x45b7d1, 0xff6b6b]
    private static let semitones: [UInt32] = [
        0xff0000, 0xff4500, 0xff8c00, 0xffc800, 0xffff00, 0x9acd32,
        0x00ff00, 0x00ffaa, 0x00ffff, 0x00aaff, 0x0055ff, 0x8a2be2,
    ]
    /// The position of each pitch class on the circle of fifths.
    private static let fifths = [0, 7, 2, 9, 4, 11, 6, 1, 8, 3, 10, 5]
}

/// Opacities of docs/spec.md, section 2.
enum Opacity {
    static let normalNote = Float(0xbb) / 255
    static let ghost = Float(0x22) / 255
    static let preview = Float(0x88) / 255
    static let unchosenRoot = Float(0x44) / 255
    static let silentHead = Float(0x33) / 255
    /// Factor on the opacity of a silent track's notes.
    static let silentNote: Float = 0.4
    /// The middle light of Stop.
    static let stopGap: Float = 0.15
    /// Blend towards white of the half of a note page on which a gesture has written.
    static let glow: Float = 0.6
    /// Blend towards white of a note under the playhead.
    static let playhead: Float = 0.2
    /// Blend towards white of a track's own playhead in the overview.
    static let trackPlayhead: Float = 0.6
    /// Steps of a window that is not shown, on the overview.
    static let hiddenWindow: Float = 0.35
    /// The upper part of the light of TAKE.
    static let takeTop: Float = 0.3
    /// Of a step with values in a lane, for a moment.
    static let laneDip: Float = 0.38

    /// Opacity of an LED of the page bar. `part`, 0-1, is the part that the page covers of it, relative to the largest
    /// part that a page can cover. From half on the LED is bright, so that every page has a bright one.
    static func page(_ part: Float) -> Float {
        let part = min(1, 2 * part)
        return 0.1 + 0.75 * part * part.squareRoot()
    }
    /// Opacity of the light of a page that is not shown.
    static let otherPage: Float = 0.74
    /// Opacity of the light of a track whose keys are not shown.
    static let otherKeys: Float = 0.25
    /// Opacity of a light below the keys that is off.
    static let keySpot: Float = 0.28
    /// Opacity of the light of the page shown.
    static let shownPage: Float = 1

    /// Opacity of a held cell at `position`, 0-1, within its note.
    static func sustain(_ position: Float) -> Float { position < 0.4 ? 0.85 : max(0.25, 1 - 0.9 * position) }
}

/// Durations of glow effects.
enum Glow {
    /// The flash of a step at its start.
    static let pulse = Instant.Span.milliseconds(100)
    /// The pulse of a note that is held.
    static let hold = Instant.Span.milliseconds(300)
    /// One breath of the LED at 0, 0.
    static let breath = Instant.Span.milliseconds(2400)
}
