// Input devices without hardware, with the behaviour of the kernel's input core and evdev (drivers/input/input.c, evdev.c):
// unchanged values are not repeated, each slot has its own values, and a late reader finds SYN_DROPPED in place of all pending
// reports. The functions read and ioctl are defined in this target and so precede the C library's, for libevdev too; they
// forward calls on other descriptors.

#ifndef PIXELBOOP_EVDEV_KERNEL_H
#define PIXELBOOP_EVDEV_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

// Creates a device without codes; returns its number.
int evdev_kernel_add(const char *name, uint16_t vendor, uint16_t product);

// Removes a device, once nobody has it open.
void evdev_kernel_remove(int device);

// Sets a property, code and axis, before the device is opened. An axis ABS_MT_SLOT gives it slots.
void evdev_kernel_set_property(int device, int property);
void evdev_kernel_set_code(int device, int type, int code);
void evdev_kernel_set_axis(int device, int code, int32_t first, int32_t last);

// A driver's report at `microseconds` of CLOCK_MONOTONIC. EV_SYN, SYN_REPORT ends a packet.
void evdev_kernel_report(int device, int64_t microseconds, int type, int code, int32_t value);

// Makes every reader's buffer overflow at the next value that is not filtered out.
void evdev_kernel_overflow(int device);

// Returns the number of overflows.
int evdev_kernel_overflows(int device);

// Opens a device; returns a descriptor, readable while there are reports, or the negative errno.
int evdev_kernel_open(int device);
void evdev_kernel_close(int descriptor);

// Returns the number of descriptors that have it open.
int evdev_kernel_opened(int device);

// Grabs the device for another program, or releases it.
void evdev_kernel_hold(int device, bool is_held);

// Returns whether the device is grabbed.
bool evdev_kernel_is_grabbed(int device);

// Removes the device: every later call fails.
void evdev_kernel_unplug(int device);

enum evdev_kernel_call {
    evdev_kernel_call_open = 0,
    evdev_kernel_call_read = 1,
    evdev_kernel_call_clock = 2,  // EVIOCSCLOCKID
    evdev_kernel_call_slots = 3,  // EVIOCGMTSLOTS
};

// The next `count` calls on the device return `result`, a negative errno or a number of bytes.
void evdev_kernel_fail(int device, enum evdev_kernel_call call, int result, int count);

#endif
