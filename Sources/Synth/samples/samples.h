// The sounds that pads play, in slots. A slot is filled by another thread while it is empty, belongs to the audio
// thread until that is asked to unload it, and is empty again when no voice plays it.

#ifndef PIXELBOOP_SYNTH_SAMPLES_H
#define PIXELBOOP_SYNTH_SAMPLES_H

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "../base/elementary.h"
#include "sample_kernel.h"
#include "synth.h"

namespace synth {

// A sound at the engine's rate: 16-bit frames of one or two channels, with silence around for the kernels.
class Sample {
  public:
    // Converts `count` interleaved frames. Returns false without memory.
    bool Fill(const int16_t *frames, uint32_t count, uint32_t channels, uint32_t rate, uint32_t engine_rate)
    {
        Channel source[2];
        for (uint32_t channel = 0; channel < channels; ++channel) {
            if (!Allocate(source[channel], count)) {
                return false;
            }
            for (uint32_t i = 0; i < count; ++i) {
                source[channel].get()[kReach + i] = frames[i * channels + channel];
            }
        }
        const uint64_t rounded = (static_cast<uint64_t>(count) * engine_rate + rate / 2) / rate;
        frames_ = std::max(1u, static_cast<uint32_t>(rounded));
        channels_ = channels;
        kernels_ = &SampleKernels::Shared();
        if (rate == engine_rate) {
            std::move(source, source + channels, data_.begin());
            return true;
        }
        const double ratio = static_cast<double>(rate) / engine_rate;
        const SampleKernel kernel(std::max(1.0, ratio));
        for (uint32_t channel = 0; channel < channels; ++channel) {
            if (!Allocate(data_[channel], frames_)) {
                return false;
            }
            const int16_t *const in = source[channel].get() + kReach;
            for (uint32_t i = 0; i < frames_; ++i) {
                const float value = kernel.Read(in, in, static_cast<SamplePlace>(ratio * i * kPlaceOne))[0];
                data_[channel].get()[kReach + i] = Rounded(value);
            }
        }
        return true;
    }

    void Clear()
    {
        data_ = {};
        frames_ = 0;
    }

    uint32_t Frames() const
    {
        return frames_;
    }

    bool IsStereo() const
    {
        return channels_ == 2;
    }

    // Frame 0 of the left channel, and of the right, which is the left of a mono sound.
    const int16_t *Left() const
    {
        return data_[0].get() + kReach;
    }

    const int16_t *Right() const
    {
        return data_[channels_ - 1].get() + kReach;
    }

    const SampleKernels &Kernels() const
    {
        return *kernels_;
    }

  private:
    static constexpr uint32_t kReach = SampleKernel::kReachMax;

    struct Free {
        void operator()(int16_t *memory) const
        {
            std::free(memory);
        }
    };
    typedef std::unique_ptr<int16_t, Free> Channel;

    // Silence of `count` frames.
    static bool Allocate(Channel &channel, uint32_t count)
    {
        channel.reset(static_cast<int16_t *>(std::calloc(count + 2 * kReach, sizeof(int16_t))));
        return channel != nullptr;
    }

    static int16_t Rounded(float value)
    {
        const float whole = std::clamp(value, -32768.0f, 32767.0f);
        return static_cast<int16_t>(static_cast<int32_t>(whole + (whole < 0.0f ? -0.5f : 0.5f)));
    }

    std::array<Channel, 2> data_;
    uint32_t frames_ = 0;
    uint32_t channels_ = 1;
    const SampleKernels *kernels_ = nullptr;
};

class Samples {
  public:
    // Fills an empty slot. Returns false if it is not empty, and without memory.
    bool Load(uint32_t slot, const int16_t *frames, uint32_t count, uint32_t channels, uint32_t rate, uint32_t engine_rate)
    {
        if (!IsEmpty(slot)) {
            return false;
        }
        if (!samples_[slot].Fill(frames, count, channels, rate, engine_rate)) {
            samples_[slot].Clear();
            return false;
        }
        is_loaded_[slot].store(true, std::memory_order_release);
        return true;
    }

    // Frees the memory of an empty slot.
    void Free(uint32_t slot)
    {
        if (IsEmpty(slot)) {
            samples_[slot].Clear();
        }
    }

    bool IsEmpty(uint32_t slot) const
    {
        return !is_loaded_[slot].load(std::memory_order_acquire);
    }

    // Audio thread. The sound in `slot`; null for none.
    const Sample *At(uint32_t slot) const
    {
        return slot < synth_samples && is_loaded_[slot].load(std::memory_order_acquire) ? &samples_[slot] : nullptr;
    }

    // Audio thread. The slot is empty from now on.
    void Release(uint32_t slot)
    {
        is_loaded_[slot].store(false, std::memory_order_release);
    }

  private:
    std::array<Sample, synth_samples> samples_;
    std::array<std::atomic<bool>, synth_samples> is_loaded_ = {};
};

}  // namespace synth

#endif
