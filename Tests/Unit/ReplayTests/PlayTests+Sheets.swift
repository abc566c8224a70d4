import Formats
import InputEvents
import Instrument
import TestSupport

// The pictures of the menu, the sheets and the lanes.

extension PlayTests {
    static let sheets = [
        Scene(name: "icon", part: whole, tune: true) {
            $0.tap(2, 1)
            $0.begin()
            $0.tap(2, 7.5)
            $0.wait(600)
            $0.picture()
        },
        Scene(name: "fader", part: whole, tune: true) {
            $0.openSound()
            $0.touch([[(12, 9), (12, 14)]])
            $0.picture()
        },
        Scene(name: "standard", part: whole, tune: true) {
            $0.openSound()
            $0.touch([[(12, 9), (12, 14)]])
            $0.begin()
            $0.tap(12, 21)
            $0.tap(12, 21)
            $0.picture()
        },
        Scene(name: "red", part: whole, tune: true) {
            $0.tap(2, 1)
            $0.wait(300)
            $0.tap(4, 22)
            $0.begin()
            $0.hold(33, 14, 500)
            $0.picture()
        },
    ]

    static let songs = [
        Scene(name: "own-sound", part: whole, tune: true) {
            $0.prepareScenes()
            $0.openSound()
            for _ in 0..<4 { $0.tap(2, 9) }
            $0.begin()
            $0.touch([[(38, 17), (38, 8)]])
            $0.picture()
        },
        Scene(name: "song-order", part: whole, tune: true) {
            $0.openSong()
            $0.begin()
            $0.touch([[(6, 9), (6, 15)]])
            $0.picture()
        },
        Scene(name: "song-repeats", part: whole, tune: true) {
            $0.openSong()
            $0.touch([[(6, 9), (6, 15)]])
            $0.touch([[(1, 9), (10, 15)]])
            $0.begin()
            $0.touch([[(1, 20), (1, 10)]])
            $0.picture()
        },
        Scene(name: "song-play", part: whole, tune: true) {
            $0.openSong()
            $0.touch([[(6, 9), (6, 15)]])
            $0.touch([[(1, 9), (10, 15)]])
            $0.touch([[(1, 20), (1, 10)]])
            $0.begin()
            $0.tap(1, 15)
            $0.tap(42, 2)
            $0.wait(6000)
            $0.quietPicture()
        },
    ]

    static let takes = [
        Scene(name: "take-hold", part: whole, tune: true) {
            $0.tap(1, 0)
            $0.wait(9000)
            $0.begin()
            $0.hold(42.5, 22.5, 500)
            $0.picture()
        },
        Scene(name: "take", part: whole, tune: true) {
            $0.tap(1, 0)
            $0.wait(23_500)
            $0.tap(42, 22)
            $0.begin()
            $0.touch([[(10, 12), (18, 12)]])
            $0.quietPicture()
        },
        Scene(name: "take-save", part: whole, tune: true) {
            $0.tap(1, 0)
            $0.wait(23_500)
            $0.tap(42, 22)
            $0.tap(20, 21)
            $0.begin()
            $0.tap(30, 21)
            $0.quietPicture()
        },
    ]

    static let pads = [
        Scene(name: "slice", part: whole, tune: true) {
            $0.tap(1, 0)
            $0.wait(23_500)
            $0.tap(42, 22)
            $0.begin()
            $0.tap(40, 21)
            $0.quietPicture()
        },
        Scene(name: "pads", part: whole) {
            $0.openSlices()
            $0.begin()
            $0.tap(17, 15)
            $0.quietPicture()
        },
        Scene(name: "samples", part: whole) {
            $0.openSlices()
            $0.begin()
            $0.hold(17, 15, 700)
            $0.quietPicture()
        },
    ]

