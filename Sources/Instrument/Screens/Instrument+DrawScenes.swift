import InputEvents
import Display

// The scenes' columns: a bar for each scene and, below it, its four parts.

extension Instrument {
    /// Draws the scenes. Under the rules of the phone they are dark until one is filled or a finger touches them.
    func drawScenes(into frame: inout Frame, at now: Instant) {
        guard showsScenes else { return }
        let left = origin + Grid.sceneColumns.lowerBound
        frame.fill(columns: left..<left + 1, rows: 0..<frame.rows, .black)
        for slot in 0..<Scenes.count { drawScene(slot, into: &frame, at: now) }
        let mode = state.session.sceneMode
        for place in 0..<SceneLook.chainWidth(state.rules) {
            let column = SceneLook.column + origin + place
            frame[column, SceneLook.chainRow] = mode == .one ? SceneLook.noChain(state.rules) : SceneLook.chain
            switch mode {
            case .one: break
            case .chain where place % 2 == 1: break
            case .chain:
                frame.blend(column, SceneLook.chainRow + 1, towards: SceneLook.chain, SceneLook.chainOpacity)
            case .song: frame[column, SceneLook.chainRow + 1] = SceneLook.chain
            }
        }
    }

    /// Marks the last beat of the shown steps while a tune waits for the pattern's end: dashed, as the ring of the tune's cell in the
    /// guide, and whole if the tune begins with the next beat.
    func drawWaitingTune(into frame: inout Frame) {
        guard !state.tunes.isEmpty else { return }
        let steps = window.steps(of: pattern.length)
        for step in steps.suffix(pattern.metre.steps) where state.tunes.isForced || (steps.upperBound - step) % 2 == 1 {
            guard step != state.transport.playhead?.step else { continue }
            frame[origin + window.column(ofStep: step), 1] = Palette.warning
        }
    }

    private var showsScenes: Bool {
        if state.rules == .box || state.session.sceneMode != .one || !state.session.composition.scenes.isEmpty {
            return true
        }
        return state.fingers.contacts.contains { $0.role?.isOnScenes == true }
    }

    private func drawScene(_ slot: Int, into frame: inout Frame, at now: Instant) {
        let row = SceneLook.rows[slot]
        let scene = state.session.composition[scene: slot]
        for track in Track.allCases {
            drawPart(of: track, in: slot, isEmpty: scene?.isEmpty(track), into: &frame, row: row + 1, at: now)
        }
        drawSceneBar(
            of: slot, into: &frame, column: origin + SceneLook.column, row: row, width: SceneLook.width, at: now)
    }

    /// Draws the light of a scene's part: white while it plays, dim if it has no notes; blinking while it waits. `isEmpty` is
    /// nil in an empty scene.
    private func drawPart(
        of track: Track, in slot: Int, isEmpty: Bool?, into frame: inout Frame, row: Int, at now: Instant
    ) {
        let column = origin + SceneLook.column + track.rawValue
        let isBox = state.rules == .box
        if let part = holdProgress(of: track, in: slot, at: now) {
            frame[column, row] = .black.blended(towards: .white, part)
        } else if isBox, state.session.composition.scene(of: track) == slot {
            frame[column, row] = isEmpty == false ? .white : SceneLook.playedSilence
        } else if isBox, state.isPlaying, state.songPlay.coming(track, in: state.session.composition) == slot {
            frame[column, row] = SceneLook.isLit(at: now) ? SceneLook.waiting : SceneLook.dark(SceneLook.waiting)
        } else if isEmpty == true {
            frame[column, row] = SceneLook.noTrack
        } else if isEmpty == false {
            frame.blend(
                column, row, towards: Palette.track(track, state.session.colourMode),
                !isBox && state.scene == slot ? 1 : SceneLook.restingTrack)
        }
    }

