#define _GNU_SOURCE

#include "manual_clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct ManualClock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t now;       // nanoseconds
    uint64_t limit;     // the time that the test allows
    uint64_t sleeping;  // the time until which the audio thread sleeps; 0 while it runs
};

enum { start_seconds = 1000, patience_seconds = 10 };

static const uint64_t second = 1000000000;

static struct timespec real_time_after(uint64_t nanoseconds)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    const uint64_t sum = (uint64_t)end.tv_nsec + nanoseconds;
    end.tv_sec += (time_t)(sum / second);
    end.tv_nsec = (long)(sum % second);
    return end;
}

ManualClock *manual_clock_create(void)
{
    ManualClock *clock = calloc(1, sizeof *clock);
    if (clock == NULL) {
        return NULL;
    }
    pthread_mutex_init(&clock->mutex, NULL);
    pthread_cond_init(&clock->changed, NULL);
    clock->now = start_seconds * second;
    clock->limit = clock->now;
    return clock;
}

void manual_clock_destroy(ManualClock *clock)
{
    pthread_cond_destroy(&clock->changed);
    pthread_mutex_destroy(&clock->mutex);
    free(clock);
}

uint64_t manual_clock_now(ManualClock *clock)
{
    pthread_mutex_lock(&clock->mutex);
    const uint64_t now = clock->now;
    pthread_mutex_unlock(&clock->mutex);
    return now;
}

bool manual_clock_advance(ManualClock *clock, uint64_t nanoseconds)
{
    const struct timespec end = real_time_after(patience_seconds * second);
    int error = 0;
    pthread_mutex_lock(&clock->mutex);
    clock->limit += nanoseconds;
    pthread_cond_broadcast(&clock->changed);
    while (clock->sleeping <= clock->limit && error == 0) {
        error = pthread_cond_clockwait(&clock->changed, &clock->mutex, CLOCK_MONOTONIC, &end);
    }
    pthread_mutex_unlock(&clock->mutex);
    return error == 0;
}

void manual_clock_release(ManualClock *clock)
{
    pthread_mutex_lock(&clock->mutex);
    clock->limit = UINT64_MAX;
    pthread_cond_broadcast(&clock->changed);
    pthread_mutex_unlock(&clock->mutex);
}

static uint64_t now(void *context)
{
    return manual_clock_now(context);
}

static void sleep_until(void *context, uint64_t time)
{
    ManualClock *clock = context;
    pthread_mutex_lock(&clock->mutex);
    clock->sleeping = time;
    pthread_cond_broadcast(&clock->changed);
    while (time > clock->limit) {
        pthread_cond_wait(&clock->changed, &clock->mutex);
    }
    clock->sleeping = 0;
    if (clock->now < time) {
        clock->now = time;
        pthread_cond_broadcast(&clock->changed);
    }
    pthread_mutex_unlock(&clock->mutex);
}

// The semaphore is another waiting place than the condition: it is looked at whenever the time changes, and every millisecond.
static void wait_until(void *context, sem_t *wake, uint64_t time)
{
    ManualClock *clock = context;
    pthread_mutex_lock(&clock->mutex);
    while (clock->now < time && sem_trywait(wake) != 0) {
        const struct timespec end = real_time_after(second / 1000);
        pthread_cond_clockwait(&clock->changed, &clock->mutex, CLOCK_MONOTONIC, &end);
    }
    pthread_mutex_unlock(&clock->mutex);
}

AudioClock manual_clock_audio(ManualClock *clock)
{
    const AudioClock audio = {clock, now, sleep_until, wait_until};
    return audio;
}
