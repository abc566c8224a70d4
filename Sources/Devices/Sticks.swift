import CSystem
import Glibc

/// Storage that is plugged in and holds a folder for patterns.
public struct Sticks {
    /// The folder on a stick.
    public static let folder = "pixelboop"

    /// The folders of the sticks that are there, in the order in which they are mounted.
    public private(set) var present: [String] = []

    private let mounts: () -> String
    private let isFolder: (String) -> Bool
    private var text = ""

    /// Where a desktop, or the box's own rule, mounts what is plugged in.
    private static let places = ["/media/", "/run/media/", "/mnt/"]

    /// The sticks of this machine. None is known yet.
    public init() {
        self.init(mounts: { String(systemFile: "/proc/self/mountinfo") ?? "" }, isFolder: Self.isFolder)
    }

    init(mounts: @escaping () -> String, isFolder: @escaping (String) -> Bool) {
        self.mounts = mounts
        self.isFolder = isFolder
    }

    /// Looks again; returns the folders of the sticks that were not there before. To be called about once a second.
    public mutating func look() -> [String] {
        let next = mounts()
        // The mounts are read as text, which is soon compared: most of the time nothing happens.
        guard next != text else { return [] }
        text = next
        let before = present
        present = Self.points(next).filter { point in Self.places.contains { point.hasPrefix($0) } }
            .map { "\($0)/\(Self.folder)" }.filter(isFolder)
        return present.filter { !before.contains($0) }
    }

    /// The mount points in the text of /proc/self/mountinfo (proc_pid_mountinfo(5)): the fifth field, in which space, tab,
    /// line feed and backslash are octal.
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

    /// Has everything that was written to the file system of `path` on the stick when it returns, so that it can be pulled out.
    /// Stands for `syncfs`.
    public static func settle(_ path: String) -> Bool { system_sync_file_system(path) == 0 }
}
