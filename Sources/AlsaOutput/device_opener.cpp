#include "device_opener.h"

#include <cerrno>
#include <ctime>

namespace alsa_output {

DeviceOpener::~DeviceOpener()
{
    if (started_) {
        stopping_.store(true, std::memory_order_relaxed);
        sem_post(&wake_);
        pthread_join(thread_, nullptr);
    }
    delete Take();
    delete returned_.exchange(nullptr, std::memory_order_acquire);
    sem_destroy(&wake_);
}

int DeviceOpener::Start()
{
    const int error = pthread_create(&thread_, nullptr, Main, this);
    started_ = error == 0;
    return error;
}

void *DeviceOpener::Main(void *opener)
{
    static_cast<DeviceOpener *>(opener)->Run();
    return nullptr;
}

void DeviceOpener::Run()
{
    while (!stopping_.load(std::memory_order_relaxed)) {
        int error = 0;
        PcmDevice *device = PcmDevice::Open(name_.c_str(), rate_, period_, periods_, &error);
        if (device == nullptr) {
            error_.store(error, std::memory_order_relaxed);
            WaitOneSecond();
            continue;
        }
        offered_.store(device, std::memory_order_release);
        PcmDevice *failed = nullptr;
        while (failed == nullptr && !stopping_.load(std::memory_order_relaxed)) {
            sem_wait(&wake_);
            failed = returned_.exchange(nullptr, std::memory_order_acquire);
        }
        delete failed;
        WaitOneSecond();
    }
}

void DeviceOpener::WaitOneSecond()
{
    if (stopping_.load(std::memory_order_relaxed)) {
        return;
    }
    // Uses the monotonic clock: the time of day jumps when a box without a battery-backed clock gets it from the
    // network.
    timespec end = {};
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += 1;
    while (sem_clockwait(&wake_, CLOCK_MONOTONIC, &end) != 0 && errno == EINTR) {
    }
}

}  // namespace alsa_output
