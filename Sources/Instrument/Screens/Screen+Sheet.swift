import Display
import InputEvents

// The sheet of a screen, of whichever type that is. Embedded Swift has no values of a protocol's type, so each use of a
// sheet is a generic function, and one switch has the sheets' types.

/// A use of a sheet, which may change it.
private protocol SheetUse {
    associatedtype Value
    func use(_ sheet: inout some Sheet) -> Value
}

extension Instrument.Screen {
    /// The result of `use`, and the screen after it; nil for the grid and the guide, which use the whole panel.
    private func using<Use: SheetUse>(_ use: Use) -> (value: Use.Value, screen: Instrument.Screen)? {
        func result(_ sheet: some Sheet) -> (value: Use.Value, screen: Instrument.Screen) {
            var sheet = sheet
            let value = use.use(&sheet)
            return (value, sheet.screen)
        }
        switch self {
        case .grid, .guide: return nil
        case .sound(let sheet): return result(sheet)
        case .presets(let sheet): return result(sheet)
        case .kit(let sheet): return result(sheet)
        case .samples(let sheet): return result(sheet)
        case .lanes(let sheet): return result(sheet)
        case .track(let sheet): return result(sheet)
        case .song(let sheet): return result(sheet)
        case .take(let sheet): return result(sheet)
        case .sync: return result(SyncSheet())
        case .scale: return result(ScaleSheet())
        case .settings: return result(SettingsSheet(.first))
        case .moreSettings: return result(SettingsSheet(.second))
        case .about(let sheet): return result(sheet)
        case .lights(let sheet): return result(sheet)
        case .picture(let sheet): return result(sheet)
        case .power: return result(PowerSheet())
        case .letters(let sheet): return result(sheet)
        }
    }

    /// The parts of a sheet that do not depend on a position.
    struct SheetLook {
        /// The title in the header; nil if the sheet draws its own header.
        let title: TextLine?
        /// Whether it has the header that is common to sheets.
        let hasHeader: Bool
        /// The screen behind the back button.
        let parent: Instrument.Screen
        /// The spots at the top right and of the title.
        let corner: Spot?, header: Spot?
    }

    private struct Look: SheetUse {
        func use(_ sheet: inout some Sheet) -> SheetLook {
            SheetLook(
                title: sheet.title, hasHeader: sheet.hasHeader, parent: sheet.parent, corner: sheet.corner,
                header: sheet.header)
        }
    }

    /// The look of its sheet; nil for the grid and the guide.
    var sheetLook: SheetLook? { using(Look())?.value }

    private struct SpotAt: SheetUse {
        let position: Position
        func use(_ sheet: inout some Sheet) -> Spot? { sheet.spot(at: position) }
    }

    /// The spot of its sheet at `position`, below the header.
    func sheetSpot(at position: Position) -> Spot? { using(SpotAt(position: position))?.value }

    private struct Name: SheetUse {
        let spot: Spot
        let state: Instrument.State
        func use(_ sheet: inout some Sheet) -> TextLine? { sheet.name(of: spot, state) }
    }

    /// The text of its sheet for the touched `spot`; nil for none.
    func sheetName(of spot: Spot, _ state: Instrument.State) -> TextLine? {
        using(Name(spot: spot, state: state))?.value
    }

    private struct Touching: SheetUse {
        let touch: SpotTouch
        func use(_ sheet: inout some Sheet) -> [ScreenAct] {
            var acts: [ScreenAct] = []
            sheet.handle(touch, into: &acts)
            return acts
        }
    }

    /// Passes one action of a finger to its sheet; returns the sheet's requests.
    mutating func touch(_ touch: SpotTouch) -> [ScreenAct] {
        guard let (acts, screen) = using(Touching(touch: touch)) else { return [] }
        self = screen
        return acts
    }

    private struct Limiting: SheetUse {
        let state: Instrument.State
        func use(_ sheet: inout some Sheet) { sheet.limit(to: state) }
    }

    /// Limits its sheet to what `state` has.
    mutating func limit(to state: Instrument.State) {
        if let (_, screen) = using(Limiting(state: state)) { self = screen }
    }
}

extension Instrument {
    /// Draws the screen's sheet with its header.
    func drawSheet(into frame: inout Frame, at now: Instant) {
        // Without `SheetUse`, which would hold a second reference to the frame and copy it.
        switch state.view.screen {
        case .grid, .guide: break
        case .sound(let sheet): draw(sheet, into: &frame, at: now)
        case .presets(let sheet): draw(sheet, into: &frame, at: now)
        case .kit(let sheet): draw(sheet, into: &frame, at: now)
        case .samples(let sheet): draw(sheet, into: &frame, at: now)
        case .lanes(let sheet): draw(sheet, into: &frame, at: now)
        case .track(let sheet): draw(sheet, into: &frame, at: now)
        case .song(let sheet): draw(sheet, into: &frame, at: now)
        case .take(let sheet): draw(sheet, into: &frame, at: now)
        case .sync: draw(SyncSheet(), into: &frame, at: now)
        case .scale: draw(ScaleSheet(), into: &frame, at: now)
        case .settings: draw(SettingsSheet(.first), into: &frame, at: now)
        case .moreSettings: draw(SettingsSheet(.second), into: &frame, at: now)
        case .about(let sheet): draw(sheet, into: &frame, at: now)
        case .lights(let sheet): draw(sheet, into: &frame, at: now)
        case .picture(let sheet): draw(sheet, into: &frame, at: now)
        case .power: draw(PowerSheet(), into: &frame, at: now)
        case .letters(let sheet): draw(sheet, into: &frame, at: now)
        }
    }

    private func draw(_ sheet: some Sheet, into frame: inout Frame, at now: Instant) {
        frame.fill(columns: origin..<columns, rows: 0..<frame.rows, .black)
        sheet.draw(self, into: &frame, origin: origin, at: now)
        if sheet.hasHeader { drawHeader(of: sheet, into: &frame, at: now) }
    }
}
