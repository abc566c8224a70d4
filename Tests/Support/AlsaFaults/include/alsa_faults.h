// Fault injection for alsa-lib: behaves like a card that is unplugged, suspended or starved, on a machine without one. The
// functions below are defined in this target and so precede the library's functions, to which they forward every other
// call. Only PCMs opened by a name with the prefix "faulty:" fail: "faulty:null".

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

// Returns the number of remaining faults.
int32_t alsa_faults_left(int32_t call);

// Properties of faulty devices opened from now on.
typedef struct AlsaDevicesAre {
    bool unmapped;          // mapping fails
    const char *format;     // the only sample format, by name; NULL for all
    uint32_t granted_max;   // maximum frames granted by snd_pcm_mmap_begin; 0 for all that fit
        uint32_t spread_bytes;  // bytes of the samples, which snd_pcm_mmap_begin returns non-contiguously; 0 for contiguous
} AlsaDevicesAre;

void alsa_devices_are(AlsaDevicesAre devices);

// Whether denormal numbers count as zero on the calling thread, as operands and as results.
bool alsa_denormals_are_zero(void);

// The same for the thread that last wrote to a faulty PCM: 1 if they do, 0 if not, -1 if none has since alsa_writer_forget.
int32_t alsa_writer_denormals_are_zero(void);

void alsa_writer_forget(void);

#ifdef __cplusplus
}
#endif

#endif
