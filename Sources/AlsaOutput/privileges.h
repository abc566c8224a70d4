// What the audio thread asks of the system beyond an ordinary thread's due. Each returns 0 or a positive errno.

#ifndef PIXELBOOP_PRIVILEGES_H
#define PIXELBOOP_PRIVILEGES_H

#include <pthread.h>

#include <cstdint>

namespace alsa_output {

// SCHED_FIFO at `priority`, 1-99; 0 asks for nothing.
int AskForRealTime(pthread_t thread, int32_t priority);

// Keeps `thread` on the core of this number; a negative one asks for nothing.
int AskForCore(pthread_t thread, int32_t core);

// Keeps what is in memory there.
int LockMemory();

}  // namespace alsa_output

#endif
