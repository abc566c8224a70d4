#include "device_opener.h"

#include "privileges.h"

namespace alsa_output {

namespace {

// Time in nanoseconds between attempts to open the device.
constexpr uint64_t kRetry = 1000000000;

}  // namespace

DeviceOpener::~DeviceOpener()
{
    if (started_) {
        stopping_.store(true, std::memory_order_relaxed);
        sem_post(&wake_);
        pthread_join(thread_, nullptr);
    }
    delete Acquire();
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
    ReadProgram();
    while (!stopping_.load(std::memory_order_relaxed)) {
        int error = 0;
        PcmDevice *device = PcmDevice::Open(name_.c_str(), request_, &error);
        if (device == nullptr) {
            error_.store(error, std::memory_order_relaxed);
            WaitForRetry();
            continue;
        }
        offered_.store(device, std::memory_order_release);
        PcmDevice *failed = nullptr;
        while (failed == nullptr && !stopping_.load(std::memory_order_relaxed)) {
            sem_wait(&wake_);
            failed = returned_.exchange(nullptr, std::memory_order_acquire);
        }
        delete failed;
        WaitForRetry();
    }
}

void DeviceOpener::WaitForRetry()
{
    if (stopping_.load(std::memory_order_relaxed)) {
        return;
    }
    clock_.wait_until(clock_.context, &wake_, clock_.now(clock_.context) + kRetry);
}

}  // namespace alsa_output
