import AlsaOutput
import Glibc

/// The audio thread's privileges (real-time priority, locked memory, a pinned core), and the privileges that the system
/// refused.
public struct AudioPrivileges: Sendable {
    /// Requested SCHED_FIFO priority; 0 for none.
    public var priority: Int
    /// Requested CPU core; nil for none.
    public var core: Int?
    /// The errno of each refusal.
    private let errors: AudioPrivilegeErrors

    init(priority: Int, core: Int?, _ errors: AudioPrivilegeErrors) {
        self.priority = priority
        self.core = core
        self.errors = errors
    }

    /// Tests the privileges on a short-lived thread. Throws if the system has no thread left.
    public init(testing priority: Int, core: Int?) throws(DeviceError) {
        var errors = AudioPrivilegeErrors()
        let error = audio_privileges_test(Int32(priority), AudioPrivileges.number(core), &errors)
        guard error == 0 else { throw DeviceError("the audio thread", errno: error) }
        self.init(priority: priority, core: core, errors)
    }

    /// The core as C++ takes it: −1 for none.
    static func number(_ core: Int?) -> Int32 { core.map(Int32.init) ?? -1 }

    /// The refusal of SCHED_FIFO and its effect; nil if it was granted or not requested.
    public var realTimeRefusal: DeviceFailure? {
        refusal(
            errors.real_time, "the sound thread runs without real-time priority", "sound may stutter under load",
            "add \"@audio - rtprio 95\" and \"@audio - memlock unlimited\" to \(Self.limits) and log in again as a "
                + "member of the group audio, or give the systemd service LimitRTPRIO=95 and LimitMEMLOCK=infinity")
    }

    /// The refusal of `mlockall` and its effect; nil if it was granted.
    public var memoryLockRefusal: DeviceFailure? {
        refusal(
            errors.memory_lock, "the sound thread's memory is not locked",
            "sound may stutter when memory runs short",
            "add \"@audio - memlock unlimited\" to \(Self.limits) and log in again as a member of the group audio, or "
                + "give the systemd service LimitMEMLOCK=infinity")
    }

    /// The refusal of the core and its effect; nil if it was granted or not requested.
    public var coreRefusal: DeviceFailure? {
        guard let core else { return nil }
        return refusal(
            errors.core, "the sound thread does not stay on core \(core)", "it runs on any core",
            "set audio.core to one that this process may use (\(Self.cores())) or to null")
    }

    /// All refusals.
    public var refusals: [DeviceFailure] { [realTimeRefusal, memoryLockRefusal, coreRefusal].compactMap(\.self) }

    private static let limits = "/etc/security/limits.d/95-pixelboop.conf"

    private func refusal(_ errno: Int32, _ what: String, _ meaning: String, _ fix: String) -> DeviceFailure? {
        guard errno != 0 else { return nil }
        return DeviceFailure("\(what) (\(SystemError(errno: errno))), so \(meaning)", fix: fix)
    }

    /// The CPU cores that this process may use, as `0-3, 6`. Calls `sched_getaffinity`.
    private static func cores() -> String {
        var ranges: [ClosedRange<Int>] = []
        for core in 0..<1024 where audio_core_is_usable(Int32(core)) {
            if let last = ranges.last, last.upperBound == core - 1 {
                ranges[ranges.count - 1] = last.lowerBound...core
            } else {
                ranges.append(core...core)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
    }
}
