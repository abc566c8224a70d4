// The parts of the mix: one pass of the engine renders the mix and the sum of each track beside it. A block is rendered
// by Voices and Master with `Undivided`, which compiles to the mix alone, or with `Stems`.

#ifndef PIXELBOOP_SYNTH_STEMS_H
#define PIXELBOOP_SYNTH_STEMS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/tracks.h"
#include "lanes/lanes.h"
#include "lanes/mix.h"
#include "models/melodic_source.h"
#include "synth.h"

namespace synth {

// The mix alone.
struct Undivided {
    // Renders the voices of `bank`, of all melodic tracks, to `bus`. Returns whether the bus is still empty.
    template <typename Bank>
    bool Render(Bank &bank, const float *waves, StereoBus &bus, uint32_t frames, bool sends)
    {
        return bank.Render(waves, bus, frames, true, sends);
    }

    // Adds a track to `mix` by `add`.
    template <typename Add>
    void AddTrack(uint32_t, Mix &mix, uint32_t, uint32_t, Add add)
    {
        add(mix);
    }

    void Begin(uint32_t) {}
    void EndMelodic(uint32_t) {}
    void Rest(uint32_t) {}
    void Write(const Mix &, uint32_t) {}
};

// The mix and its parts. Every addition to the mix is the one of `Undivided`, so the mix is the same to the bit.
class Stems {
  public:
    // Writes the parts to `out`, `synth_stem_samples` numbers a frame.
    explicit Stems(float *out) : out_(out) {}

    // Begins a block.
    void Begin(uint32_t frames)
    {
        for (Channels &channels : sums_) {
            std::fill_n(channels.left.begin(), frames, 0.0f);
            std::fill_n(channels.right.begin(), frames, 0.0f);
        }
        has_voices_ = {};
    }

    // Renders `bank` group by group. A lane belongs to one track for the whole block: notes start between blocks.
    template <typename Bank>
    bool Render(Bank &bank, const float *waves, StereoBus &bus, uint32_t frames, bool sends)
    {
        bool is_empty = true;
        bank.EachGroup([&](auto &group) {
            std::array<bool, kMelodicTracks> sounds;
            std::array<UintLanes, kMelodicTracks> lanes;
            for (uint32_t track = 0; track < kMelodicTracks; ++track) {
                sounds[track] = group.Sounds(track);
                for (uint32_t lane = 0; lane < kLanes; ++lane) {
                    lanes[track][lane] = group.Track(lane) == track ? UINT32_MAX : 0;
                }
            }
            group.Render(waves, group_, frames, sends, true);
            AddBus(group_.left, bus.left, frames, is_empty);
            AddBus(group_.right, bus.right, frames, is_empty);
            if (sends) {
                AddBus(group_.delay, bus.delay, frames, is_empty);
                AddBus(group_.reverb, bus.reverb, frames, is_empty);
            }
            is_empty = false;
            for (uint32_t track = 0; track < kMelodicTracks; ++track) {
                if (sounds[track]) {
                    AddLanesOf(track, lanes[track], frames);
                }
            }
        });
        return is_empty;
    }

    // All voices of the bank are rendered.
    void EndMelodic(uint32_t frames)
    {
        for (uint32_t track = 0; track < kMelodicTracks; ++track) {
            if (has_voices_[track]) {
                AddLanes(voices_[track].left.data(), sums_[track].left, frames);
                AddLanes(voices_[track].right.data(), sums_[track].right, frames);
            }
        }
    }

    // Adds a track to `mix` by `add`, which adds at most once to each of the `frames` samples from `first` on. It adds
    // to -0, to which every number is added exactly and which changes no sum.
    template <typename Add>
    void AddTrack(uint32_t track, Mix &mix, uint32_t first, uint32_t frames, Add add)
    {
        for (Block *block : {&own_.left, &own_.right, &own_.to_delay, &own_.to_reverb}) {
            std::fill_n(block->begin() + first, frames, -0.0f);
        }
        own_.has_delay = mix.has_delay;
        own_.has_reverb = mix.has_reverb;
        add(own_);
        mix.has_delay = own_.has_delay;
        mix.has_reverb = own_.has_reverb;
        AddBlock(own_.left, mix.left, first, frames);
        AddBlock(own_.right, mix.right, first, frames);
        AddBlock(own_.to_delay, mix.to_delay, first, frames);
        AddBlock(own_.to_reverb, mix.to_reverb, first, frames);
        AddBlock(own_.left, sums_[track].left, first, frames);
        AddBlock(own_.right, sums_[track].right, first, frames);
    }

    // Writes a block of silence.
    void Rest(uint32_t frames)
    {
        std::fill_n(out_, frames * synth_stem_samples, 0.0f);
        out_ += frames * synth_stem_samples;
    }

    // Writes the block of the tracks, and of `mix` before the master.
    void Write(const Mix &mix, uint32_t frames)
    {
        for (uint32_t i = 0; i < frames; ++i) {
            for (const Channels &channels : sums_) {
                *out_++ = channels.left[i];
                *out_++ = channels.right[i];
            }
            *out_++ = mix.left[i];
            *out_++ = mix.right[i];
        }
    }

  private:
    struct Channels {
        Block left;
        Block right;
    };

    struct LaneChannels {
        LaneBlock left;
        LaneBlock right;
    };

    static void AddBus(const LaneBlock &from, LaneBlock &to, uint32_t frames, bool overwrites)
    {
        if (overwrites) {
            std::copy_n(from.begin(), frames, to.begin());
            return;
        }
        for (uint32_t i = 0; i < frames; ++i) {
            to[i] += from[i];
        }
    }

    static void AddBlock(const Block &from, Block &to, uint32_t first, uint32_t frames)
    {
        for (uint32_t i = first; i < first + frames; ++i) {
            to[i] += from[i];
        }
    }

    // Adds the lanes in `lanes`, a mask, of the group to the voices of `track`.
    void AddLanesOf(uint32_t track, const UintLanes &lanes, uint32_t frames)
    {
        LaneChannels &voices = voices_[track];
        if (!has_voices_[track]) {
            has_voices_[track] = true;
            std::fill_n(voices.left.begin(), frames, FloatLanes{});
            std::fill_n(voices.right.begin(), frames, FloatLanes{});
        }
        for (uint32_t i = 0; i < frames; ++i) {
            voices.left[i] += reinterpret_cast<FloatLanes>(reinterpret_cast<UintLanes>(group_.left[i]) & lanes);
            voices.right[i] += reinterpret_cast<FloatLanes>(reinterpret_cast<UintLanes>(group_.right[i]) & lanes);
        }
    }

    float *out_;
    std::array<Channels, kTracks> sums_;
    StereoBus group_;
    std::array<LaneChannels, kMelodicTracks> voices_;
    std::array<bool, kMelodicTracks> has_voices_ = {};
    Mix own_;
};

static_assert(synth_stem_samples == 2 * (kTracks + 1), "both channels of each track and of the mix");

}  // namespace synth

#endif
