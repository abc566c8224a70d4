import Instrument

// The player's own tunings. Each call waits for the disk, so the loop must not call it.

extension Library {
    /// The player's own tunings, by name.
    public func tunings() throws(LibraryError) -> [OwnTuning] {
        try use { try $0.tunings() }
    }

    /// Keeps `tunings`, all or none, each in place of the one of its name.
    public func keep(_ tunings: [OwnTuning]) throws(LibraryError) {
        try use { database in
            try database.transaction { for tuning in tunings { try database.keep(tuning) } }
        }
    }

    /// Removes the own tuning of this name.
    public func removeTuning(_ name: SoundName) throws(LibraryError) {
        let isFound = try use { database in
            var isFound = false
            try database.transaction { isFound = try database.removeTuning(name) }
            return isFound
        }
        if !isFound { throw .noTuning(name.text) }
    }
}
