import Documents
import Instrument
import Library
import TestSupport

/// Actions on a library, determined by a seed, and the expected contents after each. Every action changes the contents.
public struct LibraryScript: Sendable {
    /// An atomic action.
    public enum Action: Sendable {
        /// The box plays, and saves.
        case play(Session)
        /// A pattern is imported.
        case add(name: String, Bank, PatternDocument)
        /// An imported pattern is renamed and moved to another bank.
        case rename(String, to: String, Bank)
        /// An imported pattern is removed.
        case remove(String)
    }

    /// The expected contents after the actions so far.
    public private(set) var contents = LibraryContents()
    /// The number of actions so far.
    public private(set) var count = 0

    private var random: SplitMix
    private var session = Session()
    /// The names of imported patterns.
    private var strangers: [String] = []
    /// The names of the played patterns, by number.
    private var played: [Int64: String] = [:]

    /// Patterns played in turn.
    private static let numbers: ClosedRange<Int64> = 1...4

    /// The script of `seed`.
    public init(seed: UInt64) {
        random = SplitMix(seed: seed)
        session.pattern = Self.numbers.lowerBound
    }

    /// The next action; updates the contents.
    public mutating func next() -> Action {
        count += 1
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1: return add()
        case 2 where !strangers.isEmpty: return rename()
        case 3 where !strangers.isEmpty: return remove()
        default: return play()
        }
    }

    /// Skips the next `count` actions; updates the contents.
    public mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = next() }
    }

    // MARK: Playing

    private mutating func play() -> Action {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: turn()
        case 1: session.muted.formSymmetricDifference(TrackSet(Track.allCases.randomElement(using: &random) ?? .bass))
        case 2: session.metronome.toggle()
        case 3: session.volume = (session.volume ?? 0) % 100 + 1
        case 4 where !session.history.past.isEmpty: goBack()
        case 5 where !session.history.future.isEmpty: goForward()
        case 6: playAnother()
        default: draw()
        }
        note()
        return .play(session)
    }

    private mutating func turn() {
        let control = SoundControl.allCases.randomElement(using: &random) ?? .swing
        let value = session.sound[control]
        record(SoundChange(entries: [(control.word, Int64(value))]) ?? SoundChange(), word: "FADERS")
        session.sound[control] = value == control.range.upperBound ? control.range.lowerBound : value + 1
    }

    private mutating func record(_ sound: SoundChange = SoundChange(), word: String) {
        let step = History.Step(session.composition, sound: sound, word: word)
        session.history = History(past: session.history.past + [step], future: [])
    }

    private mutating func goBack() {
        var (past, future) = (session.history.past, session.history.future)
        let step = past.removeLast()
        future.append(History.Step(session.composition, sound: step.sound, word: step.word))
        session.composition = step.composition
        session.history = History(past: past, future: future)
    }

    private mutating func goForward() {
        var (past, future) = (session.history.past, session.history.future)
        let step = future.removeLast()
        past.append(History.Step(session.composition, sound: step.sound, word: step.word))
        session.composition = step.composition
        session.history = History(past: past, future: future)
    }

    private mutating func playAnother() {
        let last = session.pattern ?? 0
        session.pattern = last == Self.numbers.upperBound ? Self.numbers.lowerBound : last + 1
        session.history = History()
    }

    private mutating func draw() {
        record(word: "RUN")
        var pattern = session.composition.pattern
        // No two consecutive patterns are equal, and none is empty.
        let bpm = pattern.tempo.whole == 200 ? 121 : max(121, pattern.tempo.whole + 1)
        pattern.tempo = Tempo(bpm)
        let track = Track.allCases.randomElement(using: &random) ?? .bass
        for _ in 0..<6 {
            let note = Int.random(in: 0..<Pattern.octave, using: &random)
            pattern[track, note: note, step: .random(in: 0..<Pattern.steps, using: &random)] = .accent
        }
        session.composition.pattern = pattern
        // Every fourth tempo is also a scene.
        if bpm % 4 == 0 {
            var patterns = session.composition.scenes.patterns(playing: pattern)
            patterns[bpm / 4 % Scenes.count] = pattern
            session.composition.scenes = Scenes(patterns)
        }
    }

    /// Adds the session, and its music as the newest revision of its pattern, to the contents.
    private mutating func note() {
        let number = session.pattern ?? 0
        if session.composition.pattern == Pattern(), played[number] == nil { draw() }
        contents.session = session
        let music = PatternDocument(
            pattern: session.composition.pattern, sound: session.sound, muted: session.muted, soloed: session.soloed,
            scenes: session.composition.scenes)
        let name = played[number] ?? "TUNE \(played.count + 1)"
        played[number] = name
        var tune = contents.tunes[name] ?? LibraryContents.Tune(bank: .a, revisions: [])
        if tune.revisions.last != music { tune.revisions.append(music) }
        contents.tunes[name] = tune
    }

    // MARK: Imported patterns

    private mutating func add() -> Action {
        let name = "FROM \(count)"
        var pattern = Pattern()
        pattern.tempo = Tempo(hundredths: .random(in: 2000...30000, using: &random))
        pattern[.melody, note: 3, step: .random(in: 0..<Pattern.steps, using: &random)] = .accent
        let bank = randomBank()
        let document = PatternDocument(pattern: pattern, muted: TrackSet(.bass), unknown: ["colour": .string("red")])
        strangers.append(name)
        contents.tunes[name] = LibraryContents.Tune(bank: bank, revisions: [document])
        return .add(name: name, bank, document)
    }

    private mutating func rename() -> Action {
        let (last, next) = (nextStranger(), "NOW \(count)")
        var tune = contents.tunes.removeValue(forKey: last)
        let bank = randomBank()
        tune?.bank = bank
        contents.tunes[next] = tune
        strangers.append(next)
        return .rename(last, to: next, bank)
    }

    private mutating func remove() -> Action {
        let name = nextStranger()
        contents.tunes[name] = nil
        return .remove(name)
    }

    private mutating func nextStranger() -> String {
        strangers.remove(at: .random(in: strangers.indices, using: &random))
    }

    private mutating func randomBank() -> Bank { Bank.allCases.randomElement(using: &random) ?? .a }
}

extension Library {
    /// Performs `action`; returns whether it is acknowledged, and then it is durable.
    public func perform(_ action: LibraryScript.Action) -> Bool {
        do throws(LibraryError) {
            switch action {
            case .play(let session):
                var state = Instrument().state
                state.session = session
                keep(state, at: .zero)
                flush()
                return lastFailure == nil
            case .add(let name, let bank, let document):
                try add([Addition(document, name: name, to: bank)])
            case .rename(let name, let next, let bank):
                try rename(number(of: name), next, bank: bank)
            case .remove(let name):
                try remove(number(of: name))
            }
            return true
        } catch {
            return false
        }
    }

    private func number(of name: String) throws(LibraryError) -> Int64 {
        guard let entry = try patterns().first(where: { $0.name == name }) else { throw .noPattern(name) }
        return entry.number
    }
}
