import Foundation
import Testing

/// An invalid call: its arguments, its exit status, and part of its error message.
struct Mistake: Sendable, CustomTestStringConvertible {
    var arguments: String
    var status: Int32
    var message: String
    var testDescription: String { arguments }

    /// Makes the call in the folder of `box`, after the words of `command`, and expects its status and message, and
    /// that no file changes except those below `except`. Returns its output.
    @discardableResult
    func expect(_ command: [String] = [], in box: Executable, except: String? = nil) throws -> String {
        func names() throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: box.folder)
                .filter { name in except.map { !name.hasPrefix($0) } ?? true }.sorted()
        }
        let before = try names()
        let result = try box.run(command + arguments.split(separator: " ").map(String.init), folder: box.folder)
        #expect(result.status == status, "\(result.complaint)")
        #expect(result.complaint.contains(message), "\(result.complaint)")
        #expect(result.complaint.filter(\.isNewline).count == 1, "\(result.complaint)")
        #expect(try names() == before)
        return result.text
    }
}
