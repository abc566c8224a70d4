// System privileges of the audio thread, tested without playing.

#ifndef PIXELBOOP_AUDIO_PRIVILEGES_H
#define PIXELBOOP_AUDIO_PRIVILEGES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The errno of each refused privilege; 0 if granted or not requested.
typedef struct AudioPrivilegeErrors {
    int32_t real_time;
    int32_t memory_lock;
    int32_t core;
} AudioPrivilegeErrors;

// Requests the audio thread's privileges (see AudioThreadOptions) on a temporary thread and releases them. Returns 0,
// or the errno if no thread could be created.
int32_t audio_privileges_test(int32_t priority, int32_t core, AudioPrivilegeErrors *errors);

// Whether the calling thread may run on core `core`.
bool audio_core_is_usable(int32_t core);

#ifdef __cplusplus
}
#endif

#endif
