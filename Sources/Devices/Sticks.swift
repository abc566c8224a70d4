import CSystem
import Glibc

/// Mounted USB sticks that hold a folder for patterns.
public struct Sticks {
    /// Name of the folder on a stick.
    public static let folder = "pixelboop"

    /// Paths of the folders on the mounted sticks, in mount order.
    public private(set) var present: [String] = []

    private let mounts: () -> String
    private let isFolder: (String) -> Bool
    private var text = ""

    /// Folders in which a desktop, or the box's udev rule, mounts a stick.
    private static let places = ["/media/", "/run/media/", "/mnt/"]

    /// The sticks of this machine, none of them seen yet.
    public init() {
        self.init(mounts: { String(systemFile: "/proc/self/mountinfo") ?? "" }, isFolder: Self.isFolder)
    }

    init(mounts: @escaping () -> String, isFolder: @escaping (String) -> Bool) {
        self.mounts = mounts
        self.isFolder = isFolder
    }

    /// Reads the mount table; returns the folders of sticks that are new. Call it about once a second.
    public mutating func look() -> [String] {
        let next = mounts()
        // Comparing the text is cheap, and the table seldom changes.
        guard next != text else { return [] }
        text = next
        let before = present
        present = Self.points(next).filter { point in Self.places.contains { point.hasPrefix($0) } }
            .map { "\($0)/\(Self.folder)" }.filter(isFolder)
        return present.filter { !before.contains($0) }
    }

    /// The mount points in /proc/self/mountinfo (proc_pid_mountinfo(5)): the fifth field, in which space, tab, line feed and
    /// backslash are octal escapes.
    static func points(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            return fields.count > 4 ? decoded(fields[4]) : nil
        }
    }

    private static func decoded(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            let number = digits.reduce(0) { 8 * $0 + Int($1) - 0x30 }
            if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }),
                number < 256
            {
                bytes.append(UInt8(number))
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Writes everything to the stick, so that it can be pulled out; false on an error. Calls `syncfs`.
    public static func settle(_ path: String) -> Bool { system_sync_file_system(path) == 0 }
}
