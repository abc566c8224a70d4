/// How input devices of a kind fare.
public struct InputStatus: Hashable, Sendable {
    /// Those that are there, in the order in which they came.
    public var present: [InputPresence] = []
    /// Why something that is wished for is not there, with what to do.
    public var problem: DeviceFailure?
}

/// An input device that is there.
public struct InputPresence: Hashable, Sendable {
    /// Its name, and where it is.
    public var what: String
    /// What else is worth telling of it; empty for nothing.
    public var details: String
    /// Counts the devices, and the times that one was plugged in.
    public var number: Int
}

/// What is worth telling of input devices: that one came or went, and what is wrong.
public struct InputWatch {
    private let kind: String
    private var told = InputStatus()

    /// Watches devices of a kind, which its lines begin with: touch. Has told nothing.
    public init(_ kind: String) { self.kind = kind }

    /// The lines to tell now.
    public mutating func lines(_ status: InputStatus) -> [String] {
        defer { told = status }
        let gone = told.present.filter { !status.present.contains($0) }
        let new = status.present.filter { !told.present.contains($0) }
        var lines = gone.map { "\(kind): \($0.what) is gone" }
        lines += new.map { "\(kind): \($0.what)\($0.details.isEmpty ? "" : ", \($0.details)")" }
        if let problem = status.problem, problem != told.problem { lines.append("\(kind): \(problem)") }
        return lines
    }
}
