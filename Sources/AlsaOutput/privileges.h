// System privileges of the audio thread. Each function returns 0 or a positive errno.

#ifndef PIXELBOOP_PRIVILEGES_H
#define PIXELBOOP_PRIVILEGES_H

#include <pthread.h>

#include <cstdint>

namespace alsa_output {

// Requests SCHED_FIFO at `priority`, 1-99; 0 requests nothing.
int AskForRealTime(pthread_t thread, int32_t priority);

// Pins `thread` to CPU core `core`; a negative number requests nothing.
int AskForCore(pthread_t thread, int32_t core);

// Locks the process's memory, to avoid page faults.
int LockMemory();

}  // namespace alsa_output

#endif
