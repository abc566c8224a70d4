import Testing

@testable import Commands

@Suite("Switching the machine off")
struct ShutdownTests {
    private struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    /// The end of the command, and what the box says of it.
    static let ends: [(status: Int, says: String?)] = [
        (0, nil),
        (1, "the machine stays on: systemctl poweroff ended with status 1"),
        (127, "the machine stays on: systemctl poweroff ended with status 127"),
        (143, "the machine stays on: systemctl poweroff ended with status 143"),
    ]

    @Test("is reported if the command fails", arguments: ends)
    func status(_ end: (status: Int, says: String?)) {
        var words: [[String]] = []
        let says = Main.shutDown(["systemctl", "poweroff"]) { command in
            words.append(command)
            return end.status
        }
        #expect(says == end.says)
        #expect(words == [["systemctl", "poweroff"]])
    }

    @Test(
        "is reported with its key if the command does not start",
        arguments: ["No such file or directory", "Permission denied", "Cannot allocate memory"])
    func refusal(reason: String) {
        let says = Main.shutDown(["halt"]) { _ in throw Refusal(description: "halt: \(reason)") }
        #expect(says == "the machine stays on: halt: \(reason); see gpio.shutdownCommand in the configuration")
    }

    @Test("without a command ends the box only")
    func none() {
        let says = Main.shutDown([]) { _ in
            Issue.record("it ran")
            return 0
        }
        #expect(says == "switched off at the panel; the machine stays on")
    }
}
