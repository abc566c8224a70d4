import Foundation

/// Real data beside the project. A clone without it skips what needs it, and says so.
enum Shared {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared").standardizedFileURL

    static func bytes(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: folder.appendingPathComponent(path))).map(Array.init)
    }
}
