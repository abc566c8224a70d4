import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// Random gestures of one to ten fingers, in every scale and root. No two touches are a double tap, a pair of swipes or
/// a shake.
@Suite("Whatever ten fingers do")
struct PropertyTests {
    /// One finger of a round.
    private struct Finger {
        let contact: Int
        let track: Track
        let start: (column: Int, row: Int)
        let end: (column: Int, row: Int)
        /// Times of landing, moving and lifting, in milliseconds from the round's start.
        let down: Int64
        let move: Int64
        let up: Int64

        /// Whether it is held before it drags.
        var isHeld: Bool { move - down >= 400 }

        /// A finger on any step of any track that stays, or drags after a while.
        init(contact: Int, _ random: inout SplitMix) {
            self.contact = contact
            track = Track.allCases.randomElement(using: &random) ?? .melody
            start = (Int.random(in: 4...38, using: &random), Int.random(in: track.rows, using: &random))
            let isStill = Int.random(in: 0..<4, using: &random) == 0
            // Also beyond the track and the pattern.
            let across = Int.random(in: 0..<3, using: &random) == 0 ? 0 : Int.random(in: -14...14, using: &random)
            end = isStill ? start : (start.column + across, start.row + Int.random(in: -7...7, using: &random))
            down = Int64.random(in: 0...400, using: &random)
            // Slower than a swipe, sometimes after a hold.
            move = down + Int64.random(in: 100...600, using: &random)
            up = move + Int64.random(in: 260...700, using: &random)
        }
    }

    /// A player of a pattern with a few steps and pages of its own, in `tonality`.
    private func player(_ tonality: Tonality, _ random: inout SplitMix) -> Player {
        var player = Player()
        player.instrument.state.session.composition.pattern.tonality = tonality
        player.instrument.state.session.composition.pattern.length = 4 * Int.random(in: 2...8, using: &random)
        player.instrument.state.session.pages = Track.allCases.map { track in
            track == .rhythm
                ? Int.random(in: 0...2, using: &random)
                : Int.random(in: PageMap.offsets(of: track, tonality), using: &random)
        }
        return player
    }

