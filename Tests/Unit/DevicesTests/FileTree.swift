import Foundation

/// Calls `body` with the path of a folder that has these files, by path, and is gone afterwards: the root of a made-up
/// machine.
func withFiles<Result>(_ files: [String: String], _ body: (_ root: String) throws -> Result) throws -> Result {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
        let file = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
    return try body(root.path)
}
