import Box
import Replay

/// The last line of `pixelboop doctor`: what would run on this machine, and what is missing.
struct Verdict {
    let text: String

    /// The verdict on `setup`, for which the checks found `findings`.
    init(_ setup: DoctorSetup, _ findings: [(section: String, finding: Finding)]) {
        func isThere(_ section: String) -> Bool {
            let states = findings.filter { $0.section == section }.map(\.finding.state)
            return !states.isEmpty && states.allSatisfy { $0 == .ok }
        }
        // `run` refuses a page that it cannot serve, an invalid library path, and a library named by its options that
        // it cannot write.
        let isNamed = setup.options.library != nil || Libraries.problem(with: setup.library) != nil
        let fatal = ["page"] + (isNamed ? ["library"] : [])
        if let refusal = findings.first(where: { fatal.contains($0.section) && $0.finding.state == .fault }) {
            text = "Does not run: \(refusal.finding.line)"
            return
        }
        let wantsTouch = setup.configuration.touch.overlays.contains { $0.device != .none }
        let parts = [
            ("panel", setup.view == .spi && isThere("panel") || setup.view == .screen && isThere("screen")),
            ("sound", setup.options.audio != "none" && isThere("sound")),
            ("touch", wantsTouch && isThere("touch")),
        ]
        var present = parts.filter(\.1).map(\.0)
        let absent = parts.filter { !$0.1 }.map(\.0)
        if setup.view == .web, let url = try? PanelView.served(setup.configuration, setup.options).url() {
            present.insert("page at \(url)", at: 0)
        }
        let verb = setup.player.map { "Runs already (process \($0)): " } ?? "Runs: "
        text =
            verb + (present.isEmpty ? "nothing to see or hear" : present.joined(separator: ", "))
            + (absent.isEmpty ? "" : "; \(absent.joined(separator: ", ")) absent")
    }
}