    @Test("notes stay in the scale, other cells stay as they are, and undo gives back the pattern before")
    func gestures() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        var count = 0
        var round = 0
        while count < 10_000 {
            let tonality = Tonality(root: round % 12, scale: Scale.named[round / 12 % Scale.named.count])
            var player = player(tonality, &random)
            // Four rounds on one pattern: later gestures meet the notes of earlier ones.
            for _ in 0..<4 {
                let fingers = (0..<Int.random(in: 1...10, using: &random)).map { Finger(contact: $0, &random) }
                if let problem = play(fingers, &player) {
                    Issue.record("seed \(seed), gesture \(count), \(tonality): \(problem)")
                    return
                }
                count += fingers.count
            }
            round += 1
        }
    }

    /// Plays `fingers`, and checks each event. Returns a problem; nil for none.
    private func play(_ fingers: [Finger], _ player: inout Player) -> String? {
        let first = player.pattern
        let start = player.now
        let steps = player.instrument.state.session.history.past.count
        // The groups that have changed something, in the order of their steps of the history.
        var groups: [Int] = []
        let events = fingers.flatMap { [($0.down, 0, $0), ($0.move, 1, $0), ($0.up, 2, $0)] }
            .sorted { ($0.0, $0.1, $0.2.contact) < ($1.0, $1.1, $1.2.contact) }
        for (time, phase, finger) in events {
            player.wait(time - (player.now - start).microseconds / 1000)
            let before = player
            let place = phase == 0 ? finger.start : finger.end
            player.finger([.down, .move, .up][phase], Float(place.column), Float(place.row), contact: finger.contact)
            let group = before.instrument.state.fingers[finger.contact].group
            let past = player.instrument.state.session.history.past.count
            if player.pattern == before.pattern {
                // Others may have written what the group's step wrote: it changes nothing any more, and this finger
                // removes it.
                if past < before.instrument.state.session.history.past.count {
                    guard groups.popLast() == group else { return "\(finger): a step of others is gone" }
                }
                continue
            }
            guard phase == 2 else { return "the pattern changed before \(finger) lifted" }
            if let problem = check(finger, before.pattern, player.pattern) { return problem }
            if player.pattern == before.instrument.state.session.history.past.last?.composition.pattern,
                groups.last == group
            {
                // The group's fingers together have changed nothing: they have no step.
                groups.removeLast()
                continue
            }
            let isNew = !groups.contains(group)
            if isNew { groups.append(group) }
            if past != before.instrument.state.session.history.past.count + (isNew ? 1 : 0), past < History.levels {
                return "\(finger): \(past) steps of history"
            }
            var undone = player
            undone.send(.key(.undo))
            if isNew, undone.pattern != before.pattern { return "\(finger): undo gives another pattern" }
            let history = player.instrument.state.session.history.past
            if let place = groups.firstIndex(of: group), steps + place + 1 < history.count {
                // Undoing what others did since its group began keeps what it wrote.
                let kept = history[steps + place + 1].composition.pattern
                if let problem = checkKept(finger.track, before.pattern, player.pattern, kept) {
                    return "\(finger): \(problem)"
                }
            }
        }
        return checkUndo(of: groups.count, since: steps, to: first, player) ?? pause(&player)
    }

    /// Checks that the notes written between `before` and `after` are in `kept`.
    private func checkKept(_ track: Track, _ before: Pattern, _ after: Pattern, _ kept: Pattern) -> String? {
        for note in track.notes {
            for step in 0..<Pattern.steps {
                let new = after[track, note: note, step: step]
                if new == .empty || new == before[track, note: note, step: step] { continue }
                if kept[track, note: note, step: step] == .empty { return "undo of others' steps lost note \(note)" }
            }
        }
        return nil
    }

    /// Lets enough time pass for no pair with the next round.
    private func pause(_ player: inout Player) -> String? {
        player.wait(1000)
        return nil
    }

    /// Undoes at most `count` steps to `first`, and redoes them. Undo passes over a step that another finger has
    /// overwritten since, because it changes nothing any more.
    private func checkUndo(of count: Int, since steps: Int, to first: Pattern, _ player: Player) -> String? {
        guard steps + count <= History.levels else { return nil }
        var undone = player
        var undos = 0
        while undone.pattern != first, undos < count {
            undone.send(.key(.undo))
            undos += 1
        }
        if undone.pattern != first { return "undoing \(count) steps gives another pattern" }
        for _ in 0..<undos { undone.send(.key(.redo)) }
        return undone.pattern == player.pattern ? nil : "redoing \(undos) steps gives another pattern"
    }

    /// Checks what `finger` changed.
    private func check(_ finger: Finger, _ before: Pattern, _ after: Pattern) -> String? {
        let track = finger.track
        let length = before.length
        let columns = [finger.start.column, finger.end.column].map { Swift.min(Swift.max($0, 4), 38) }
        let touched = columns.compactMap { Grid.step(atColumn: $0) }.map { Swift.min($0, length - 1) }
        let range = (touched.min() ?? 0)...(touched.max() ?? 0)
        for other in Track.allCases {
            for note in other.notes where before.cells(other, note: note) != after.cells(other, note: note) {
                if other != track { return "\(finger) changed \(other)" }
                for step in 0..<Pattern.steps {
                    let (old, new) = (before[track, note: note, step: step], after[track, note: note, step: step])
                    if old == new { continue }
                    if step >= length { return "\(finger) changed the hidden step \(step)" }
                    if track != .rhythm, new != .empty, !before.tonality.contains(note) {
                        return "\(finger) wrote note \(note) outside the scale"
                    }
                    if range.contains(step) { continue }
                    // Beyond the steps that it touched: the rest of a note that it removed, ended or accented, or the
                    // echo.
                    let isRest = new == .empty && isJoined(before, track, note, step, to: range)
                    let isHead = old != .empty && isJoined(before, track, note, step, to: range)
                    let isEcho = track == .rhythm && step == range.lowerBound + 2 && new == .normal && old == .empty
                    // What a moved note ends, and where it ends itself, the independent reader says
                    // (Tests/System/Gestures).
                    if !isRest, !isHead, !isEcho, !finger.isHeld {
                        return "\(finger) changed step \(step) of note \(note)"
                    }
                }
            }
        }
        return nil
    }

    /// Whether a held note of `pattern` joins `step` with one of `range`, or with the step before it.
    private func isJoined(_ pattern: Pattern, _ track: Track, _ note: Int, _ step: Int, to range: ClosedRange<Int>)
        -> Bool
    {
        guard let run = pattern.run(track, note: note, step: step, in: pattern.length) else { return false }
        return (0..<run.count).contains { range.contains((run.start + $0) % pattern.length) }
    }

    /// The screens, as they open.
    private static let everyScreen: [Instrument.Screen] =
        [
            .grid, .kit(KitSheet(pad: 0)), .samples(SampleSheet(for: 3)), .song(SongSheet(showing: nil)),
            .take(TakeSheet()), .sync, .scale, .settings, .moreSettings, .about(AboutSheet(Instant(milliseconds: 0))),
            .about(AboutSheet(Instant(milliseconds: 0), .accessPoint)),
            .lights(LightSheet()), .picture(PictureSheet(of: 0)), .power, .guide,
            .letters(LetterSheet(pattern: 1, name: "TUNE")),
        ]
        + Track.allCases.flatMap { track -> [Instrument.Screen] in
            [
                .sound(SoundSheet(of: track)), .presets(PresetSheet(of: track)), .lanes(LanesSheet(of: track)),
                .lanes(.notes(of: track)), .lanes(.notes(of: track, 3)), .track(TrackSheet(of: track)),
            ]
        }

    @Test("on every screen they never trap, and undo and redo give back the song", arguments: everyScreen)
    func fingers(on screen: Instrument.Screen) {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for round in 0..<40 {
            var player = Player.withSong([100, 110, 0, 120], [(0, 1), (1, 7), (3, 8), (2, 1), (1, 2)], mode: .chain)
            player.send(.key(.playStop))
            for beat in 0..<8 as Range<UInt64> {
                player.send(
                    .beat(
                        HeardBeat(
                            begin: beat * 24_000, end: (beat + 1) * 24_000, peak: 9000, endsBar: beat % 4 == 3,
                            oldest: 0)))
            }
            player.show(screen)
            var places = (0..<10).map { _ in place(&random) }
            for event in 0..<500 {
                player.wait(Int64.random(in: 0...60, using: &random))
                // Most of the time on this screen: fingers leave it by its buttons.
                if event % 50 == 0 { player.show(screen) }
                if Int.random(in: 0..<15, using: &random) == 0 {
                    player.send(other(player, &random))
                    continue
                }
                if event % 7 == 0, player.instrument.state.isPlaying {
                    player.send(.step(event / 7 % 32, number: event / 7 % 32))
                }
                let finger = Int.random(in: 0..<10, using: &random)
                let phase = [Touch.Phase.down, .move, .move, .move, .up, .cancel].randomElement(using: &random) ?? .up
                if phase == .move {
                    places[finger].column += Float.random(in: -5...5, using: &random)
                    places[finger].row += Float.random(in: -5...5, using: &random)
                } else if phase == .down {
                    places[finger] = place(&random)
                }
                player.finger(phase, places[finger].column, places[finger].row, contact: finger)
            }
            _ = player.frame()
            let problem = problem(of: player)
            #expect(problem == nil, "seed \(seed), round \(round)")
        }
    }

    /// Something that happens while fingers are down, besides them.
    private func other(_ player: Player, _ random: inout SplitMix) -> Instrument.Event {
        let track = Track.allCases.randomElement(using: &random) ?? .melody
        let number = Int.random(in: 0..<8, using: &random)
        let isOn = Bool.random(using: &random)
        let choice: [Instrument.Event] = [
            .key(.undo), .key(.redo), .key(.playStop), .key(Key.allCases.randomElement(using: &random) ?? .undo),
            .type("A"), .lock(isOn), .lock(false), .record(isOn), .rules(isOn ? .box : .phone), .rules(.box),
            .remote(.scene(number)), .remote(.tempo(Tempo(60 + 20 * number))), .remote(.mute(track, isOn)),
            .remote(.solo(track, isOn)), .turn(.tempo, by: number - 4), .turn(.length, by: number - 4),
            .midi(.noteOn(channel: number, key: 40 + 5 * number, velocity: 90)),
            .midi(.noteOff(channel: number, key: 40 + 5 * number)), .midi(.start), .midi(.stop), .midi(.clock),
            .sceneBegan(player.instrument.state.upcomingScene?.slot ?? 0),
            .trackStep(track, step: number, place: 12 * number, sounds: isOn),
            .sound(SoundControl.allCases.randomElement(using: &random) ?? .allCases[0], number),
            .samples(isOn ? [soundName("KICK"), soundName("SNARE")] : []), .sampleFailed(soundName("KICK")),
            .dropped(SliceKit(soundName("KICK"), [0..<100_000, 100_000..<1_000_000]), column: 10, row: 20),
            .lights(isOn ? [LightSource(number: 0, name: "GRID", takesTouches: true)] : []), .notice(.tookTake(number)),
            .opened(Session()), .listings, .power, .stick(isThere: isOn), .tunings([]), .sounds([]),
            .sync(.source(isOn ? .midi : .internal)), .quantise(50),
        ]
        return choice.randomElement(using: &random) ?? .tick
    }

    private func place(_ random: inout SplitMix) -> (column: Float, row: Float) {
        (Float.random(in: 0..<44, using: &random), Float.random(in: 0..<24, using: &random))
    }

    /// What is wrong with the music of `player`; nil if it is whole, and undo and redo give back the song.
    private func problem(of player: Player) -> String? {
        let music = player.instrument.state.session.composition
        let count = player.instrument.state.session.history.past.count
        if count > History.levels { return "\(count) undo steps" }
        if !Tempo.range.contains(music.pattern.tempo) { return "\(music.pattern.tempo) BPM" }
        if !Pattern.lengths.contains(music.pattern.length) { return "\(music.pattern.length) steps" }
        for pattern in music.scenes.patterns(playing: music.own) + [music.own] {
            let rows = Track.allCases.reduce(0) { $0 + (pattern?.lanes.rows(of: $1).count ?? 0) }
            if rows > Lanes.rowsMax { return "\(rows) rows of notes" }
        }
        if music.song.entries.count > Song.entriesMax { return "\(music.song.entries.count) entries" }
        var undone = player
        undone.send(.lock(false))
        var steps = 0
        while !undone.instrument.state.session.history.past.isEmpty, steps <= History.levels {
            undone.send(.key(.undo))
            steps += 1
        }
        while !undone.instrument.state.session.history.future.isEmpty, steps <= 3 * History.levels {
            undone.send(.key(.redo))
            steps += 1
        }
        // The player stays in the scene that plays, so a pattern outside any scene may be left behind. The song is not.
        let redone = undone.instrument.state.session.composition.song
        guard player.instrument.state.session.history.future.isEmpty, redone != music.song else { return nil }
        return "redo gives \(redone), not \(music.song)"
    }
}
