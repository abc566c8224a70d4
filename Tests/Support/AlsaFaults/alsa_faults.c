#define _GNU_SOURCE

#include "alsa_faults.h"

#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <float.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

enum { fault_calls = 9 };

static atomic_int results[fault_calls];
static atomic_int left[fault_calls];

// Changed only while no thread runs.
static AlsaDevicesAre devices;

// The PCMs that may fail: those opened by a name with the prefix. Other tests run at the same time.
enum { faulty_max = 16 };
static _Atomic(snd_pcm_t *) faulty[faulty_max];
static const char prefix[] = "faulty:";

static bool replace(snd_pcm_t *from, snd_pcm_t *to)
{
    for (int i = 0; i < faulty_max; ++i) {
        snd_pcm_t *expected = from;
        if (atomic_compare_exchange_strong(&faulty[i], &expected, to)) {
            return true;
        }
    }
    return false;
}

static bool is_faulty(snd_pcm_t *pcm)
{
    return replace(pcm, pcm);
}

void alsa_faults_set(int32_t call, int32_t result, int32_t count)
{
    atomic_store(&results[call], result);
    atomic_store(&left[call], count);
}

int32_t alsa_faults_left(int32_t call)
{
    return atomic_load(&left[call]);
}

// Consumes a fault of `call`, if there is one.
static bool takes_fault(int32_t call)
{
    int count = atomic_load(&left[call]);
    while (count > 0) {
        if (atomic_compare_exchange_weak(&left[call], &count, count - 1)) {
            return true;
        }
    }
    return false;
}

static bool fails(int32_t call, snd_pcm_t *pcm)
{
    return is_faulty(pcm) && takes_fault(call);
}

// The C library's function. POSIX requires dlsym to return functions as data pointers.
static void *library(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

int snd_pcm_open(snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode)
{
    int (*open)(snd_pcm_t **, const char *, snd_pcm_stream_t, int) = library("snd_pcm_open");
    if (strncmp(name, prefix, strlen(prefix)) != 0) {
        return open(pcm, name, stream, mode);
    }
    if (takes_fault(AlsaFaultOpen)) {
        return atomic_load(&results[AlsaFaultOpen]);
    }
    const int error = open(pcm, name + strlen(prefix), stream, mode);
    return error == 0 && !replace(NULL, *pcm) ? -ENFILE : error;
}

int snd_pcm_close(snd_pcm_t *pcm)
{
    int (*close)(snd_pcm_t *) = library("snd_pcm_close");
    replace(pcm, NULL);
    return close(pcm);
}

snd_pcm_sframes_t snd_pcm_avail_update(snd_pcm_t *pcm)
{
    snd_pcm_sframes_t (*avail)(snd_pcm_t *) = library("snd_pcm_avail_update");
    return fails(AlsaFaultAvail, pcm) ? atomic_load(&results[AlsaFaultAvail]) : avail(pcm);
}

int snd_pcm_wait(snd_pcm_t *pcm, int timeout)
{
    int (*wait)(snd_pcm_t *, int) = library("snd_pcm_wait");
    return fails(AlsaFaultWait, pcm) ? atomic_load(&results[AlsaFaultWait]) : wait(pcm, timeout);
}

int snd_pcm_hw_params(snd_pcm_t *pcm, snd_pcm_hw_params_t *parameters)
{
    int (*set)(snd_pcm_t *, snd_pcm_hw_params_t *) = library("snd_pcm_hw_params");
    return fails(AlsaFaultHardware, pcm) ? atomic_load(&results[AlsaFaultHardware]) : set(pcm, parameters);
}

int snd_pcm_resume(snd_pcm_t *pcm)
{
    int (*resume)(snd_pcm_t *) = library("snd_pcm_resume");
    return fails(AlsaFaultResume, pcm) ? atomic_load(&results[AlsaFaultResume]) : resume(pcm);
}

int snd_pcm_prepare(snd_pcm_t *pcm)
{
    int (*prepare)(snd_pcm_t *) = library("snd_pcm_prepare");
    return fails(AlsaFaultPrepare, pcm) ? atomic_load(&results[AlsaFaultPrepare]) : prepare(pcm);
}

// Devices

void alsa_devices_are(AlsaDevicesAre new_devices)
{
    devices = new_devices;
}

int snd_pcm_hw_params_set_access(snd_pcm_t *pcm, snd_pcm_hw_params_t *parameters, snd_pcm_access_t access)
{
    int (*set)(snd_pcm_t *, snd_pcm_hw_params_t *, snd_pcm_access_t) = library("snd_pcm_hw_params_set_access");
    const bool refused = is_faulty(pcm) && devices.unmapped && access == SND_PCM_ACCESS_MMAP_INTERLEAVED;
    return refused ? -EINVAL : set(pcm, parameters, access);
}

int snd_pcm_hw_params_test_format(snd_pcm_t *pcm, snd_pcm_hw_params_t *parameters, snd_pcm_format_t format)
{
    int (*test)(snd_pcm_t *, snd_pcm_hw_params_t *, snd_pcm_format_t) = library("snd_pcm_hw_params_test_format");
    const bool refused = is_faulty(pcm) && devices.format != NULL && strcmp(devices.format, snd_pcm_format_name(format)) != 0;
    return refused ? -EINVAL : test(pcm, parameters, format);
}

// Writing

static atomic_int writer_denormals = -1;

bool alsa_denormals_are_zero(void)
{
    // Volatile, so that the product is computed at run time.
    volatile float smallest = FLT_MIN;
    volatile float denormal = FLT_TRUE_MIN;
    const bool as_results = smallest * 0.5f == 0.0f;
    const bool as_operands = denormal * 1e30f == 0.0f;
    return as_results && as_operands;
}

int32_t alsa_writer_denormals_are_zero(void)
{
    return atomic_load(&writer_denormals);
}

void alsa_writer_forget(void)
{
    atomic_store(&writer_denormals, -1);
}

static void note_writer(snd_pcm_t *pcm)
{
    if (is_faulty(pcm)) {
        atomic_store(&writer_denormals, alsa_denormals_are_zero());
    }
}

snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size)
{
    snd_pcm_sframes_t (*write)(snd_pcm_t *, const void *, snd_pcm_uframes_t) = library("snd_pcm_writei");
    note_writer(pcm);
    if (fails(AlsaFaultWrite, pcm)) {
        return atomic_load(&results[AlsaFaultWrite]);
    }
    return write(pcm, buffer, size);
}

