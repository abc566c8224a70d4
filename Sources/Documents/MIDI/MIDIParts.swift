import Instrument

/// What the parts of a MIDI file become: which of the box's tracks plays them.
///
/// A part is a channel. If one channel has the notes of several of the file's tracks, each of these is a part of its
/// own. Parts on channel 10 are rhythm. If all others are on channels 1, 2 and 3, a part each, they are melody, chords
/// and bass, as in exported files. Otherwise the words of a track's name decide, then General MIDI's family of its
/// program, and of the rest the lowest is the bass, the one with most simultaneous notes the chords, and the others the
/// melody.
struct MIDIParts {
    private struct Part: Hashable {
        var channel: Int
        /// Number of the file's track; nil if the channel's notes are one part.
        var track: Int?
    }

    private var tracks: [Part: Track] = [:]
    /// Whether the notes of a channel are in several of the file's tracks.
    private var isShared: Set<Int> = []

    /// The parts of `file`.
    init(of file: MIDIReader) {
        let byChannel = Dictionary(grouping: file.notes, by: { $0.channel })
        isShared = Set(
            byChannel.filter { $0.key != Track.rhythm.midiChannel && Set($0.value.map { $0.track }).count > 1 }.keys)
        let own = Dictionary(pairs: Track.allCases.map { ($0.midiChannel, $0) })
        if isShared.isEmpty, byChannel.keys.allSatisfy({ own[$0] != nil }) {
            for channel in byChannel.keys { tracks[Part(channel: channel)] = own[channel] }
            return
        }
        var rest: [(part: Part, notes: [MIDIReader.Note])] = []
        for (part, notes) in Dictionary(grouping: file.notes, by: { part(of: $0) }) {
            let named = part.track.flatMap { file.names[$0] }.flatMap(Self.track(named:))
            if part.channel == Track.rhythm.midiChannel {
                tracks[part] = .rhythm
            } else if let track = named ?? notes.first?.program.flatMap(Self.track(ofProgram:)) {
                tracks[part] = track
            } else {
                rest.append((part, notes))
            }
        }
        rest = rest.inOrder { ($0.part.channel, $0.part.track ?? 0) < ($1.part.channel, $1.part.track ?? 0) }
        spread(rest)
    }

    /// The track that plays `note`.
    func track(of note: MIDIReader.Note) -> Track? { tracks[part(of: note)] }

    private func part(of note: MIDIReader.Note) -> Part {
        Part(channel: note.channel, track: isShared.contains(note.channel) ? note.track : nil)
    }

    /// Spreads parts that neither name nor program describes, by their range and their simultaneous notes.
    private mutating func spread(_ parts: [(part: Part, notes: [MIDIReader.Note])]) {
        func mean(_ notes: [MIDIReader.Note]) -> Double {
            Double(notes.reduce(0) { $0 + $1.key }) / Double(notes.count)
        }
        func atOnce(_ notes: [MIDIReader.Note]) -> Double {
            Double(notes.count) / Double(Set(notes.map { $0.start }).count)
        }
        var rest = parts
        let others = Set(tracks.values)
        for part in rest { tracks[part.part] = .melody }
        guard rest.count + others.subtracting([.rhythm]).count > 1 else { return }
        if !others.contains(.bass),
            let lowest = rest.indices.min(by: { mean(rest[$0].notes) < mean(rest[$1].notes) })
        {
            tracks[rest.remove(at: lowest).part] = .bass
        }
        guard !others.contains(.chords), let fullest = rest.max(by: { atOnce($0.notes) < atOnce($1.notes) }) else {
            return
        }
        if rest.count > 1 || atOnce(fullest.notes) > 1.5 { tracks[fullest.part] = .chords }
    }

    /// Words in the names of tracks, and what they are.
    private static let words: [(word: String, track: Track)] = [
        ("bass", .bass), ("drum", .rhythm), ("perc", .rhythm), ("kit", .rhythm), ("beat", .rhythm), ("rhythm", .rhythm),
        ("chord", .chords), ("pad", .chords), ("string", .chords), ("comp", .chords), ("lead", .melody),
        ("melod", .melody), ("voice", .melody), ("vocal", .melody), ("arp", .melody),
    ]

    private static func track(named name: String) -> Track? {
        let name = name.lowercased()
        // Embedded Swift has no search for a string in a string.
        return words.first { word, _ in name.indices.contains { name[$0...].hasPrefix(word) } }?.track
    }

    /// The track for a program of General MIDI, if its family is one: basses, ensembles and pads, percussive sounds.
    private static func track(ofProgram program: Int) -> Track? {
        switch program {
        case 32...39: .bass
        case 48...55, 88...95: .chords
        case 80...87: .melody
        case 112...119: .rhythm
        default: nil
        }
    }
}
