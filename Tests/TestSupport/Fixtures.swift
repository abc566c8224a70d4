import Foundation

/// The recorded input in `Tests/Fixtures`.
public enum Fixtures {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Fixtures").standardizedFileURL

    /// The content of the file at `path`. Throws if it cannot be read.
    public static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    /// The names of the files in the folder at `path`, sorted. Throws if it cannot be listed.
    public static func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path).sorted()
    }
}
