#include "heard_times.h"

#include "heard_time.h"

void heard_times(uint64_t *times, uint32_t count, uint32_t frames, uint32_t rate)
{
    alsa_output::HeardTime heard(frames, rate);
    for (uint32_t i = 0; i < count; ++i) {
        if (times[i] == 0) {
            heard.Restart();
        } else {
            times[i] = heard.Smooth(times[i]);
        }
    }
}
