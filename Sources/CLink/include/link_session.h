// A member of a Link session: tempo, beats and transport shared over the local network (ableton-link-dev).
// No function throws. All may be called from any thread.

#ifndef PIXELBOOP_LINK_SESSION_H
#define PIXELBOOP_LINK_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct link_session link_session;

struct link_session_state {
    int64_t microseconds;  // CLOCK_MONOTONIC
    double tempo;          // beats per minute
    double beat;           // at that time; a bar is four
    uint32_t peers;        // other members
    bool is_playing;       // the shared transport
};

// Calls `changed` with `context`, from a thread of its own, when the tempo, the number of members or the transport has
// changed. NULL if the system has no thread or socket to give.
link_session *link_session_create(double tempo, bool shares_transport, void (*changed)(void *context), void *context);

// Leaves the session.
void link_session_free(link_session *session);

// Reads the session's state now; a beat that is a multiple of `quantum` is the begin of a bar of as many.
struct link_session_state link_session_capture(link_session *session, double quantum);

// Sets the tempo of all members from now on, 20 to 999 beats per minute.
void link_session_set_tempo(link_session *session, double tempo);

// Starts or stops the transport of all members that share theirs.
void link_session_set_playing(link_session *session, bool is_playing);

#ifdef __cplusplus
}
#endif

#endif
