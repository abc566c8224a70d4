import Documents
import InputEvents
import Instrument
import Replay

// The requests that ask a box.

extension Bench {
    private enum Stage: String, CaseIterable { case drawn, light }

    func frame(_ request: JSONField) throws -> [String: JSON] {
        let box = try box(request, ["as", "stage"])
        var stage = Stage.drawn
        try request.read("stage", into: &stage)
        if stage == .light { try box.checkKeeps("light") }
        return try (stage == .drawn ? box.box.loop.picture(at: now) : box.light).answer(to: request)
    }

    func words(_ request: JSONField) throws -> [String: JSON] {
        try box(request).box.loop.instrument.words.keys
    }

    func place(_ request: JSONField) throws -> [String: JSON] {
        try box(request, Instrument.placeKeys).box.loop.instrument.place(request)
    }

    func find(_ request: JSONField) throws -> [String: JSON] {
        try box(request, PanelPlace.keys).box.loop.instrument.find(request)
    }

    func wire(_ request: JSONField) throws -> [String: JSON] {
        let box = try box(request)
        try box.checkKeeps("bytes on its wires")
        return ["chains": .array(box.takeWires(at: now))]
    }

    func current(_ request: JSONField) throws -> [String: JSON] {
        let box = try box(request)
        try box.checkKeeps("light")
        let driver = box.box.panel.driver
        var limit = box.box.loop.lightLimit
        return [
            "amps": .double(driver.amps), "zones": .numbers(driver.zoneAmps),
            "limit": .double(limit.share(at: now.microseconds)),
        ]
    }

    private enum SoundForm: String, CaseIterable { case float, wav }

    func sound(_ request: JSONField) throws -> [String: JSON] {
        let box = try box(request, ["as", "file"])
        var form = SoundForm.float
        try request.read("as", into: &form)
        let path = try request.part("file")?.string()
        try box.checkKeeps("sound")
        let (channels, rate) = (box.channels, box.box.rate)
        // It is gone only when it has been given.
        var rest = box.sound
        let (samples, first, lost) = rest.take()
        let frames = samples.count / channels
        let bytes = samples.withUnsafeBytes { Array($0) }
        let wave = { WaveFile.header(frames: frames, rate: rate, channels: channels) + bytes }
        var answer: [String: JSON] = [
            "channels": .integer(channels), "rate": .integer(rate), "frames": .integer(frames),
            "from": .integer(first), "lost": .integer(lost),
        ]
        if let path {
            try Self.at("file") { try files.write(wave(), to: path) }
        } else {
            answer[form.rawValue] = .bytes(form == .wav ? wave() : bytes)
        }
        box.sound = rest
        return answer
    }

    func pattern(_ request: JSONField) throws -> [String: JSON] {
        ["pattern": try box(request).box.music.json]
    }

    func state(_ request: JSONField) throws -> [String: JSON] { try box(request).state }

    func library(_ request: JSONField) throws -> [String: JSON] {
        let box = try box(request, ["file"])
        guard let library = box.library else {
            throw FormatError("box", "has no library: name one with library when it is made")
        }
        if let path = try request.part("file")?.string() { try Self.at("file") { try library.copy(to: path) } }
        return [
            "patterns": .array(
                try library.patterns().map {
                    .object([
                        "number": .integer(Int($0.number)), "name": .string($0.name), "bank": .string($0.bank),
                    ])
                })
        ]
    }

    /// Returns what `act` returns. An error of a file gets the place `key`.
    static func at<Result>(_ key: String, _ act: () throws -> Result) throws -> Result {
        do {
            return try act()
        } catch {
            throw FormatError(key, "\(error)")
        }
    }

    func record(_ request: JSONField) throws -> [String: JSON] {
        let box = try box(request)
        return ["new": .object(box.recipe.document), "lines": .array(box.lines.map(\.json))]
    }
}
