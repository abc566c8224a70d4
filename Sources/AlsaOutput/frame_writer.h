// Writes frames to the device's ring: converts them in place if the ring is mapped into memory, else into a buffer for
// the device to copy.

#ifndef PIXELBOOP_FRAME_WRITER_H
#define PIXELBOOP_FRAME_WRITER_H

#include <alsa/asoundlib.h>

#include <cstdint>
#include <vector>

#include "pcm_negotiation.h"
#include "sample_format.h"

namespace alsa_output {

class FrameWriter {
  public:
    // A writer of at most `block` frames at a time.
    FrameWriter(snd_pcm_t *pcm, const PcmSettings &settings, uint32_t block);

    // Writes `count` interleaved frames of all signals, or silence if `frames` is null. Waits at most `milliseconds`
    // for room each time, then returns -ETIMEDOUT.
    int Write(const float *frames, uint32_t count, int milliseconds);

  private:
    // Returns the number of frames written, as many as fit but at least one, or a negative errno.
    snd_pcm_sframes_t WriteInPlace(const float *frames, uint32_t count);

    // The layout of the device's frames from `offset` of `areas` on.
    FrameLayout LayoutOf(const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset) const;

    // The layout of `bytes_`.
    FrameLayout LayoutOfBytes();

    // The device's channel of a signal, from 0.
    uint32_t ChannelOf(uint32_t signal) const
    {
        return signal < kChannels ? signal : settings_.pulse_channel - 1;
    }

    snd_pcm_t *pcm_;
    const PcmSettings settings_;
    SampleConverter converter_;
    std::vector<uint8_t> bytes_;  // one block of all channels in the device's format, if the ring is not mapped
};

}  // namespace alsa_output

#endif
