// Input devices without hardware, as the kernel's input core and evdev show them (drivers/input/input.c, evdev.c): what has
// not changed is not repeated, each slot has its own values, and who reads too late finds SYN_DROPPED in place of all that
// waited. The functions read and ioctl are defined in this target and so found before the C library's, by libevdev too; what
// is not about a descriptor from here they pass on.

#ifndef PIXELBOOP_EVDEV_KERNEL_H
#define PIXELBOOP_EVDEV_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

// A new device with no codes: a number.
int evdev_kernel_add(const char *name, uint16_t vendor, uint16_t product);

// Forgets a device, once nobody has it open.
void evdev_kernel_remove(int device);

// Its property, code and axis, to be set before it is opened. An axis ABS_MT_SLOT gives it slots.
void evdev_kernel_set_property(int device, int property);
void evdev_kernel_set_code(int device, int type, int code);
void evdev_kernel_set_axis(int device, int code, int32_t first, int32_t last);

// The driver's report at `microseconds` of CLOCK_MONOTONIC. EV_SYN, SYN_REPORT ends a packet.
void evdev_kernel_report(int device, int64_t microseconds, int type, int code, int32_t value);

// The next value that is not filtered out finds the buffers of all who read full.
void evdev_kernel_overflow(int device);

// Times that a buffer was full.
int evdev_kernel_overflows(int device);

// Opens a device: a descriptor, or the negative errno. It is readable while there are reports.
int evdev_kernel_open(int device);
void evdev_kernel_close(int descriptor);

// Descriptors that have it open.
int evdev_kernel_opened(int device);

// Lets another program have the device alone, or not any more.
void evdev_kernel_hold(int device, bool is_held);

// Whether somebody has it alone.
bool evdev_kernel_is_grabbed(int device);

// The device is no more, as every call says from now on.
void evdev_kernel_unplug(int device);

enum evdev_kernel_call {
    evdev_kernel_call_open = 0,
    evdev_kernel_call_read = 1,
    evdev_kernel_call_clock = 2,  // EVIOCSCLOCKID
    evdev_kernel_call_slots = 3,  // EVIOCGMTSLOTS
};

// The next `count` calls on the device give `result`, a negative errno or a number of bytes.
void evdev_kernel_fail(int device, enum evdev_kernel_call call, int result, int count);

#endif
