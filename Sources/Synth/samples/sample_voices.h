// The sounding samples of the rhythm track.

#ifndef PIXELBOOP_SYNTH_SAMPLE_VOICES_H
#define PIXELBOOP_SYNTH_SAMPLE_VOICES_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "../base/glide.h"
#include "../lanes/lanes.h"
#include "../lanes/mix.h"
#include "pad.h"
#include "sample_kernel.h"
#include "samples.h"

namespace synth {

// One part of a sample that sounds, forwards or backwards. It fades in where it is cut out of a sound, and fades out
// after its end if the sound goes on there: two parts that follow each other are as the sound itself.
class SampleVoice {
  public:
    // Times in frames of the output.
    struct Fades {
        uint32_t cut;    // at the edges of a part that is cut out of a sound
        uint32_t onset;  // at the beginning of a sound
        uint32_t glide;  // of the volume
    };

    void Start(const Sample &sample, uint32_t number, const Pad &pad, uint32_t group, float velocity, const Fades &fades)
    {
        sample_ = &sample;
        pad_ = number;
        slot_ = pad.slot;
        group_ = group;
        velocity_ = velocity;
        gain_ = Glide(Level(pad));
        const uint32_t start = Pad::FrameAt(pad.start, sample.Frames());
        const uint32_t end = Pad::FrameAt(pad.end, sample.Frames());
        is_back_ = end < start;
        low_ = std::min(start, end);
        high_ = std::max({start, end, low_ + 1});
        place_ = static_cast<SamplePlace>(is_back_ ? high_ - 1 : low_) << kPlaceBits;
        const bool is_whole = is_back_ ? high_ >= sample.Frames() : low_ == 0;
        in_frames_ = is_whole ? fades.onset : fades.cut;
        in_left_ = in_frames_;
        out_frames_ = fades.cut;
        out_left_ = 0;
        Tune(pad.tune);
    }

    // Adopts the volume and the tune of its pad.
    void Follow(const Pad &pad, const Fades &fades)
    {
        gain_.MoveTo(Level(pad), fades.glide);
        if (to_end_ > 0 && pad.tune != tune_) {
            Tune(pad.tune);
        }
    }

    // Fades out within `frames`, unless it does already.
    void Release(uint32_t frames)
    {
        if (Sounds() && to_end_ > 0) {
            to_end_ = 0;
            out_frames_ = frames;
            out_left_ = frames;
        }
    }

    bool Sounds() const
    {
        return sample_ != nullptr;
    }

    bool IsStereo() const
    {
        return sample_->IsStereo();
    }

    uint32_t PadNumber() const
    {
        return pad_;
    }

    uint32_t Slot() const
    {
        return slot_;
    }

    uint32_t Group() const
    {
        return group_;
    }

    // Frames until it is silent, at least.
    uint64_t Left() const
    {
        return static_cast<uint64_t>(to_end_) + out_left_;
    }

    // Adds `frames` to `left` and, of a stereo sample, to `right`.
    void Add(Block &left, Block &right, uint32_t frames)
    {
        Block gains;
        const uint32_t run = Gains(gains, frames);
        const int16_t *const left_data = sample_->Left();
        const int16_t *const right_data = sample_->Right();
        const bool is_stereo = IsStereo();
        const SamplePlace step = is_back_ ? -increment_ : increment_;
        if (tune_ == 0) {
            const int64_t first = place_ >> kPlaceBits;
            const int64_t direction = is_back_ ? -1 : 1;
            for (uint32_t i = 0; i < run; ++i) {
                left[i] += gains[i] * left_data[first + direction * i];
            }
            for (uint32_t i = 0; is_stereo && i < run; ++i) {
                right[i] += gains[i] * right_data[first + direction * i];
            }
        } else {
            const SampleKernel &kernel = sample_->Kernels().Of(tune_);
            for (uint32_t i = 0; i < run; ++i) {
                const FloatPair value = kernel.Read(left_data, right_data, place_ + step * i);
                left[i] += gains[i] * value[0];
                if (is_stereo) {
                    right[i] += gains[i] * value[1];
                }
            }
        }
        place_ += step * run;
        if (to_end_ == 0 && out_left_ == 0) {
            sample_ = nullptr;
        }
    }

  private:
    // Full scale of a sample is full scale of the output.
    static constexpr float kScale = 1.0f / (32767.0f * kMakeUp);

    float Level(const Pad &pad) const
    {
        return kScale * velocity_ * pad.Gain();
    }

    // Plays on with this tune, from where it is to its end.
    void Tune(int32_t semitones)
    {
        tune_ = semitones;
        increment_ = SampleKernels::Increment(semitones);
        if (semitones == 0) {
            // Between two frames there is nothing to read without a kernel.
            place_ &= ~((SamplePlace{1} << kPlaceBits) - 1);
        }
        const SamplePlace way = is_back_ ? place_ - (static_cast<SamplePlace>(low_) << kPlaceBits) + (SamplePlace{1} << kPlaceBits)
                                         : (static_cast<SamplePlace>(high_) << kPlaceBits) - place_;
        const uint32_t frames = static_cast<uint32_t>((std::max<SamplePlace>(way, 1) + increment_ - 1) / increment_);
        const SamplePlace after = static_cast<SamplePlace>(out_frames_) * increment_ >> kPlaceBits;
        const bool goes_on = is_back_ ? low_ > after : high_ + after < sample_->Frames();
        if (goes_on) {
            to_end_ = frames;
        } else {
            out_frames_ = std::max(1u, std::min(out_frames_, frames / 2));
            to_end_ = std::max(1u, frames - out_frames_);
        }
    }

