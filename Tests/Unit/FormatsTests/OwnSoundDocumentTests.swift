import Documents
import Formats
import Instrument
import TestSupport
import Testing

@Suite("Scenes' own sounds in a document")
struct OwnSoundDocumentTests {
    /// A document of scene 2, which has its own sound, as scene 5 has; scene 3 plays with the tune's.
    private func document() -> PatternDocument {
        var document = PatternDocument(
            pattern: pattern(1), muted: TrackSet(.chords),
            scenes: Scenes([nil, nil, pattern(2), pattern(3), nil, pattern(4)], current: 2))
        document.sound[.swing] = 60
        var own = SceneSound(document.sound, muted: TrackSet([.melody, .rhythm]))
        own.settings[.track(.bass, .model)] = SoundModel.acid.rawValue
        own.settings[.track(.bass, .timbre1)] = 40
        own.settings[nameOf: .bass] = SoundName("MY ACID")
        own.settings[sampleOf: 3] = SoundName("SNARE 9")
        document.sounds[own: 2] = own
        document.sounds[own: 5] = SceneSound()
        return document
    }

    private static let plain: [String: JSON] = ["sound": .object([:]), "muted": .array([])]

    private static func list(_ own: [Int: JSON]) -> JSON { .array((0..<8).map { own[$0] ?? .null }) }

    @Test("are read back equal, beside the tune's, and a session plays them")
    func roundTrip() throws {
        let document = document()
        let text = document.text()
        let again = try PatternDocument(parsing: Array(text.utf8))
        #expect(again == document && again.text() == text)
        guard case .object(let root) = try JSON(parsing: Array(text.utf8)), case .array(let own)? = root["own"] else {
            Issue.record("no own sounds are written")
            return
        }
        #expect(own.count == 8 && own.indices.filter { own[$0] != .null } == [2, 5])
        #expect(own[5] == .object(Self.plain))
        #expect(root["sound"] == .some(.object(["swing": .number("60")])))
        #expect(root["muted"] == .some(.array([.string("chords")])))
        var session = Session(document)
        #expect(session.soundOwner == 2 && session.sound[nameOf: .bass]?.text == .some("MY ACID"))
        #expect(session.sound == document.playedSound.settings && session.muted == TrackSet([.melody, .rhythm]))
        session.composition = Composition(
            pattern: pattern(3), scenes: Scenes(document.scenes.patterns(playing: document.pattern), current: 3))
        #expect(session.sound[.swing] == 60 && session.muted == TrackSet(.chords))
        var copy = PatternDocument(pattern: Pattern())
        copy.replaceMusic(by: Session(document))
        #expect(copy == document)
    }

    @Test("random ones are read back equal")
    func random() throws {
        let seed = SplitMix.seed
        for round in 0..<50 {
            var random = SplitMix(seed: seed &+ UInt64(round))
            var document = document()
            for slot in [2, 3, 5] where Bool.random(using: &random) {
                var own = SceneSound(muted: TrackSet(rawValue: .random(in: 0...15, using: &random)))
                for control in SoundControl.allCases where Int.random(in: 0..<4, using: &random) == 0 {
                    own.settings[control] = .random(in: own.settings.range(of: control), using: &random)
                }
                // A value that the model lacks is not written.
                document.sounds[own: slot] = own
            }
            let once = try PatternDocument(parsing: Array(document.text().utf8))
            let twice = try PatternDocument(parsing: Array(once.text().utf8))
            #expect(once == twice && once.text() == document.text(), "seed \(seed), round \(round)")
            #expect([2, 3, 5].allSatisfy { once.sounds[own: $0]?.muted == document.sounds[own: $0]?.muted })
        }
    }

    @Test("none are written while no scene has one")
    func none() {
        var document = document()
        for slot in [2, 5] { document.sounds[own: slot] = nil }
        #expect(!document.text().contains("\"own\""))
    }

    @Test("another program may have emptied a scene: its own sound is left out with a line")
    func emptied() throws {
        let moved = try reading(document()) { root in
            guard case .array(var scenes)? = root["scenes"] else { return }
            scenes[5] = .null
            root["scenes"] = .array(scenes)
        }
        #expect(moved.document?.sounds[own: 5] == .some(nil) && moved.document?.sounds.isOwn(2) == true)
        #expect(moved.remarks == ["scenes[5] is empty: own[5] is left out"])
        let gone = try reading(document()) { for key in ["scene", "scenes", "scenesMore", "chain"] { $0[key] = nil } }
        #expect(gone.document?.sounds.hasOwn == false && gone.remarks.count == 2)
        // The playing scene is none of the list's.
        let loose = try reading(document()) { $0["scene"] = .null }
        #expect(loose.document?.playedSound.settings[.swing] == 60 && loose.document?.sounds.isOwn(2) == true)
        #expect(loose.remarks == [])
    }

    @Test("an entry without sound or mutes has none of them, and unknown keys of a sound are ignored")
    func short() throws {
        let own = Self.list([
            2: .object([:]), 3: .object(["sound": .object(["wobble": .integer(3), "swing": .integer(70)])]),
        ])
        let read = try reading(document()) { $0["own"] = own }
        #expect(read.document?.sounds[own: 2] == SceneSound() && read.document?.sounds.isOwn(5) == false)
        #expect(read.document?.sounds[own: 3]?.settings[.swing] == 70)
    }

    /// Values of `own`, and the path of what is wrong.
    static let wrong: [(json: JSON, path: String)] = [
        (JSON.array([]), "own"), (.object([:]), "own"), (.string("bass"), "own"), (.null, "own"),
        (list([2: .integer(1)]), "own[2]"), (list([2: .object(["bpm": .integer(100)])]), "own[2].bpm"),
        (list([2: .object(["sound": .array([])])]), "own[2].sound"),
        (list([3: .object(["sound": .object(["swing": .integer(76)])])]), "own[3].sound.swing"),
        (
            list([3: .object(["sound": .object(["bass": .object(["model": .string("gong")])])])]),
            "own[3].sound.bass.model"
        ),
        (list([3: .object(["muted": .string("bass")])]), "own[3].muted"),
        (list([3: .object(["muted": .array([.string("drums")])])]), "own[3].muted[0]"),
        (list([3: .object(["muted": .array([JSON](repeating: .string("bass"), count: 5))])]), "own[3].muted"),
        // Also in an empty scene.
        (list([0: .object(["sound": .object(["swing": .integer(49)])])]), "own[0].sound.swing"),
    ]

    @Test("wrong ones are rejected with their path", arguments: wrong)
    func refused(json: JSON, path: String) throws {
        let error = try reading(document()) { $0["own"] = json }.error
        #expect(error.map { "\($0)" }?.hasPrefix(path + ":") == .some(true), "\(String(describing: error))")
    }
}
