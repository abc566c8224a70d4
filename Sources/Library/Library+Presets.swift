import Instrument

// The player's own sounds. Each call waits for the disk, so the loop must not call it.

extension Library {
    /// The player's own sounds: sounds for the melodic tracks, then kits, by name.
    public func presets() throws(LibraryError) -> [SoundPreset] {
        try use { try $0.presets() }
    }

    /// Keeps `presets`, all or none, each in place of the one of its kind and name.
    public func keep(_ presets: [SoundPreset]) throws(LibraryError) {
        try use { database in
            try database.transaction { for preset in presets { try database.keep(preset) } }
        }
    }

    /// Removes the own sound of this kind and name.
    public func remove(_ kind: SoundPreset.Kind, _ name: SoundName) throws(LibraryError) {
        let isFound = try use { database in
            var isFound = false
            try database.transaction { isFound = try database.remove(kind, name) }
            return isFound
        }
        if !isFound { throw .noSound(name.text) }
    }
}
