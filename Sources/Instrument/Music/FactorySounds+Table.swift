// The table of the factory sounds. To tune one, edit its values: `levels` are melody, chords and bass in tenths of a
// decibel. `PIXELBOOP_LEVELS=1 swift test --filter FactorySoundTests` prints each sound's name and track with the level
// that it should have. A ratio of FM goes by steps of 5: 10 is 1, 30 is 2, 45 is 3, 55 is 4. Times are milliseconds,
// cut-offs hertz.

extension FactorySounds {
    /// Sounds with melody as their home.
    static let melody: [Entry] = [
        Entry(
            "PLUCK", .pluck, levels: [81, 74, 0], timbre: [58, 62, 26],
            [.cutoff: 5200, .release: 600]),
        Entry(
            "LEAD", .analogue, levels: [40, 37, 25], timbre: [15, 24, 20, 0],
            [
                .cutoff: 3200, .resonance: 5, .attack: 8, .decay: 500, .sustain: 75, .release: 180, .drive: 15,
                .lfoTarget: pitch, .lfoDepth: 10, .lfoRate: 520, .envelopeDepth: 28, .envelopeDecay: 420,
            ]),
        Entry(
            "BELL", .fm, levels: [13, 38, -14], timbre: [50, 38, 74, 0, 40, 85],
            [.cutoff: 10_000, .attack: 2, .decay: 2200, .sustain: 0, .release: 1400]),
        Entry(
            "HARP", .pluck, levels: [92, 80, 5], timbre: [45, 66, 50],
            [.cutoff: 4500, .release: 1200]),
        Entry(
            "GLASS", .fm, levels: [21, 36, -7], timbre: [55, 24, 66, 0, 50, 80],
            [
                .cutoff: 9000, .attack: 12, .decay: 1800, .sustain: 15, .release: 900, .chorus: 20,
                .lfoTarget: volume, .lfoDepth: 10, .lfoRate: 450,
            ]),
        Entry(
            "MARIMBA", .fm, levels: [73, 96, 37], timbre: [55, 34, 34, 0, 0, 10],
            [.cutoff: 6000, .attack: 2, .decay: 600, .sustain: 0, .release: 300]),
        Entry(
            "KALIMBA", .fm, levels: [64, 87, 29], timbre: [65, 32, 30, 0, 25, 10],
            [.cutoff: 5000, .attack: 2, .decay: 750, .sustain: 0, .release: 450]),
        Entry(
            "SYNC", .wavetable, levels: [26, 26, 9], timbre: [30, 12, 0],
            [
                .cutoff: 8000, .resonance: 3, .attack: 4, .decay: 600, .sustain: 70, .release: 160, .drive: 18,
                .envelopeTarget: timbre1, .envelopeDepth: 55, .envelopeDecay: 500,
            ]),
        Entry(
            "SOLO", .analogue, levels: [28, 17, 9], timbre: [80, 10, 0, 0],
            [
                .cutoff: 3200, .resonance: 3, .attack: 15, .decay: 700, .sustain: 80, .release: 220, .chorus: 12,
                .lfoTarget: pitch, .lfoDepth: 12, .lfoRate: 560, .envelopeDepth: 15, .envelopeDecay: 700,
            ]),
        Entry(
            "WHISTLE", .fm, levels: [-4, -16, -27], timbre: [30, 8, 100, 0, 0, 10],
            [
                .cutoff: 5000, .attack: 40, .decay: 400, .sustain: 85, .release: 200, .lfoTarget: pitch, .lfoDepth: 13,
                .lfoRate: 540,
            ]),
        Entry(
            "CHIP", .wavetable, levels: [20, 15, -4], timbre: [29, 0, 0],
            [.cutoff: 9000, .attack: 2, .decay: 350, .sustain: 55, .release: 80]),
        Entry(
            "KOTO", .pluck, levels: [63, 76, 7], timbre: [78, 48, 12],
            [
                .cutoff: 6000, .release: 500, .envelopeTarget: pitch, .envelopeDepth: 12, .envelopeDecay: 60,
            ]),
    ]

