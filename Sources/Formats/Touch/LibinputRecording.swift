import Documents
import Input

extension TouchRecording {
    /// Reads a document of libinput-record(1), version 1. Ignores unknown keys, as its manual requires.
    init(libinput root: JSONField) throws(FormatError) {
        let version = try root.needed("version")
        guard version.value.integer == 1 else { throw version.refused("is \(version.shown), should be 1") }
        let device = try Self.touchDevice(of: root.needed("devices"))
        let evdev = try device.needed("evdev")
        self.init(
            name: try evdev.part("name")?.string(),
            axes: try Self.axes(of: evdev),
            reports: try Self.reports(of: device))
    }

    /// The first multi-touch device, otherwise the first single-touch device.
    private static func touchDevice(of field: JSONField) throws(FormatError) -> JSONField {
        let devices = try field.list()
        for device in devices where try hasAxis(InputCode.positionX, device) { return device }
        for device in devices where try hasAxis(InputCode.x, device) {
            if try hasTouchButton(device) { return device }
        }
        throw field.refused(
            "has no touch device, should have one with the axis \(InputCode.positionX) (ABS_MT_POSITION_X), "
                + "or with the axis \(InputCode.x) (ABS_X) and the key \(InputCode.touch) (BTN_TOUCH)")
    }

    private static func hasAxis(_ code: UInt16, _ device: JSONField) throws(FormatError) -> Bool {
        try device.needed("evdev").part("absinfo")?.part("\(code)") != nil
    }

    private static func hasTouchButton(_ device: JSONField) throws(FormatError) -> Bool {
        let keys = try device.needed("evdev").part("codes")?.part("\(InputCode.key)")?.list() ?? []
        return keys.contains { $0.value.integer == Int(InputCode.touch) }
    }

    private static func axes(of evdev: JSONField) throws(FormatError) -> TouchAxes? {
        var recorded = RecordedAxes()
        for code in [InputCode.positionX, InputCode.positionY, InputCode.x, InputCode.y] {
            guard let field = try evdev.part("absinfo")?.part("\(code)") else { continue }
            // Minimum, maximum, fuzz, flatness, resolution.
            let values = try field.list(counts: 5...5)
            recorded.byCode[code] = .init(
                minimum: try values[0].reportedValue(), maximum: try values[1].reportedValue(), place: field.path)
        }
        return try recorded.touch()
    }

    private static func reports(of device: JSONField) throws(FormatError) -> [InputReport] {
        var recorded = RecordedReports()
        // A recording without events has the key without a value.
        guard let events = try device.part("events"), events.value != .null else { return [] }
        for event in try events.list() {
            // Other events are libinput's own and events of the HID layer.
            for report in try event.part("evdev")?.list() ?? [] { try recorded.add(report) }
        }
        return recorded.reports
    }
}

extension RecordedReports {
    /// Adds a report of seconds, microseconds, type, code and value.
    fileprivate mutating func add(_ report: JSONField) throws(FormatError) {
        let fields = try report.list(counts: 5...5)
        let seconds = try fields[0].integer(in: RecordedReports.seconds)
        let microseconds = try fields[1].integer(in: 0...999_999)
        let problem = add(
            at: Int64(seconds * 1_000_000 + microseconds),
            type: UInt16(try fields[2].integer(in: 0...0xffff)),
            code: UInt16(try fields[3].integer(in: 0...0xffff)),
            value: Int32(try fields[4].reportedValue()))
        if let problem { throw report.refused(problem) }
    }
}

extension JSONField {
    /// An event value of an input device.
    fileprivate func reportedValue() throws(FormatError) -> Int { try integer(in: RecordedReports.values) }
}
