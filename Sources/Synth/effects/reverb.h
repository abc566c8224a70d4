// A feedback delay network of eight lines (Jot and Chaigne, "Digital delay networks for designing artificial
// reverberators", 1991) behind two all-passes that diffuse the input. Each line is a lane.

#ifndef PIXELBOOP_SYNTH_REVERB_H
#define PIXELBOOP_SYNTH_REVERB_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "../base/elementary.h"
#include "../base/glide.h"
#include "../lanes/filter.h"
#include "../lanes/lanes.h"
#include "../lanes/mix.h"

namespace synth {

class Reverb {
  public:
    explicit Reverb(uint32_t rate)
        : rate_(rate),
          glide_frames_(Frames(kGlideTime, rate)),
          mask_(rate > 48000 ? kFramesMax - 1 : kFramesMax / 2 - 1),
          // A first-order low-pass at 6 kHz in every line: air and walls absorb treble first.
          darkening_(FirstOrder(6000.0, rate))
    {
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            lengths_[lane] = Scaled(kPrimes[lane]);
        }
        for (uint32_t i = 0; i < diffusers_.size(); ++i) {
            diffusers_[i].length = Scaled(kDiffuserPrimes[i]);
        }
        for (Line &line : lines_) {
            line.fill(0.0f);
        }
        SetTime(2.0, 0);
    }

    // Sets the reverberation time: seconds to fall by 60 dB. The loudness stays.
    void SetTime(double seconds)
    {
        SetTime(seconds, AtRest() ? 0 : glide_frames_);
    }

    bool AtRest() const
    {
        return zeros_ > mask_;
    }

