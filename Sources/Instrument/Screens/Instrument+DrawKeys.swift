import Display
import InputEvents

// KEYS and FX (docs/spec.md, sections 15 and 16).

extension Instrument {
    /// Draws the keys of the chosen track, and what stands beside and below them.
    func drawKeys(into frame: inout Frame, at now: Instant) {
        let (keys, mode) = (state.view.keys, state.session.colourMode)
        for track in Track.allCases {
            let alpha: Float = track == keys.track ? 1 : Opacity.otherKeys
            let colour = Palette.background.blended(towards: Palette.track(track, mode), alpha)
            frame.fill(columns: origin + 2..<origin + 4, rows: track.rows, colour)
        }
        let (columns, rows) = (KeyMap.columns, KeyMap.rows)
        frame.fill(columns: origin + columns.lowerBound..<origin + columns.upperBound, rows: rows, .black)
        let map = keyMap
        let isSilent = state.silent.contains(map.track)
        let (width, height) = map.size
        for place in map.places {
            map.forEachKey(at: place) { column, row in
                drawKey(map, place, column, row, width, height, isSilent: isSilent, into: &frame, at: now)
            }
        }
        drawKeySpots(into: &frame, at: now)
    }

    /// Draws the key at `place`, whose top left LED is at `column` and `row`. The rows rise in brightness as a finger's
    /// landing there does in loudness.
    private func drawKey(
        _ map: KeyMap, _ place: Int, _ column: Int, _ row: Int, _ width: Int, _ height: Int, isSilent: Bool,
        into frame: inout Frame, at now: Instant
    ) {
        let note = map.note(at: place)
        let mode = state.session.colourMode
        let isRoot = map.track != .rhythm && Pattern.pitchClass(of: note) == pattern.tonality.root
        let isInScale = map.track == .rhythm || pattern.tonality.contains(note)
        let isDown = state.recording.isPanelKeyHeld(note, on: map.track)
        let glow = isDown ? 1 : begins(note, on: map.track) && !isSilent ? pulse(of: map.track, at: now) : 0
        let colour = Palette.note(note, mode)
        for line in 0..<height {
            let rise = 1 - Float(line) / Float(height - 1)
            var alpha: Float = isRoot ? 1 : isInScale ? 0.16 + 0.3 * rise : 0.09
            if isSilent { alpha *= Opacity.silentNote }
            let shade = RGB.black.blended(towards: colour, alpha).blended(towards: .white, glow)
            frame.fill(columns: origin + column..<origin + column + width, rows: row + line..<row + line + 1, shade)
        }
    }

    /// Whether `note` of `track` begins at its audible step.
    private func begins(_ note: Int, on track: Track) -> Bool {
        guard let step = state.playhead(of: track)?.step else { return false }
        return pattern[track, note: note, step: step].isStart
    }

    /// Draws the lights below the keys.
    private func drawKeySpots(into frame: inout Frame, at now: Instant) {
        let rows = Grid.overviewRows
        frame.fill(columns: origin + KeyMap.columns.lowerBound..<columns, rows: rows, .black)
        for (spot, columns) in KeySpots.all {
            let (colour, isOn): (RGB, Bool) =
                switch spot {
                case .holdKeys: (Palette.go(state.session.colourMode), state.view.keys.isHolding)
                case .record: (Palette.danger, state.recording.isOn)
                default: (Palette.text, keyMap.isChromatic && keyMap.track != .rhythm)
                }
            var shade = RGB.black.blended(towards: colour, isOn ? 1 : Opacity.keySpot)
            if spot == .record, isOn { shade = .black.blended(towards: colour, recordLight(at: now)) }
            if isTouched(spot) { shade = .white }
            frame.fill(columns: origin + columns.lowerBound..<origin + columns.upperBound + 1, rows: rows, shade)
        }
    }

    // MARK: FX

    /// Draws the zones of the effects over the steps: the column of a finger is lit up to its height.
    func drawFX(into frame: inout Frame) {
        let steps = Grid.stepColumns
        let rows = FXZone.rows
        frame.fill(columns: origin + steps.lowerBound..<origin + steps.upperBound, rows: rows, .black)
        for fx in FX.allCases {
            let (zone, play) = (FXZone(fx: fx), state.fx[fx])
            let colour = Palette.fx(fx)
            let column = play.map { $0.x * FXZone.width / 1001 }
            let height = play.map { max(1, ($0.y * FXZone.height + 999) / 1000) } ?? 0
            for (place, x) in zone.columns.enumerated() {
                for (line, y) in zone.rows.enumerated() {
                    let isUnder = FXZone.height - line <= height
                    // A dark row between the zones.
                    let isEdge = line == FXZone.height - 1 && fx.rawValue < FXZone.ofRow
                    var alpha: Float = isEdge ? 0 : 0.12
                    if play != nil { alpha = place == column && isUnder ? 1 : isUnder ? 0.45 : 0.2 }
                    frame[origin + x, y] = .black.blended(towards: colour, alpha)
                }
            }
            if play == nil {
                Self.fxIcons[fx.rawValue].draw(
                    into: &frame, column: origin + zone.columns.lowerBound, row: zone.rows.lowerBound + 2,
                    colour: colour)
            }
        }
    }

    /// In the order of the effects.
    private static let fxIcons = [
        Icon("#.#.#.#. #.#.#.#. #.#.#.#. #.#.#.#. #.#.#.#."),
        Icon("###..... ...#.... ....#... .....#.. ......##"),
        Icon("......## ....##.. ....##.. ..##.... ##......"),
        Icon("###..### #.#..#.# #.#..#.# #.#..#.# #.####.#"),
        Icon("..#..... .##..... ######## .##..... ..#....."),
        Icon(".##..##. #..##..# #..##..# .##..##. .######."),
        Icon("#....... #..#.... #..#..o. #..#..o. #..#..o."),
        Icon(".......# .....### ...##### .####### ########"),
    ]
}
