#include "audio_clock.h"

#include <cerrno>
#include <ctime>

namespace {

constexpr uint64_t kSecond = 1000000000;

timespec Timespec(uint64_t time)
{
    timespec result = {};
    result.tv_sec = static_cast<time_t>(time / kSecond);
    result.tv_nsec = static_cast<long>(time % kSecond);
    return result;
}

uint64_t Now(void *)
{
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * kSecond + static_cast<uint64_t>(now.tv_nsec);
}

void SleepUntil(void *, uint64_t time)
{
    const timespec end = Timespec(time);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nullptr) == EINTR) {
    }
}

void WaitUntil(void *, sem_t *wake, uint64_t time)
{
    const timespec end = Timespec(time);
    while (sem_clockwait(wake, CLOCK_MONOTONIC, &end) != 0 && errno == EINTR) {
    }
}

}  // namespace

AudioClock audio_clock_monotonic(void)
{
    return {nullptr, Now, SleepUntil, WaitUntil};
}
