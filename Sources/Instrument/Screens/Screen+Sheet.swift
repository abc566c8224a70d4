import Display
import InputEvents

// The sheet of a screen, of whichever type that is. Embedded Swift has no values of a protocol's type, so each use of a
// sheet is a generic function, and one switch has the sheets' types.

/// A use of a sheet, which may change it, beside the state of the instrument.
private protocol SheetUse {
    associatedtype Value
    func use(_ sheet: inout some Sheet, _ state: Instrument.State) -> Value
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
    func use(_ sheet: inout some Sheet, _ state: Instrument.State) -> SheetLook {
        SheetLook(
            title: sheet.title, hasHeader: sheet.hasHeader, parent: sheet.parent, corner: sheet.corner,
            header: sheet.header)
    }
}

private struct SpotAt: SheetUse {
    let position: Position

    func use(_ sheet: inout some Sheet, _ state: Instrument.State) -> Spot? { sheet.spot(at: position) }
}

private struct Name: SheetUse {
    let spot: Spot

    func use(_ sheet: inout some Sheet, _ state: Instrument.State) -> TextLine? { sheet.name(of: spot, state) }
}

private struct Touching: SheetUse {
    let touch: SpotTouch

    func use(_ sheet: inout some Sheet, _ state: Instrument.State) -> [ScreenAct] {
        var acts: [ScreenAct] = []
        sheet.handle(touch, into: &acts)
        sheet.limit(to: state)
        return acts
    }
}

private struct Limiting: SheetUse {
    func use(_ sheet: inout some Sheet, _ state: Instrument.State) { sheet.limit(to: state) }
}

extension Instrument {
    /// The result of `use` of the screen's sheet, and the screen after it; nil for the grid and the guide, which use
    /// the whole panel.
    private func using<Use: SheetUse>(_ use: Use) -> (value: Use.Value, screen: Screen)? {
        func result(_ sheet: some Sheet) -> (value: Use.Value, screen: Screen) {
            var sheet = sheet
            let value = use.use(&sheet, state)
            return (value, sheet.screen)
        }
        switch state.view.screen {
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
        case .metre: return result(MetreSheet())
        case .settings: return result(SettingsSheet(.first))
        case .moreSettings: return result(SettingsSheet(.second))
        case .about(let sheet): return result(sheet)
        case .lights(let sheet): return result(sheet)
        case .picture(let sheet): return result(sheet)
        case .power: return result(PowerSheet())
        case .letters(let sheet): return result(sheet)
        }
    }

    /// The look of the screen's sheet; nil for the grid and the guide.
    var sheetLook: SheetLook? { using(Look())?.value }

    /// The sheet's spot at `position`, whatever its header has there; nil for none.
    func spotOfSheet(at position: Position) -> Spot? { using(SpotAt(position: position))?.value }

    /// The sheet's text for the touched `spot`; nil for none.
    func sheetName(of spot: Spot) -> TextLine? { using(Name(spot: spot))?.value }

    /// Passes one action of a finger to the sheet; returns the sheet's requests.
    mutating func passToSheet(_ touch: SpotTouch) -> [ScreenAct] {
        guard let (acts, screen) = using(Touching(touch: touch)) else { return [] }
        state.view.screen = screen
        return acts
    }

    /// Limits the sheet to what the state has.
    mutating func limitScreen() {
        if let (_, screen) = using(Limiting()) { state.view.screen = screen }
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
        case .metre: draw(MetreSheet(), into: &frame, at: now)
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
