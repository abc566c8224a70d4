// A screen on the kernel's display interface, DRM/KMS (docs.kernel.org/gpu/drm-kms.html), through libdrm: dumb buffers of
// 32 bits, shown by page flips. A function that fails returns −1 or NULL and sets errno.
//
// The legacy calls are used, not atomic ones: a flip of one whole plane is all that is needed, drivers with atomic
// modesetting run it through the same code (drm_atomic_helper_page_flip), and older drivers have only it.

#ifndef PIXELBOOP_SCREEN_H
#define PIXELBOOP_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

enum {
    screen_name_bytes = 32,       // a connector's name and its zero
    screen_connectors_max = 16,   // connectors of a card
    screen_modes_max = 64,        // modes of a connector
    screen_buffers = 2,
};

// A resolution and a rate.
struct screen_mode {
    uint16_t number;  // its place in the kernel's list
    uint16_t width;   // pixels
    uint16_t height;
    uint16_t hertz;
    bool is_preferred;
};

// How a built-in screen is mounted: the side that is up ("panel orientation", drm_connector.c).
enum screen_orientation {
    screen_top_up,
    screen_bottom_up,
    screen_left_up,
    screen_right_up,
};

// A socket of a card, or a built-in screen.
struct screen_connector {
    uint32_t identifier;
    char name[screen_name_bytes];  // HDMI-A-1
    bool is_connected;
    uint32_t width_millimetres;    // by its EDID; 0 if unknown
    uint32_t height_millimetres;
    enum screen_orientation orientation;
    int mode_count;
    struct screen_mode modes[screen_modes_max];  // progressive ones
};

// A screen with its buffers.
typedef struct screen screen;

// Opens a card, and becomes its master if there is none. Returns a descriptor. EOPNOTSUPP for a card without outputs
// or without dumb buffers.
int screen_open(const char *path);

// Whether the descriptor is the card's master, which alone may show pictures.
bool screen_is_master(int descriptor);

// Reads up to `count_max` connectors; returns their number. With `probes` the kernel asks the screens anew, which may
// take a tenth of a second.
int screen_list(int descriptor, bool probes, struct screen_connector *connectors, int count_max);

// Shows a black picture in `mode` at `connector`. EINVAL if the connector has no such mode any more. EBUSY if no CRTC is
// left for it.
screen *screen_start(int descriptor, uint32_t connector, const struct screen_mode *mode);

// The pixels of a buffer, XRGB8888, line by line.
uint32_t *screen_pixels(const screen *screen, int buffer);

// Pixels from one line of a buffer to the next.
int screen_stride(const screen *screen);

// Asks for `buffer` to be shown from the next picture of the screen on. EBUSY before the last one is shown.
int screen_flip(screen *screen, int buffer);

// Waits until the asked buffer is shown. Returns 1 then, 0 after `milliseconds`. ENODEV if the card was removed.
int screen_wait(screen *screen, int milliseconds);

// Switches the screen off (DPMS) or on. No flip is possible while it is off. ENOTSUP if it cannot be switched.
int screen_blank(screen *screen, bool is_blank);

// Shows what was there before, and frees the buffers. The descriptor stays open.
void screen_end(screen *screen);

// Opens a socket for the kernel's reports that screens were plugged in or out, or have other modes.
int screen_watch(void);

// Whether there was such a report since the last call. Does not block.
bool screen_has_changed(int watch);

#endif
