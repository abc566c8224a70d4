import Glibc
import Instrument

/// Finds the input devices that are wished for, and keeps them open while they are there.
///
/// The folder is looked through when something has happened in it, and once a second while something that is wished for is
/// missing or failed. Devices that are not wished for are opened once, and closed at once.
final class InputFinder {
    /// What is looked for.
    struct Search {
        /// What such a device is called in a sentence: touch overlay.
        var kind: String
        /// Which are meant. A device belongs to the first choice that means it; one choice may mean several.
        var choices: [InputChoice]
        /// How many can be served.
        var countMax: Int
        /// Whether a device is of the kind; of one that is named less is asked.
        var isWanted: (_ node: InputNode, _ isNamed: Bool) -> Bool
        /// Makes a device ready; says what is worth telling of it.
        var prepare: (_ node: InputNode) throws(DeviceFailure) -> String
    }

    /// A device that was found.
    final class Find {
        let node: InputNode
        /// The place of its choice among all.
        let choice: Int
        /// Counts the finds.
        let number: Int
        /// It belongs to another choice, as has turned out: it is to be let go.
        fileprivate(set) var isWithdrawn = false
        fileprivate let presence: InputPresence

        fileprivate init(_ node: InputNode, choice: Int, number: Int, details: String) {
            self.node = node
            self.choice = choice
            self.number = number
            presence = InputPresence(what: node.title, details: details, number: number)
        }
    }

    /// What was found out about a device node.
    private enum Finding {
        case taken(Find)
        /// It is nothing that is wished for.
        case unwanted
        /// What it is was not to be found out.
        case unreadable(DeviceFailure?)
        /// It is wished for, and not to be had at present …
        case refused(DeviceFailure)
        /// … or at all.
        case unusable(DeviceFailure)
    }

    /// What there is, and what stands in the way of the rest.
    var status: InputStatus { InputStatus(present: taken.map(\.presence), problem: problem) }

    /// Why something that is wished for is not there.
    private var problem: DeviceFailure?
    private let search: Search
    private let loop: InputLoop
    private let calls: InputCalls
    private let folder: InputFolder
    private var findings: [String: Finding] = [:]
    private var new: [Find] = []
    private var finds = 0
    private var nextLook: Instant? = .zero

    /// Looks for what `search` says among the nodes in the folder `path`.
    init(_ search: Search, in path: String, _ loop: InputLoop, _ calls: InputCalls) {
        self.search = search
        self.loop = loop
        self.calls = calls
        folder = InputFolder(path, loop)
    }

    private var taken: [Find] {
        findings.values.compactMap { if case .taken(let find) = $0 { find } else { nil } }.sorted {
            $0.number < $1.number
        }
    }

    /// The next device that was found and has not been handed out.
    func next() -> Find? { new.isEmpty ? nil : new.removeFirst() }

    /// Lets go of a device that failed or was withdrawn, and looks for it again.
    func lose(_ find: Find) {
        findings[find.node.path] = nil
        nextLook = .zero
    }

    // MARK: Looking

    /// Looks for devices if there is reason to.
    func look(at now: Instant) {
        let changes = folder.changes()
        guard !search.choices.isEmpty else { return }
        let isRetry = nextLook.map { now >= $0 } ?? false
        guard isRetry || !changes.isEmpty else { return }
        folder.watch()
        forget(changes, isRetry: isRetry)
        let targets = search.choices.map { $0.path.flatMap(InputFolder.target) }
        withdraw(targets)
        let paths = folder.nodes
        let others = Set(targets.compactMap(\.self)).subtracting(paths).sorted()
        forgetAll(but: Set(paths).union(others))
        for path in paths + others where findings[path] == nil { findings[path] = probe(path, targets) }
        problem = firstProblem
        nextLook = isWanting ? now + .retry : nil
    }