    // Adds the reverberation to the left and right of `mix`. Recursion and Feed have to follow.
    void Hear(Mix &mix, uint32_t frames)
    {
        // Every line is longer than a block, so all that is heard was stored before.
        std::array<const float *, kLanes> starts;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            starts[lane] = &lines_[lane][(position_ - lengths_[lane]) & mask_];
        }
        for (uint32_t first = 0; first < frames; first += kLanes) {
            std::array<FloatLanes, kLanes> heard;
            for (uint32_t lane = 0; lane < kLanes; ++lane) {
                std::memcpy(&heard[lane], starts[lane] + first, sizeof(heard[lane]));
            }
            AddSides(heard, mix, first, std::min(kLanes, frames - first));
            Transpose(heard, &heard_[first]);
        }
    }

    // Darkens the outputs of the lines.
    class Recursion {
      public:
        explicit Recursion(Reverb &reverb) : reverb_(reverb), dark_(reverb.dark_) {}

        template <bool drops>
        void Step(uint32_t i)
        {
            dark_ += reverb_.darkening_ * (reverb_.heard_[i] - dark_);
            if (drops) {
                DropInaudible(dark_);
            }
            least_.Add(dark_);
            reverb_.darks_[i] = dark_;
        }

        bool IsAudible() const
        {
            return least_.IsAudible();
        }

        void Commit()
        {
            reverb_.dark_ = dark_;
        }

      private:
        Reverb &reverb_;
        FloatLanes dark_;
        LeastMagnitude<UintLanes> least_;
    };

    // Feeds `frames` samples of `in`, which it overwrites, and the darkened outputs to the lines.
    void Feed(Block &in, uint32_t frames)
    {
        for (Diffuser &diffuser : diffusers_) {
            diffuser.Process(in, frames);
        }
        for (uint32_t first = 0; first < frames; first += kLanes) {
            Store(in, first, std::min(kLanes, frames - first));
        }
        CountZeros(frames);
        position_ += frames;
    }

  private:
    static constexpr uint32_t kFramesMax = 8192;  // frames per line: 60 ms at 96 kHz, a power of two

    // 30 to 58 ms at 48 kHz; primes, so that their echoes rarely coincide.
    static constexpr std::array<uint32_t, kLanes> kPrimes = {1433, 1601, 1867, 2053, 2251, 2399, 2617, 2797};
    static constexpr std::array<uint32_t, 2> kDiffuserPrimes = {241, 607};  // 5 and 13 ms

    // Input gain of the lines, with alternating signs; their total power is 1.
    static constexpr float kInput = 0.353553391f;

    // A Schroeder all-pass.
    struct Diffuser {
        static constexpr float kGain = 0.6f;
        std::array<float, 2 * 607> line = {};
        uint32_t length = 1;
        uint32_t position = 0;

        // Diffuses `frames` samples in place: fewer than the line is long, so that all that is read was stored before.
        void Process(Block &signal, uint32_t frames)
        {
            uint32_t done = 0;
            while (done < frames) {
                const uint32_t run = std::min(frames - done, length - position);
                float *const stored = line.data() + position;
                float *const samples = signal.data() + done;
                for (uint32_t i = 0; i < run; ++i) {
                    const float old = stored[i];
                    const float now = Audible(samples[i] + kGain * old);
                    samples[i] = old - kGain * now;
                    stored[i] = now;
                }
                position = position + run == length ? 0 : position + run;
                done += run;
            }
        }
    };

    // The frames and then the first of them again, so that a block can be read from any of them. The cache line more
    // keeps the same place of all eight lines out of one set of the cache.
    typedef std::array<float, kFramesMax + kBlock + 16> Line;

    // Adds `count` samples of all lines, at most eight, to `mix` from its sample `first` on.
    void AddSides(const std::array<FloatLanes, kLanes> &lines, Mix &mix, uint32_t first, uint32_t count)
    {
        FloatLanes level = FloatLanes{} + level_.Value();
        if (level_.Moving()) {
            for (uint32_t i = 0; i < count; ++i) {
                level[i] = level_.Next();
            }
        }
        // Both sides have the same sum of half of the lines, and the other half with opposite signs: they are half
        // correlated.
        const FloatLanes even = (lines[0] * level + lines[4] * level) - (lines[2] * level + lines[6] * level);
        const FloatLanes odd = (lines[1] * level + lines[5] * level) - (lines[3] * level + lines[7] * level);
        AddTo(mix.left, first, even + odd);
        AddTo(mix.right, first, even - odd);
    }

    // A block always has room for eight samples.
    static void AddTo(Block &side, uint32_t first, const FloatLanes &added)
    {
        FloatLanes samples;
        std::memcpy(&samples, &side[first], sizeof(samples));
        samples += added;
        std::memcpy(&side[first], &samples, sizeof(samples));
    }

    // Writes `count` frames from number `first` on, at most eight, into the lines: the darkened ones, scattered, and
    // the input. If fewer than eight are needed, the others are overwritten long before they would be heard.
    void Store(const Block &in, uint32_t first, uint32_t count)
    {
        std::array<FloatLanes, kLanes> rows;
        for (uint32_t i = 0; i < kLanes; ++i) {
            rows[i] = darks_[first + i];
        }
        if (glide_left_ == 0) {
            for (FloatLanes &row : rows) {
                row *= gain_;
            }
        } else {
            for (uint32_t i = 0; i < kLanes; ++i) {
                if (i < count) {
                    StepGlide();
                }
                rows[i] *= gain_;
            }
        }
        Transpose(rows);
        // From here on a row is a line, and its lanes are samples.
        Scatter(rows);
        FloatLanes input;
        std::memcpy(&input, &in[first], sizeof(input));
        input *= kInput;
        UintLanes bits = {};
        const uint32_t frame = (position_ + first) & mask_;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            FloatLanes stored = lane % 2 == 0 ? rows[lane] + input : rows[lane] - input;
            DropInaudible(stored);
            bits |= reinterpret_cast<UintLanes>(stored);
            std::memcpy(&lines_[lane][frame], &stored, sizeof(stored));
        }
        std::memcpy(&bits_[first], &bits, sizeof(bits));
        Repeat(frame);
    }

    // Stores eight samples, from `frame` on, in their other place as well if they have two.
    void Repeat(uint32_t frame)
    {
        const uint32_t size = mask_ + 1;
        for (Line &line : lines_) {
            if (frame < kBlock) {
                std::copy_n(line.begin() + frame, kLanes, line.begin() + size + frame);
            } else if (frame + kLanes > size) {
                std::copy_n(line.begin() + size, frame + kLanes - size, line.begin());
            }
        }
    }

    // Counts the zeros at the end of the `frames` frames that were stored.
    void CountZeros(uint32_t frames)
    {
        uint32_t zeros = 0;
        while (zeros < frames && bits_[frames - 1 - zeros] == 0) {
            zeros += 1;
        }
        zeros_ = zeros < frames ? zeros : std::min(zeros_ + frames, kFramesMax);
    }

    uint32_t Scaled(uint32_t frames) const
    {
        return static_cast<uint32_t>(static_cast<uint64_t>(frames) * rate_ / 48000);
    }

    void SetTime(double seconds, uint32_t frames)
    {
        double mean = 0.0;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            // Gain of one pass through the line, for a fall of 60 dB in `seconds`.
            const double gain = 1.0 - OneMinusExp(Logarithm(1000.0) * lengths_[lane] / (seconds * rate_));
            gain_target_[lane] = static_cast<float>(gain);
            mean += gain / kLanes;
        }
        // The feedback adds up to 1 / (1 - gain^2) times the power.
        level_.MoveTo(static_cast<float>(kLevel * __builtin_sqrt(1.0 - mean * mean)), frames);
        glide_left_ = frames;
        if (frames == 0) {
            gain_ = gain_target_;
        } else {
            gain_slope_ = (gain_target_ - gain_) / static_cast<float>(frames);
        }
    }

    void StepGlide()
    {
        if (glide_left_ == 0) {
            return;
        }
        glide_left_ -= 1;
        gain_ = glide_left_ == 0 ? gain_target_ : gain_ + gain_slope_;
    }

    // The 8 x 8 Hadamard matrix, which preserves power: every line feeds every other equally.
    static void Scatter(std::array<FloatLanes, kLanes> &x)
    {
        for (uint32_t distance = kLanes / 2; distance > 0; distance /= 2) {
            for (uint32_t line = 0; line < kLanes; ++line) {
                if ((line & distance) == 0) {
                    const FloatLanes first = x[line];
                    const FloatLanes second = x[line + distance];
                    x[line] = second + first;
                    x[line + distance] = first - second;
                }
            }
        }
        for (FloatLanes &row : x) {
            row *= 0.353553391f;
        }
    }

    // Level of the reverberation at full send: 6 dB below the dry sound.
    static constexpr double kLevel = 0.5;

    const uint32_t rate_;
    const uint32_t glide_frames_;
    const uint32_t mask_;
    const float darkening_;
    std::array<uint32_t, kLanes> lengths_;
    std::array<Diffuser, 2> diffusers_;
    std::array<Line, kLanes> lines_;
    LaneBlock heard_;
    LaneBlock darks_;  // the same darkened
    std::array<uint32_t, kBlock> bits_;  // bits set in any line, of the frames that were stored
    uint32_t position_ = 0;
    uint32_t zeros_ = kFramesMax;  // consecutive zeros stored, saturating
    FloatLanes dark_ = {};
    FloatLanes gain_ = {};
    FloatLanes gain_target_ = {};
    FloatLanes gain_slope_ = {};
    uint32_t glide_left_ = 0;
    Glide level_ = Glide(0.0f);
};

}  // namespace synth

#endif
