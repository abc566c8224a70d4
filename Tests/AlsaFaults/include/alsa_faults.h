// Makes alsa-lib fail on demand: what a card does when it is pulled out, put to sleep or starved, on a machine
// that has none. The functions named below are defined in this target and so found before those of the library,
// to which they pass on every call that is not to fail.

#ifndef PIXELBOOP_ALSA_FAULTS_H
#define PIXELBOOP_ALSA_FAULTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum AlsaFaultCall {
    AlsaFaultOpen = 0,     // snd_pcm_open
    AlsaFaultAvail = 1,    // snd_pcm_avail_update
    AlsaFaultWait = 2,     // snd_pcm_wait
    AlsaFaultWrite = 3,    // snd_pcm_writei
    AlsaFaultResume = 4,   // snd_pcm_resume
    AlsaFaultPrepare = 5,  // snd_pcm_prepare
};

// The next `count` calls of `call` return `result`.
void alsa_faults_set(int32_t call, int32_t result, int32_t count);

// How many of the calls to fail have not been made yet.
int32_t alsa_faults_left(int32_t call);

#ifdef __cplusplus
}
#endif

#endif