    static let keys = [
        Scene(name: "keys-fx", part: top) {
            $0.touch([[(34.5, 0)]])
            $0.quietPicture()
        },
        Scene(name: "keys", part: whole, tune: true) {
            $0.tap(34, 0)
            $0.begin()
            $0.hold(18, 20, 300)
            $0.hold(22, 20, 300, by: 1)
            $0.hold(26, 20, 600, by: 2)
            $0.picture()
        },
        Scene(name: "keys-bend", part: whole, tune: true) {
            $0.tap(34, 0)
            $0.begin()
            $0.touch([[(18, 15), (24, 8)]], held: 300, moving: 800)
            $0.picture()
        },
        Scene(name: "keys-pads", part: whole, tune: true) {
            $0.tap(34, 0)
            $0.tap(3, 20)
            $0.begin()
            $0.hold(8, 20, 200)
            $0.hold(28, 14, 200, by: 1)
            $0.picture()
        },
        Scene(name: "keys-hold", part: whole, tune: true) {
            $0.tap(34, 0)
            $0.tap(3, 10)
            $0.tap(7, 22)
            $0.begin()
            $0.touch([[(18, 20)], [(22, 19)], [(26, 18)]], held: 500)
            $0.quietPicture()
        },
        Scene(name: "keys-rec", part: whole, tune: true) {
            $0.tap(34, 0)
            $0.tap(3, 15)
            $0.tap(17, 22)
            $0.tap(1, 0)
            $0.wait(4000)
            $0.begin()
            $0.touch([[(18, 20), (22, 20)]], held: 500, moving: 300)
            $0.wait(3000)
            $0.quietPicture()
        },
        Scene(name: "keys-twelve", part: whole, tune: true) {
            $0.tap(34, 0)
            $0.begin()
            $0.tap(22, 22)
            $0.quietPicture()
        },
    ]

    static let effects = [
        Scene(name: "fx", part: whole, tune: true) {
            $0.tap(1, 0)
            $0.wait(3000)
            $0.begin()
            $0.hold(36, 0, 200)
            $0.hold(24, 6, 900, by: 1)
            $0.hold(15, 14, 900, by: 2)
            $0.picture()
        }
    ]

    static let lanes = [
        Scene(name: "lanes", part: whole, tune: true) {
            $0.tap(3, 18, held: 500)
            $0.touch([[(4, 4), (16, 14)], [(17, 16), (25, 6)]])
            $0.tap(33, 12)
            $0.wait(1500)
            $0.picture()
        },
        Scene(name: "lanes-harmony", part: whole, tune: true) {
            $0.tap(3, 10, held: 500)
            $0.tap(23, 0)
            $0.touch([[(13, 9)], [(22, 7)], [(31, 13)]])
            $0.wait(1500)
            $0.picture()
        },
        Scene(name: "lanes-notes", part: whole, tune: true) {
            $0.tap(3, 18, held: 500)
            $0.touch([[(4, 4), (16, 14)]])
            $0.tap(1, 20)
            $0.begin()
            $0.tap(1, 20)
            $0.touch([[(4, 18), (12, 6)]])
            $0.tap(22, 9)
            $0.wait(1500)
            $0.picture()
        },
        Scene(name: "lanes-when", part: whole, tune: true) {
            $0.tap(3, 18, held: 500)
            $0.tap(11, 0)
            $0.touch([[(4, 19), (4, 15)]])
            $0.tap(8, 2)
            $0.tap(13, 3)
            $0.touch([[(39, 22), (29, 22)]])
            $0.wait(1500)
            $0.picture()
        },
        Scene(name: "lanes-shift", part: whole, tune: true) {
            $0.tap(0, 22)
            $0.tap(20, 0)
            $0.touch([[(4, 12), (9, 5)], [(13, 9), (22, 18)]])
            $0.hold(17, 18, 200)
            $0.picture()
        },
    ]

    static let tracks = [
        Scene(name: "lanes-copy", part: whole, tune: true) {
            $0.tap(3, 18, held: 500)
            $0.begin()
            $0.hold(1, 20, 500)
            $0.touch([[(7, 12), (26, 12)]], from: 1)
            $0.picture()
        },
        Scene(name: "track", part: whole, tune: true) {
            $0.tap(3, 18, held: 500)
            $0.tap(42, 9)
            $0.begin()
            $0.touch([[(7, 7), (7, 13)]])
            $0.quietPicture()
        },
        Scene(name: "chord-kind", part: whole, tune: true) {
            $0.tap(3, 10, held: 500)
            $0.tap(42, 9)
            $0.begin()
            $0.touch([[(22, 2), (35, 2)]])
            $0.quietPicture()
        },
    ]

