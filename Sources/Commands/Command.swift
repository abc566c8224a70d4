/// One command of the executable.
struct Command: Sendable {
    /// The command's name.
    let name: String
    /// The usage line after the name.
    let usage: String
    /// Description and options, for `--help`.
    let help: String
    /// Options that take a value.
    let options: [String]
    /// Options that take two values.
    let pairs: [String]
    /// Options without a value.
    let flags: [String]
    /// Number of operands.
    let operands: ClosedRange<Int>
    /// Runs the command.
    let run: @Sendable (Arguments) throws -> Void

    init(
        _ name: String, usage: String, help: String, options: [String] = [], pairs: [String] = [],
        flags: [String] = [], operands: ClosedRange<Int> = 0...0, run: @escaping @Sendable (Arguments) throws -> Void
    ) {
        self.name = name
        self.usage = usage
        self.help = help
        self.options = options
        self.pairs = pairs
        self.flags = flags
        self.operands = operands
        self.run = run
    }

    var usageLine: String { "pixelboop \(name) \(usage)" }
}
