#define _GNU_SOURCE
#include "screen.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

enum {
    bits_per_pixel = 32,
    colour_depth = 24,
    properties_max = 64,  // properties read of a connector
};

struct buffer {
    uint32_t handle;
    uint32_t frame;
    uint64_t bytes;
    uint32_t *pixels;
};

struct screen {
    int descriptor;
    uint32_t connector;
    uint32_t crtc;
    uint32_t dpms;  // property; 0 for none
    uint32_t stride;
    bool is_flipping;
    drmModeCrtc *before;
    struct buffer buffers[screen_buffers];
};

int screen_open(const char *path)
{
    const int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) {
        return -1;
    }
    uint64_t has_dumb_buffers = 0;
    drmModeRes *resources = drmModeGetResources(descriptor);
    if (resources == NULL || resources->count_connectors == 0
        || drmGetCap(descriptor, DRM_CAP_DUMB_BUFFER, &has_dumb_buffers) < 0 || has_dumb_buffers == 0) {
        drmModeFreeResources(resources);
        close(descriptor);
        errno = EOPNOTSUPP;
        return -1;
    }
    drmModeFreeResources(resources);
    // Opening makes the first process the master; one with privileges becomes it later too.
    if (!drmIsMaster(descriptor)) {
        drmSetMaster(descriptor);
    }
    return descriptor;
}

bool screen_is_master(int descriptor)
{
    return drmIsMaster(descriptor);
}

// MARK: Connectors

// The name of the `value` of the enumeration `property`; empty if it has none.
static const char *enum_name(const drmModePropertyRes *property, uint64_t value)
{
    for (int i = 0; i < property->count_enums; ++i) {
        if (property->enums[i].value == value) {
            return property->enums[i].name;
        }
    }
    return "";
}

static enum screen_orientation orientation(const char *name)
{
    if (strcmp(name, "Upside Down") == 0) {
        return screen_bottom_up;
    }
    if (strcmp(name, "Left Side Up") == 0) {
        return screen_left_up;
    }
    return strcmp(name, "Right Side Up") == 0 ? screen_right_up : screen_top_up;
}

// Reads the mounting of a connector, and the number of its DPMS property.
static void read_properties(
    int descriptor, const drmModeConnector *connector, enum screen_orientation *mounting, uint32_t *dpms)
{
    const int count = connector->count_props < properties_max ? connector->count_props : properties_max;
    for (int i = 0; i < count; ++i) {
        drmModePropertyRes *property = drmModeGetProperty(descriptor, connector->props[i]);
        if (property == NULL) {
            continue;
        }
        if (strcmp(property->name, "panel orientation") == 0) {
            *mounting = orientation(enum_name(property, connector->prop_values[i]));
        } else if (strcmp(property->name, "DPMS") == 0) {
            *dpms = property->prop_id;
        }
        drmModeFreeProperty(property);
    }
}

// Copies the progressive modes of `from`.
static void copy_modes(struct screen_connector *to, const drmModeConnector *from)
{
    for (int i = 0; i < from->count_modes && i <= UINT16_MAX && to->mode_count < screen_modes_max; ++i) {
        const drmModeModeInfo *mode = &from->modes[i];
        if ((mode->flags & (DRM_MODE_FLAG_INTERLACE | DRM_MODE_FLAG_DBLSCAN)) != 0) {
            continue;
        }
        to->modes[to->mode_count] = (struct screen_mode){
            .number = (uint16_t)i,
            .width = mode->hdisplay,
            .height = mode->vdisplay,
            .hertz = (uint16_t)(mode->vrefresh < UINT16_MAX ? mode->vrefresh : UINT16_MAX),
            .is_preferred = (mode->type & DRM_MODE_TYPE_PREFERRED) != 0,
        };
        to->mode_count += 1;
    }
}

int screen_list(int descriptor, bool probes, struct screen_connector *connectors, int count_max)
{
    drmModeRes *resources = drmModeGetResources(descriptor);
    if (resources == NULL) {
        return -1;
    }
    int count = 0;
    for (int i = 0; i < resources->count_connectors && count < count_max; ++i) {
        const uint32_t identifier = resources->connectors[i];
        drmModeConnector *found = probes ? drmModeGetConnector(descriptor, identifier)
                                         : drmModeGetConnectorCurrent(descriptor, identifier);
        if (found == NULL) {
            continue;
        }
        struct screen_connector *connector = &connectors[count];
        memset(connector, 0, sizeof *connector);
        connector->identifier = identifier;
        const char *type = drmModeGetConnectorTypeName(found->connector_type);
        snprintf(connector->name, sizeof connector->name, "%.20s-%u", type == NULL ? "Unknown" : type,
            (unsigned)found->connector_type_id);
        connector->is_connected = found->connection == DRM_MODE_CONNECTED;
        connector->width_millimetres = found->mmWidth;
        connector->height_millimetres = found->mmHeight;
        uint32_t dpms = 0;
        read_properties(descriptor, found, &connector->orientation, &dpms);
        copy_modes(connector, found);
        drmModeFreeConnector(found);
        count += 1;
    }
    drmModeFreeResources(resources);
    return count;
}

