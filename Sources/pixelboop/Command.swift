/// One command of the executable.
struct Command: Sendable {
    /// The word that names it.
    let name: String
    /// What stands after the name in its usage line.
    let usage: String
    /// What it does, and its options, for `--help`.
    let help: String
    /// Options that take a value.
    let options: [String]
    /// Options that take two values.
    let pairs: [String]
    /// Options that take none.
    let flags: [String]
    /// How many operands it takes.
    let operands: ClosedRange<Int>
    /// Does it.
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
