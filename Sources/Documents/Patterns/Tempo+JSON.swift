import Instrument

extension Tempo {
    /// Beats per minute as a number, with at most two decimals.
    var json: JSON { hundredths % 100 == 0 ? .integer(whole) : .double(bpm) }
}

extension JSONField {
    /// A tempo in beats per minute, to the nearest hundredth.
    func tempo() throws(FormatError) -> Tempo {
        Tempo(nearest: try number(in: Tempo.range.lowerBound.bpm...Tempo.range.upperBound.bpm))
    }
}
