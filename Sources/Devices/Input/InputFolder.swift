import Glibc

/// The folder of the device nodes, watched for changes (inotify(7)).
final class InputFolder {
    /// Changes in the folder.
    struct Changes {
        /// Names of nodes that were created or removed.
        var names: Set<String> = []
        /// Names of nodes whose permissions have changed: udev sets them after it has created a node.
        var permissions: Set<String> = []
        /// Whether any node may have changed.
        var isAll = false

        var isEmpty: Bool { names.isEmpty && permissions.isEmpty && !isAll }
    }

    /// Linux's folder of input devices.
    static let standard = "/dev/input"

    /// Whether the present folder is being watched.
    private(set) var isWatched = false
    private let path: String
    private let loop: InputLoop
    private let calls: InputFolderCalls
    /// Descriptor for the changes; nil if the system has none left. The folder is then searched every second.
    private let descriptor: Int32?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)

    /// Size of an entry's header (inotify(7)); the name follows it.
    private static let headerSize = MemoryLayout<inotify_event>.size

    /// The folder at `path`, which need not exist. Its changes end the loop's wait.
    init(_ path: String, _ loop: InputLoop, _ calls: InputFolderCalls) {
        self.path = path
        self.loop = loop
        self.calls = calls
        descriptor = try? calls.openChanges().get()
        if let descriptor { loop.watch(descriptor) }
        watch()
    }

    deinit {
        if let descriptor {
            loop.forget(descriptor)
            calls.close(descriptor)
        }
        buffer.deallocate()
    }

    /// Starts watching the folder, if it exists.
    func watch() {
        guard !isWatched, let descriptor, case .success = calls.watch(descriptor, path) else { return }
        isWatched = true
    }

    /// Returns the changes since the last call.
    func changes() -> Changes {
        var changes = Changes()
        guard let descriptor else { return changes }
        // After EINTR the descriptor stays readable, and the loop comes back at once.
        while case .success(let count) = calls.read(descriptor, buffer), count > 0 {
            parse(UnsafeRawBufferPointer(buffer)[..<count], into: &changes)
        }
        return changes
    }

    private func parse(_ entries: Slice<UnsafeRawBufferPointer>, into changes: inout Changes) {
        let bytes = UnsafeRawBufferPointer(rebasing: entries)
        var offset = 0
        while offset + Self.headerSize <= bytes.count {
            let header = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let start = offset + Self.headerSize
            offset = start + Int(header.len)
            let mask = Int32(bitPattern: header.mask)
            if mask & IN_Q_OVERFLOW != 0 { changes.isAll = true }
            // The folder was removed, as devtmpfs does with the last node.
            if mask & IN_IGNORED != 0 {
                changes.isAll = true
                isWatched = false
            }
            let name = String(decoding: bytes[start..<min(offset, bytes.count)].prefix { $0 != 0 }, as: UTF8.self)
            guard Self.isNode(name) else { continue }
            if mask & IN_ATTRIB != 0 { changes.permissions.insert(name) } else { changes.names.insert(name) }
        }
    }

    private static func isNode(_ name: String) -> Bool { name.hasPrefix("event") }

    /// Paths of the device nodes in the folder, by number.
    var nodes: [String] { Self.nodes(in: path, calls) }

    /// Paths of the device nodes in the folder `path`, by number; empty if it cannot be read.
    static func nodes(in path: String, _ calls: InputFolderCalls) -> [String] {
        guard case .success(let names) = calls.names(path) else { return [] }
        return names.filter(isNode).sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { "\(path)/\($0)" }
    }

    /// The path that `path` resolves to; nil if it does not exist.
    func target(of path: String) -> String? { Self.target(of: path, calls) }

    /// The path that `path` resolves to; nil if it does not exist.
    static func target(of path: String, _ calls: InputFolderCalls) -> String? { try? calls.target(path).get() }

    /// Path of the device node with this name.
    func node(_ name: String) -> String { "\(path)/\(name)" }
}
