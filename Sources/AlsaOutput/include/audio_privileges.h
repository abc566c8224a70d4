// What the audio thread asks of the system, asked without playing anything.

#ifndef PIXELBOOP_AUDIO_PRIVILEGES_H
#define PIXELBOOP_AUDIO_PRIVILEGES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// With what errno each was refused; 0 if granted or not asked for.
typedef struct AudioPrivilegeErrors {
    int32_t real_time;
    int32_t memory_lock;
    int32_t core;
} AudioPrivilegeErrors;

// Asks for what the audio thread asks for (see AudioThreadOptions), on a thread of its own, and gives it back. 0, or the
// errno with which there is no thread.
int32_t audio_privileges_test(int32_t priority, int32_t core, AudioPrivilegeErrors *errors);

// True if the calling thread may run on the core of this number.
bool audio_core_is_usable(int32_t core);

#ifdef __cplusplus
}
#endif

#endif
