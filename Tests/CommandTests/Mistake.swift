import Foundation
import Testing

/// A call that cannot do what it says: its words, the status that it ends with, and what its one line has in it.
struct Mistake: Sendable, CustomTestStringConvertible {
    var arguments: String
    var status: Int32
    var says: String
    var testDescription: String { arguments }

    /// Makes the call in the folder of `box`, behind the words of `command`, and expects that it ends so and changes no file,
    /// but for those below `except`. What it wrote to its output.
    @discardableResult
    func expect(_ command: [String] = [], in box: Executable, except: String? = nil) throws -> String {
        func names() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: box.folder)
                .filter { name in except.map { !name.hasPrefix($0) } ?? true }.sorted()
        }
        let before = try names()
        let result = try box.run(command + arguments.split(separator: " ").map(String.init), folder: box.folder)
        #expect(result.status == status, "\(result.complaint)")
        #expect(result.complaint.contains(says), "\(result.complaint)")
        #expect(result.complaint.filter(\.isNewline).count == 1, "\(result.complaint)")
        #expect(try names() == before)
        return result.text
    }
}
