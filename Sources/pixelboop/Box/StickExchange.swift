import Devices
import Formats
import FoundationEssentials
import Instrument
import Library
import Runtime
import Synchronization

/// Offers what to do with a stick that is plugged in, and does it: patterns stand on it in a folder for each bank.
final class StickExchange: Sendable {
    private let library: Library
    private let say: @Sendable (Event) -> Void
    /// The stick that was offered last.
    private let offered = Mutex<String?>(nil)

    /// An exchange with `library` that tells the box what happens by `say`.
    init(_ library: Library, say: @escaping @Sendable (Event) -> Void) {
        self.library = library
        self.say = say
    }

    /// Offers a stick of `sticks` that has just come, and takes the offer back when it goes. To be called about once a second.
    func report(_ sticks: inout Sticks) {
        let new = sticks.look()
        let isThere = offered.withLock { offered -> Bool? in
            if let folder = new.last {
                offered = folder
                return true
            }
            guard let folder = offered, !sticks.present.contains(folder) else { return nil }
            offered = nil
            return false
        }
        if let isThere { say(.stick(isThere: isThere)) }
    }

    /// Does what was chosen, and returns what came of it.
    func exchange(_ errand: Errand) -> Notice {
        do {
            // Pulled out since.
            guard let folder = offered.withLock(\.self) else { return .exchangeFailed }
            return errand == .importPatterns ? .imported(try take(folder)) : .exported(try give(folder))
        } catch {
            Main.tell("the stick: \(error)")
            return .exchangeFailed
        }
    }

    /// Takes in what is new in `folder`, all or none: banks from their folders, what lies beside them into the first bank.
    private func take(_ folder: String) throws -> Int {
        let stick = try Folder.onStick(folder)
        var patterns = PatternImport()
        try patterns.add(stick, to: .a)
        for bank in Bank.allCases {
            if let folder = try stick.folder(bank.letter) { try patterns.add(folder, to: bank) }
        }
        return try library.add(patterns.additions, onlyNew: true).count
    }

    /// Writes every pattern into `folder`; returns when it is on the stick.
    private func give(_ folder: String) throws -> Int {
        library.flush()
        let stick = try Folder.onStick(folder)
        var count = 0
        for bank in Bank.allCases {
            count += try PatternFolder.write(bank, of: library, to: try stick.makeFolder(bank.letter))
        }
        guard Sticks.settle(folder) else { throw CommandError(.ioError, "\(folder): could not be written to its end") }
        return count
    }
}