// MARK: Pictures

// Whether another connector is shown by `crtc`.
static bool is_used(int descriptor, const drmModeRes *resources, uint32_t crtc, uint32_t connector)
{
    bool is_used = false;
    for (int i = 0; i < resources->count_connectors && !is_used; ++i) {
        if (resources->connectors[i] == connector) {
            continue;
        }
        drmModeConnector *other = drmModeGetConnectorCurrent(descriptor, resources->connectors[i]);
        drmModeEncoder *encoder = other == NULL || other->encoder_id == 0
            ? NULL : drmModeGetEncoder(descriptor, other->encoder_id);
        is_used = encoder != NULL && encoder->crtc_id == crtc;
        drmModeFreeEncoder(encoder);
        drmModeFreeConnector(other);
    }
    return is_used;
}

// The CRTC that shows `connector`, else one that can and shows no other; 0 for none.
static uint32_t find_crtc(int descriptor, const drmModeConnector *connector)
{
    drmModeRes *resources = drmModeGetResources(descriptor);
    if (resources == NULL) {
        return 0;
    }
    uint32_t crtc = 0;
    drmModeEncoder *own = connector->encoder_id == 0 ? NULL : drmModeGetEncoder(descriptor, connector->encoder_id);
    if (own != NULL) {
        crtc = own->crtc_id;
        drmModeFreeEncoder(own);
    }
    for (int i = 0; i < connector->count_encoders && crtc == 0; ++i) {
        drmModeEncoder *encoder = drmModeGetEncoder(descriptor, connector->encoders[i]);
        for (int j = 0; encoder != NULL && j < resources->count_crtcs && j < 32 && crtc == 0; ++j) {
            const bool is_possible = (encoder->possible_crtcs & UINT32_C(1) << j) != 0;
            if (is_possible && !is_used(descriptor, resources, resources->crtcs[j], connector->connector_id)) {
                crtc = resources->crtcs[j];
            }
        }
        drmModeFreeEncoder(encoder);
    }
    drmModeFreeResources(resources);
    return crtc;
}

static int make_buffer(screen *screen, struct buffer *buffer, const drmModeModeInfo *mode)
{
    uint32_t pitch = 0;
    uint64_t offset = 0;
    if (drmModeCreateDumbBuffer(
            screen->descriptor, mode->hdisplay, mode->vdisplay, bits_per_pixel, 0, &buffer->handle, &pitch,
            &buffer->bytes) < 0) {
        return -1;
    }
    screen->stride = pitch / sizeof *buffer->pixels;
    if (pitch % sizeof *buffer->pixels != 0 || screen->stride < mode->hdisplay
        || buffer->bytes < (uint64_t)pitch * mode->vdisplay) {
        errno = EINVAL;
        return -1;
    }
    if (drmModeAddFB(
            screen->descriptor, mode->hdisplay, mode->vdisplay, colour_depth, bits_per_pixel, pitch, buffer->handle,
            &buffer->frame) < 0
        || drmModeMapDumbBuffer(screen->descriptor, buffer->handle, &offset) < 0) {
        return -1;
    }
    void *pixels = mmap(
        NULL, buffer->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, screen->descriptor, (off_t)offset);
    if (pixels == MAP_FAILED) {
        return -1;
    }
    buffer->pixels = pixels;
    return 0;
}

static void free_buffers(screen *screen)
{
    for (int i = 0; i < screen_buffers; ++i) {
        struct buffer *buffer = &screen->buffers[i];
        if (buffer->pixels != NULL) {
            munmap(buffer->pixels, buffer->bytes);
        }
        if (buffer->frame != 0) {
            drmModeRmFB(screen->descriptor, buffer->frame);
        }
        if (buffer->handle != 0) {
            drmModeDestroyDumbBuffer(screen->descriptor, buffer->handle);
        }
    }
    drmModeFreeCrtc(screen->before);
    free(screen);
}

static int start(screen *screen, const drmModeConnector *connector, const struct screen_mode *mode)
{
    if (mode->number >= connector->count_modes) {
        errno = EINVAL;
        return -1;
    }
    drmModeModeInfo *info = &connector->modes[mode->number];
    if (info->hdisplay != mode->width || info->vdisplay != mode->height || info->vrefresh != mode->hertz) {
        errno = EINVAL;
        return -1;
    }
    screen->crtc = find_crtc(screen->descriptor, connector);
    if (screen->crtc == 0) {
        errno = EBUSY;
        return -1;
    }
    enum screen_orientation mounting = screen_top_up;
    read_properties(screen->descriptor, connector, &mounting, &screen->dpms);
    screen->before = drmModeGetCrtc(screen->descriptor, screen->crtc);
    for (int i = 0; i < screen_buffers; ++i) {
        if (make_buffer(screen, &screen->buffers[i], info) < 0) {
            return -1;
        }
    }
    // The kernel clears a new buffer.
    return drmModeSetCrtc(
        screen->descriptor, screen->crtc, screen->buffers[0].frame, 0, 0, &screen->connector, 1, info);
}

