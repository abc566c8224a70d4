// Converts the engine's floating-point samples to the device's format.

#ifndef PIXELBOOP_SAMPLE_FORMAT_H
#define PIXELBOOP_SAMPLE_FORMAT_H

#include <alsa/asoundlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace alsa_output {

// Channels of the music.
constexpr uint32_t kChannels = 2;

// Signals that the engine makes: the music, and the pulses of analogue clock if they have a channel of their own.
constexpr uint32_t kSignalsMax = kChannels + 1;

// Supported formats, in order of preference.
constexpr std::array<snd_pcm_format_t, 4> kFormats = {SND_PCM_FORMAT_FLOAT, SND_PCM_FORMAT_S32,
                                                      SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S16};

// Memory layout of frames: each signal's first sample, and the distance from one frame to the next in bytes.
struct FrameLayout {
    std::array<uint8_t *, kSignalsMax> first;
    uint32_t signals;
    size_t step;

    // Whether the frames have the music only, without gaps.
    bool IsPacked(size_t sample_size) const
    {
        return signals == kChannels && first[1] == first[0] + sample_size && step == kChannels * sample_size;
    }
};

class SampleConverter {
  public:
    explicit SampleConverter(snd_pcm_format_t format) : format_(format) {}

    size_t SampleSize() const
    {
        return static_cast<size_t>(snd_pcm_format_physical_width(format_)) / 8;
    }

    // Converts `frames` interleaved frames of all signals in -1...1. Integer formats clip values beyond that range,
    // which would otherwise wrap around. Silence is dithered like any sound, so that the noise floor is constant.
    void Convert(const float *in, const FrameLayout &out, uint32_t frames)
    {
        switch (format_) {
        case SND_PCM_FORMAT_S32:
            ForEach(in, out, frames, [](float x, uint8_t *to) {
                const int32_t sample = Round(static_cast<double>(Clip(x)) * 2147483647.0);
                std::memcpy(to, &sample, 4);
            });
            break;
        case SND_PCM_FORMAT_S24_3LE:
            ForEach(in, out, frames, [](float x, uint8_t *to) {
                const uint32_t sample = static_cast<uint32_t>(Round(static_cast<double>(Clip(x)) * 8388607.0));
                to[0] = static_cast<uint8_t>(sample);
                to[1] = static_cast<uint8_t>(sample >> 8);
                to[2] = static_cast<uint8_t>(sample >> 16);
            });
            break;
        case SND_PCM_FORMAT_S16:
            ForEach(in, out, frames, [this](float x, uint8_t *to) {
                // Triangular dither of two steps: mean and power of the error do not depend on the signal, so a fading
                // tail dissolves into hiss instead of distortion. 32766 leaves room for the dither.
                const float dither = Random() - Random();
                const int16_t sample = static_cast<int16_t>(Round(Clip(x) * 32766.0f + dither));
                std::memcpy(to, &sample, 2);
            });
            break;
        default:
            if (out.IsPacked(sizeof(float))) {
                std::memcpy(out.first[0], in, frames * kChannels * sizeof(float));
            } else {
                ForEach(in, out, frames, [](float x, uint8_t *to) { std::memcpy(to, &x, sizeof(float)); });
            }
            break;
        }
    }

  private:
    template <class Store>
    static void ForEach(const float *in, const FrameLayout &out, uint32_t frames, Store store)
    {
        for (uint32_t frame = 0; frame < frames; ++frame) {
            for (uint32_t signal = 0; signal < out.signals; ++signal) {
                store(in[out.signals * frame + signal], out.first[signal] + frame * out.step);
            }
        }
    }

    static float Clip(float x)
    {
        return std::min(1.0f, std::max(-1.0f, x));
    }

    // In double precision: single has fewer digits than a sample plus its half step.
    static int32_t Round(double x)
    {
        return static_cast<int32_t>(x < 0.0 ? x - 0.5 : x + 0.5);
    }

    // Uniform in 0..<1 (Marsaglia's xorshift32).
    float Random()
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return static_cast<float>(state_ >> 8) * (1.0f / 16777216.0f);
    }

    snd_pcm_format_t format_;
    uint32_t state_ = 0x9e3779b9u;
};

}  // namespace alsa_output

#endif
