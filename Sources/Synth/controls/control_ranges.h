// The range of each control, and the member of TrackControls that has a track's value.

#ifndef PIXELBOOP_SYNTH_CONTROL_RANGES_H
#define PIXELBOOP_SYNTH_CONTROL_RANGES_H

#include <array>
#include <cstdint>

#include "synth.h"
#include "track_controls.h"

namespace synth {

// One control and its range.
struct TrackControl {
    int32_t TrackControls::*value;
    SynthRange range;
};

// In the order of their numbers, from SynthTrackVolume to SynthTrackEnvelopeDecay; the timbre controls follow.
constexpr std::array<TrackControl, SynthTrackTimbre - SynthTrackVolume> kTrackControls = {{
    {&TrackControls::volume, {0, 200}},
    {&TrackControls::pan, {-100, 100}},
    {&TrackControls::cutoff, {kLowestCutoff, kOpenCutoff}},
    {&TrackControls::resonance, {0, 24}},
    {&TrackControls::attack, {0, 5000}},
    {&TrackControls::decay, {0, 5000}},
    {&TrackControls::sustain, {0, 100}},
    {&TrackControls::release, {0, 5000}},
    {&TrackControls::delay, {0, 100}},
    {&TrackControls::reverb, {0, 100}},
    {&TrackControls::model, {0, synth_models - 1}},
    {&TrackControls::level, {-240, 240}},
    {&TrackControls::unison, {1, 4}},
    {&TrackControls::drive, {0, 100}},
    {&TrackControls::chorus, {0, 100}},
    {&TrackControls::lfo_rate, {2, 2000}},
    {&TrackControls::lfo_shape, {0, synth_lfo_shapes - 1}},
    {&TrackControls::lfo_depth, {0, 100}},
    {&TrackControls::lfo_target, {0, synth_targets - 1}},
    {&TrackControls::envelope_depth, {-100, 100}},
    {&TrackControls::envelope_target, {0, synth_targets - 1}},
    {&TrackControls::envelope_decay, {1, 5000}},
}};

// The value of a track's `control`; null for another control.
inline int32_t *ControlOf(TrackControls &controls, SynthControl control)
{
    const uint32_t number = control - static_cast<uint32_t>(SynthTrackVolume);
    if (number < kTrackControls.size()) {
        return &(controls.*kTrackControls[number].value);
    }
    const uint32_t timbre = control - static_cast<uint32_t>(SynthTrackTimbre);
    return timbre < synth_timbres ? &controls.timbre[timbre] : nullptr;
}

// Range of the values of `control`; 0 to 0 for another number.
constexpr SynthRange RangeOf(SynthControl control)
{
    switch (control) {
    case SynthSwing:
        return {50, 75};
    case SynthDelaySteps:
        return {1, 8};
    case SynthDelayFeedback:
        return {0, 90};
    case SynthReverbTime:
        return {3, 100};
    case SynthDelayWidth:
    case SynthCompression:
    case SynthPulseLevel:
        return {0, 100};
    case SynthPulseOutput:
        return {SynthPulseOff, synth_channels};
    case SynthPulsesPerQuarter:
        return {1, 48};
    case SynthPulseMilliseconds:
        return {1, 50};
    case SynthTone:
        return {-100, 100};
    default:
        const uint32_t number = control - static_cast<uint32_t>(SynthTrackVolume);
        if (number < kTrackControls.size()) {
            return kTrackControls[number].range;
        }
        const uint32_t timbre = control - static_cast<uint32_t>(SynthTrackTimbre);
        return timbre < synth_timbres ? SynthRange{0, 100} : SynthRange{0, 0};
    }
}

}  // namespace synth

#endif
