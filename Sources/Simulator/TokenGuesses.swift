import InputEvents

/// The wrong tokens that came from each address. An address that sends too many has to wait, right token or not.
struct TokenGuesses {
    /// Wrong tokens that an address may send at once.
    static let countMax = 10
    /// The time after which it may send one more.
    static let interval = Instant.Span(microseconds: 6_000_000)
    /// Addresses that are remembered.
    static let addressesMax = 256

    private struct Guesser {
        let address: UInt32
        /// When all its guesses are forgotten.
        var end: Instant
    }

    private var guessers: [Guesser] = []

    /// Whether `address` has sent too many wrong tokens to be answered at `now`.
    func isExhausted(_ address: UInt32, at now: Instant) -> Bool {
        guard let guesser = guessers.first(where: { $0.address == address }) else { return false }
        return (guesser.end - now).microseconds > Int64(Self.countMax - 1) * Self.interval.microseconds
    }

    /// Counts a wrong token from `address` at `now`.
    mutating func count(_ address: UInt32, at now: Instant) {
        let place = guessers.firstIndex { $0.address == address }
        let start = place.map { max(guessers[$0].end, now) } ?? now
        if let place {
            guessers.remove(at: place)
        } else if guessers.count == Self.addressesMax {
            // The one that would be forgotten next.
            if let next = guessers.indices.min(by: { guessers[$0].end < guessers[$1].end }) {
                guessers.remove(at: next)
            }
        }
        guessers.append(Guesser(address: address, end: start + Self.interval))
    }
}
