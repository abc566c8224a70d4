import Display

/// The tempo: the box keeps its own.
enum SyncSheet {
    /// A button that moves the tempo.
    enum Step: Hashable, Sendable {
        case slower, faster
    }

    private static let source = TextLine("INTERNAL")
    private static let minus = TextLine("-")
    private static let plus = TextLine("+")
    private static let tempos = Pattern.tempos.map { TextLine("\($0)") }

    static func spot(at position: Position) -> Spot? {
        guard position.row >= 5.5, position.row < 17.5 else { return nil }
        if position.column < 9.5 { return .tempo(.slower) }
        if position.column >= 33.5 { return .tempo(.faster) }
        return .tapTempo
    }

    static func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int) {
        func button(_ spot: Spot, _ columns: Range<Int>, _ line: TextLine) {
            let isTouched = instrument.isTouched(spot)
            let ground = RGB.black.blended(towards: Palette.sync, isTouched ? 0.8 : 0.18)
            frame.fill(columns: origin + columns.lowerBound..<origin + columns.upperBound, rows: 7..<17, ground)
            let column = origin + columns.lowerBound + (columns.count - line.width) / 2
            line.draw(into: &frame, column: column, row: 9, colour: .white, clip: column..<column + line.width)
        }
        let bpm = instrument.state.session.composition.pattern.bpm
        button(.tempo(.slower), 0..<9, minus)
        button(.tempo(.faster), 35..<44, plus)
        button(.tapTempo, 11..<33, tempos[bpm - Pattern.tempos.lowerBound])
        // Under the number a light goes from beat to beat.
        if let playhead = instrument.state.playhead {
            let beat = playhead.step / Pattern.stepsPerBeat % Pattern.stepsPerBeat
            frame.fill(columns: origin + 13 + beat * 5..<origin + 16 + beat * 5, rows: 15..<16, .white)
        }
        let column = origin + (Grid.columns - source.width) / 2
        source.draw(into: &frame, column: column, row: 19, colour: Palette.quiet, clip: column..<column + source.width)
    }
}
