// From the engine's floating point to what the device takes.

#ifndef PIXELBOOP_SAMPLE_FORMAT_H
#define PIXELBOOP_SAMPLE_FORMAT_H

#include <alsa/asoundlib.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace alsa_output {

// In order of preference.
constexpr std::array<snd_pcm_format_t, 4> kFormats = {SND_PCM_FORMAT_FLOAT, SND_PCM_FORMAT_S32,
                                                      SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S16};

class SampleConverter {
  public:
    explicit SampleConverter(snd_pcm_format_t format) : format_(format) {}

    size_t SampleSize() const
    {
        return static_cast<size_t>(snd_pcm_format_physical_width(format_)) / 8;
    }

    // Converts `count` samples in -1...1.
    void Convert(const float *in, uint8_t *out, uint32_t count)
    {
        switch (format_) {
        case SND_PCM_FORMAT_S32:
            for (uint32_t i = 0; i < count; ++i, out += 4) {
                // In double precision: the largest float below 2^31 is 127 short of full scale.
                const int32_t sample = static_cast<int32_t>(static_cast<double>(in[i]) * 2147483647.0);
                std::memcpy(out, &sample, 4);
            }
            break;
        case SND_PCM_FORMAT_S24_3LE:
            for (uint32_t i = 0; i < count; ++i, out += 3) {
                const uint32_t sample = static_cast<uint32_t>(Round(in[i] * 8388607.0f));
                out[0] = static_cast<uint8_t>(sample);
                out[1] = static_cast<uint8_t>(sample >> 8);
                out[2] = static_cast<uint8_t>(sample >> 16);
            }
            break;
        case SND_PCM_FORMAT_S16:
            for (uint32_t i = 0; i < count; ++i, out += 2) {
                // Triangular dither of two steps: the error's mean and power no longer depend on the signal, so
                // that a fading tail dissolves into hiss instead of distorting. 32766 leaves room for it.
                const float dither = Random() - Random();
                const int16_t sample = static_cast<int16_t>(Round(in[i] * 32766.0f + dither));
                std::memcpy(out, &sample, 2);
            }
            break;
        default:
            std::memcpy(out, in, count * sizeof(float));
            break;
        }
    }

  private:
    static int32_t Round(float x)
    {
        return static_cast<int32_t>(x < 0.0f ? x - 0.5f : x + 0.5f);
    }

    // Even in 0..<1 (Marsaglia's xorshift32).
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
