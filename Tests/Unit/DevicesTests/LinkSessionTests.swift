import CLink
import Glibc
import InputEvents
import Instrument
import Runtime
import TestTags
import Testing

@testable import Devices

/// Another member of the session, through the library's own interface.
private final class Peer {
    let session: OpaquePointer

    init(tempo: Double) throws {
        let created = link_session_create(tempo, true, { _ in }, nil)
        session = try #require(created)
    }

    deinit { link_session_free(session) }

    var state: link_session_state { link_session_capture(session, 4) }
}

/// The members find each other by multicast on the machine's interfaces, loopback too.
@Suite("A Link session", .tags(.live), .serialized)
struct LinkSessionTests {
    private let clock = SetClock()

    /// An instrument with `source`, stopped or playing.
    private func state(_ source: SyncSource, bpm: Int = 120, isPlaying: Bool = false) -> Instrument.State {
        var instrument = Instrument(columns: 44)
        for _ in 0..<abs(bpm - 120) { _ = instrument.update(.turn(.tempo, by: bpm > 120 ? 1 : -1), at: .zero) }
        if isPlaying { _ = instrument.update(.key(.playStop), at: .zero) }
        _ = instrument.update(.sync(.source(source)), at: .zero)
        return instrument.state
    }

    private var following: SyncSettings {
        var settings = SyncSettings()
        settings.source = .link
        return settings
    }

    /// Reads the session until `isReached` holds for a state of it; fails after ten seconds.
    private func states(
        of link: LinkSession, _ comment: Comment, until isReached: (LinkState) -> Bool
    ) throws -> ControlEvent {
        var events: [ControlEvent] = []
        for _ in 0..<2000 {
            events.removeAll()
            link.read(into: &events)
            for event in events {
                if case .link(let state) = event.event, isReached(state) { return event }
            }
            usleep(5000)
        }
        return try #require(nil, comment)
    }

    @Test("a box that joins takes over the session's tempo and beat; a change on either side reaches the other")
    func tempo() throws {
        let peer = try Peer(tempo: 133)
        // Of two sessions the older one stays, if it is more than half a second older.
        let begin = peer.state.microseconds
        while peer.state.microseconds < begin + 1_000_000 { usleep(10_000) }
        let link = LinkSession(clock: clock, sharesTransport: false)
        link.follow(state(.link, bpm: 90))
        let event = try states(of: link, "no peer") { $0.peers == 1 && abs($0.tempo - 133) < 0.01 }
        guard case .link(let joined) = event.event else { return }
        #expect(joined.isPlaying == nil)
        // Both have the same phase of the bar, to the precision of Link's measurement.
        let other = peer.state
        let later = Double(other.microseconds - event.time.microseconds) / 60e6 * 133
        let difference = (other.beat - joined.beat - later).remainder(dividingBy: 4)
        #expect(abs(difference) * 60_000 / 133 < 3, "milliseconds")
        link_session_set_tempo(peer.session, 97.5)
        _ = try states(of: link, "the peer's tempo") { abs($0.tempo - 97.5) < 0.01 }
        // The player turns the knob from there.
        var instrument = Instrument(columns: 44, sync: following)
        var status = SyncStatus()
        status.tempo = 97.5
        _ = instrument.update(.syncStatus(status), at: .zero)
        _ = instrument.update(.turn(.tempo, by: 40), at: .zero)
        _ = instrument.update(.turn(.tempo, by: 2), at: .zero)
        link.follow(instrument.state)
        _ = try states(of: link, "the box's tempo") { _ in abs(peer.state.tempo - 140) < 0.01 }
        #expect(instrument.state.session.composition.pattern.tempo == Pattern().tempo)
    }

    @Test("a session begins with the pattern's tempo, and reports itself twenty times a second")
    func alone() throws {
        let link = LinkSession(clock: clock, sharesTransport: false)
        var events: [ControlEvent] = []
        link.read(into: &events)
        #expect(events.isEmpty)
        link.follow(state(.link, bpm: 101))
        let first = try states(of: link, "no state") { _ in true }
        guard case .link(let state) = first.event else { return }
        #expect(abs(state.tempo - 101) < 0.001 || state.peers > 0)
        var count = 0
        let second = try states(of: link, "no second state") { _ in
            count += 1
            return count == 2
        }
        #expect(second.time - first.time >= .milliseconds(50))
        link.follow(self.state(.internal))
        events.removeAll()
        link.read(into: &events)
        #expect(events.isEmpty)
    }

    @Test("with a shared transport, Play and Stop reach the others and theirs reach the box")
    func transport() throws {
        let peer = try Peer(tempo: 120)
        let link = LinkSession(clock: clock, sharesTransport: true)
        link.follow(state(.link))
        _ = try states(of: link, "no peer") { $0.peers == 1 && $0.isPlaying == false }
        link.follow(state(.link, isPlaying: true))
        _ = try states(of: link, "the box's Play") { _ in peer.state.is_playing }
        link_session_set_playing(peer.session, false)
        _ = try states(of: link, "the peer's Stop") { $0.isPlaying == false }
        // The stop that came from the session is not sent back.
        link.follow(state(.link, isPlaying: false))
        link_session_set_playing(peer.session, true)
        _ = try states(of: link, "the peer's Play") { $0.isPlaying == true }
    }

    @Test("a member that leaves is no peer any more")
    func leaving() throws {
        let link = LinkSession(clock: clock, sharesTransport: false)
        link.follow(state(.link))
        do {
            let peer = try Peer(tempo: 120)
            _ = try states(of: link, "no peer") { $0.peers == 1 }
            withExtendedLifetime(peer) {}
        }
        _ = try states(of: link, "the peer stays") { $0.peers == 0 }
    }
}
