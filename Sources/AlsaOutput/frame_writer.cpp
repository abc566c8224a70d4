#include "frame_writer.h"

#include <algorithm>
#include <cerrno>

namespace alsa_output {

namespace {

// Maximum number of times that a device reports ready and then accepts nothing.
constexpr uint32_t kEmptyWritesMax = 100;

}  // namespace

FrameWriter::FrameWriter(snd_pcm_t *pcm, const PcmSettings &settings, uint32_t block)
    : pcm_(pcm), settings_(settings), converter_(settings.format)
{
    if (!settings_.IsMapped()) {
        bytes_.resize(block * settings_.channels * converter_.SampleSize());
    }
}

// ALSA gives areas in bits. The supported formats have no samples that begin within a byte.
FrameLayout FrameWriter::LayoutOf(const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset) const
{
    FrameLayout layout = {{}, settings_.Signals(), areas[0].step / 8};
    for (uint32_t signal = 0; signal < layout.signals; ++signal) {
        const snd_pcm_channel_area_t &area = areas[ChannelOf(signal)];
        layout.first[signal] = static_cast<uint8_t *>(area.addr) + (area.first + offset * area.step) / 8;
    }
    return layout;
}

FrameLayout FrameWriter::LayoutOfBytes()
{
    FrameLayout layout = {{}, settings_.Signals(), settings_.channels * converter_.SampleSize()};
    for (uint32_t signal = 0; signal < layout.signals; ++signal) {
        layout.first[signal] = bytes_.data() + ChannelOf(signal) * converter_.SampleSize();
    }
    return layout;
}

int FrameWriter::Write(const float *frames, uint32_t count, int milliseconds)
{
    const bool mapped = settings_.IsMapped();
    if (!mapped) {
        if (frames != nullptr) {
            converter_.Convert(frames, LayoutOfBytes(), count);
        } else {
            // All supported formats are signed: silence is zeros.
            std::fill(bytes_.begin(), bytes_.end(), uint8_t(0));
        }
    }
    uint32_t empty_writes = 0;
    uint32_t written = 0;
    while (written < count) {
        const uint32_t left = count - written;
        const size_t done = written;
        const snd_pcm_sframes_t taken = mapped
            ? WriteInPlace(frames == nullptr ? nullptr : frames + done * settings_.Signals(), left)
            : snd_pcm_writei(pcm_, &bytes_[done * settings_.channels * converter_.SampleSize()], left);
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
    if (frames == nullptr || settings_.channels > settings_.Signals()) {
        snd_pcm_areas_silence(areas, offset, settings_.channels, granted, settings_.format);
    }
    if (frames != nullptr) {
        converter_.Convert(frames, LayoutOf(areas, offset), static_cast<uint32_t>(granted));
    }
    return snd_pcm_mmap_commit(pcm_, offset, granted);
}

}  // namespace alsa_output
