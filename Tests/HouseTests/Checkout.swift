import Foundation

/// The repository's files on disk.
enum Checkout {
    /// The repository's folder.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL

    /// The paths of all files below `folder` whose names end in `ending`, sorted; without build products and git's files.
    static func files(_ folder: String = "", ending: String = "") -> [String] {
        let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?.compactMap {
            $0 as? String
        }
        let paths = (names ?? []).map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
        let built = [".build/", ".git/", "__pycache__/"]
        return paths.filter { path in
            path.hasSuffix(ending) && !built.contains { path.hasPrefix($0) || path.contains("/\($0)") }
                && !isFolder(path)
        }.sorted()
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// The text of the file at `path`.
    static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
    }
}
