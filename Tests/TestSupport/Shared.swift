import Foundation

/// Real data beside the project. A clone without it skips what needs it, and says so.
public enum Shared {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared").standardizedFileURL

    /// The content of the file at `path`, if it is there.
    public static func bytes(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: folder.appendingPathComponent(path))).map(Array.init)
    }

    /// The files in the folder at `path`, in order of their names; none if it is not there.
    public static func names(_ path: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)
        return (names ?? []).sorted()
    }
}
