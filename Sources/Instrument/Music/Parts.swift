/// A scene for each of some tracks: the scenes from which tracks were launched alone, or wait to be.
public struct Parts: Hashable, Sendable {
    /// Four bits a track, the melody's lowest: the number of the scene and 1, or 0 for none.
    public private(set) var bits: UInt16 = 0

    /// No part.
    public init() {}

    /// The parts of `bits`; nil if they name a scene that does not exist.
    public init?(bits: some BinaryInteger) {
        guard let bits = UInt16(exactly: bits) else { return nil }
        self.bits = bits
        guard Track.allCases.allSatisfy({ place($0) <= Scenes.count }) else { return nil }
    }

    /// The scene, 0 to 7, of `track`; nil for none.
    public subscript(track: Track) -> Int? {
        get { place(track) == 0 ? nil : place(track) - 1 }
        set {
            let shift = Self.shift(track)
            bits = bits & ~(15 << shift) | UInt16((newValue ?? -1) + 1) << shift
        }
    }

    /// Whether no track has a scene.
    public var isEmpty: Bool { bits == 0 }

    /// The tracks that have one.
    public var tracks: TrackSet { TrackSet(Track.allCases.filter { place($0) > 0 }) }

    private func place(_ track: Track) -> Int { Int(bits >> Self.shift(track) & 15) }

    private static func shift(_ track: Track) -> UInt16 { UInt16(4 * track.rawValue) }
}

extension Pattern {
    /// The values of another scene that a track keeps while it is borrowed from it.
    struct Origin: Hashable, Sendable {
        /// Steps of that scene, after which a track without a length of its own repeats.
        var length: Int
        /// The scene's seed.
        var seed: Int
        /// Rows of single notes of the scene's other tracks, which share its room.
        var rows = 0
        /// Rows of the track in whose place this one plays, which share the room of the others.
        var replaced = 0
        /// The scene's harmony.
        var harmony = Harmony()

        /// The values of `scene` for `track`, which plays in place of `track` of `own`.
        init(of track: Track, in scene: Pattern, inPlaceOf own: Pattern) {
            (length, seed, harmony) = (scene.length, scene.seed, scene.lanes.harmony)
            rows = Track.allCases.reduce(0) { $1 == track ? $0 : $0 + scene.lanes.rowCount(of: $1) }
            replaced = own.lanes.rowCount(of: track)
        }
    }

    /// Replaces notes, lanes, shape and program of `track` by those of `other`.
    mutating func copyPart(_ track: Track, from other: Pattern) {
        for note in track.notes { setCells(track, note: note, to: other.cells(track, note: note)) }
        lanes.copy(track, from: other.lanes, room: room(for: track) + lanes.rowCount(of: track))
        self[shape: track] = other[shape: track]
        self[program: track] = other[program: track]
    }

    /// Plays `track` of `other`, which is the pattern of another scene: the track keeps that scene's length and seed.
    public mutating func borrow(_ track: Track, from other: Pattern) {
        self[origin: track] = Origin(of: track, in: other, inPlaceOf: self)
        copyPart(track, from: other)
    }

    /// Whether notes, lanes, shape and program of `track` are those of `other`.
    func hasSamePart(_ track: Track, as other: Pattern) -> Bool {
        self[shape: track] == other[shape: track] && self[program: track] == other[program: track]
            && Lane.ofTracks.allSatisfy { lanes.isSame(track, $0, as: other.lanes) }
            && lanes.hasSameNotes(track, as: other.lanes)
            && track.notes.allSatisfy { cells(track, note: $0) == other.cells(track, note: $0) }
    }

    /// The pattern with its borrowed tracks as its own. They keep their lengths, but have the pattern's seed
    /// and harmony.
    var settled: Pattern {
        var result = self
        for track in Track.allCases where self[origin: track] != nil {
            result[origin: track] = nil
            result.setLength(of: track, to: length(of: track))
        }
        return result
    }

    /// Lets `track` repeat after `steps`: a length of its own only if it needs one.
    mutating func setLength(of track: Track, to steps: Int) {
        self[shape: track].length = steps == wholeLength(of: track) ? nil : steps
    }
}

// MARK: The parts that play

extension Composition {
    /// Plays the current scene's own parts again.
    mutating func endMix() {
        if !parts.isEmpty { parts = Parts() }
    }

    /// Copies the part of `track` that plays into scene `slot`. An empty scene gets no other part, and the tempo, the
    /// length and the tonality of the current one.
    mutating func copyPart(_ track: Track, into slot: Int) {
        var target = part(ofScene: slot)
        target.copyPart(track, from: pattern)
        target.setLength(of: track, to: pattern.length(of: track))
        if slot == scenes.current { changeOwn { $0 = target } } else { scenes.replace(target, in: slot) }
    }

    /// The pattern whose part a track launched from scene `slot` plays; of an empty one it is silent.
    public func part(ofScene slot: Int) -> Pattern { self[scene: slot] ?? blank }

    /// The scene of the part of `track` that plays; nil without a current scene.
    public func scene(of track: Track) -> Int? { parts[track] ?? scenes.current }
}
