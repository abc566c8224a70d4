import InputEvents
import Glibc

/// Finds the selected input devices and keeps them open while they are plugged in.
///
/// It searches the folder when the folder has changed, and every second while a selected device is missing or failed. A
/// device that is not selected is opened once and closed at once.
final class InputFinder {
    /// The devices to find.
    struct Search {
        /// Name of the kind of device in a message: touch overlay.
        var kind: String
        /// The selected devices. A device belongs to the first choice that selects it; a choice may select several.
        var choices: [InputChoice]
        /// Maximum number of devices.
        var countMax: Int
        /// Whether a device is of the kind. A device that is selected by name needs fewer features.
        var isWanted: (_ node: InputNode, _ isNamed: Bool) -> Bool
        /// Sets a device up; returns details for the log.
        var prepare: (_ node: InputNode) throws(DeviceFailure) -> String
    }

    /// A device that was found.
    final class Find {
        let node: InputNode
        /// Index of the choice that selects the device.
        let choice: Int
        /// Serial number of the find.
        let number: Int
        /// Whether the device turned out to belong to another choice, so that it has to be released.
        fileprivate(set) var isWithdrawn = false
        fileprivate let presence: InputPresence

        fileprivate init(_ node: InputNode, choice: Int, number: Int, details: String) {
            self.node = node
            self.choice = choice
            self.number = number
            presence = InputPresence(what: node.title, details: details, number: number)
        }
    }

    /// The state of a device node.
    private enum Finding {
        case taken(Find)
        /// The device is not selected.
        case unwanted
        /// The device could not be examined.
        case unreadable(DeviceFailure?)
        /// The device is selected but unavailable now; retried.
        case refused(DeviceFailure)
        /// The device is selected but cannot be used at all.
        case unusable(DeviceFailure)
    }

    /// The devices that are present, and the first problem.
    var status: InputStatus { InputStatus(present: taken.map(\.presence), problem: problem) }

    /// Why a selected device is missing.
    private var problem: DeviceFailure?
    private let search: Search
    private let loop: InputLoop
    private let calls: InputCalls
    private let folder: InputFolder
    private var findings: [String: Finding] = [:]
    /// When each device that cannot be opened was first found so.
    private var unreadable: [String: Instant] = [:]
    private var new: [Find] = []
    private var finds = 0
    private var nextLook: Instant? = .zero

    /// Time in which udev sets the permissions of a new device. Until then it is no problem that it cannot be opened.
    private static let settling = Instant.Span.milliseconds(3000)

    /// A finder of `search` among the nodes in the folder `path`.
    init(_ search: Search, in path: String, _ loop: InputLoop, _ calls: InputCalls) {
        self.search = search
        self.loop = loop
        self.calls = calls
        folder = InputFolder(path, loop, calls.folder)
    }

    private var taken: [Find] {
        findings.values.compactMap { if case .taken(let find) = $0 { find } else { nil } }.sorted {
            $0.number < $1.number
        }
    }

    /// Returns the next new device; nil if there is none.
    func next() -> Find? { new.isEmpty ? nil : new.removeFirst() }

    /// Forgets a device that failed or was withdrawn, so that it is searched for again.
    func lose(_ find: Find) {
        findings[find.node.path] = nil
        nextLook = .zero
    }

    // MARK: Search

    /// Searches for devices if the folder has changed or a retry is due.
    func look(at now: Instant) {
        let changes = folder.changes()
        guard !search.choices.isEmpty else { return }
        let isRetry = nextLook.map { now >= $0 } ?? false
        guard isRetry || !changes.isEmpty else { return }
        folder.watch()
        forget(changes, isRetry: isRetry)
        let targets = search.choices.map { $0.path.flatMap(folder.target) }
        withdraw(targets)
        let paths = folder.nodes
        let others = Set(targets.compactMap(\.self)).subtracting(paths).sorted()
        forgetAll(but: Set(paths).union(others))
        for path in paths + others where findings[path] == nil { findings[path] = probe(path, targets) }
        unreadable = findings.reduce(into: [:]) { unreadable, finding in
            if case .unreadable = finding.value { unreadable[finding.key] = self.unreadable[finding.key] ?? now }
        }
        problem = firstProblem(at: now)
        nextLook = isWanting ? now + .retry : nil
    }

    /// Forgets the findings about devices that have changed, and in a retry about devices that failed.
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

    /// Reconsiders devices to which a link was made after they were examined.
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

    // MARK: Problems

    private func isMissing(_ choice: Int) -> Bool { !taken.contains { $0.choice == choice } }

    /// Whether a device is missing or failed that a retry may find.
    private var isWanting: Bool {
        if !folder.isWatched || search.choices.indices.contains(where: isMissing) { return true }
        return findings.values.contains { if case .refused = $0 { true } else { false } }
    }

    private func firstProblem(at now: Instant) -> DeviceFailure? {
        let ordered = findings.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }
        var unread: DeviceFailure?
        for (path, finding) in ordered {
            switch finding {
            case .refused(let failure), .unusable(let failure): return failure
            case .unreadable(let failure):
                if now - (unreadable[path] ?? now) >= Self.settling { unread = unread ?? failure }
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
    /// Why the input device at `path` does not open; nil if it was just unplugged.
    init?(openingInput path: String, _ error: SystemError) {
        switch error.errno {
        case _ where error.isAbsence: return nil
        case _ where error.isForbidden: self.init("\(path) may not be read (\(error))", fix: Self.fix(joining: "input"))
        case ENOTTY, EINVAL: self.init("\(path) is not an input device", fix: "name one that pixelboop doctor lists")
        default: self.init("\(path) does not open (\(error))", fix: Self.replug)
        }
    }

    /// The fix for a device that fails unexpectedly.
    static let replug = "unplug it and plug it in again; it is retried"
}