enum { channels = 2, spread_frames_max = 8192, sample_bytes_max = 4 };

// The areas returned in place of the library's: three samples per frame, of which the first is unused.
static char spread[spread_frames_max * (channels + 1) * sample_bytes_max];
static snd_pcm_channel_area_t spread_areas[channels];
static const snd_pcm_channel_area_t *true_areas;

int snd_pcm_mmap_begin(
    snd_pcm_t *pcm, const snd_pcm_channel_area_t **areas, snd_pcm_uframes_t *offset, snd_pcm_uframes_t *frames)
{
    int (*begin)(snd_pcm_t *, const snd_pcm_channel_area_t **, snd_pcm_uframes_t *, snd_pcm_uframes_t *)
        = library("snd_pcm_mmap_begin");
    if (fails(AlsaFaultBegin, pcm)) {
        return atomic_load(&results[AlsaFaultBegin]);
    }
    const int error = begin(pcm, areas, offset, frames);
    if (!is_faulty(pcm)) {
        return error;
    }
    if (error == 0 && devices.granted_max > 0 && *frames > devices.granted_max) {
        *frames = devices.granted_max;
    }
    if (error == 0 && devices.spread_bytes > 0) {
        true_areas = *areas;
        for (unsigned channel = 0; channel < channels; ++channel) {
            spread_areas[channel].addr = spread;
            spread_areas[channel].first = 8 * devices.spread_bytes * (channel + 1);
            spread_areas[channel].step = 8 * devices.spread_bytes * (channels + 1);
        }
        *areas = spread_areas;
    }
    return error;
}

snd_pcm_sframes_t snd_pcm_mmap_commit(snd_pcm_t *pcm, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames)
{
    snd_pcm_sframes_t (*commit)(snd_pcm_t *, snd_pcm_uframes_t, snd_pcm_uframes_t) = library("snd_pcm_mmap_commit");
    note_writer(pcm);
    if (fails(AlsaFaultCommit, pcm)) {
        return atomic_load(&results[AlsaFaultCommit]);
    }
    if (is_faulty(pcm) && devices.spread_bytes > 0) {
        for (unsigned channel = 0; channel < channels; ++channel) {
            for (snd_pcm_uframes_t frame = offset; frame < offset + frames; ++frame) {
                const snd_pcm_channel_area_t *from = &spread_areas[channel];
                const snd_pcm_channel_area_t *to = &true_areas[channel];
                memcpy((char *)to->addr + (to->first + frame * to->step) / 8,
                       (const char *)from->addr + (from->first + frame * from->step) / 8, devices.spread_bytes);
            }
        }
    }
    return commit(pcm, offset, frames);
}
