#include "link_session.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <exception>

#include <ableton/Link.hpp>

namespace {

// Link's range of tempos.
constexpr double kTempoMin = 20;
constexpr double kTempoMax = 999;

int64_t Microseconds()
{
    timespec time = {};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<int64_t>(time.tv_sec) * 1000000 + time.tv_nsec / 1000;
}

}  // namespace

struct link_session {
    explicit link_session(double tempo) : link(std::clamp(tempo, kTempoMin, kTempoMax)) {}

    ableton::Link link;
};

link_session *link_session_create(double tempo, bool shares_transport, void (*changed)(void *context), void *context)
{
    try {
        auto *session = new link_session(tempo);
        session->link.setTempoCallback([=](double) { changed(context); });
        session->link.setNumPeersCallback([=](std::size_t) { changed(context); });
        session->link.setStartStopCallback([=](bool) { changed(context); });
        session->link.enableStartStopSync(shares_transport);
        session->link.enable(true);
        return session;
    } catch (const std::exception &) {
        return nullptr;
    }
}

void link_session_free(link_session *session)
{
    delete session;
}

struct link_session_state link_session_capture(link_session *session, double quantum)
{
    const auto state = session->link.captureAppSessionState();
    // Link's clock is CLOCK_MONOTONIC_RAW, which runs at a slightly different speed.
    const auto time = session->link.clock().micros();
    return {Microseconds(), state.tempo(), state.beatAtTime(time, quantum), static_cast<uint32_t>(session->link.numPeers()),
            state.isPlaying()};
}

void link_session_set_tempo(link_session *session, double tempo)
{
    auto state = session->link.captureAppSessionState();
    state.setTempo(std::clamp(tempo, kTempoMin, kTempoMax), session->link.clock().micros());
    session->link.commitAppSessionState(state);
}

void link_session_set_playing(link_session *session, bool is_playing)
{
    auto state = session->link.captureAppSessionState();
    state.setIsPlaying(is_playing, session->link.clock().micros());
    session->link.commitAppSessionState(state);
}
