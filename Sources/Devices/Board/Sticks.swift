import CSystem
import Glibc

/// Mounted USB sticks that hold a folder for patterns.
public struct Sticks {
    /// Name of the folder on a stick.
    public static let folder = "pixelboop"

    /// Paths of the folders on the mounted sticks, in mount order.
    public private(set) var present: [String] = []

    private let mounts: MountTable
    private let isFolder: (String) -> Bool

    /// Folders in which a desktop, or the box's udev rule, mounts a stick.
    private static let places = ["/media/", "/run/media/", "/mnt/"]

    /// The sticks of this machine, none of them seen yet.
    public init() { self.init(.linux, isFolder: Self.isFolder) }

    init(_ calls: MountCalls, isFolder: @escaping (String) -> Bool) {
        mounts = MountTable(calls)
        self.isFolder = isFolder
    }

    /// Reads the mount table if it has changed; returns the folders of sticks that are new. Call it about once a
    /// second.
    public mutating func look() -> [String] {
        guard let points = mounts.changes() else { return [] }
        let before = present
        present = points.filter { point in Self.places.contains { point.hasPrefix($0) } }
            .map { "\($0)/\(Self.folder)" }.filter(isFolder)
        return present.filter { !before.contains($0) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Writes everything to the stick, so that it can be pulled out; false on an error. Calls `syncfs`.
    public static func sync(_ path: String) -> Bool { system_sync_file_system(path) == 0 }
}
