// The last minutes of the output, in 16 bits, and their playback.

#ifndef PIXELBOOP_SYNTH_SOUND_MEMORY_H
#define PIXELBOOP_SYNTH_SOUND_MEMORY_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace synth {

// A ring of stereo frames, which one thread writes and any thread reads. A frame is one atomic word. The writer
// announces the frames that it is about to overwrite, so that a reader knows whether it was overtaken.
class SoundMemory {
  public:
    // Full scale of a sample.
    static constexpr float kScale = 32767.0f;

    // Makes room for `frames`, before the first is written. Returns whether there is memory. Its pages come with their
    // first use, or now if `touch`: an audio thread must not wait for them.
    bool Allocate(uint32_t frames, bool touch)
    {
        if (frames_ != nullptr || frames == 0 || Written() != 0) {
            return false;
        }
        frames_.reset(static_cast<uint32_t *>(std::calloc(frames, sizeof(uint32_t))));
        capacity_ = frames_ == nullptr ? 0 : frames;
        for (uint32_t i = 0; touch && i < capacity_; i += kPage) {
            __atomic_store_n(&frames_.get()[i], 0, __ATOMIC_RELAXED);
        }
        return capacity_ != 0;
    }

    // Writer. Stores `frames` interleaved frames, at most the capacity; full scale is 1.
    void Write(const float *in, uint32_t frames)
    {
        if (capacity_ == 0) {
            return;
        }
        const uint64_t end = Written() + frames;
        claimed_.store(end, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        while (frames > 0) {
            const uint32_t run = std::min({frames, capacity_ - next_, kRun});
            uint32_t *const place = frames_.get() + next_;
            // In two loops: the compiler makes vectors of the first.
            uint32_t words[kRun];
            for (uint32_t i = 0; i < run; ++i) {
                words[i] = Packed(in[2 * i], in[2 * i + 1]);
            }
            for (uint32_t i = 0; i < run; ++i) {
                __atomic_store_n(&place[i], words[i], __ATOMIC_RELAXED);
            }
            in += 2 * run;
            frames -= run;
            next_ = next_ + run == capacity_ ? 0 : next_ + run;
        }
        written_.store(end, std::memory_order_release);
    }

    // Copies `frames` frames from `frame` on to `out`, interleaved. Returns false if they are not all there any more,
    // or not yet.
    bool Read(uint64_t frame, int16_t *out, uint32_t frames) const
    {
        const uint64_t written = written_.load(std::memory_order_acquire);
        if (frames > capacity_ || frame + frames > written || frame + capacity_ < written) {
            return false;
        }
        for (uint32_t i = 0; i < frames; ++i) {
            const uint32_t word = At(frame + i);
            out[2 * i] = static_cast<int16_t>(word & 0xffff);
            out[2 * i + 1] = static_cast<int16_t>(word >> 16);
        }
        std::atomic_thread_fence(std::memory_order_acquire);
        return frame + capacity_ >= claimed_.load(std::memory_order_relaxed);
    }

    // Whether `frame` is kept.
    bool Has(uint64_t frame) const
    {
        return frame < Written() && frame + capacity_ >= Written();
    }

    // The frame, left in the low half; it has to be kept.
    uint32_t At(uint64_t frame) const
    {
        return __atomic_load_n(&frames_.get()[frame % capacity_], __ATOMIC_RELAXED);
    }

  private:
    static constexpr uint32_t kRun = 64;                        // frames that are converted at once
    static constexpr uint32_t kPage = 4096 / sizeof(uint32_t);  // the smallest page, in frames

    uint64_t Written() const
    {
        return written_.load(std::memory_order_relaxed);
    }

    // Rounds half away from zero. The limiter keeps samples within full scale.
    static uint32_t Packed(float left, float right)
    {
        return (Rounded(left) & 0xffff) | Rounded(right) << 16;
    }

    static uint32_t Rounded(float sample)
    {
        const float scaled = std::clamp(sample, -1.0f, 1.0f) * kScale;
        return static_cast<uint32_t>(static_cast<int32_t>(scaled + (scaled < 0.0f ? -0.5f : 0.5f)));
    }

    struct Free {
        void operator()(uint32_t *memory) const
        {
            std::free(memory);
        }
    };
    std::unique_ptr<uint32_t, Free> frames_;
    uint32_t capacity_ = 0;
    uint32_t next_ = 0;  // place of the next frame
    alignas(64) std::atomic<uint64_t> claimed_ = {0};  // end of the frames that are being written
    std::atomic<uint64_t> written_ = {0};
};

// Plays a part of the memory in place of the music, which goes on unheard.
class MemoryPlayer {
  public:
    explicit MemoryPlayer(uint32_t rate) : step_(200.0f / static_cast<float>(rate)) {}

    // The part that is repeated once its end is reached; an empty one is not.
    void SetLoop(uint64_t begin, uint32_t frames)
    {
        loop_begin_ = begin;
        loop_end_ = begin + frames;
    }

    // Plays from `frame` on. The sound that is playing fades out first.
    void Play(uint64_t frame)
    {
        asked_ = frame;
        plays_ = true;
        begins_ = true;
    }

    void Stop()
    {
        plays_ = false;
        begins_ = false;
    }

    // Whether the output is the music alone.
    bool Rests() const
    {
        return gain_ == 0.0f && !plays_;
    }

    // Blends the played sound into `out`, interleaved, over 5 ms. A frame that is no longer kept is silent.
    void Mix(float *out, uint32_t frames, const SoundMemory &memory)
    {
        for (uint32_t i = 0; i < frames; ++i) {
            if (begins_ && gain_ == 0.0f) {
                place_ = asked_;
                begins_ = false;
            }
            const float target = plays_ && !begins_ ? 1.0f : 0.0f;
            gain_ = target > gain_ ? std::min(target, gain_ + step_) : std::max(target, gain_ - step_);
            const uint32_t word = memory.Has(place_) ? memory.At(place_) : 0;
            Blend(out[2 * i], static_cast<int16_t>(word & 0xffff));
            Blend(out[2 * i + 1], static_cast<int16_t>(word >> 16));
            place_ += 1;
            if (place_ == loop_end_) {
                place_ = loop_begin_;
            }
        }
    }

  private:
    void Blend(float &out, int16_t sample) const
    {
        out = (1.0f - gain_) * out + gain_ * (static_cast<float>(sample) / SoundMemory::kScale);
    }

    const float step_;  // of the gain, in a frame
    float gain_ = 0.0f;
    bool plays_ = false;
    bool begins_ = false;  // at `asked_`, as soon as the fade is over
    uint64_t asked_ = 0;
    uint64_t place_ = 0;
    uint64_t loop_begin_ = 0;
    uint64_t loop_end_ = 0;
};

}  // namespace synth

#endif
