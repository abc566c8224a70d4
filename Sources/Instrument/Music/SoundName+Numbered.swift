extension SoundName {
    /// The name with `number` at its end; the name itself for 1.
    package func numbered(_ number: Int) -> SoundName {
        let digits = String(number)
        let short = SoundName(shortening: text.prefix(SoundName.lettersMax - digits.count) + digits)
        return number == 1 ? self : short ?? self
    }

    /// The name, or if it is `taken`, with the first free number at its end: names of files often begin alike.
    package func numbered(notIn taken: Set<SoundName>) -> SoundName {
        (1...99_999).lazy.map(numbered).first { !taken.contains($0) } ?? self
    }
}
