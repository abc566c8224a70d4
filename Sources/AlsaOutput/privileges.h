// System privileges of the audio thread. A function that can be refused returns 0 or a positive errno.

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

// Reads the program's code and constants from its file, where locked memory keeps them: the first note of a sound, or the
// first touch of an effect, must not wait for the card on the audio thread. Waits until all is read.
void ReadProgram();

}  // namespace alsa_output

#endif
