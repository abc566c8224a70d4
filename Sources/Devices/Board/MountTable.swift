import CSystem
import Glibc

/// The calls on the mount table, one closure each so that a test can make any of them fail. An open table is a handle
/// above 0.
struct MountCalls: Sendable {
    /// Opens the table; returns its handle.
    var open: @Sendable () -> Result<Int, SystemError>
    /// Whether the table has changed since it was opened or since the last such answer.
    var hasChanged: @Sendable (_ table: Int) -> Result<Bool, SystemError>
    /// The mount points, in mount order.
    var points: @Sendable (_ table: Int) -> Result<[String], SystemError>
    /// Closes the table.
    var close: @Sendable (_ table: Int) -> Void

    /// The real calls, for the table of this process.
    static let linux = MountCalls(path: "/proc/self/mounts")

    /// The real calls, for the table at `path`.
    init(path: String) {
        self.init(
            open: {
                system_mounts_open(path).map { .success(Int(bitPattern: $0)) } ?? .failure(SystemError(errno: errno))
            },
            hasChanged: { Result(returned: system_mounts_changed(Self.file($0))).map { $0 > 0 } },
            points: { table in
                var points: [String] = []
                return withUnsafeMutablePointer(to: &points) { points in
                    let result = system_mounts_list(Self.file(table), points) { context, point in
                        guard let context, let point else { return }
                        context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: point))
                    }
                    return Result(returned: result).map { _ in points.pointee }
                }
            },
            close: { system_mounts_close(Self.file($0)) })
    }

    init(
        open: @escaping @Sendable () -> Result<Int, SystemError>,
        hasChanged: @escaping @Sendable (_ table: Int) -> Result<Bool, SystemError>,
        points: @escaping @Sendable (_ table: Int) -> Result<[String], SystemError>,
        close: @escaping @Sendable (_ table: Int) -> Void
    ) {
        self.open = open
        self.hasChanged = hasChanged
        self.points = points
        self.close = close
    }

    private static func file(_ table: Int) -> UnsafeMutablePointer<FILE>? { UnsafeMutablePointer(bitPattern: table) }
}

/// The mount table of this process, whose changes the kernel reports (proc_pid_mounts(5)).
final class MountTable {
    private let calls: MountCalls
    /// The open table; nil until it could be opened.
    private var table: Int?
    /// Whether the table has still to be read since it was opened or has changed.
    private var isUnread = true

    /// The table that `calls` reach, opened with the first call of `changes`.
    init(_ calls: MountCalls) { self.calls = calls }

    deinit { if let table { calls.close(table) } }

    /// The mount points, if they have changed since the last call; nil if not. A table that cannot be opened or read is
    /// tried again with the next call.
    func changes() -> [String]? {
        if table == nil { table = try? calls.open().get() }
        guard let table else { return nil }
        if case .success(true) = calls.hasChanged(table) { isUnread = true }
        guard isUnread, case .success(let points) = calls.points(table) else { return nil }
        isUnread = false
        return points
    }
}
