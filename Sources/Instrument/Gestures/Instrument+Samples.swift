import InputEvents

// The samples of the pads: the library has them, and the engine needs those that the pads play.

extension Instrument.State {
    /// The sample that `pad` plays, in the engine's memory; nil for a drum, and while it is absent.
    public func sample(of pad: Int) -> LoadedSample? {
        guard let name = session.sound[sampleOf: pad] else { return nil }
        return samples.first { $0.name == name }
    }

    fileprivate func isPlayed(_ name: SoundName) -> Bool {
        Track.rhythm.notes.contains { session.sound[sampleOf: $0] == name }
    }
}

extension Instrument {
    /// Lets go of the samples that no pad plays, and requests those that pads lack.
    mutating func settleSamples() {
        for index in state.samples.indices.reversed() where !state.isPlayed(state.samples[index].name) {
            effects.append(.unload(slot: state.samples.remove(at: index).slot))
        }
        for index in state.absentSamples.indices.reversed() where !state.isPlayed(state.absentSamples[index]) {
            state.absentSamples.remove(at: index)
        }
        for pad in Track.rhythm.notes {
            guard let name = state.session.sound[sampleOf: pad], state.sample(of: pad) == nil,
                !state.absentSamples.contains(name)
            else { continue }
            state.absentSamples.append(name)
            effects.append(.job(.loadSample(name)))
        }
    }

    /// Takes over a loaded sample; the pad that waits for it sounds.
    mutating func take(_ sample: LoadedSample) {
        if let other = state.samples.first(where: { $0.name == sample.name }) {
            effects.append(.unload(slot: other.slot))
            state.samples.removeAll { $0.name == sample.name }
        }
        state.absentSamples.removeAll { $0 == sample.name }
        state.samples.append(sample)
        if let pad = state.awaitedPad, state.session.sound[sampleOf: pad] == sample.name {
            state.awaitedPad = nil
            hear(pad: pad)
        }
    }

    /// A sample cannot be loaded; its pads play their drums.
    mutating func miss(_ name: SoundName) {
        state.awaitedPad = nil
        guard state.isPlayed(name) else { return }
        showTooltip("NO \(name.text)")
    }

    /// Takes over the names of the library's samples. What was absent may be among them.
    mutating func take(_ names: [SoundName]) {
        state.sampleNames = names
        state.absentSamples.removeAll { names.contains($0) }
        guard case .samples(var sheet) = state.screen else { return }
        sheet.settle(state)
        state.screen = .samples(sheet)
    }

    /// Sounds a pad now.
    mutating func hear(pad: Int) {
        effects.append(.audition([Effect.Note(track: .rhythm, note: pad, velocity: 1, steps: 4)]))
    }

    /// Handles a file that was dropped on the panel: on a pad it is the pad's sample, elsewhere its slices are the kit. What cannot be
    /// cut is in the list of samples.
    mutating func drop(_ kit: SliceKit, on position: Position) {
        if case .kit(let sheet) = state.screen, case .pad(let pad)? = sheet.spot(at: position) {
            show(.kit(KitSheet(pad: pad)))
            chooseSample(pad, name: kit.sample)
        } else if kit.slices.count > 1, !isFrozen {
            take(kit)
        }
        showTooltip(kit.sample.text)
    }

    /// Gives `pad` what is at `place` of its list, the first of which is the drum; it sounds.
    mutating func chooseSample(_ pad: Int, place: Int) {
        guard (0...state.sampleNames.count).contains(place) else { return }
        chooseSample(pad, name: place == 0 ? nil : state.sampleNames[place - 1])
    }

    private mutating func chooseSample(_ pad: Int, name: SoundName?) {
        if name != state.session.sound[sampleOf: pad] {
            for control in PadControl.allCases where control.isOfSample {
                state.session.sound[.pad(pad, control)] = control.defaultValue
            }
            state.session.sound[sampleOf: pad] = name
        }
        state.awaitedPad = nil
        if name != nil, state.sample(of: pad) == nil {
            state.awaitedPad = pad
        } else {
            hear(pad: pad)
        }
    }

    /// Removes the sample of `pad` from the library. The pad plays its drum.
    mutating func removeSample(of pad: Int) {
        guard let name = state.session.sound[sampleOf: pad], !isRefused() else { return }
        for pad in Track.rhythm.notes where state.session.sound[sampleOf: pad] == name {
            state.session.sound[sampleOf: pad] = nil
        }
        effects.append(.job(.removeSample(name)))
    }

    /// Cuts what was heard into slices: at most `bars` bars up to the one that is `back` bars before the last.
    mutating func slice(bars: Int, back: Int, byOnsets: Bool) {
        let length = takeLength(upTo: bars, back: back)
        guard let span = state.heardBars.span(of: length, back: back) else { return showTooltip("NO BAR YET") }
        guard !isRefused() else { return }
        let steps = Pattern.stepsPerBeat * state.heardBars.beats(of: length, back: back)
        effects.append(.job(.slice(span, byOnsets ? .onsets : .steps(steps))))
    }

    /// Cuts the sample of `pad` into slices.
    mutating func sliceSample(of pad: Int, _ cut: SliceCut) {
        guard let name = state.session.sound[sampleOf: pad], !isRefused() else { return }
        effects.append(.job(.sliceSample(name, cut)))
    }

    /// Makes the kit of `kit`, and shows it.
    mutating func take(_ kit: SliceKit) {
        guard !isRefused() else { return }
        state.session.sound.choose(kit)
        switch state.screen {
        case .take, .samples: show(.kit(KitSheet(pad: 0)))
        default: break
        }
        showTooltip(kit.sample.text)
    }

    /// Plays the sample of a pad backwards, or forwards again.
    mutating func turn(_ pad: Int) {
        let (start, end) = (state.session.sound[.pad(pad, .start)], state.session.sound[.pad(pad, .end)])
        state.session.sound[.pad(pad, .start)] = end
        state.session.sound[.pad(pad, .end)] = start
        showTooltip(end < start ? "BACKWARDS" : "FORWARDS")
    }

    /// Chooses the pad's next choke group.
    mutating func choke(_ pad: Int) {
        let group = (state.session.sound[.pad(pad, .choke)] + 1) % (PadControl.groups + 1)
        state.session.sound[.pad(pad, .choke)] = group
        showTooltip(group == 0 ? "NO CHOKE" : "CHOKE \(group)")
    }
}
