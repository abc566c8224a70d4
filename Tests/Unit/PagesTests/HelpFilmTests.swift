import Instrument
import TestSupport
import Testing

@testable import Pages

@Suite("The films of the help")
struct HelpFilmTests {
    @Test("last ten seconds, are small, and end with notes of every track", arguments: Help.gestures.indices)
    func films(number: Int) throws {
        let gesture = Help.gestures[number]
        let file = HelpFilm.film(of: gesture)
        let film = try #require(FilmImage(file))
        #expect(film.pictures.reduce(0) { $0 + $1.milliseconds } == HelpFilm.milliseconds)
        #expect(film.pictures.count > 20)
        #expect(file.count < 400_000, "\(gesture.finger): \(file.count) bytes")
        #expect(HelpFilm.film(of: gesture) == file)
        let still = try #require(PNGImage(HelpFilm.still(of: gesture)))
        #expect(still.rgb.contains { $0 > 200 })
    }
}
