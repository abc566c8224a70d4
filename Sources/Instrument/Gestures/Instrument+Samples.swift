import InputEvents

// The samples of the pads: the library has them, and the engine needs those that the pads play.

extension Instrument {
    /// Adds a loaded sample; the pad that waits for it sounds.
    mutating func add(_ sample: LoadedSample) {
        if let pad = state.samples.add(sample, state.session.sound, &effects) { hear(pad: pad) }
    }

    /// A sample cannot be loaded; its pads play their drums.
    mutating func giveUp(_ name: SoundName) {
        state.samples.giveUp()
        if state.session.sound.plays(name) { showTooltip("NO \(name.text)") }
    }

    /// Takes over the names of the library's samples. What was absent may be among them.
    mutating func list(_ names: [SoundName]) {
        state.samples.list(names)
        if case .samples = state.view.screen { limitScreen() }
    }

    /// Sounds a pad now.
    mutating func hear(pad: Int) {
        effects.append(.audition([Effect.Note(track: .rhythm, note: pad, velocity: 1, steps: 4)]))
    }

    /// Handles a file that was dropped on the panel: on a pad it is the pad's sample, elsewhere its slices are the kit.
    /// A sample that cannot be cut is in the list of samples.
    mutating func drop(_ kit: SliceKit, on position: Position) {
        if case .kit(let sheet) = state.view.screen, case .pad(let pad)? = sheet.spot(at: position) {
            show(.kit(KitSheet(pad: pad)))
            chooseSample(pad, name: kit.sample, contact: nil)
        } else if kit.slices.count > 1, !isFrozen {
            choose(kit)
        }
        showTooltip(kit.sample.text)
    }

    /// Gives `pad` what is at `place` of its list, the first of which is the drum; it sounds.
    mutating func chooseSample(_ pad: Int, place: Int, contact id: Int?) {
        guard (0...state.samples.names.count).contains(place) else { return }
        chooseSample(pad, name: place == 0 ? nil : state.samples.names[place - 1], contact: id)
    }

    private mutating func chooseSample(_ pad: Int, name: SoundName?, contact id: Int?) {
        if name != state.session.sound[sampleOf: pad] {
            changeSound("PAD", inTouch: id) {
                for control in PadControl.allCases where control.isOfSample {
                    $0[.pad(pad, control)] = control.defaultValue
                }
                $0[sampleOf: pad] = name
            }
        }
        if state.samples.awaitSample(of: pad, state.session.sound) { hear(pad: pad) }
    }

    /// Removes the sample of `pad` from the library. The pad plays its drum.
    mutating func removeSample(of pad: Int) {
        guard let name = state.session.sound[sampleOf: pad], !isRefused() else { return }
        changeSound("PAD", inTouch: nil) {
            for pad in Track.rhythm.notes where $0[sampleOf: pad] == name { $0[sampleOf: pad] = nil }
        }
        effects.append(.job(.removeSample(name)))
    }

    /// Cuts what was heard into slices: at most `bars` bars up to the one that is `back` bars before the last.
    mutating func slice(bars: Int, back: Int, byOnsets: Bool) {
        guard let span = state.takes.span(upTo: bars, back: back) else { return showTooltip("NO BAR YET") }
        guard !isRefused() else { return }
        let steps = state.takes.steps(upTo: bars, back: back)
        effects.append(.job(.slice(span, byOnsets ? .onsets : .steps(steps))))
    }

    /// Cuts the sample of `pad` into slices.
    mutating func sliceSample(of pad: Int, _ cut: SliceCut) {
        guard let name = state.session.sound[sampleOf: pad], !isRefused() else { return }
        effects.append(.job(.sliceSample(name, cut)))
    }

    /// Makes the kit of `kit`, and shows it.
    mutating func choose(_ kit: SliceKit) {
        guard !isRefused() else { return }
        changeSound("KIT", inTouch: nil) { $0.choose(kit) }
        switch state.view.screen {
        case .take, .samples: show(.kit(KitSheet(pad: 0)))
        default: break
        }
        showTooltip(kit.sample.text)
    }

    /// Plays the sample of a pad backwards, or forwards again.
    mutating func turn(_ pad: Int, contact id: Int) {
        let (start, end) = (state.session.sound[.pad(pad, .start)], state.session.sound[.pad(pad, .end)])
        changeSound("TURN", inTouch: id) { ($0[.pad(pad, .start)], $0[.pad(pad, .end)]) = (end, start) }
        showTooltip(end < start ? "BACKWARDS" : "FORWARDS")
    }

    /// Chooses the pad's next choke group.
    mutating func choke(_ pad: Int, contact id: Int) {
        let group = (state.session.sound[.pad(pad, .choke)] + 1) % (PadControl.groups + 1)
        changeSound("CHOKE", inTouch: id) { $0[.pad(pad, .choke)] = group }
        showTooltip(group == 0 ? "NO CHOKE" : "CHOKE \(group)")
    }
}