    /// Forgets what was found out about devices that have changed, and in a retry about those that failed.
    private func forget(_ changes: InputFolder.Changes, isRetry: Bool) {
        let changed = Set(changes.names.map(folder.node))
        let permissions = Set(changes.permissions.map(folder.node))
        findings = findings.filter { path, finding in
            if case .taken = finding { return true }
            if changes.isAll || changed.contains(path) { return false }
            if case .unwanted = finding { return true }
            if case .unusable = finding { return true }
            return !isRetry && !permissions.contains(path)
        }
    }

    private func forgetAll(but paths: Set<String>) {
        findings = findings.filter { path, finding in
            if case .taken = finding { true } else { paths.contains(path) }
        }
    }

    /// Sees to devices that a link has been made to after they were looked at.
    private func withdraw(_ targets: [String?]) {
        for (choice, target) in targets.enumerated() {
            guard let target else { continue }
            switch findings[target] {
            case .taken(let find) where find.choice > choice: find.isWithdrawn = true
            case .unwanted: findings[target] = nil
            default: break
            }
        }
    }

    private func probe(_ path: String, _ targets: [String?]) -> Finding {
        let node: InputNode
        do throws(SystemError) {
            node = try InputNode.open(path, calls)
        } catch {
            return .unreadable(DeviceFailure(openingInput: path, error))
        }
        let choice = zip(search.choices, targets).enumerated().first { _, choice in
            choice.0.means(node, target: choice.1) && search.isWanted(node, choice.0 != .any)
        }
        guard let choice else {
            guard targets.contains(path) else { return .unwanted }
            return .unusable(
                DeviceFailure("\(node.title) is no \(search.kind)", fix: "name one that pixelboop doctor lists"))
        }
        guard taken.count < search.countMax else {
            return .refused(
                DeviceFailure(
                    "\(node.title) is one more than the \(search.countMax) that can be served", fix: "unplug another"))
        }
        do throws(DeviceFailure) {
            let details = try search.prepare(node)
            finds += 1
            let find = Find(node, choice: choice.offset, number: finds, details: details)
            new.append(find)
            return .taken(find)
        } catch {
            return error.isLasting ? .unusable(error) : .refused(error)
        }
    }

    // MARK: What is missing

    private func isMissing(_ choice: Int) -> Bool { !taken.contains { $0.choice == choice } }

    /// Something is missing or failed that may be there in a second.
    private var isWanting: Bool {
        if !folder.isWatched || search.choices.indices.contains(where: isMissing) { return true }
        return findings.values.contains { if case .refused = $0 { true } else { false } }
    }

    private var firstProblem: DeviceFailure? {
        let ordered = findings.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }.map(\.value)
        var unread: DeviceFailure?
        for finding in ordered {
            switch finding {
            case .refused(let failure), .unusable(let failure): return failure
            case .unreadable(let failure): unread = unread ?? failure
            case .taken, .unwanted: continue
            }
        }
        let missing = search.choices.indices.filter(isMissing).map { search.choices[$0] }
        if missing.isEmpty { return nil }
        if let unread { return unread }
        for case .named(let name) in missing {
            return DeviceFailure(
                "there is no \(search.kind) \(name)", fix: "plug it in, or name one that pixelboop doctor lists")
        }
        return nil
    }
}

extension DeviceFailure {
    /// Why the input device at `path` does not open; nil if it is just going.
    init?(openingInput path: String, _ error: SystemError) {
        switch error.errno {
        case _ where error.isAbsence: return nil
        case _ where error.isForbidden: self.init("\(path) may not be read (\(error))", fix: Self.fix(joining: "input"))
        case ENOTTY, EINVAL: self.init("\(path) is no input device", fix: "name one that pixelboop doctor lists")
        default: self.init("\(path) does not open (\(error))", fix: Self.replug)
        }
    }

    /// What helps with a device that does not do what others do.
    static let replug = "unplug it and plug it in again; it is tried again"
}
