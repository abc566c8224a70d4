extension Instrument {
    /// The samples of the pads: the library has them, and the engine needs those that the pads play.
    public struct Samples: Sendable {
        /// The samples of the library, by name.
        public private(set) var names: [SoundName] = []
        /// The samples of the pads that are in the engine's memory.
        public private(set) var loaded: [LoadedSample] = []
        /// The samples that were requested and are not there: on their way, or refused.
        private var absent: [SoundName] = []
        /// The pad that sounds as soon as its sample is there.
        private var awaitedPad: Int?

        /// The sample that `pad` plays with `sound`, in the engine's memory; nil for a drum, and while it is absent.
        func sample(of pad: Int, _ sound: SoundSettings) -> LoadedSample? {
            sound.sample(of: pad, among: loaded)
        }

        /// Unloads the samples that no pad of `sound` and of the `next` sound plays, and requests those that pads lack.
        mutating func load(for sound: SoundSettings, and next: SoundSettings?, _ effects: inout [Effect]) {
            func plays(_ name: SoundName) -> Bool { sound.plays(name) || next?.plays(name) == true }
            for index in loaded.indices.reversed() where !plays(loaded[index].name) {
                effects.append(.unload(slot: loaded.remove(at: index).slot))
            }
            for index in absent.indices.reversed() where !plays(absent[index]) { absent.remove(at: index) }
            request(for: sound, &effects)
            if let next { request(for: next, &effects) }
        }

        private mutating func request(for sound: SoundSettings, _ effects: inout [Effect]) {
            for pad in Track.rhythm.notes {
                guard let name = sound[sampleOf: pad], sample(of: pad, sound) == nil, !absent.contains(name) else {
                    continue
                }
                absent.append(name)
                effects.append(.job(.loadSample(name)))
            }
        }

        /// Adds a loaded sample, in place of one of its name. Returns the pad of `sound` that waits for it.
        mutating func add(_ sample: LoadedSample, _ sound: SoundSettings, _ effects: inout [Effect]) -> Int? {
            if let other = loaded.first(where: { $0.name == sample.name }) {
                effects.append(.unload(slot: other.slot))
                loaded.removeAll { $0.name == sample.name }
            }
            absent.removeAll { $0 == sample.name }
            loaded.append(sample)
            guard let pad = awaitedPad, sound[sampleOf: pad] == sample.name else { return nil }
            awaitedPad = nil
            return pad
        }

        /// Lets `pad` sound with `sound` as soon as it can; returns whether it can now.
        mutating func awaitSample(of pad: Int, _ sound: SoundSettings) -> Bool {
            awaitedPad = sound[sampleOf: pad] != nil && sample(of: pad, sound) == nil ? pad : nil
            return awaitedPad == nil
        }

        /// No pad waits any more: its sample cannot be loaded.
        mutating func giveUp() { awaitedPad = nil }

        /// Replaces the names of the library's samples. What was absent may be among them.
        mutating func list(_ names: [SoundName]) {
            self.names = names
            absent.removeAll { names.contains($0) }
        }
    }
}

extension SoundSettings {
    /// The sample of `samples` that `pad` plays; nil for a drum, and if the sample is not among them.
    public func sample(of pad: Int, among samples: [LoadedSample]) -> LoadedSample? {
        guard let name = self[sampleOf: pad] else { return nil }
        return samples.first { $0.name == name }
    }

    /// Whether a pad plays the sample `name`.
    func plays(_ name: SoundName) -> Bool { Track.rhythm.notes.contains { self[sampleOf: $0] == name } }
}
