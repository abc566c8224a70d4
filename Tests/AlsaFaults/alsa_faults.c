#define _GNU_SOURCE

#include "alsa_faults.h"

#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { fault_calls = 6 };

static atomic_int results[fault_calls];
static atomic_int left[fault_calls];

void alsa_faults_set(int32_t call, int32_t result, int32_t count)
{
    atomic_store(&results[call], result);
    atomic_store(&left[call], count);
}

int32_t alsa_faults_left(int32_t call)
{
    return atomic_load(&left[call]);
}

static bool fails(int32_t call)
{
    int count = atomic_load(&left[call]);
    while (count > 0) {
        if (atomic_compare_exchange_weak(&left[call], &count, count - 1)) {
            return true;
        }
    }
    return false;
}

// The library's own function. POSIX has dlsym return functions as data pointers.
static void *library(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

int snd_pcm_open(snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode)
{
    int (*open)(snd_pcm_t **, const char *, snd_pcm_stream_t, int) = library("snd_pcm_open");
    return fails(AlsaFaultOpen) ? atomic_load(&results[AlsaFaultOpen]) : open(pcm, name, stream, mode);
}

snd_pcm_sframes_t snd_pcm_avail_update(snd_pcm_t *pcm)
{
    snd_pcm_sframes_t (*avail)(snd_pcm_t *) = library("snd_pcm_avail_update");
    return fails(AlsaFaultAvail) ? atomic_load(&results[AlsaFaultAvail]) : avail(pcm);
}

int snd_pcm_wait(snd_pcm_t *pcm, int timeout)
{
    int (*wait)(snd_pcm_t *, int) = library("snd_pcm_wait");
    return fails(AlsaFaultWait) ? atomic_load(&results[AlsaFaultWait]) : wait(pcm, timeout);
}

snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size)
{
    snd_pcm_sframes_t (*write)(snd_pcm_t *, const void *, snd_pcm_uframes_t) = library("snd_pcm_writei");
    return fails(AlsaFaultWrite) ? atomic_load(&results[AlsaFaultWrite]) : write(pcm, buffer, size);
}

int snd_pcm_resume(snd_pcm_t *pcm)
{
    int (*resume)(snd_pcm_t *) = library("snd_pcm_resume");
    return fails(AlsaFaultResume) ? atomic_load(&results[AlsaFaultResume]) : resume(pcm);
}

int snd_pcm_prepare(snd_pcm_t *pcm)
{
    int (*prepare)(snd_pcm_t *) = library("snd_pcm_prepare");
    return fails(AlsaFaultPrepare) ? atomic_load(&results[AlsaFaultPrepare]) : prepare(pcm);
}
