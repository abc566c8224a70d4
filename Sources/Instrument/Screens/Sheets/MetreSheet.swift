import Display
import InputEvents

/// The metre of the pattern: a column for each beat of a bar, as high as the beat has steps, and the numbers of steps
/// to choose from.
struct MetreSheet: Sheet {
    private static let name = TextLine("METRE")
    /// The time signatures of all metres, by steps of a beat and beats of a bar.
    private static let signatures = Metre.stepsOfBeat.map { steps in
        Metre.beatsOfBar.map { TextLine(Metre(beats: $0, steps: steps).text) }
    }

    // The bar: a column for each beat.
    private static let (firstColumn, columnPitch, barRow) = (6, 2, 7)
    /// Lower edge of the bar, for touches.
    private static let barEnd: Float = 13.5

    // The numbers of steps, with a mark above the chosen one.
    private static let (numberColumn, numberPitch, markRow, numberRow) = (6, 9, 15, 17)
    private static let numbers = Metre.stepsOfBeat.map { TextLine("\($0)") }

    var screen: Instrument.Screen { .metre }
    var title: TextLine? { Self.name }
    var accent: RGB { Palette.settings }

    func spot(at position: Position) -> Spot? {
        if position.row < Self.barEnd { return .metreBeats }
        let column = Float(Self.numberColumn + 1 - Self.numberPitch / 2)
        let place = Int(((position.column - column) / Float(Self.numberPitch)).rounded(.down))
        return .metreSteps(Metre.stepsOfBeat[place.clamped(to: 0...Metre.stepsOfBeat.count - 1)])
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        switch spot {
        case .metreBeats:
            let beats = state.session.composition.pattern.metre.beats
            return TextLine(beats == 1 ? "1 BEAT" : "\(beats) BEATS")
        case .metreSteps(let steps): return TextLine("\(steps) STEPS")
        default: return nil
        }
    }

    func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.metreBeats, .down), (.metreBeats, .move):
            let place = (touch.position.column - Float(Self.firstColumn)) / Float(Self.columnPitch)
            acts.append(.chooseBeats(Int(place.rounded()) + 1))
        case (.metreSteps(let steps), .up(isOver: true)): acts.append(.chooseStepsOfBeat(steps))
        default: return
        }
    }

    func drawTitle(_ instrument: Instrument, into frame: inout Frame, column: Int) {
        let metre = instrument.pattern.metre
        let place = Metre.stepsOfBeat.firstIndex(of: metre.steps) ?? 0
        Self.signatures[place][metre.beats - 1].draw(into: &frame, column: column, row: 0, colour: Palette.text)
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let metre = instrument.pattern.metre
        let heard = instrument.state.transport.playhead.map { $0.step % metre.stepsOfBar }
        for beat in 0..<Metre.beatsOfBar.upperBound {
            let column = origin + Self.firstColumn + Self.columnPitch * beat
            guard beat < metre.beats else {
                frame[column, Self.barRow] = Palette.rail
                continue
            }
            for place in 0..<metre.steps {
                let step = beat * metre.steps + place
                let ink = step == heard ? RGB.white : Palette.metreSteps[metre.weight(of: step)]
                frame[column, Self.barRow + place] = ink
            }
        }
        for (place, steps) in Metre.stepsOfBeat.enumerated() {
            let column = origin + Self.numberColumn + Self.numberPitch * place
            let isChosen = steps == metre.steps
            let ink = isChosen || instrument.isTouched(.metreSteps(steps)) ? RGB.white : Palette.quiet
            Self.numbers[place].draw(into: &frame, column: column, row: Self.numberRow, colour: ink)
            guard isChosen else { continue }
            frame.fill(columns: column - 1..<column + 4, rows: Self.markRow..<Self.markRow + 1, accent)
        }
    }
}

extension Instrument {
    /// Chooses a metre by contact `id`; all choices by one touch are one history step.
    mutating func choose(_ metre: Metre, contact id: Int) {
        guard metre != pattern.metre, !isRefused() else { return }
        perform("METRE", inTouch: id) { $0.pattern.metre = metre }
        if let spot = state.fingers[id].spot { showName(of: spot) }
    }
}
