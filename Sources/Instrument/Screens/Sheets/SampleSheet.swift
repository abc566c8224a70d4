import InputEvents
import Display

/// The list for a pad: its drum, and the samples of the library. A drag scrolls it, a tap chooses and sounds. The
/// buttons on the right cut the chosen sample into slices, where sounds begin in it or, held, into equal steps, and
/// remove it from the library.
public struct SampleSheet: Sheet, Hashable, Sendable {
    /// The pad, the number of its drum.
    let pad: Int
    /// The list of the names.
    private(set) var list = NameList()

    /// The list for `pad`.
    init(for pad: Int) { self.pad = pad }

    private static let titleLine = TextLine("SAMPLES")
    private static let recipe = SoundName("RECIPE")
    private static let (sliceName, removeName) = (TextLine("SLICE"), TextLine("REMOVE"))
    private static let sliceIcon = Icon("#.# #.# #.#")
    /// The equal steps of a held cut: a bar of four quarter notes.
    private static let steps = Metre().stepsOfBar
    private static let (nameColumn, buttonColumn) = (7, Float(39.5))
    private static let (removeRow, endRow): (Float, Float) = (11.5, 17.5)

    var screen: Instrument.Screen { .samples(self) }
    var title: TextLine? { Self.titleLine }
    var accent: RGB { Menu.Item.sound.colour }
    var parent: Instrument.Screen { .kit(KitSheet(pad: pad)) }

    mutating func limit(to state: Instrument.State) {
        list.limit(count: state.samples.names.count + 1, chosen: chosen(state))
    }

    /// The place of what the pad plays; nil for a sample that is not in the list.
    private func chosen(_ state: Instrument.State) -> Int? {
        guard let name = state.session.sound[sampleOf: pad] else { return 0 }
        return state.samples.names.firstIndex(of: name).map { $0 + 1 }
    }

    func spot(at position: Position) -> Spot? {
        guard position.column >= Self.buttonColumn else { return .line(NameList.line(atRow: position.row)) }
        if position.row < Self.removeRow { return .slice }
        return position.row < Self.endRow ? .removeSample : nil
    }

    func name(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        guard state.session.sound[sampleOf: pad] != nil else { return nil }
        return spot == .slice ? Self.sliceName : spot == .removeSample ? Self.removeName : nil
    }

    mutating func handle(_ touch: SpotTouch, into acts: inout [ScreenAct]) {
        switch (touch.spot, touch.phase) {
        case (.line(let line), _):
            if let place = list.handle(touch, line: line) { acts.append(.chooseSample(pad, place: place)) }
        case (.slice, .down): acts.append(.awaitHold(Limits.takeHold))
        case (.slice, .up(isOver: true)): acts.append(.sliceSample(pad, .onsets))
        case (.slice, .hold):
            acts.append(.dropFinger)
            acts.append(.sliceSample(pad, .steps(Self.steps)))
        case (.removeSample, .down): acts.append(.awaitHold(RemoveButton.hold))
        case (.removeSample, .hold):
            acts.append(.dropFinger)
            acts.append(.removeSample(pad))
        default: return
        }
    }

    func draw(_ instrument: Instrument, into frame: inout Frame, origin: Int, at now: Instant) {
        let state = instrument.state
        let (chosen, colour) = (chosen(state), Palette.note(pad, state.session.colourMode))
        frame.fill(columns: origin..<origin + 3, rows: 8..<11, colour)
        list.forEachVisible(of: state.samples.names.count + 1, instrument) { place, row, isTouched in
            guard let name = place == 0 ? Self.recipe : state.samples.names[place - 1] else { return }
            NameList.draw(
                name, into: &frame, column: origin + Self.nameColumn, row: row, isLit: place == chosen || isTouched,
                isChosen: place == chosen, line: colour)
        }
        let hasSample = state.session.sound[sampleOf: pad] != nil
        let ink = instrument.isTouched(.slice) ? RGB.white : hasSample ? Palette.text : Palette.off
        Self.sliceIcon.draw(into: &frame, column: origin + 41, row: 8, colour: ink)
        RemoveButton.draw(
            .removeSample, isAvailable: hasSample, instrument, into: &frame,
            column: origin + 40, row: 12, at: now)
    }
}
