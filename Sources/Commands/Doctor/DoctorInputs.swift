import Box
import Devices
import Formats

// Doctor's checks of touch overlays and keyboards.

extension Doctor {
    /// Whether the configured overlays exist and are usable.
    static func touch(_ setup: DoctorSetup) -> [Finding] {
        let survey = InputSurvey.devices()
        return setup.configuration.touch.overlays.flatMap { overlay in
            find(overlay.device, in: survey, "touch overlay") { kind, isNamed in
                switch kind {
                case .overlay(let traits): .success(traits.description)
                case .touch(let traits) where isNamed: .success(traits.description)
                case .unusable(let failure): .failure(failure)
                case .touch, .keyboard, .other: nil
                }
            }
        }
    }

    /// Whether the configured keyboard exists. A box needs none.
    static func keyboard(_ setup: DoctorSetup) -> [Finding] {
        let findings = find(setup.configuration.keyboard, in: InputSurvey.devices(), "keyboard") { kind, isNamed in
            kind == .keyboard || isNamed ? .success("") : nil
        }
        return findings.map { $0.state == .warning ? .ok("none; none is needed") : $0 }
    }

    /// The input devices, with the names and numbers for the configuration.
    static func inputDevices(_: DoctorSetup) -> [Finding] {
        let survey = InputSurvey.devices()
        if survey.isEmpty { return [.ok("none")] }
        return survey.map { device in
            switch device.details {
            case .success(let details):
                .ok("\(details.name) (\(device.path), \(details.identity)) is \(words(details.kind))")
            case .failure(let failure): .missing(isNamed: false, failure)
            }
        }
    }

    private static func words(_ kind: InputSurvey.Kind) -> String {
        switch kind {
        case .overlay(let traits): "a touch overlay, \(traits.description)"
        case .touch(let traits): "a touch device that is not on a screen, \(traits.description)"
        case .unusable: "a touch device that cannot be used"
        case .keyboard: "a keyboard"
        case .other: "another device"
        }
    }

    /// The state of the configured `device`. `use` returns the description of a usable device of that kind, the reason
    /// that it is unusable, or nil for another kind.
    private static func find(
        _ device: Configuration.InputDevice, in survey: [InputSurvey.Device], _ what: String,
        _ use: (InputSurvey.Kind, _ isNamed: Bool) -> Result<String, DeviceFailure>?
    ) -> [Finding] {
        guard let choice = InputChoice(device) else { return [.ok("no \(what) is configured")] }
        let isNamed = choice != .any
        if case .named(let path) = device, path.hasPrefix("/") {
            let node = self.device(path, isNamed: true, group: "input", missing: "plug in the \(what)")
            if node.state != .ok { return [node] }
        }
        let meant = survey.filter { $0.isMeant(by: choice) }
        let findings = meant.compactMap { device -> Finding? in
            switch device.details {
            case .success(let details):
                switch use(details.kind, isNamed) {
                case .success(let traits):
                    return .ok("\(details.name) (\(device.path))" + (traits.isEmpty ? "" : ", \(traits)"))
                case .failure(let failure): return .missing(isNamed: isNamed, failure)
                case nil: return nil
                }
            // Without a selection, devices that do not open are reported below.
            case .failure(let failure): return isNamed ? .missing(isNamed: true, failure) : nil
            }
        }
        if !findings.isEmpty { return findings }
        guard case .named(let name) = device else {
            return [.missing(isNamed: false, "no \(what)", fix: "plug one in")]
        }
        let problem = meant.isEmpty ? "there is no input device \(name)" : "\(name) is not a \(what)"
        return [.missing(isNamed: true, problem, fix: "plug it in, or name one of the input devices below")]
    }
}
