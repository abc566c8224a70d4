// Commands that wait for the next switch between patterns: the sound of the pattern that begins then.

#ifndef PIXELBOOP_SYNTH_WAITING_COMMANDS_H
#define PIXELBOOP_SYNTH_WAITING_COMMANDS_H

#include <array>
#include <cstdint>

#include "synth.h"

namespace synth {

class WaitingCommands {
  public:
    // Commands that wait at most: all controls of four tracks, the shared ones, the pads, and a few others.
    static constexpr uint32_t kCapacity = 160;

    // Begins to collect commands, in place of those that wait, or ends it.
    void Collect(bool is_on)
    {
        collects_ = is_on;
        count_ = is_on ? 0 : count_;
    }

    // Nothing waits any more.
    void Clear()
    {
        count_ = 0;
    }

    // Keeps `command` if it is one that can wait, while commands are collected. Returns whether it did.
    bool Add(const SynthCommand &command)
    {
        if (!collects_ || !CanWait(command.kind)) {
            return false;
        }
        if (count_ < kCapacity) {
            commands_[count_] = command;
            count_ += 1;
        }
        return true;
    }

    // Passes all commands that wait to `apply`, oldest first; nothing waits any more.
    template <typename Apply>
    void Release(Apply apply)
    {
        const uint32_t count = count_;
        count_ = 0;
        for (uint32_t i = 0; i < count; ++i) {
            apply(commands_[i]);
        }
    }

  private:
    static bool CanWait(SynthCommandKind kind)
    {
        return kind == SynthSet || kind == SynthPad || kind == SynthSilent || kind == SynthFade;
    }

    std::array<SynthCommand, kCapacity> commands_ = {};
    uint32_t count_ = 0;
    bool collects_ = false;
};

}  // namespace synth

#endif
