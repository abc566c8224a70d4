import Devices
import Documents
import FoundationEssentials
import Instrument
import Library
import Runtime
import Synchronization

/// Offers import and export when a stick is plugged in, and does them. The stick has a folder for each bank.
final class StickExchange: Sendable {
    private let library: Library
    private let takes: TakeFolder
    private let samples: SampleFolder
    private let post: @Sendable (Instrument.Event) -> Void
    /// Folder of the stick that was offered last.
    private let offered = Mutex<String?>(nil)

    /// An exchange with `library`, its `takes` and its `samples` that sends its events to `post`.
    init(
        _ library: Library, _ takes: TakeFolder, _ samples: SampleFolder,
        post: @escaping @Sendable (Instrument.Event) -> Void
    ) {
        self.library = library
        self.takes = takes
        self.samples = samples
        self.post = post
    }

    /// Offers the newest of the sticks that were plugged in since the last call, and withdraws the offer when its stick
    /// is no longer `present`. Call it about once a second.
    func report(new: [String], present: [String]) {
        let isThere = offered.withLock { offered -> Bool? in
            if let folder = new.last {
                offered = folder
                return true
            }
            guard let folder = offered, !present.contains(folder) else { return nil }
            offered = nil
            return false
        }
        if let isThere { post(.stick(isThere: isThere)) }
    }

    /// Does the chosen exchange; returns its result.
    func exchange(_ job: Instrument.Job) -> Notice {
        do {
            // The stick was pulled since the offer.
            guard let folder = offered.withLock(\.self) else { return .exchangeFailed }
            return job == .importPatterns ? .imported(try importFolder(folder)) : .exported(try give(folder))
        } catch {
            Log.post("the stick: \(error)")
            return .exchangeFailed
        }
    }

    /// Imports the new patterns in `folder`, all or none: bank folders into their banks, other files into the first
    /// bank. Then the new sounds, tunings and samples.
    private func importFolder(_ folder: String) throws -> Int {
        let stick = try Folder.onStick(folder)
        var patterns = PatternImport()
        try patterns.add(stick, to: .a)
        for bank in Bank.allCases {
            if let folder = try stick.folder(bank.letter) { try patterns.add(folder, to: bank) }
        }
        let sounds = try stick.folder(SoundFiles.folder).map { try SoundFiles.read($0) } ?? []
        let tunings = try stick.folder(TuningFiles.folder).map { try TuningFiles.read($0) } ?? []
        let count = try library.add(patterns.additions, onlyNew: true).count
        // A sound or a tuning of the stick does not replace the player's own of the same name.
        let own = Set(try library.presets().map { OwnName($0) })
        try library.keep(sounds.filter { !own.contains(OwnName($0)) })
        let ownTunings = Set(try library.tunings().map(\.name))
        try library.keep(tunings.filter { !ownTunings.contains($0.name) })
        if let folder = try stick.folder(SampleFolder.stickFolder) { try samples.keepNew(from: folder) }
        return count
    }

    /// Kind and name of an own sound: no two are the same.
    private struct OwnName: Hashable {
        let kind: SoundPreset.Kind
        let name: SoundName

        init(_ preset: SoundPreset) { (kind, name) = (preset.kind, preset.name) }
    }

    /// Exports all patterns, own sounds, own tunings, takes and samples to `folder`; returns when they are on the
    /// stick.
    private func give(_ folder: String) throws -> Int {
        library.flush()
        let stick = try Folder.onStick(folder)
        var count = 0
        for bank in Bank.allCases {
            count += try PatternFolder.write(bank, of: library, to: try stick.makeFolder(bank.letter))
        }
        let sounds = try library.presets()
        if !sounds.isEmpty { try SoundFiles.write(sounds, to: try stick.makeFolder(SoundFiles.folder)) }
        let tunings = try library.tunings()
        if !tunings.isEmpty { try TuningFiles.write(tunings, to: try stick.makeFolder(TuningFiles.folder)) }
        if !(try takes.takes().isEmpty) { try takes.copyNew(to: try stick.makeFolder(TakeFolder.stickFolder)) }
        if !(try samples.samples().isEmpty) {
            try samples.copyNew(to: try stick.makeFolder(SampleFolder.stickFolder))
        }
        guard Sticks.sync(folder) else { throw CommandError(.ioError, "\(folder): could not be written to its end") }
        return count
    }
}
