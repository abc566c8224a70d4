#include "frame_writer.h"

#include <algorithm>
#include <cerrno>

namespace alsa_output {

namespace {

// Maximum number of times that a device reports ready and then accepts nothing.
constexpr uint32_t kEmptyWritesMax = 100;

// Converts ALSA's areas, given in bits, to a layout that begins at `offset`. The supported formats have no samples that
// begin within a byte.
FrameLayout LayoutOf(const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset)
{
    FrameLayout layout = {{nullptr, nullptr}, areas[0].step / 8};
    for (uint32_t channel = 0; channel < kChannels; ++channel) {
        const snd_pcm_channel_area_t &area = areas[channel];
        layout.first[channel] = static_cast<uint8_t *>(area.addr) + (area.first + offset * area.step) / 8;
    }
    return layout;
}

}  // namespace

FrameWriter::FrameWriter(snd_pcm_t *pcm, const PcmSettings &settings, uint32_t block)
    : pcm_(pcm), mapped_(settings.IsMapped()), format_(settings.format), converter_(settings.format)
{
    if (!mapped_) {
        bytes_.resize(block * kChannels * converter_.SampleSize());
    }
}

int FrameWriter::Write(const float *frames, uint32_t count, int milliseconds)
{
    if (!mapped_) {
        if (frames != nullptr) {
            converter_.Convert(frames, FrameLayout::Packed(bytes_.data(), converter_.SampleSize()), count);
        } else {
            // All supported formats are signed: silence is zeros.
            std::fill(bytes_.begin(), bytes_.end(), uint8_t(0));
        }
    }
    uint32_t empty_writes = 0;
    uint32_t written = 0;
    while (written < count) {
        const uint32_t left = count - written;
        const size_t done = static_cast<size_t>(written) * kChannels;
        const snd_pcm_sframes_t taken = mapped_
            ? WriteInPlace(frames == nullptr ? nullptr : frames + done, left)
            : snd_pcm_writei(pcm_, &bytes_[done * converter_.SampleSize()], left);
        if (taken == -EAGAIN || taken == 0) {
            const int ready = snd_pcm_wait(pcm_, milliseconds);
            if (ready <= 0) {
                return ready == 0 ? -ETIMEDOUT : ready;
            }
            if (++empty_writes > kEmptyWritesMax) {
                return -EIO;
            }
        } else if (taken < 0 && taken != -EINTR) {
            return static_cast<int>(taken);
        } else if (taken > 0) {
            written += static_cast<uint32_t>(taken);
        }
    }
    return 0;
}

snd_pcm_sframes_t FrameWriter::WriteInPlace(const float *frames, uint32_t count)
{
    // Also updates the mapping's hardware pointer.
    const snd_pcm_sframes_t available = snd_pcm_avail_update(pcm_);
    if (available <= 0) {
        return available;
    }
    const snd_pcm_channel_area_t *areas = nullptr;
    snd_pcm_uframes_t offset = 0;
    // Requests all; ALSA grants the free frames up to the end of the ring.
    snd_pcm_uframes_t granted = count;
    const int error = snd_pcm_mmap_begin(pcm_, &areas, &offset, &granted);
    if (error < 0) {
        return error;
    }
    if (frames != nullptr) {
        converter_.Convert(frames, LayoutOf(areas, offset), static_cast<uint32_t>(granted));
    } else {
        snd_pcm_areas_silence(areas, offset, kChannels, granted, format_);
    }
    return snd_pcm_mmap_commit(pcm_, offset, granted);
}

}  // namespace alsa_output
