import Documents
import Instrument
import Replay
import Testing

@Suite("Settings in a script")
struct SettingTests {
    private func session(_ lines: String...) throws -> Session {
        let script = try TouchScript(parsing: Array(lines.joined(separator: "\n").utf8))
        return try Replay.run(Replay.Plan(script)).state.session
    }

    @Test("without a line the rules are the box's, and nothing counts as set by the player")
    func defaults() throws {
        let state = try Replay.run(Replay.Plan(TouchScript([]))).state
        #expect(state.rules == .box && state.session.rules == nil && state.session.soundsTaps == nil)
    }

    @Test("rules, tap sound and the lock apply from their line on")
    func settings() throws {
        let phone = #"{"at": 0, "set": "rules", "value": "phone"}"#
        let tap = #"{"at": 0, "set": "tap", "value": true}"#
        let lock = #"{"at": 5, "set": "lock", "value": true}"#
        let set = try session(phone, tap, lock)
        #expect(set.rules == .phone && set.soundsTaps == true && set.isLocked)
        let back = try session(
            phone, tap, lock, #"{"at": 9, "set": "rules", "value": "box"}"#,
            #"{"at": 9, "set": "tap", "value": false}"#, #"{"at": 9, "set": "lock", "value": false}"#)
        #expect(back.rules == .box && back.soundsTaps == false && !back.isLocked)
    }

    @Test("rules chosen by touch on the settings' second page are those that a line sets")
    func byTouch() throws {
        // The menu, the settings, a drag upwards, PHONE.
        let chosen = try session(
            #"{"at": 100, "touch": 0, "phase": "down", "col": 1, "row": 1}"#,
            #"{"at": 150, "touch": 0, "phase": "up", "col": 1, "row": 1}"#,
            #"{"at": 1100, "touch": 0, "phase": "down", "col": 2, "row": 19}"#,
            #"{"at": 1150, "touch": 0, "phase": "up", "col": 2, "row": 19}"#,
            #"{"at": 2100, "touch": 0, "phase": "down", "col": 20, "row": 20}"#,
            #"{"at": 2200, "touch": 0, "phase": "up", "col": 20, "row": 10}"#,
            #"{"at": 3100, "touch": 0, "phase": "down", "col": 20, "row": 20}"#,
            #"{"at": 3200, "touch": 0, "phase": "up", "col": 20, "row": 20}"#)
        #expect(chosen.rules == .phone)
    }
}
