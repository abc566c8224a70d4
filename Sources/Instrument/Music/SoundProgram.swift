/// A sound of another instrument, which a pattern chooses there by MIDI.
public struct SoundProgram: Hashable, Sendable {
    /// Range of the numbers of programs.
    public static let numbers = 1...128
    /// Range of the numbers of banks: 128 times controller 0, and controller 32.
    public static let banks = 0...16_383

    /// The program, within `numbers`.
    public var number: Int
    /// The bank, within `banks`; nil for the one that the instrument has chosen.
    public var bank: Int?

    /// Program `number` of `bank`.
    public init(_ number: Int, bank: Int? = nil) {
        (self.number, self.bank) = (number, bank)
    }
}
