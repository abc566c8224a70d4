import InputEvents

/// Counts wrong tokens by address. An address with too many is refused for a while, even with the right token.
struct TokenGuesses {
    /// Maximum number of wrong tokens at once.
    static let countMax = 10
    /// Time after which one more is allowed.
    static let interval = Instant.Span(microseconds: 6_000_000)
    /// Maximum number of remembered addresses.
    static let addressesMax = 256

    private struct Guesser {
        let address: UInt32
        /// Time when all its guesses are forgotten.
        var end: Instant
    }

    private var guessers: [Guesser] = []

    /// Whether `address` is refused at `now`.
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
            // Replace the address that would be forgotten next.
            if let next = guessers.indices.min(by: { guessers[$0].end < guessers[$1].end }) {
                guessers.remove(at: next)
            }
        }
        guessers.append(Guesser(address: address, end: start + Self.interval))
    }

    /// The error for a request without the right token at `now`; nil if it has it. A wrong token counts as a guess, a
    /// missing one does not.
    mutating func refusal(of request: PageRequest, _ access: PageAccess, at now: Instant) -> PageResource? {
        let (address, token) = (request.remoteAddress, request.token)
        guard !isExhausted(address, at: now) else { return .tooManyTokens }
        guard !access.allows(token: token) else { return nil }
        if token != nil { count(address, at: now) }
        return .wrongToken
    }
}
