// The functions that the page calls. Only in WebAssembly: there one thread calls them, one after the other, and
// Sources/CBrowser has the function that they call.
#if arch(wasm32)
    import CBrowser
    import Documents
    import Replay

    private func take(_ kind: Output, _ bytes: UnsafeRawBufferPointer) {
        page_take(kind.rawValue, bytes.baseAddress, Int32(bytes.count))
    }

    nonisolated(unsafe) private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    nonisolated(unsafe) private var documents: [(name: String, bytes: [UInt8])] = []
    nonisolated(unsafe) private var demos: [[UInt8]] = []
    nonisolated(unsafe) private var version = ""
    nonisolated(unsafe) private var box: BrowserBox?

    /// Room for `count` bytes of the next call; valid until then.
    @_cdecl("box_room") public func boxRoom(_ count: Int32) -> UnsafeMutableRawPointer? {
        room.deallocate()
        room = .allocate(byteCount: max(1, Int(count)), alignment: 16)
        return room.baseAddress
    }

    /// The bytes in the room: `count` from `start` on.
    private func bytes(_ count: Int32, from start: Int32 = 0) -> [UInt8] {
        Array(room[Int(start)..<Int(start) + Int(count)])
    }

    /// The text in the room's first `count` bytes.
    private func text(_ count: Int32) -> String { String(decoding: bytes(count), as: UTF8.self) }

    /// The version of the software.
    @_cdecl("box_version") public func boxVersion(_ count: Int32) { version = text(count) }

    /// A document that the page has kept: its name, and its bytes behind it.
    @_cdecl("box_stored") public func boxStored(_ nameCount: Int32, _ count: Int32) {
        documents.append((text(nameCount), bytes(count, from: nameCount)))
    }

    /// A script that draws a scene of the first session.
    @_cdecl("box_demo") public func boxDemo(_ count: Int32) { demos.append(bytes(count)) }

    /// Begins, after the version, the documents and the demos. `seconds` since 1970, `offset` of the local time in
    /// seconds, and a random number. Returns whether the engine has this rate.
    @_cdecl("box_open") public func boxOpen(_ rate: Int32, _ seconds: Double, _ offset: Double, _ seed: Double) -> Int32
    {
        var problems: [String] = []
        let library = BrowserLibrary(
            documents: documents, demos: demos, begin: Int64(seconds), offset: Int64(offset), seed: Int64(seed),
            problems: &problems)
        let samples = BrowserSamples(documents: documents, problems: &problems) { giveDocument($0, $1, to: take) }
        for problem in problems { give(problem, as: .line, to: take) }
        (documents, demos) = ([], [])
        box = BrowserBox(rate: Int(rate), version: version, library, samples, output: take)
        return box == nil ? 0 : 1
    }

    /// Renders `frames` frames of interleaved stereo.
    @_cdecl("box_render") public func boxRender(_ frames: Int32) -> UnsafeMutablePointer<Float>? {
        box?.render(Int(frames))
    }

    /// Takes a message of the page.
    @_cdecl("box_receive") public func boxReceive(_ count: Int32) {
        box?.receive(UnsafeRawBufferPointer(rebasing: room[..<Int(count)]))
    }

    /// Takes bytes of the MIDI port `port`.
    @_cdecl("box_midi") public func boxMIDI(_ count: Int32, _ port: Int32) {
        box?.receiveMIDI(UnsafeRawBufferPointer(rebasing: room[..<Int(count)]), port: Int(port))
    }

    /// Takes a file that was dropped at `column` and `row`: its name, and its bytes behind it.
    @_cdecl("box_file") public func boxFile(_ nameCount: Int32, _ count: Int32, _ column: Float, _ row: Float) {
        box?.take(bytes(count, from: nameCount), name: text(nameCount), column: column, row: row)
    }

    /// Opens the music of a link.
    @_cdecl("box_link") public func boxLink(_ count: Int32) { box?.open(bytes(count)) }

    /// Gives the playing tune as a document.
    @_cdecl("box_music") public func boxMusic() { box?.giveMusic() }

    /// Gives the playing tune as a MIDI file.
    @_cdecl("box_midi_file") public func boxMIDIFile() { box?.giveMIDI() }

    /// Writes everything.
    @_cdecl("box_flush") public func boxFlush() { box?.flush() }

    /// Says whether the browser keeps documents.
    @_cdecl("box_keeps") public func boxKeeps(_ keeps: Int32) { box?.setKeeps(keeps != 0) }

    /// Replays the touch script in the room; `until` in milliseconds, or negative. Returns 0; 1 for a script that cannot
    /// run.
    @_cdecl("box_replay") public func boxReplay(_ count: Int32, _ until: Double, _ loops: Int32) -> Int32 {
        status(
            ScriptRun.run(
                bytes(count), version: version, until: until < 0 ? nil : Int(until), loops: Int(loops), output: take))
    }

    /// Plays the touch script in the room as a film. Returns as `box_replay` does.
    @_cdecl("box_film") public func boxFilm(_ count: Int32) -> Int32 {
        status(ScriptRun.film(bytes(count), version: version, output: take))
    }

    /// 0 without a problem; else gives its line and returns 1.
    private func status(_ problem: String?) -> Int32 {
        if let problem { give(problem, as: .line, to: take) }
        return problem == nil ? 0 : 1
    }
#endif