    // The gains of the next `frames`; returns how many of them are left.
    uint32_t Gains(Block &gains, uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; ++i) {
            float gain = gain_.Next();
            if (in_left_ > 0) {
                gain *= 1.0f - Smooth(in_left_, in_frames_);
                in_left_ -= 1;
            }
            if (to_end_ > 0) {
                to_end_ -= 1;
                out_left_ = to_end_ == 0 ? out_frames_ : 0;
            } else if (out_left_ == 0) {
                return i;
            } else {
                gain *= Smooth(out_left_, out_frames_);
                out_left_ -= 1;
            }
            gains[i] = gain;
        }
        return frames;
    }

    // The way from 0 to 1, flat at both ends.
    static float Smooth(uint32_t left, uint32_t frames)
    {
        const float share = static_cast<float>(static_cast<int32_t>(left)) / static_cast<float>(static_cast<int32_t>(frames));
        return share * share * (3.0f - 2.0f * share);
    }

    const Sample *sample_ = nullptr;
    uint32_t pad_ = 0;
    uint32_t slot_ = 0;
    uint32_t group_ = 0;
    float velocity_ = 1.0f;
    Glide gain_ = Glide(0.0f);
    bool is_back_ = false;
    int32_t tune_ = 0;
    uint32_t low_ = 0;   // the first frame
    uint32_t high_ = 0;  // the frame after the last
    SamplePlace place_ = 0;
    SamplePlace increment_ = 0;
    uint32_t in_frames_ = 0;
    uint32_t in_left_ = 0;
    uint32_t to_end_ = 0;  // frames before it fades out
    uint32_t out_frames_ = 0;
    uint32_t out_left_ = 0;
};

class SampleVoices {
  public:
    explicit SampleVoices(uint32_t rate) : fades_{Frames(2.0, rate), Frames(0.25, rate), Frames(kGlideTime, rate)} {}

    // Starts `sample` on the pad `number`. Returns the number of voices lost for it.
    uint32_t Start(const Sample &sample, uint32_t number, const Pad &pad, uint32_t group, float velocity)
    {
        SampleVoice *voice = &voices_[0];
        for (SampleVoice &other : voices_) {
            if (!other.Sounds()) {
                voice = &other;
                break;
            }
            voice = other.Left() < voice->Left() ? &other : voice;
        }
        const uint32_t lost = voice->Sounds() ? 1 : 0;
        voice->Start(sample, number, pad, group, velocity, fades_);
        return lost;
    }

    // Voices of the pad `number` take over its volume and its tune, if it still plays the same sample.
    void Follow(uint32_t number, const Pad &pad)
    {
        Each([&](SampleVoice &voice) {
            if (voice.PadNumber() == number && voice.Slot() == pad.slot) {
                voice.Follow(pad, fades_);
            }
        });
    }

    // Cuts the voices of `group` off: what follows begins as fast as they fade.
    void Choke(uint32_t group)
    {
        Fade(1u << group, fades_.cut);
    }

    // Fades out the voices of the groups in `groups`, a bit mask.
    void Fade(uint32_t groups, uint32_t frames)
    {
        Each([&](SampleVoice &voice) {
            if ((groups >> voice.Group() & 1) != 0) {
                voice.Release(frames);
            }
        });
    }

    // Fades out the voices that play the slot.
    void FadeSlot(uint32_t slot, uint32_t frames)
    {
        Each([&](SampleVoice &voice) {
            if (voice.Slot() == slot) {
                voice.Release(frames);
            }
        });
    }

    // Whether a voice plays the slot.
    bool Plays(uint32_t slot) const
    {
        return std::any_of(voices_.begin(), voices_.end(),
                           [slot](const SampleVoice &voice) { return voice.Sounds() && voice.Slot() == slot; });
    }

    bool Silent() const
    {
        return std::none_of(voices_.begin(), voices_.end(), [](const SampleVoice &voice) { return voice.Sounds(); });
    }

    // Adds `frames` samples; a mono sample's to `left` alone if `right` is the same.
    void Add(Block &left, Block &right, uint32_t frames)
    {
        Each([&](SampleVoice &voice) {
            if (&left == &right || voice.IsStereo()) {
                voice.Add(left, right, frames);
                return;
            }
            Block mono = {};
            voice.Add(mono, mono, frames);
            for (uint32_t i = 0; i < frames; ++i) {
                left[i] += mono[i];
                right[i] += mono[i];
            }
        });
    }

  private:
    // Twelve pads, and as many hits before that fade.
    static constexpr uint32_t kVoices = 24;

    template <typename Action>
    void Each(Action action)
    {
        for (SampleVoice &voice : voices_) {
            if (voice.Sounds()) {
                action(voice);
            }
        }
    }

    const SampleVoice::Fades fades_;
    std::array<SampleVoice, kVoices> voices_;
};

}  // namespace synth

#endif
