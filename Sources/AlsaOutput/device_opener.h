// Opens the device outside the audio thread: opening may take seconds (a sound server starts, a card wakes), and the
// clock must continue. A device is handed over by one atomic pointer in each direction.

#ifndef PIXELBOOP_DEVICE_OPENER_H
#define PIXELBOOP_DEVICE_OPENER_H

#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "audio_clock.h"
#include "pcm_device.h"

namespace alsa_output {

class DeviceOpener {
  public:
    DeviceOpener(const char *name, const PcmRequest &request, const AudioClock &clock)
        : name_(name), request_(request), clock_(clock)
    {
        sem_init(&wake_, 0, 0);
    }

    // Ends the thread and closes a device that was not taken.
    ~DeviceOpener();

    // Starts the thread. Returns 0 or a positive errno.
    int Start();

    // Audio thread. The device once it is open; else null.
    PcmDevice *Acquire()
    {
        return offered_.exchange(nullptr, std::memory_order_acquire);
    }

    // Audio thread. Returns a failed device, which is closed and reopened.
    void Return(PcmDevice *device)
    {
        returned_.store(device, std::memory_order_release);
        sem_post(&wake_);
    }

    // Negative errno of the last failure to open, 0 if none.
    int32_t Error() const
    {
        return error_.load(std::memory_order_relaxed);
    }

  private:
    static void *Main(void *opener);
    void Run();
    void WaitForRetry();

    const std::string name_;
    const PcmRequest request_;
    const AudioClock clock_;
    pthread_t thread_ = {};
    bool started_ = false;
    sem_t wake_;
    std::atomic<bool> stopping_ = {false};
    std::atomic<PcmDevice *> offered_ = {nullptr};
    std::atomic<PcmDevice *> returned_ = {nullptr};
    std::atomic<int32_t> error_ = {0};
};

}  // namespace alsa_output

#endif