screen *screen_start(int descriptor, uint32_t connector, const struct screen_mode *mode)
{
    drmModeConnector *found = drmModeGetConnectorCurrent(descriptor, connector);
    if (found == NULL) {
        return NULL;
    }
    screen *screen = calloc(1, sizeof *screen);
    if (screen != NULL) {
        screen->descriptor = descriptor;
        screen->connector = connector;
        if (start(screen, found, mode) < 0) {
            const int problem = errno;
            free_buffers(screen);
            screen = NULL;
            errno = problem;
        }
    }
    const int problem = errno;
    drmModeFreeConnector(found);
    errno = problem;
    return screen;
}

uint32_t *screen_pixels(const screen *screen, int buffer)
{
    return screen->buffers[buffer].pixels;
}

int screen_stride(const screen *screen)
{
    return (int)screen->stride;
}

int screen_flip(screen *screen, int buffer)
{
    const int result = drmModePageFlip(
        screen->descriptor, screen->crtc, screen->buffers[buffer].frame, DRM_MODE_PAGE_FLIP_EVENT, screen);
    screen->is_flipping = screen->is_flipping || result == 0;
    return result < 0 ? -1 : 0;
}

static void end_flip(int descriptor, unsigned sequence, unsigned seconds, unsigned microseconds, void *screen)
{
    (void)descriptor, (void)sequence, (void)seconds, (void)microseconds;
    ((struct screen *)screen)->is_flipping = false;
}

static int64_t milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int screen_wait(screen *screen, int milliseconds)
{
    const int64_t end = milliseconds_now() + milliseconds;
    while (screen->is_flipping) {
        const int64_t left = end - milliseconds_now();
        if (left <= 0) {
            return 0;
        }
        struct pollfd poll_descriptor = {.fd = screen->descriptor, .events = POLLIN};
        const int ready = poll(&poll_descriptor, 1, (int)left);
        if (ready < 0 && errno != EINTR) {
            return -1;
        }
        if (ready > 0 && (poll_descriptor.revents & POLLIN) == 0) {
            errno = ENODEV;
            return -1;
        }
        drmEventContext context = {.version = 2, .page_flip_handler = end_flip};
        if (ready > 0 && drmHandleEvent(screen->descriptor, &context) < 0) {
            return -1;
        }
    }
    return 1;
}

int screen_blank(screen *screen, bool is_blank)
{
    if (screen->dpms == 0) {
        errno = ENOTSUP;
        return -1;
    }
    return drmModeConnectorSetProperty(
        screen->descriptor, screen->connector, screen->dpms, is_blank ? DRM_MODE_DPMS_OFF : DRM_MODE_DPMS_ON);
}

void screen_end(screen *screen)
{
    // A buffer that is being shown must not be freed before the flip has ended.
    screen_wait(screen, 100);
    drmModeCrtc *before = screen->before;
    if (before != NULL && before->mode_valid && before->buffer_id != 0) {
        drmModeSetCrtc(
            screen->descriptor, screen->crtc, before->buffer_id, before->x, before->y, &screen->connector, 1,
            &before->mode);
    } else {
        drmModeSetCrtc(screen->descriptor, screen->crtc, 0, 0, 0, NULL, 0, NULL);
    }
    free_buffers(screen);
}

// MARK: Changes

int screen_watch(void)
{
    const int watch = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
    // Group 1 has the kernel's own reports.
    const struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1};
    if (watch >= 0 && bind(watch, (const struct sockaddr *)&address, sizeof address) < 0) {
        const int problem = errno;
        close(watch);
        errno = problem;
        return -1;
    }
    return watch;
}

bool screen_has_changed(int watch)
{
    bool has_changed = false;
    // A report is lines that end with zeros (lib/kobject_uevent.c).
    char report[8192];
    for (;;) {
        const ssize_t count = recv(watch, report, sizeof report, 0);
        if (count < 0) {
            // Reports were lost if the socket's memory was full.
            has_changed = has_changed || errno == ENOBUFS;
            if (errno != ENOBUFS && errno != EINTR) {
                return has_changed;
            }
            continue;
        }
        static const char subsystem[] = "SUBSYSTEM=drm";
        has_changed = has_changed || memmem(report, (size_t)count, subsystem, sizeof subsystem) != NULL;
    }
}
