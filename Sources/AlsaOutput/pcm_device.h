// An open ALSA playback device: interleaved, non-blocking. Errors are negative errno values.

#ifndef PIXELBOOP_PCM_DEVICE_H
#define PIXELBOOP_PCM_DEVICE_H

#include <alsa/asoundlib.h>

#include <cstdint>

#include "frame_writer.h"
#include "pcm_negotiation.h"

namespace alsa_output {

class PcmDevice {
  public:
    // Opens `name` as Negotiate does. Returns null and sets *error on failure. May block, and allocates: not for the
    // audio thread.
    static PcmDevice *Open(const char *name, const PcmRequest &request, int *error);

    ~PcmDevice();
    PcmDevice(const PcmDevice &) = delete;
    PcmDevice &operator=(const PcmDevice &) = delete;

    const PcmSettings &Settings() const
    {
        return settings_;
    }

    // Fills the buffer except for one block with silence. The next Write starts the device with a full buffer.
    int Prepare();

    // Waits at most `milliseconds` until a block fits, then returns -ETIMEDOUT.
    int Wait(int milliseconds);

    // Writes one block of rendered frames; after Prepare it also starts the device.
    int Write(const float *frames, int milliseconds);

    // Frames between the last written one and the loudspeaker; 0 if the device does not report it.
    uint32_t Delay();

    // Whether the device holds less than half of the block just written: it discards audio instead of playing it
    // (ALSA's null plugin), so it sets no pace.
    bool IsDiscarding();

    // Makes the device ready again after -EPIPE or -ESTRPIPE from Wait or Write. Returns any other error, also if the
    // device cannot resume.
    int Recover(int error);

    // Stops at once.
    void Drop();

  private:
    PcmDevice(snd_pcm_t *pcm, const PcmSettings &settings, uint32_t block)
        : pcm_(pcm), settings_(settings), block_(block), writer_(pcm, settings, block)
    {
    }

    // 1 if a block fits into `available` frames, 0 if not; a negative `available` is returned as the error.
    int Fits(snd_pcm_sframes_t available) const;

    snd_pcm_t *pcm_;
    PcmSettings settings_;
    uint32_t block_;  // frames written at a time
    FrameWriter writer_;
    bool running_ = false;
};

}  // namespace alsa_output

#endif
