import FoundationEssentials
import Glibc
import Library
import Pages

/// The file with the page's token. A token on the command line or in the configuration would be readable by other
/// users.
package struct TokenFile {
    /// The file's path: `--token-file`, else `page-token` in the state folder.
    let path: String
    /// Whether `--token-file` names the file.
    package let isNamed: Bool

    /// Maximum bytes read: more than a token and a line end.
    private static let sizeMax = 256

    /// The file at `named`, or the state folder's.
    package init(_ named: String?) {
        isNamed = named != nil
        path = named ?? Library.stateFolder(environment: ProcessInfo.processInfo.environment) + "/page-token"
    }

    /// The token in the file. A missing file in the state folder is created with a random token.
    func token() throws -> PageToken { try read() ?? make() }

    /// The token in the file; nil if the file in the state folder is missing.
    package func read() throws -> PageToken? {
        let (folder, name) = Files.parts(of: path)
        guard let bytes = try Folder.content(of: name, inUntrusted: folder, sizeMax: Self.sizeMax, isSecret: true)
        else {
            if isNamed { throw Files.cannotRead(path, ENOENT) }
            return nil
        }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        do throws(PageServerError) {
            return try PageToken(words.count == 1 ? String(words[0]) : "")
        } catch {
            throw CommandError(.badData, "\(path): \(error)")
        }
    }

    private func make() throws -> PageToken {
        try Files.makeFolder(Files.parts(of: path).folder)
        let token = PageToken.random()
        let file = try OutputFile(path, isSecret: true)
        file.append("\(token.text)\n".utf8)
        try file.finish(isDurable: true)
        return token
    }
}
