#define _GNU_SOURCE
#include "death.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

// The last message of each chain. The descriptor is written last and read first: if it is visible, so is the rest.
static struct {
    atomic_int descriptor;  // plus one, so that 0 is none
    const uint8_t *bytes;
    uint32_t count;
    uint32_t chunk;
} last_messages[system_spi_chains_max];

static _Atomic(void (*)(void)) last_call;

static atomic_bool is_dying;

bool system_is_dying(void)
{
    return atomic_load_explicit(&is_dying, memory_order_relaxed);
}

// Async-signal-safe (signal-safety(7)): calls only write(2), the last call and raise(3).
static void die(int number)
{
    atomic_store_explicit(&is_dying, true, memory_order_relaxed);
    for (int chain = 0; chain < system_spi_chains_max; ++chain) {
        const int descriptor = atomic_load_explicit(&last_messages[chain].descriptor, memory_order_acquire) - 1;
        uint32_t left = last_messages[chain].count;
        const uint8_t *bytes = last_messages[chain].bytes;
        while (descriptor >= 0 && left > 0) {
            const uint32_t most = last_messages[chain].chunk;
            const long sent = write(descriptor, bytes, left < most ? left : most);
            if (sent <= 0) {
                break;
            }
            bytes += sent;
            left -= (uint32_t)sent;
        }
    }
    void (*const last)(void) = atomic_load_explicit(&last_call, memory_order_acquire);
    if (last != NULL) {
        last();
    }
    raise(number);  // SA_RESETHAND: this ends the process
}

// Faults, Swift's traps (SIGILL, SIGTRAP), an abort, or the service manager's watchdog (SIGABRT).
static void await_death(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
    struct sigaction action = {.sa_handler = die, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
        sigaction(signals[i], &action, NULL);
    }
}

void system_at_death(void (*last)(void))
{
    atomic_store_explicit(&last_call, last, memory_order_release);
    if (last != NULL) {
        await_death();
    }
}

void system_spi_at_death(int chain, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk)
{
    if (chain < 0 || chain >= system_spi_chains_max) {
        return;
    }
    atomic_store_explicit(&last_messages[chain].descriptor, 0, memory_order_release);
    if (descriptor < 0) {
        return;
    }
    last_messages[chain].bytes = bytes;
    last_messages[chain].count = count;
    last_messages[chain].chunk = chunk;
    atomic_store_explicit(&last_messages[chain].descriptor, descriptor + 1, memory_order_release);
    await_death();
}
