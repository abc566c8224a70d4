import Foundation
import Testing

@testable import Devices

@Suite("Service units")
struct ServiceUnitTests {
    static let words: [(text: String, words: [String])] = [
        ("", []), ("  a  b ", ["a", "b"]), ("A=1 \"B=two words\" C=", ["A=1", "B=two words", "C="]),
        (#"'single "quoted"' back\ slash"#, [#"single "quoted""#, "back slash"]), ("\"\" x", ["", "x"]),
    ]

    @Test("words are split like systemd's", arguments: words)
    func split(line: (text: String, words: [String])) { #expect(ShellWords.split(line.text) == line.words) }

    @Test("the environment combines the unit, its files and its state directory; the files take precedence")
    func environment() throws {
        let path = NSTemporaryDirectory() + UUID().uuidString
        try Data("# comment\nA=file\nOPTIONS=\"--panel spi\"\nnonsense\n".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let unit = ServiceUnit(
            ServiceUnit.lines(
                of: """
                    User=pixelboop
                    StateDirectory=pixelboop other
                    Environment=A=unit "B=two words"
                    EnvironmentFiles=\(path) (ignore_errors=yes)
                    LimitRTPRIO=95
                    """))
        #expect(unit.user == "pixelboop")
        #expect(
            unit.environment == [
                "A": "file", "B": "two words", "OPTIONS": "--panel spi", "STATE_DIRECTORY": "/var/lib/pixelboop",
            ])
        #expect(ServiceUnit([:]).user == "root")
    }

    @Test("a unit that cannot be adopted is an error")
    func unknown() {
        let unit = ServiceUnit(["User": "no-such-user"])
        do throws(DeviceFailure) {
            try unit.apply()
            Issue.record("it was taken on")
        } catch {
            #expect(error.what.contains("no-such-user"))
        }
    }
}