    /// Draws the state of scene `slot`: a bar of `width` LEDs, or a single LED if it is empty.
    func drawSceneBar(of slot: Int, into frame: inout Frame, column: Int, row: Int, width: Int, at now: Instant) {
        func light(_ place: Int, _ colour: RGB) { frame[column + place, row] = colour }
        if let (part, hold) = holdProgress(of: slot, at: now) {
            let colour = hold == .copy ? RGB.white : SceneLook.destructive
            for place in 0..<width {
                light(place, Float(place) < Float(width) * part ? colour : SceneLook.dark(colour))
            }
        } else if !state.session.composition.scenes.isFilled(slot) {
            light(0, SceneLook.empty(state.rules))
        } else if state.scene == slot, state.songPlay.queuedScene != slot {
            // White up to the playhead.
            let done = state.transport.playhead.map { width * $0.step }
            for place in 0..<width {
                let isPast = done.map { place * state.session.composition.pattern.length <= $0 } ?? false
                light(place, isPast ? .white : SceneLook.played)
            }
        } else if state.songPlay.queuedScene == slot {
            let done = barPart
            for place in 0..<width {
                let isLeft = Float(place + 1) > Float(width) * done
                light(place, isLeft ? SceneLook.waiting : SceneLook.dark(SceneLook.waiting))
            }
        } else {
            for place in 0..<width { light(place, SceneLook.filled(state.rules)) }
        }
    }

    /// The lights of buttons outside the panel: of the scenes, and of the tracks, from the top.
    public var buttonLights: (scenes: [RGB], tracks: [RGB]) {
        let mode = state.session.colourMode
        let scenes = (0..<Scenes.count).map { slot in
            if !state.session.composition.scenes.isFilled(slot) { return RGB.black }
            if state.songPlay.queuedScene == slot { return SceneLook.waiting }
            return state.scene == slot ? .white : SceneLook.filled(state.rules)
        }
        let silent = state.silent
        let tracks = Track.allCases.map { track in
            silent.contains(track) ? SceneLook.dark(Palette.track(track, mode)) : Palette.track(track, mode)
        }
        return (scenes, tracks)
    }

    /// Elapsed part of the current bar, 0-1.
    private var barPart: Float {
        guard let step = state.transport.playhead?.step else { return 0 }
        let bar = pattern.metre.stepsOfBar
        let start = step - step % bar
        let end = min(start + bar, max(pattern.length, step + 1))
        return Float(step - start) / Float(end - start)
    }
}

/// Positions and colours of the scenes.
enum SceneLook {
    /// First column of a scene (sequencer columns) and its width: one LED per track.
    static let column = 40
    static let width = 4
    /// The row of each scene's bar; its tracks are below.
    static let rows = [2, 4, 7, 9, 12, 14, 17, 19]
    static let chainRow = 22

    // Three times the luminance of the background and more, under the rules of the box.
    static func empty(_ rules: Rules) -> RGB { RGB(rules == .box ? 0x626262 : 0x383838) }
    /// Under the rules of the box TAKE is beside the chain.
    static func chainWidth(_ rules: Rules) -> Int { rules == .box ? 1 : width }
    static func filled(_ rules: Rules) -> RGB { RGB(rules == .box ? 0x6a6a6a : 0x5a5a5a) }
    static func noChain(_ rules: Rules) -> RGB { RGB(rules == .box ? 0x626262 : 0x2a2a2a) }
    static let played = RGB(0x8a8a8a)
    static let waiting = RGB(0xffaa00)
    static let destructive = RGB(0xff2828)
    static let chain = RGB(0x9b5cff)
    /// A part that plays and has no notes.
    static let playedSilence = RGB(0x626262)
    /// An empty track of a filled scene.
    static let noTrack = RGB(0x141414)
    /// Opacity of a track in a scene that is not current.
    static let restingTrack: Float = 0.38
    static let chainOpacity: Float = 0.6

    /// Whether the lights of parts that wait are lit: twice a second.
    static func isLit(at now: Instant) -> Bool { now.microseconds / 250_000 % 2 == 0 }

    /// The unlit part of a bar.
    static func dark(_ colour: RGB) -> RGB { RGB.black.blended(towards: colour, 0.25) }
}
