// Makes alsa-lib fail on demand: what a card does when it is pulled out, put to sleep or starved, on a machine
// that has none. The functions named below are defined in this target and so found before those of the library,
// to which they pass on every call that is not to fail. Only PCMs that are opened by a name with "faulty:" before it
// fail: "faulty:null".

#ifndef PIXELBOOP_ALSA_FAULTS_H
#define PIXELBOOP_ALSA_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum AlsaFaultCall {
    AlsaFaultOpen = 0,      // snd_pcm_open
    AlsaFaultAvail = 1,     // snd_pcm_avail_update
    AlsaFaultWait = 2,      // snd_pcm_wait
    AlsaFaultWrite = 3,     // snd_pcm_writei
    AlsaFaultResume = 4,    // snd_pcm_resume
    AlsaFaultPrepare = 5,   // snd_pcm_prepare
    AlsaFaultHardware = 6,  // snd_pcm_hw_params
    AlsaFaultBegin = 7,     // snd_pcm_mmap_begin
    AlsaFaultCommit = 8,    // snd_pcm_mmap_commit
};

// The next `count` calls of `call` return `result`.
void alsa_faults_set(int32_t call, int32_t result, int32_t count);

// How many of the calls to fail have not been made yet.
int32_t alsa_faults_left(int32_t call);

// How the faulty devices that are opened from now on differ from what they are.
typedef struct AlsaDevicesAre {
    bool unmapped;          // they refuse to be mapped into memory
    const char *format;     // they have only the sample format of this name; NULL for all
    uint32_t granted_max;   // snd_pcm_mmap_begin grants at most so many frames at a time; 0 for all that fit
    uint32_t spread_bytes;  // the samples, of so many bytes, stand apart in the areas that snd_pcm_mmap_begin gives; 0
                            // for areas as they are
} AlsaDevicesAre;

void alsa_devices_are(AlsaDevicesAre devices);

// True if denormal numbers count as zero on the calling thread, as operands and as results.
bool alsa_denormals_are_zero(void);

// The same on the thread that wrote to a faulty PCM last: 1 if they do, 0 if not, -1 if none has since alsa_writer_forget.
int32_t alsa_writer_denormals_are_zero(void);

void alsa_writer_forget(void);

#ifdef __cplusplus
}
#endif

#endif
