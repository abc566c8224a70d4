import Panel
import Testing

@Suite("The limit of the light by heat and faults")
struct LightLimitTests {
    private let second: Int64 = 1_000_000

    static let temperatures: [(celsius: Int, share: Double)] = [
        (-40, 1), (60, 1), (61, 0.94), (65, 0.7), (70, 0.4), (75, 0.1), (300, 0.1),
    ]

    @Test("the temperature limits the light in a straight line", arguments: temperatures)
    func heat(temperature: (celsius: Int, share: Double)) {
        var limit = LightLimit()
        limit.update(celsius: temperature.celsius)
        #expect(abs(limit.share(at: 0) - temperature.share) < 1e-9)
        #expect((limit.problem != nil) == (temperature.share < 1))
    }

    @Test("a sensor that does not answer, from the start or later, leaves half of the light")
    func blind() {
        var limit = LightLimit()
        #expect(limit.share(at: 0) == 1)
        limit.update(celsius: nil)
        #expect(limit.share(at: 0) == 0.5)
        #expect(limit.problem?.contains("sensor") == .some(true))
        limit.update(celsius: 20)
        #expect(limit.share(at: 0) == 1 && limit.problem == nil)
        limit.update(celsius: nil)
        #expect(limit.share(at: 0) == 0.5)
        #expect(limit.problem?.contains("sensor") == .some(true))
        limit.update(celsius: 20)
        #expect(limit.share(at: 0) == 1)
    }

    @Test("a fault halves the light after 0.1 s and once a second, down to a tenth; a minute later all of it is back")
    func fault() {
        var limit = LightLimit()
        limit.update(isFault: true, at: 0)
        #expect(limit.share(at: 99_000) == 1)
        #expect(limit.problem == nil)
        #expect(limit.share(at: 100_000) == 0.5)
        #expect(limit.problem?.contains("fault") == .some(true))
        #expect(limit.share(at: 1_100_000) == 0.25)
        #expect(limit.share(at: 60 * second) == 0.1)
        limit.update(isFault: false, at: 60 * second)
        #expect(abs(limit.share(at: 87 * second) - 0.55) < 1e-9)
        #expect(limit.share(at: 115 * second) == 1)
        // A fault of 50 ms, as while a supply rises.
        limit.update(isFault: true, at: 200 * second)
        limit.update(isFault: false, at: 200 * second + 50_000)
        #expect(limit.share(at: 201 * second) == 1)
    }
}