    static let scales = [
        Scene(name: "scale-sheet", part: whole, tune: true) {
            $0.tap(13, 0)
            $0.tap(7, 0, held: 500)
            $0.begin()
            $0.touch([[(2, 8), (9, 8)]])
            $0.quietPicture()
        },
        Scene(name: "scale-user", part: whole, tune: true) {
            $0.tap(7, 0, held: 500)
            $0.tap(9, 8)
            $0.begin()
            $0.tap(16, 13)
            $0.picture()
        },
    ]

    static let sync = [
        Scene(name: "sync", part: whole, tune: true) {
            $0.openSync()
            $0.tap(16, 8)
            $0.tick(300, bpm: 124, jitter: 0.8)
            $0.picture()
        },
        Scene(name: "sync-lost", part: whole, tune: true) {
            $0.openSync()
            $0.tap(16, 8)
            $0.tick(300, bpm: 124, jitter: 2.5)
            $0.wait(1600)
            $0.picture()
        },
        Scene(name: "sync-link", part: whole, tune: true) {
            $0.openSync()
            $0.send(.sync(.source(.link)))
            $0.send(.link(LinkState(tempo: 124, beat: 0, peers: 3)))
            $0.wait(100)
            $0.hold(16, 14, 300)
            $0.picture()
        },
        Scene(name: "rec", part: whole, tune: true) {
            $0.openSync()
            $0.tap(35, 14)
            $0.quietPicture()
        },
        Scene(name: "rec-tap", part: whole, tune: true) {
            $0.send(.record(true))
            $0.tap(1, 0)
            $0.begin()
            $0.hold(30, 6, 100)
            $0.picture()
        },
        Scene(name: "record", part: top, tune: true) {
            $0.tap(1, 0)
            $0.begin()
            $0.tap(1, 0, held: 700)
            $0.picture()
        },
    ]

    static let switches = [
        Scene(name: "knob", part: top) {
            $0.send(.turn(.tempo, by: 7))
            $0.wait(100)
            $0.picture()
        },
        Scene(name: "power", part: top) {
            $0.send(.power)
            $0.wait(100)
            $0.picture()
        },
        Scene(name: "stick", part: whole, tune: true) {
            $0.send(.stick(isThere: true))
            $0.wait(300)
            $0.hold(14, 15, 100)
            $0.picture()
        },
    ]
}

extension Hand {
    /// Two scenes; the second plays.
    mutating func prepareScenes() {
        tap(41, 2.5, held: 700)
        tap(41, 4, held: 700)
        tap(41, 4)
        tap(8, 5)
    }

    /// Fills two scenes and opens their order.
    mutating func openSong() {
        prepareScenes()
        tap(2, 1)
        wait(300)
        tap(2, 11)
    }

    /// Opens the tempo and its source.
    mutating func openSync() {
        tap(2, 1)
        wait(300)
        tap(2, 15.5)
        begin()
    }

    /// Opens the pads; a sample is cut into slices, and a drum and a sample of its own are among them.
    mutating func openSlices() {
        openSound()
        tap(2, 21)
        tap(20, 2)
        tap(42, 20)
        let names = ["KICK 9", "LOOP", "TAPE"].compactMap { SoundName($0) }
        send(.samples(names))
        let cuts: [Int] = [0, 80, 170, 250, 330, 430, 500, 600, 680, 760, 880, 1000]
        let slices: [Range<Int>] = zip(cuts, cuts.dropFirst()).map { 1000 * $0..<1000 * $1 }
        send(.sliced(SliceKit(names[1], slices)))
        let peaks: [UInt8] = (0..<LoadedSample.parts).map { (part: Int) -> UInt8 in
            let (fall, accent) = (part % 5, part / 5 % 3)
            return UInt8(255 - 51 * fall - 10 * accent)
        }
        send(.sample(LoadedSample(name: names[1], slot: 0, peaks: peaks)))
    }

    /// Opens the melody's sound.
    mutating func openSound() {
        tap(2, 1)
        wait(300)
        tap(2, 7.5)
        begin()
    }
}
