// An open ALSA playback device: stereo, interleaved, non-blocking. Errors are negative errno values.

#ifndef PIXELBOOP_PCM_DEVICE_H
#define PIXELBOOP_PCM_DEVICE_H

#include <alsa/asoundlib.h>

#include <cstdint>

#include "frame_writer.h"
#include "pcm_negotiation.h"

namespace alsa_output {

class PcmDevice {
  public:
    // Opens `name` at exactly `rate`, with a period and buffer as near as the device has. Null and *error on
    // failure. May block, and allocates: not for the audio thread.
    static PcmDevice *Open(const char *name, uint32_t rate, uint32_t period, uint32_t periods, int *error);

    ~PcmDevice();
    PcmDevice(const PcmDevice &) = delete;
    PcmDevice &operator=(const PcmDevice &) = delete;

    const PcmSettings &Settings() const
    {
        return settings_;
    }

    // Fills all of the buffer but one block with silence. The next Write starts the device with a full buffer.
    int Prepare();

    // Waits until a block fits, at most `milliseconds`. -ETIMEDOUT after that.
    int Wait(int milliseconds);

    // Writes one block of rendered frames and, after Prepare, starts the device.
    int Write(const float *frames, int milliseconds);

    // Frames from the last written one to the loudspeaker; 0 where the device cannot tell.
    uint32_t Delay();

    // True if the device holds less than half of the block just written: it does not play, it swallows (ALSA's
    // null plugin), and will set no pace.
    bool Swallows();

    // After -EPIPE or -ESTRPIPE from Wait or Write: makes the device ready again. Any other error, and a device that
    // cannot resume, is returned.
    int Recover(int error);

    // Stops at once.
    void Drop();

  private:
    PcmDevice(snd_pcm_t *pcm, const PcmSettings &settings, uint32_t block)
        : pcm_(pcm), settings_(settings), block_(block), writer_(pcm, settings, block)
    {
    }

    // 1 if a block fits into `available` frames, 0 if not; or the error that these are.
    int Fits(snd_pcm_sframes_t available) const;

    snd_pcm_t *pcm_;
    PcmSettings settings_;
    uint32_t block_;  // frames written at a time
    FrameWriter writer_;
    bool running_ = false;
};

}  // namespace alsa_output

#endif
