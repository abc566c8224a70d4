import Box
import Devices
import Documents

extension Main {
    static let doctor = Command(
        "doctor", usage: "[--config FILE] [--service] [--json]",
        help: """
            Checks what the box needs on this machine, and names each problem and its fix: configuration, sound, library, LED
            panel, page, touch overlay, GPIO lines. It plays nothing and changes nothing. Each line is ok, a warning (the box runs,
            with less) or a fault (something that the configuration names is unavailable); with a fault the exit status is 69. The
            last line is what would run.

                --config FILE   read this configuration
                --service       check as pixelboop.service runs: with its user, groups, limits, environment and options; needs
                                root
                --json          print one JSON object instead of a table, with the configuration in force
            """,
        options: ["--config"], flags: ["--json", "--service"]
    ) { arguments in
        let setup = try DoctorSetup(arguments)
        let findings = Doctor.checks.flatMap { section, check in
            check(setup).map { (section: section, finding: $0) }
        }
        let verdict = Verdict(setup, findings)
        if arguments.has("--json") {
            let list = findings.map { JSON.object($1.json.merging(["section": .string($0)]) { $1 }) }
            let report: [String: JSON] = [
                "configuration": setup.configuration.json, "findings": .array(list), "verdict": .string(verdict.text),
                "version": .string(versionNumber),
            ]
            print(JSON.object(report).text(pretty: true))
        } else {
            for (section, finding) in findings {
                print(section.padded(15) + finding.state.rawValue.padded(9) + finding.line)
            }
            print(verdict.text)
        }
        let faults = findings.filter { $1.state == .fault }.count
        if faults > 0 {
            throw CommandError(.unavailable, "\(String(faults, of: "fault")); the table names the fix for each")
        }
    }
}

/// The result of one check.
struct Finding {
    var state: FindingState
    var what: String
    var fix: String?

    static func ok(_ what: String) -> Finding { Finding(state: .ok, what: what) }

    /// A missing part: a fault if the configuration names it.
    static func missing(isNamed: Bool, _ what: String, fix: String) -> Finding {
        Finding(state: isNamed ? .fault : .warning, what: what, fix: fix)
    }

    static func missing(isNamed: Bool, _ failure: DeviceFailure) -> Finding {
        missing(isNamed: isNamed, failure.what, fix: failure.fix)
    }

    var line: String { fix.map { "\(what): \($0)" } ?? what }

    var json: [String: JSON] {
        ["state": .string(state.rawValue), "what": .string(what), "fix": .orNull(fix)]
    }
}