    /// Sounds with chords as their home.
    static let chords: [Entry] = [
        Entry(
            "EPIANO", .fm, levels: [30, 30, 3], timbre: [10, 42, 72, 0, 22, 100],
            [
                .cutoff: 6000, .attack: 3, .decay: 2400, .sustain: 25, .release: 350, .chorus: 18, .lfoTarget: pan,
                .lfoDepth: 18, .lfoRate: 420,
            ]),
        Entry(
            "ORGAN", .organ, levels: [30, 19, 14], timbre: [5, 4, 8, 6, 4, 4],
            [.cutoff: 7000, .attack: 6, .release: 90, .chorus: 30, .drive: 10]),
        Entry(
            "GOSPEL", .organ, levels: [13, 12, -3], timbre: [8, 8, 8, 3, 0, 4],
            [
                .cutoff: 8000, .attack: 4, .release: 80, .drive: 22, .lfoTarget: pitch, .lfoDepth: 9, .lfoRate: 640,
                .chorus: 35,
            ]),
        Entry(
            "STRINGS", .strings, levels: [38, 27, 29], timbre: [45, 80, 30],
            [.cutoff: 4500, .attack: 220, .decay: 600, .sustain: 85, .release: 700]),
        Entry(
            "PAD", .analogue, levels: [60, 37, 60], timbre: [30, 30, 25, 0],
            [
                .cutoff: 2200, .resonance: 3, .attack: 450, .decay: 1200, .sustain: 80, .release: 1300, .unison: 2,
                .chorus: 35, .lfoTarget: cutoff, .lfoDepth: 12, .lfoRate: 25,
            ]),
        Entry(
            "STABS", .analogue, levels: [85, 96, 61], timbre: [10, 16, 15, 0],
            [
                .cutoff: 1100, .resonance: 6, .attack: 2, .decay: 420, .sustain: 32, .release: 140, .unison: 2,
                .envelopeDepth: 55, .envelopeDecay: 240, .drive: 35,
            ]),
        Entry(
            "BRASS", .analogue, levels: [56, 44, 38], timbre: [0, 18, 10, 0],
            [
                .cutoff: 1500, .resonance: 2, .attack: 45, .decay: 500, .sustain: 75, .release: 180,
                .envelopeDepth: 42, .envelopeDecay: 650, .chorus: 15,
            ]),
        Entry(
            "CHOIR", .wavetable, levels: [24, -3, 10], timbre: [62, 25, 10],
            [
                .cutoff: 3200, .attack: 260, .decay: 800, .sustain: 85, .release: 800, .chorus: 45,
                .lfoTarget: timbre1, .lfoDepth: 10, .lfoRate: 40,
            ]),
        Entry(
            "CLAV", .pluck, levels: [82, 110, 47], timbre: [85, 30, 10],
            [.cutoff: 3200, .resonance: 4, .release: 90, .drive: 32, .envelopeDepth: 20, .envelopeDecay: 150]),
        Entry(
            "GUITAR", .pluck, levels: [95, 88, 19], timbre: [55, 62, 28],
            [.drive: 22, .cutoff: 3600, .release: 500, .chorus: 12]),
        Entry(
            "SWEEP", .wavetable, levels: [4, 8, 1], timbre: [22, 30, 15],
            [
                .cutoff: 5000, .attack: 120, .decay: 1500, .sustain: 80, .release: 900, .chorus: 25,
                .lfoTarget: timbre1, .lfoDepth: 40, .lfoRate: 18,
            ]),
        Entry(
            "CELESTE", .fm, levels: [32, 52, 1], timbre: [55, 38, 66, 0, 30, 30],
            [.drive: 14, .cutoff: 8000, .attack: 2, .decay: 1400, .sustain: 0, .release: 700, .chorus: 12]),
    ]

