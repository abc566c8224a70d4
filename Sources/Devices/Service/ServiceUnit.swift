import Glibc

/// A service's user, groups, limits and environment (systemd.exec(5)), for a command that has to see the machine as the
/// service does. The rest of the unit's sandbox is not included.
public struct ServiceUnit: Hashable, Sendable {
    /// The service's user; root if the unit names none.
    public var user = "root"
    /// The service's environment, environment files included.
    public var environment: [String: String] = [:]
    /// The addresses that the service may exchange packets with.
    public var filter = NetworkFilter(allow: "", deny: "")

    private var group: String?
    private var supplementaryGroups: [String] = []
    private var limits: [Limit] = []

    /// A limit of setrlimit(2), soft and hard alike.
    private struct Limit: Hashable {
        var resource: Resource
        var value: rlim_t

        /// Sets the limit. Root in a container without CAP_SYS_RESOURCE may not raise it; it is then set to the
        /// maximum, as systemd does.
        func set() -> Int32 {
            let number = __rlimit_resource_t(resource.number.rawValue)
            var wanted = rlimit(rlim_cur: value, rlim_max: value)
            let result = setrlimit(number, &wanted)
            guard result != 0, errno == EPERM, geteuid() == 0 else { return result }
            var closest = rlimit()
            guard getrlimit(number, &closest) == 0 else { return -1 }
            closest.rlim_cur = min(value, closest.rlim_max)
            return setrlimit(number, &closest)
        }
    }

    /// The limits that the audio thread depends on.
    private enum Resource: String, CaseIterable {
        case realTimePriority = "LimitRTPRIO"
        case lockedMemory = "LimitMEMLOCK"
        case nice = "LimitNICE"

        var number: __rlimit_resource {
            switch self {
            case .realTimePriority: __RLIMIT_RTPRIO
            case .lockedMemory: __RLIMIT_MEMLOCK
            case .nice: __RLIMIT_NICE
            }
        }
    }

    private static let properties =
        [
            "LoadState", "User", "Group", "SupplementaryGroups", "StateDirectory", "Environment", "EnvironmentFiles",
            "IPAddressAllow", "IPAddressDeny",
        ] + Resource.allCases.map(\.rawValue)

    /// The loaded unit `name`, drop-ins included. Throws if there is no systemd or no such unit. Calls `systemctl
    /// show`.
    public init(_ name: String) throws(DeviceFailure) {
        let words = ["systemctl", "show", "--property=\(Self.properties.joined(separator: ","))", "--", name]
        let shown: (status: Int, text: String)
        do throws(DeviceError) {
            shown = try ChildProcess.output(of: words)
        } catch {
            throw DeviceFailure("systemd cannot be asked for \(name) (\(error))", fix: "look without --service")
        }
        guard shown.status == 0 else {
            throw DeviceFailure(
                "systemd does not answer for \(name) (systemctl ended with \(shown.status))",
                fix: "look without --service")
        }
        let properties = Self.lines(of: shown.text)
        guard properties["LoadState"] == "loaded" else {
            throw DeviceFailure("\(name) is not installed", fix: "install the package, or look without --service")
        }
        self.init(properties)
    }

    init(_ properties: [String: String]) {
        func words(_ name: String) -> [String] { ShellWords.split(properties[name] ?? "") }
        if let user = properties["User"], !user.isEmpty { self.user = user }
        group = properties["Group"].flatMap { $0.isEmpty ? nil : $0 }
        supplementaryGroups = words("SupplementaryGroups")
        filter = NetworkFilter(allow: properties["IPAddressAllow"] ?? "", deny: properties["IPAddressDeny"] ?? "")
        limits = Resource.allCases.compactMap { resource in
            switch properties[resource.rawValue] {
            case "infinity": Limit(resource: resource, value: .max)
            case let text?: rlim_t(text).map { Limit(resource: resource, value: $0) }
            case nil: nil
            }
        }
        for word in words("Environment") { environment.set(word) }
        if let folder = words("StateDirectory").first { environment["STATE_DIRECTORY"] = "/var/lib/\(folder)" }
        // "/etc/default/pixelboop (ignore_errors=yes)"; a missing file sets nothing.
        for path in words("EnvironmentFiles").filter({ $0.hasPrefix("/") }) {
            for line in (String(systemFile: path) ?? "").split(whereSeparator: \.isNewline) where line.first != "#" {
                if let word = ShellWords.split(String(line)).first { environment.set(word) }
            }
        }
    }

    /// The lines `NAME=VALUE` of `text`.
    static func lines(of text: String) -> [String: String] {
        text.split(separator: "\n").reduce(into: [:]) { $0.set(String($1)) }
    }

    /// Applies the limits, groups, user and environment to this process, for good. Throws the first failure of a system
    /// call. Calls `setrlimit`, `initgroups`, `setgroups`, `setgid` and `setuid`.
    public func apply() throws(DeviceFailure) {
        guard let account = getpwnam(user) else {
            throw DeviceFailure("the service's user \(user) is unknown", fix: "install the package again")
        }
        let (identifier, home) = (account.pointee.pw_uid, String(cString: account.pointee.pw_dir))
        var primary = account.pointee.pw_gid
        if let group {
            guard let entry = getgrnam(group) else {
                throw DeviceFailure("the service's group \(group) is unknown", fix: "install the package again")
            }
            primary = entry.pointee.gr_gid
        }
        for limit in limits { try allow(limit.set(), limit.resource.rawValue) }
        if geteuid() != identifier {
            try allow(initgroups(user, primary), "the groups of \(user)")
            try allow(addSupplementaryGroups(), "the groups of the service")
            try allow(setgid(primary), "the group of \(user)")
            try allow(setuid(identifier), "the user \(user)")
        }
        let path = getenv("PATH").map { String(cString: $0) }
        clearenv()
        var all = ["HOME": home, "USER": user, "LOGNAME": user]
        all["PATH"] = path
        for (name, value) in all.merging(environment, uniquingKeysWith: { $1 }) { setenv(name, value, 1) }
    }

    private func addSupplementaryGroups() -> Int32 {
        var groups = [gid_t](repeating: 0, count: 256)
        let count = getgroups(Int32(groups.count), &groups)
        guard count >= 0 else { return -1 }
        let more = supplementaryGroups.compactMap { name in getgrnam(name)?.pointee.gr_gid }
        let all = groups[..<Int(count)] + more
        return setgroups(all.count, Array(all))
    }

    private func allow(_ result: Int32, _ what: String) throws(DeviceFailure) {
        guard result != 0 else { return }
        let error = SystemError(errno: errno)
        throw DeviceFailure(
            "this user may not use \(what) of the service (\(error))", fix: "sudo pixelboop doctor --service")
    }
}

extension [String: String] {
    /// Sets the value of a word `NAME=VALUE`; ignores any other word.
    fileprivate mutating func set(_ word: String) {
        guard let sign = word.firstIndex(of: "=") else { return }
        self[String(word[..<sign])] = String(word[word.index(after: sign)...])
    }
}

/// Splits text into words by the quoting rules that systemd and the shell share.
public enum ShellWords {
    /// The words of `text`: blanks separate them, except within quotes; a backslash takes the next character as it is.
    public static func split(_ text: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                (quote, word) = (character, word ?? "")
            } else if quote == nil, character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }
}
