import Foundation

/// The repository's files on disk.
public enum Checkout {
    /// The repository's folder.
    public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    /// The file or folder at `path`, which is relative to the repository.
    public static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    /// The paths of all files below `folder` whose names end in `ending`, sorted; without build products and git's
    /// files.
    public static func files(_ folder: String = "", ending: String = "") -> [String] {
        let names = FileManager.default.enumerator(atPath: url(folder).path)?.compactMap { $0 as? String }
        let paths = (names ?? []).map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
        let built = [".build/", ".git/", "__pycache__/"]
        return paths.filter { path in
            path.hasSuffix(ending) && !built.contains { path.hasPrefix($0) || path.contains("/\($0)") }
                && !isFolder(path)
        }.sorted()
    }

    /// The names of what is in the folder at `path`, sorted. Throws if it cannot be listed.
    public static func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(path).path).sorted()
    }

    /// Whether there is a file or folder at `path`.
    public static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

    /// Whether there is a folder at `path`.
    public static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url(path).path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The content of the file at `path`. Throws if it cannot be read.
    public static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: url(path))) }

    /// The text of the file at `path`. Throws if it cannot be read.
    public static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }
}