    /// Sounds with bass as their home.
    static let bass: [Entry] = [
        Entry(
            "ROUND", .analogue, levels: [15, 20, 14], timbre: [20, 7, 0, 0],
            [
                .cutoff: 620, .resonance: 15, .attack: 4, .decay: 600, .sustain: 65, .release: 110, .drive: 10,
                .envelopeDepth: 34, .envelopeDecay: 380,
            ]),
        Entry(
            "SUBBY", .analogue, levels: [-7, -24, -24], timbre: [100, 0, 90, 0],
            [.cutoff: 220, .attack: 6, .decay: 900, .sustain: 85, .release: 140]),
        Entry(
            "FUNK", .analogue, levels: [64, 73, 57], timbre: [0, 8, 6, 0],
            [
                .cutoff: 620, .resonance: 12, .attack: 2, .decay: 280, .sustain: 40, .release: 80, .drive: 15,
                .envelopeDepth: 52, .envelopeDecay: 180,
            ]),
        Entry(
            "ACID", .acid, levels: [28, 54, 28], timbre: [0, 0, 60, 40],
            [
                .cutoff: 380, .resonance: 18, .attack: 2, .decay: 400, .sustain: 45, .release: 60, .drive: 30,
                .envelopeDepth: 58, .envelopeDecay: 220,
            ]),
        Entry(
            "SQUELCH", .acid, levels: [7, 43, -5], timbre: [100, 0, 70, 55],
            [
                .cutoff: 360, .resonance: 20, .attack: 2, .decay: 500, .sustain: 50, .release: 70, .drive: 40,
                .envelopeDepth: 66, .envelopeDecay: 320,
            ]),
        Entry(
            "REESE", .analogue, levels: [11, 26, 0], timbre: [0, 60, 0, 0],
            [
                .cutoff: 1000, .resonance: 16, .attack: 8, .decay: 800, .sustain: 90, .release: 160, .unison: 2,
                .drive: 32, .lfoTarget: cutoff, .lfoDepth: 12, .lfoRate: 30,
            ]),
        Entry(
            "UPRIGHT", .pluck, levels: [157, 168, 107], timbre: [30, 56, 60],
            [.cutoff: 900, .release: 160]),
        Entry(
            "WIRE", .pluck, levels: [72, 89, 22], timbre: [70, 58, 14],
            [.cutoff: 3000, .release: 200, .drive: 18]),
        Entry(
            "SOLID", .fm, levels: [13, 16, -3], timbre: [10, 100, 66, 10, 40, 30],
            [.cutoff: 3500, .attack: 2, .decay: 900, .sustain: 55, .release: 110]),
        Entry(
            "GROWL", .wavetable, levels: [27, 29, 7], timbre: [48, 15, 5],
            [
                .cutoff: 1700, .resonance: 8, .attack: 4, .decay: 600, .sustain: 75, .release: 120, .drive: 35,
                .lfoTarget: timbre1, .lfoDepth: 35, .lfoRate: 400,
            ]),
        Entry(
            "RUBBER", .fm, levels: [17, 36, -3], timbre: [10, 88, 72, 0, 0, 10],
            [
                .cutoff: 2600, .attack: 3, .decay: 500, .sustain: 40, .release: 120, .envelopeTarget: pitch,
                .envelopeDepth: 18, .envelopeDecay: 50,
            ]),
        Entry(
            "PEDAL", .organ, levels: [29, 26, 26], timbre: [8, 0, 7, 2, 0, 0],
            [.cutoff: 1500, .attack: 10, .release: 120, .drive: 8]),
    ]

    /// The kits.
    static let kits: [KitEntry] = [
        KitEntry("PLAIN", .plain, level: 0),
        KitEntry("ANALOG", .analogue, level: -9),
        KitEntry("PUNCHY", .punchy, level: -2, [.drive: 8]),
        KitEntry("ACOUSTIC", .acoustic, level: -8),
        KitEntry("LOFI", .lofi, level: -8),
    ]

    private static let pitch = ModulationTarget.pitch.rawValue
    private static let cutoff = ModulationTarget.cutoff.rawValue
    private static let volume = ModulationTarget.volume.rawValue
    private static let pan = ModulationTarget.pan.rawValue
    /// The model's first own control.
    private static let timbre1 = ModulationTarget.allCases.count
}
