import Display
import Formats
import InputEvents
import Instrument

/// A film of a gesture of the help, in each track in turn, and its last picture. Drawn by the instrument itself.
enum HelpFilm {
    /// Duration of a film, in milliseconds.
    static let milliseconds = 10_000

    /// Time of the first landing, and from track to track.
    private static let start = 600
    private static let trackMilliseconds = 2_200
    private static let interval = 100
    /// Pixels per LED.
    private static let pitch = 8
    /// Opacity of the ring that stands for the finger.
    private static let ring: Float = 0.6

    /// Returns the film of `gesture` as an animated PNG.
    static func film(of gesture: Help.Gesture) -> [UInt8] {
        var film = Film(pitch: pitch, interval: interval)
        play(gesture) { film.show($0, at: $1) }
        return film.png(until: milliseconds) ?? []
    }

    /// Returns the last picture of the film of `gesture` as a PNG.
    static func still(of gesture: Help.Gesture) -> [UInt8] {
        var last = Frame(columns: Instrument().columns, rows: Instrument.rows)
        play(gesture) { frame, _ in last.copy(frame) }
        return Picture.portrait(last, pitch: pitch)
    }

    private static func play(_ gesture: Help.Gesture, show: (Frame, _ milliseconds: Int) -> Void) {
        var instrument = Instrument()
        var moves: [(time: Int, touch: Touch)] = []
        for (place, track) in Track.allCases.enumerated() {
            for move in gesture.moves(in: track) {
                moves.append((start + place * trackMilliseconds + move.milliseconds, move.touch))
            }
        }
        var (next, finger): (Int, Touch?) = (0, nil)
        var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
        for time in stride(from: 0, to: milliseconds, by: interval) {
            while next < moves.count, moves[next].time <= time {
                let (moment, touch) = moves[next]
                _ = instrument.update(.touch(touch), at: Instant(milliseconds: Int64(moment)))
                finger = touch.phase == .up ? nil : touch
                next += 1
            }
            let now = Instant(milliseconds: Int64(time))
            _ = instrument.update(.tick, at: now)
            instrument.draw(into: &frame, at: now)
            if let finger { mark(finger, in: &frame) }
            show(frame, time)
        }
    }

    private static func mark(_ finger: Touch, in frame: inout Frame) {
        let (column, row) = (Int(finger.column), Int(finger.row))
        for y in row - 1...row + 1 {
            for x in column - 1...column + 1 where x != column || y != row {
                frame.blend(x, y, towards: .white, ring)
            }
        }
    }
}
